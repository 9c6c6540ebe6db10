CREATE TABLE aliases (
  entity INTEGER NOT NULL REFERENCES entities (key) ON DELETE CASCADE,
  name   TEXT NOT NULL,
  PRIMARY KEY (entity, name)
) WITHOUT ROWID;

CREATE TABLE audit (
  seq    INTEGER PRIMARY KEY AUTOINCREMENT,
  at     INTEGER NOT NULL,
  token  TEXT NOT NULL,
  verb   TEXT NOT NULL,
  space  TEXT NOT NULL,
  item   INTEGER NOT NULL,
  status INTEGER NOT NULL
);

CREATE TABLE backups (
  path    TEXT PRIMARY KEY,
  at      INTEGER NOT NULL,
  last_id INTEGER NOT NULL      -- the newest core.ID the copy holds
) WITHOUT ROWID;

CREATE TABLE counters (
  name  TEXT PRIMARY KEY,       -- 'id': the last core.ID; 'epoch': the last epoch
  value INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE embedders (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);

CREATE TABLE entities (
  key   INTEGER PRIMARY KEY,
  stamp INTEGER NOT NULL,
  name  TEXT NOT NULL
);

CREATE INDEX entities_stamp ON entities (stamp);

CREATE TABLE episodes (
  key         INTEGER PRIMARY KEY,
  norm        BLOB,                    -- hash of the normalised text
  kind        TEXT NOT NULL,
  role        TEXT NOT NULL,
  speaker     TEXT NOT NULL,
  session     TEXT NOT NULL,
  source      TEXT NOT NULL,
  outer_key   TEXT,                    -- the caller's own id
  trust       INTEGER NOT NULL,
  marks       INTEGER NOT NULL,
  at          INTEGER NOT NULL,
  zone        TEXT NOT NULL,
  recorded    INTEGER NOT NULL,
  expires     INTEGER,
  quarantined INTEGER NOT NULL DEFAULT 0,
  repeat_of   INTEGER,                 -- key of the episode that holds the passages
  spans       BLOB,                    -- where this text's passages lie
  repeats     INTEGER NOT NULL DEFAULT 0, -- how often others repeat it
  parts       INTEGER NOT NULL,        -- how many passages its text has
  lives       INTEGER,                 -- latest expiry of it and its repeats
  text        TEXT NOT NULL
);

CREATE INDEX episodes_norm ON episodes (norm) WHERE norm IS NOT NULL AND repeat_of IS NULL;

CREATE INDEX episodes_outer ON episodes (outer_key) WHERE outer_key IS NOT NULL;

CREATE INDEX episodes_repeat ON episodes (repeat_of) WHERE repeat_of IS NOT NULL;

CREATE TABLE events (
  key      INTEGER PRIMARY KEY,
  stamp    INTEGER NOT NULL,
  hidden   INTEGER NOT NULL DEFAULT 0,
  subject  TEXT NOT NULL,
  text     TEXT NOT NULL,
  start    TEXT NOT NULL,
  stop     TEXT NOT NULL,
  stated   INTEGER NOT NULL,
  said     INTEGER NOT NULL,
  recorded INTEGER NOT NULL,
  trust    INTEGER NOT NULL,
  expires  INTEGER,
  entities TEXT NOT NULL,              -- a JSON array of IDs
  backend  TEXT NOT NULL
);

CREATE INDEX events_stamp ON events (stamp);

CREATE VIRTUAL TABLE fulltext USING fts5 (
  terms, content = '', contentless_delete = 1,
  tokenize = "ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);

CREATE TABLE 'fulltext_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE TABLE 'fulltext_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'fulltext_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);

CREATE TABLE 'fulltext_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

CREATE VIRTUAL TABLE fulltext_terms USING fts5vocab (fulltext, instance);

CREATE TABLE journal (
  key  INTEGER PRIMARY KEY,
  at   INTEGER NOT NULL,
  op   TEXT NOT NULL,
  data BLOB
);

CREATE TABLE leases (
  space  TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  until  INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE links (
  source INTEGER NOT NULL,             -- key of either end
  target INTEGER NOT NULL,
  weight REAL NOT NULL,
  at     INTEGER NOT NULL,
  stamp  INTEGER NOT NULL,
  PRIMARY KEY (source, target)
) WITHOUT ROWID;

CREATE INDEX links_stamp ON links (stamp);

CREATE INDEX links_target ON links (target);

CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE passages (
  key     INTEGER PRIMARY KEY,
  episode INTEGER NOT NULL REFERENCES episodes (key),
  seq     INTEGER NOT NULL,
  start   INTEGER NOT NULL,
  stop    INTEGER NOT NULL,
  terms   INTEGER NOT NULL,            -- how many
  born    INTEGER NOT NULL,            -- the generation it became recallable in
  stamp   INTEGER NOT NULL
);

CREATE INDEX passages_episode ON passages (episode);

CREATE INDEX passages_stamp ON passages (stamp);

CREATE TABLE pending (
  space    INTEGER NOT NULL,
  at       INTEGER NOT NULL,
  episode  INTEGER NOT NULL,           -- key
  attempts INTEGER NOT NULL DEFAULT 0,
  error    TEXT NOT NULL DEFAULT '',
  retired  INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (space, at, episode)
) WITHOUT ROWID;

CREATE TABLE reports (
  key  INTEGER PRIMARY KEY,
  at   INTEGER NOT NULL,
  data BLOB NOT NULL
);

CREATE TABLE requests (
  space  TEXT NOT NULL,
  key    TEXT NOT NULL,
  sum    INTEGER NOT NULL,
  at     INTEGER NOT NULL,
  answer BLOB,                         -- null while the request is under way
  PRIMARY KEY (space, key)
) WITHOUT ROWID;

CREATE TABLE snapshots (
  space INTEGER NOT NULL,
  name  TEXT NOT NULL,
  part  INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  gen   INTEGER NOT NULL,
  data  BLOB NOT NULL,
  PRIMARY KEY (space, name, part)
);

CREATE TABLE sources (
  item    INTEGER NOT NULL,            -- key of a state or event
  closing INTEGER NOT NULL,            -- 1: the line that ended the state
  n       INTEGER NOT NULL,
  episode INTEGER NOT NULL,            -- key
  passage INTEGER NOT NULL,            -- key
  start   INTEGER NOT NULL,
  stop    INTEGER NOT NULL,
  at      INTEGER NOT NULL,
  PRIMARY KEY (item, closing, n)
) WITHOUT ROWID;

CREATE INDEX sources_episode ON sources (episode);

CREATE TRIGGER space_erased AFTER DELETE ON spaces BEGIN
  UPDATE audit SET space = '' WHERE space = OLD.name;
  DELETE FROM requests WHERE space = OLD.name;
END;

CREATE TABLE spaces (
  id       INTEGER PRIMARY KEY,
  name     TEXT NOT NULL UNIQUE,
  epoch    INTEGER NOT NULL,
  gen      INTEGER NOT NULL,
  episodes INTEGER NOT NULL DEFAULT 0,
  repeats  INTEGER NOT NULL DEFAULT 0,
  passages INTEGER NOT NULL DEFAULT 0,
  terms    INTEGER NOT NULL DEFAULT 0, -- of all passages: average length for BM25
  first    INTEGER,                    -- earliest and latest time something was said
  last     INTEGER
);

CREATE TABLE sqlite_sequence(name,seq);

CREATE TABLE states (
  key           INTEGER PRIMARY KEY,
  stamp         INTEGER NOT NULL,
  hidden        INTEGER NOT NULL DEFAULT 0, -- every line it rests on is quarantined
  subject       TEXT NOT NULL,
  subject_id    INTEGER NOT NULL,
  attribute     TEXT NOT NULL,
  value         TEXT NOT NULL,
  condition     TEXT NOT NULL,
  forbidden     INTEGER NOT NULL,
  valid_from    TEXT NOT NULL,
  valid_to      TEXT NOT NULL,
  stated        INTEGER NOT NULL,
  said          INTEGER NOT NULL,
  recorded      INTEGER NOT NULL,
  closed        INTEGER,
  superseded_by INTEGER NOT NULL,
  retracted     INTEGER NOT NULL,
  trust         INTEGER NOT NULL,
  expires       INTEGER,
  backend       TEXT NOT NULL,
  held          TEXT                   -- the closing that a quarantine undid, as JSON
);

CREATE INDEX states_stamp ON states (stamp);

CREATE TABLE tokens (
  id      TEXT PRIMARY KEY,
  name    TEXT NOT NULL,
  hash    BLOB NOT NULL UNIQUE,        -- SHA-256 of the secret
  rights  TEXT NOT NULL,
  spaces  TEXT NOT NULL,               -- a JSON array of names; [] means all
  created INTEGER NOT NULL,
  used    INTEGER,
  revoked INTEGER
);

CREATE TABLE uses (
  stamp INTEGER NOT NULL,
  n     INTEGER NOT NULL,
  item  INTEGER NOT NULL,              -- an ID of any kind
  kind  TEXT NOT NULL,
  at    INTEGER NOT NULL,
  PRIMARY KEY (stamp, n)
) WITHOUT ROWID;

CREATE TABLE vectors (
  key INTEGER PRIMARY KEY,             -- embedder and passage
  vec BLOB NOT NULL
);

