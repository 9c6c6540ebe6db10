-- Who may use the store, what they did, and which requests were answered.

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

CREATE TABLE audit (
  seq    INTEGER PRIMARY KEY AUTOINCREMENT,
  at     INTEGER NOT NULL,
  token  TEXT NOT NULL,
  verb   TEXT NOT NULL,
  space  TEXT NOT NULL,
  item   INTEGER NOT NULL,
  status INTEGER NOT NULL
);

CREATE TABLE requests (
  space  TEXT NOT NULL,
  key    TEXT NOT NULL,
  sum    INTEGER NOT NULL,
  at     INTEGER NOT NULL,
  answer BLOB,                         -- null while the request is under way
  PRIMARY KEY (space, key)
) WITHOUT ROWID;

-- The name of an erased space goes from here too.
CREATE TRIGGER space_erased AFTER DELETE ON spaces BEGIN
  UPDATE audit SET space = '' WHERE space = OLD.name;
  DELETE FROM requests WHERE space = OLD.name;
END;
