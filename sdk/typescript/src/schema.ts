// Request and response types, written by sdk/clientgen from docs/openapi.json.
// Do not edit: run "go run ./sdk/clientgen" in the root of the repository.

/** A decoded JSON object. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = Record<string, any>;

export type Kind = "turn" | "note" | "document" | "tool" | "anti_pattern" | "identity";

export type Role = "user" | "assistant" | "tool" | "system";

/** Method and path of every operation. */
export const ROUTES = {
  add: ["POST", "/_orma/v1/episodes"],
  add_document: ["POST", "/_orma/v1/documents"],
  audit: ["GET", "/_orma/v1/audit"],
  context: ["POST", "/_orma/v1/context"],
  correct: ["POST", "/_orma/v1/facts/{id}/correct"],
  episode: ["GET", "/_orma/v1/episodes/{id}"],
  episodes: ["GET", "/_orma/v1/episodes"],
  erase: ["DELETE", "/_orma/v1/episodes/{id}"],
  erase_space: ["DELETE", "/_orma/v1/spaces/{name}"],
  export: ["GET", "/_orma/v1/export"],
  facts: ["GET", "/_orma/v1/facts"],
  forbid: ["POST", "/_orma/v1/rules"],
  forget: ["POST", "/_orma/v1/facts/{id}/forget"],
  graph: ["GET", "/_orma/v1/graph"],
  node: ["GET", "/_orma/v1/graph/{id}"],
  openapi: ["GET", "/_orma/v1/openapi.json"],
  pending: ["GET", "/_orma/v1/sleep/pending"],
  quarantine: ["POST", "/_orma/v1/quarantine"],
  recall: ["POST", "/_orma/v1/recall"],
  recall_block: ["GET", "/_orma/v1/recall"],
  search: ["POST", "/_orma/v1/search"],
  sleep: ["POST", "/_orma/v1/sleep"],
  sleep_reports: ["GET", "/_orma/v1/sleep"],
  stages: ["GET", "/_orma/v1/stages"],
  stats: ["GET", "/_orma/v1/stats"],
  stream: ["GET", "/_orma/v1/stream"],
  version: ["GET", "/_orma/v1/version"],
} as const;

/** Part of an answer of the server: AddAnswer. */
export interface AddAnswer {
  added: Array<Added>;
}

/** Reads AddAnswer from decoded JSON. */
export function readAddAnswer(d: Json): AddAnswer {
  return {
    added: d.added ? d.added.map((x: never) => readAdded(x)) : [],
  };
}

/** Body of a request: AddBody. */
export interface AddBody {
  at?: string;
  episodes?: Array<NewEpisode>;
  expires?: string;
  id?: string;
  kind?: Kind;
  role?: Role;
  session?: string;
  source?: string;
  space?: string;
  speaker?: string;
  text?: string;
  trust?: string;
  ttl?: string;
  tz?: string;
}

/** Part of an answer of the server: Added. */
export interface Added {
  id: number;
  passages: Array<number>;
  code?: string | undefined;
  error?: string | undefined;
  key?: string | undefined;
  masked?: number | undefined;
  repaired: boolean;
  repeatOf?: number | undefined;
  ruleId?: number | undefined;
}

/** Reads Added from decoded JSON. */
export function readAdded(d: Json): Added {
  return {
    id: d.id,
    passages: d.passages ? d.passages : [],
    code: d.code,
    error: d.error,
    key: d.key,
    masked: d.masked,
    repaired: d.repaired ?? false,
    repeatOf: d.repeat_of,
    ruleId: d.rule_id,
  };
}

/** Part of an answer of the server: Audit. */
export interface Audit {
  entries: Array<AuditEntry>;
  /** cursor of the next page; missing on the last one */
  next?: string | undefined;
}

/** Reads Audit from decoded JSON. */
export function readAudit(d: Json): Audit {
  return {
    entries: d.entries ? d.entries.map((x: never) => readAuditEntry(x)) : [],
    next: d.next,
  };
}

/** Part of an answer of the server: AuditEntry. */
export interface AuditEntry {
  seq: number;
  at: Date;
  verb: string;
  status: number;
  item?: number | undefined;
  space?: string | undefined;
  token?: string | undefined;
}

/** Reads AuditEntry from decoded JSON. */
export function readAuditEntry(d: Json): AuditEntry {
  return {
    seq: d.seq,
    at: new Date(d.at),
    verb: d.verb,
    status: d.status,
    item: d.item,
    space: d.space,
    token: d.token,
  };
}

/** Part of an answer of the server: Candidate. */
export interface Candidate {
  id: number;
  node: string;
  kind: string;
  rank: number;
  scores: Array<number>;
  parts: Array<number>;
  columns: Record<string, number>;
}

/** Reads Candidate from decoded JSON. */
export function readCandidate(d: Json): Candidate {
  return {
    id: d.id,
    node: d.node,
    kind: d.kind,
    rank: d.rank,
    scores: d.scores ? d.scores : [],
    parts: d.parts ? d.parts : [],
    columns: d.columns,
  };
}

/** Part of an answer of the server: Cite. */
export interface Cite {
  passage: number;
  mark: string;
  episode: number;
  text: string;
  at?: Date | undefined;
}

/** Reads Cite from decoded JSON. */
export function readCite(d: Json): Cite {
  return {
    passage: d.passage,
    mark: d.mark,
    episode: d.episode,
    text: d.text,
    at: d.at === undefined ? undefined : new Date(d.at),
  };
}

/** Part of an answer of the server: Context. */
export interface Context {
  /** the conversation; nothing but texts of memory was added */
  messages: unknown;
  /** what was added */
  block: string;
  tokens: number;
  items: Array<Item>;
  notes: Array<Note>;
}

/** Reads Context from decoded JSON. */
export function readContext(d: Json): Context {
  return {
    messages: d.messages,
    block: d.block,
    tokens: d.tokens,
    items: d.items ? d.items.map((x: never) => readItem(x)) : [],
    notes: d.notes ? d.notes.map((x: never) => readNote(x)) : [],
  };
}

/** Body of a request: ContextBody. */
export interface ContextBody {
  messages: unknown;
  budget?: number;
  now?: string;
  preview?: boolean;
  session?: string;
  space?: string;
}

/** Body of a request: CorrectBody. */
export interface CorrectBody {
  text: string;
  at?: string;
  space?: string;
}

/** Body of a request: DocumentBody. */
export interface DocumentBody {
  name: string;
  text: string;
  at?: string;
  expires?: string;
  id?: string;
  kind?: Kind;
  role?: Role;
  session?: string;
  source?: string;
  space?: string;
  speaker?: string;
  trust?: string;
  ttl?: string;
  tz?: string;
}

/** Part of an answer of the server: EntityDetail. */
export interface EntityDetail {
  name: string;
  /** further names */
  names: Array<string>;
  /** items that name it */
  mentions: number;
  /** states and events about it */
  states: number;
  /** missing when only lines name it */
  id?: number | undefined;
}

/** Reads EntityDetail from decoded JSON. */
export function readEntityDetail(d: Json): EntityDetail {
  return {
    name: d.name,
    names: d.names ? d.names : [],
    mentions: d.mentions,
    states: d.states,
    id: d.id,
  };
}

/** Part of an answer of the server: Episode. */
export interface Episode {
  id: number;
  kind: Kind;
  role: Role;
  source: string;
  trust: string;
  /** when it was said */
  at: Date;
  /** when it was stored */
  recorded: Date;
  text: string;
  expires?: Date | undefined;
  /** the caller's own id */
  key?: string | undefined;
  quarantined: boolean;
  repeatOf?: number | undefined;
  session?: string | undefined;
  speaker?: string | undefined;
  tz?: string | undefined;
}

/** Reads Episode from decoded JSON. */
export function readEpisode(d: Json): Episode {
  return {
    id: d.id,
    kind: d.kind,
    role: d.role,
    source: d.source,
    trust: d.trust,
    at: new Date(d.at),
    recorded: new Date(d.recorded),
    text: d.text,
    expires: d.expires === undefined ? undefined : new Date(d.expires),
    key: d.key,
    quarantined: d.quarantined ?? false,
    repeatOf: d.repeat_of,
    session: d.session,
    speaker: d.speaker,
    tz: d.tz,
  };
}

/** Part of an answer of the server: Episodes. */
export interface Episodes {
  episodes: Array<Episode>;
  /** cursor of the next page; missing on the last one */
  next?: string | undefined;
}

/** Reads Episodes from decoded JSON. */
export function readEpisodes(d: Json): Episodes {
  return {
    episodes: d.episodes ? d.episodes.map((x: never) => readEpisode(x)) : [],
    next: d.next,
  };
}

/** Part of an answer of the server: Event. */
export interface Event {
  id: number;
  subject: string;
  event: string;
  sources: Array<Cite>;
  end?: string | undefined;
  start?: string | undefined;
}

/** Reads Event from decoded JSON. */
export function readEvent(d: Json): Event {
  return {
    id: d.id,
    subject: d.subject,
    event: d.event,
    sources: d.sources ? d.sources.map((x: never) => readCite(x)) : [],
    end: d.end,
    start: d.start,
  };
}

/** Part of an answer of the server: Fact. */
export interface Fact {
  id: number;
  subject: string;
  attribute: string;
  value: string;
  condition: string;
  forbidden: boolean;
  active: boolean;
  text: string;
  sources: Array<Cite>;
  backend?: string | undefined;
  closedAt?: Date | undefined;
  forgotten: boolean;
  recordedAt?: Date | undefined;
  supersededBy?: number | undefined;
  trust?: string | undefined;
  validFrom?: string | undefined;
  validTo?: string | undefined;
}

/** Reads Fact from decoded JSON. */
export function readFact(d: Json): Fact {
  return {
    id: d.id,
    subject: d.subject,
    attribute: d.attribute,
    value: d.value,
    condition: d.condition,
    forbidden: d.forbidden,
    active: d.active,
    text: d.text,
    sources: d.sources ? d.sources.map((x: never) => readCite(x)) : [],
    backend: d.backend,
    closedAt: d.closed_at === undefined ? undefined : new Date(d.closed_at),
    forgotten: d.forgotten ?? false,
    recordedAt: d.recorded_at === undefined ? undefined : new Date(d.recorded_at),
    supersededBy: d.superseded_by,
    trust: d.trust,
    validFrom: d.valid_from,
    validTo: d.valid_to,
  };
}

/** Part of an answer of the server: Facts. */
export interface Facts {
  facts: Array<Fact>;
  /** cursor of the next page; missing on the last one */
  next?: string | undefined;
}

/** Reads Facts from decoded JSON. */
export function readFacts(d: Json): Facts {
  return {
    facts: d.facts ? d.facts.map((x: never) => readFact(x)) : [],
    next: d.next,
  };
}

/** Part of an answer of the server: Failure. */
export interface Failure {
  error: FailureText;
}

/** Reads Failure from decoded JSON. */
export function readFailure(d: Json): Failure {
  return {
    error: readFailureText(d.error),
  };
}

/** Part of an answer of the server: FailureText. */
export interface FailureText {
  /** names the kind of failure; the same in every front end */
  code: string;
  /** a sentence */
  message: string;
  /** what to do */
  hint?: string | undefined;
}

/** Reads FailureText from decoded JSON. */
export function readFailureText(d: Json): FailureText {
  return {
    code: d.code,
    message: d.message,
    hint: d.hint,
  };
}

/** Body of a request: ForgetBody. */
export interface ForgetBody {
  at?: string;
  reason?: string;
  space?: string;
}

/** Part of an answer of the server: Found. */
export interface Found {
  states: Array<Item>;
  passages: Array<Item>;
  events: Array<Item>;
  approximate: boolean;
  notes: Array<Note>;
  trace?: Trace | undefined;
}

/** Reads Found from decoded JSON. */
export function readFound(d: Json): Found {
  return {
    states: d.states ? d.states.map((x: never) => readItem(x)) : [],
    passages: d.passages ? d.passages.map((x: never) => readItem(x)) : [],
    events: d.events ? d.events.map((x: never) => readItem(x)) : [],
    approximate: d.approximate ?? false,
    notes: d.notes ? d.notes.map((x: never) => readNote(x)) : [],
    trace: d.trace === undefined ? undefined : readTrace(d.trace),
  };
}

/** Part of an answer of the server: Graph. */
export interface Graph {
  space: string;
  /** grows with each write to the space */
  generation: number;
  /** what held then is shown */
  asOf: Date;
  /** what the places of this space come from */
  seed: number;
  /** distance of the farthest node of this answer from the origin */
  radius: number;
  totals: GraphTotals;
  nodes: Array<GraphNode>;
  links: Array<GraphLink>;
  /** cursor of the next page; missing on the last one */
  next?: string | undefined;
}

/** Reads Graph from decoded JSON. */
export function readGraph(d: Json): Graph {
  return {
    space: d.space,
    generation: d.generation,
    asOf: new Date(d.as_of),
    seed: d.seed,
    radius: d.radius,
    totals: readGraphTotals(d.totals),
    nodes: d.nodes ? d.nodes.map((x: never) => readGraphNode(x)) : [],
    links: d.links ? d.links.map((x: never) => readGraphLink(x)) : [],
    next: d.next,
  };
}

/** Part of an answer of the server: GraphLink. */
export interface GraphLink {
  from: string;
  to: string;
  /** about, mentions, together, source or supersedes */
  kind: string;
  /** above 0, to 1 */
  weight: number;
  burst?: number | undefined;
  lastUsed?: Date | undefined;
}

/** Reads GraphLink from decoded JSON. */
export function readGraphLink(d: Json): GraphLink {
  return {
    from: d.from,
    to: d.to,
    kind: d.kind,
    weight: d.weight,
    burst: d.burst,
    lastUsed: d.last_used === undefined ? undefined : new Date(d.last_used),
  };
}

/** Part of an answer of the server: GraphNode. */
export interface GraphNode {
  /** e0, the owner of the space; e and a number, a stored entity; n and letters, a name in lines; s a state, v an event, p a passage, with their number */
  id: string;
  /** entity, state, rule, conditional, event or passage */
  kind: string;
  /** at most 160 characters */
  label: string;
  /** its neighbours at that time and under the filters */
  degree: number;
  /** those of them that are not in this answer */
  hidden: number;
  x: number;
  y: number;
  z: number;
  /** 0 to 1, how much it was used in the last hours */
  burst?: number | undefined;
  /** it is over, whatever held at that time */
  closed: boolean;
  condition?: string | undefined;
  /** the entity that it lies around */
  hub?: string | undefined;
  /** the last of them, or when it was said */
  lastUsed?: Date | undefined;
  /** when it was learnt; of a passage when it was said */
  recordedAt?: Date | undefined;
  /** where its first line came from */
  source?: string | undefined;
  supersededBy?: string | undefined;
  trust?: string | undefined;
  /** times it was said again, cited or recalled, of the last 32 */
  uses?: number | undefined;
  /** first day; of an event when it began */
  validFrom?: string | undefined;
  /** day it ended; of an event its last day */
  validTo?: string | undefined;
}

/** Reads GraphNode from decoded JSON. */
export function readGraphNode(d: Json): GraphNode {
  return {
    id: d.id,
    kind: d.kind,
    label: d.label,
    degree: d.degree,
    hidden: d.hidden,
    x: d.x,
    y: d.y,
    z: d.z,
    burst: d.burst,
    closed: d.closed ?? false,
    condition: d.condition,
    hub: d.hub,
    lastUsed: d.last_used === undefined ? undefined : new Date(d.last_used),
    recordedAt: d.recorded_at === undefined ? undefined : new Date(d.recorded_at),
    source: d.source,
    supersededBy: d.superseded_by,
    trust: d.trust,
    uses: d.uses,
    validFrom: d.valid_from,
    validTo: d.valid_to,
  };
}

/** Part of an answer of the server: GraphTotals. */
export interface GraphTotals {
  /** without rules and conditionals */
  states: number;
  rules: number;
  conditionals: number;
  entities: number;
  passages: number;
  events: number;
  links: number;
}

/** Reads GraphTotals from decoded JSON. */
export function readGraphTotals(d: Json): GraphTotals {
  return {
    states: d.states,
    rules: d.rules,
    conditionals: d.conditionals,
    entities: d.entities,
    passages: d.passages,
    events: d.events,
    links: d.links,
  };
}

/** Part of an answer of the server: HistoryEntry. */
export interface HistoryEntry {
  node: string;
  value: string;
  active: boolean;
  closedAt?: Date | undefined;
  condition?: string | undefined;
  forgotten: boolean;
  recordedAt?: Date | undefined;
  supersededBy?: string | undefined;
  validFrom?: string | undefined;
  validTo?: string | undefined;
}

/** Reads HistoryEntry from decoded JSON. */
export function readHistoryEntry(d: Json): HistoryEntry {
  return {
    node: d.node,
    value: d.value,
    active: d.active,
    closedAt: d.closed_at === undefined ? undefined : new Date(d.closed_at),
    condition: d.condition,
    forgotten: d.forgotten ?? false,
    recordedAt: d.recorded_at === undefined ? undefined : new Date(d.recorded_at),
    supersededBy: d.superseded_by,
    validFrom: d.valid_from,
    validTo: d.valid_to,
  };
}

/** Part of an answer of the server: Item. */
export interface Item {
  id: number;
  kind: string;
  text: string;
  score: number;
  at?: Date | undefined;
  episode?: number | undefined;
  event?: Event | undefined;
  key?: string | undefined;
  outdated: Array<Outdated>;
  role?: Role | undefined;
  session?: string | undefined;
  source?: string | undefined;
  sources: Array<Cite>;
  speaker?: string | undefined;
  state?: Fact | undefined;
}

/** Reads Item from decoded JSON. */
export function readItem(d: Json): Item {
  return {
    id: d.id,
    kind: d.kind,
    text: d.text,
    score: d.score,
    at: d.at === undefined ? undefined : new Date(d.at),
    episode: d.episode,
    event: d.event === undefined ? undefined : readEvent(d.event),
    key: d.key,
    outdated: d.outdated ? d.outdated.map((x: never) => readOutdated(x)) : [],
    role: d.role,
    session: d.session,
    source: d.source,
    sources: d.sources ? d.sources.map((x: never) => readCite(x)) : [],
    speaker: d.speaker,
    state: d.state === undefined ? undefined : readFact(d.state),
  };
}

/** Part of an answer of the server: Neighbour. */
export interface Neighbour {
  node: string;
  kind: string;
  label: string;
  /** about, mentions, together, source or supersedes */
  link: string;
  /** the link points from the neighbour to the node */
  back: boolean;
}

/** Reads Neighbour from decoded JSON. */
export function readNeighbour(d: Json): Neighbour {
  return {
    node: d.node,
    kind: d.kind,
    label: d.label,
    link: d.link,
    back: d.back ?? false,
  };
}

/** Body of a request: NewEpisode. */
export interface NewEpisode {
  text: string;
  at?: string;
  expires?: string;
  id?: string;
  kind?: Kind;
  role?: Role;
  session?: string;
  source?: string;
  speaker?: string;
  trust?: string;
  ttl?: string;
  tz?: string;
}

/** Part of an answer of the server: NodeDetail. */
export interface NodeDetail {
  id: string;
  /** entity, state, rule, conditional, event or passage */
  kind: string;
  /** at most 160 characters */
  label: string;
  generation: number;
  degree: number;
  /** the lines it rests on, in their context; of a passage itself */
  sources: Array<SourceText>;
  /** of a state: what was and is true of its subject and attribute, oldest first */
  history: Array<HistoryEntry>;
  /** when it was said again, cited or recalled, oldest first; the last 32 */
  uses: Array<UseTime>;
  /** up to 50; GET graph?of= pages them all */
  neighbours: Array<Neighbour>;
  entity?: EntityDetail | undefined;
  /** the episode to erase, to be rid of it */
  erases?: number | undefined;
  event?: Event | undefined;
  /** the entity that it lies around */
  hub?: string | undefined;
  passage?: PassageDetail | undefined;
  /** of a state, rule or conditional */
  state?: Fact | undefined;
}

/** Reads NodeDetail from decoded JSON. */
export function readNodeDetail(d: Json): NodeDetail {
  return {
    id: d.id,
    kind: d.kind,
    label: d.label,
    generation: d.generation,
    degree: d.degree,
    sources: d.sources ? d.sources.map((x: never) => readSourceText(x)) : [],
    history: d.history ? d.history.map((x: never) => readHistoryEntry(x)) : [],
    uses: d.uses ? d.uses.map((x: never) => readUseTime(x)) : [],
    neighbours: d.neighbours ? d.neighbours.map((x: never) => readNeighbour(x)) : [],
    entity: d.entity === undefined ? undefined : readEntityDetail(d.entity),
    erases: d.erases,
    event: d.event === undefined ? undefined : readEvent(d.event),
    hub: d.hub,
    passage: d.passage === undefined ? undefined : readPassageDetail(d.passage),
    state: d.state === undefined ? undefined : readFact(d.state),
  };
}

/** Part of an answer of the server: Note. */
export interface Note {
  stage: string;
  text: string;
}

/** Reads Note from decoded JSON. */
export function readNote(d: Json): Note {
  return {
    stage: d.stage,
    text: d.text,
  };
}

/** Part of an answer of the server: Outdated. */
export interface Outdated {
  text: string;
  by?: number | undefined;
  now?: string | undefined;
}

/** Reads Outdated from decoded JSON. */
export function readOutdated(d: Json): Outdated {
  return {
    text: d.text,
    by: d.by,
    now: d.now,
  };
}

/** Part of an answer of the server: PassageDetail. */
export interface PassageDetail {
  id: number;
  /** how answers cite it: s14 */
  mark: string;
  episode: number;
  text: string;
  /** bytes of the episode's text */
  start: number;
  end: number;
}

/** Reads PassageDetail from decoded JSON. */
export function readPassageDetail(d: Json): PassageDetail {
  return {
    id: d.id,
    mark: d.mark,
    episode: d.episode,
    text: d.text,
    start: d.start,
    end: d.end,
  };
}

/** Part of an answer of the server: Pending. */
export interface Pending {
  total: number;
  episodes: Array<PendingEpisode>;
}

/** Reads Pending from decoded JSON. */
export function readPending(d: Json): Pending {
  return {
    total: d.total,
    episodes: d.episodes ? d.episodes.map((x: never) => readPendingEpisode(x)) : [],
  };
}

/** Part of an answer of the server: PendingEpisode. */
export interface PendingEpisode {
  id: number;
  kind: Kind;
  role: Role;
  source: string;
  trust: string;
  /** when it was said */
  at: Date;
  /** when it was stored */
  recorded: Date;
  text: string;
  /** how often it was read in vain */
  attempts?: number | undefined;
  expires?: Date | undefined;
  /** the caller's own id */
  key?: string | undefined;
  lastError?: string | undefined;
  quarantined: boolean;
  repeatOf?: number | undefined;
  session?: string | undefined;
  speaker?: string | undefined;
  tz?: string | undefined;
}

/** Reads PendingEpisode from decoded JSON. */
export function readPendingEpisode(d: Json): PendingEpisode {
  return {
    id: d.id,
    kind: d.kind,
    role: d.role,
    source: d.source,
    trust: d.trust,
    at: new Date(d.at),
    recorded: new Date(d.recorded),
    text: d.text,
    attempts: d.attempts,
    expires: d.expires === undefined ? undefined : new Date(d.expires),
    key: d.key,
    lastError: d.last_error,
    quarantined: d.quarantined ?? false,
    repeatOf: d.repeat_of,
    session: d.session,
    speaker: d.speaker,
    tz: d.tz,
  };
}

/** Body of a request: QuarantineBody. */
export interface QuarantineBody {
  source: string;
  release?: boolean;
  since?: string;
  space?: string;
}

/** Part of an answer of the server: Quarantined. */
export interface Quarantined {
  space: string;
  at: Date;
  episodes: Array<number>;
  passages: number;
  states: number;
  events: number;
  vectors: number;
  uses: number;
  clean: boolean;
  gone: Array<Fact>;
  back: Array<Fact>;
  backups: Array<string>;
}

/** Reads Quarantined from decoded JSON. */
export function readQuarantined(d: Json): Quarantined {
  return {
    space: d.space,
    at: new Date(d.at),
    episodes: d.episodes ? d.episodes : [],
    passages: d.passages,
    states: d.states,
    events: d.events,
    vectors: d.vectors,
    uses: d.uses,
    clean: d.clean,
    gone: d.gone ? d.gone.map((x: never) => readFact(x)) : [],
    back: d.back ? d.back.map((x: never) => readFact(x)) : [],
    backups: d.backups ? d.backups : [],
  };
}

/** Body of a request: Question. */
export interface Question {
  query: string;
  budget?: number;
  explain?: boolean;
  format?: string;
  limit?: number;
  now?: string;
  off?: Array<string>;
  said?: Array<string>;
  session?: string;
  set?: Record<string, string>;
  space?: string;
  steady?: boolean;
}

/** Body of a request: RecallBody. */
export interface RecallBody {
  query: string;
  budget?: number;
  deliver?: boolean;
  explain?: boolean;
  format?: string;
  limit?: number;
  now?: string;
  off?: Array<string>;
  said?: Array<string>;
  session?: string;
  set?: Record<string, string>;
  space?: string;
  steady?: boolean;
}

/** Part of an answer of the server: Recalled. */
export interface Recalled {
  block: string;
  rules: string;
  stable: string;
  turn: string;
  tokens: number;
  overBudget: boolean;
  leftOut: number;
  items: Array<Item>;
  notes: Array<Note>;
  trace?: Trace | undefined;
}

/** Reads Recalled from decoded JSON. */
export function readRecalled(d: Json): Recalled {
  return {
    block: d.block,
    rules: d.rules,
    stable: d.stable,
    turn: d.turn,
    tokens: d.tokens,
    overBudget: d.over_budget,
    leftOut: d.left_out,
    items: d.items ? d.items.map((x: never) => readItem(x)) : [],
    notes: d.notes ? d.notes.map((x: never) => readNote(x)) : [],
    trace: d.trace === undefined ? undefined : readTrace(d.trace),
  };
}

/** Part of an answer of the server: Receipt. */
export interface Receipt {
  space: string;
  at: Date;
  episodes: Array<number>;
  passages: number;
  states: number;
  events: number;
  vectors: number;
  uses: number;
  clean: boolean;
  backups: Array<string>;
}

/** Reads Receipt from decoded JSON. */
export function readReceipt(d: Json): Receipt {
  return {
    space: d.space,
    at: new Date(d.at),
    episodes: d.episodes ? d.episodes : [],
    passages: d.passages,
    states: d.states,
    events: d.events,
    vectors: d.vectors,
    uses: d.uses,
    clean: d.clean,
    backups: d.backups ? d.backups : [],
  };
}

/** Part of an answer of the server: Reports. */
export interface Reports {
  reports: Array<unknown>;
}

/** Reads Reports from decoded JSON. */
export function readReports(d: Json): Reports {
  return {
    reports: d.reports ? d.reports : [],
  };
}

/** Body of a request: RuleBody. */
export interface RuleBody {
  rule: string;
  at?: string;
  session?: string;
  source?: string;
  space?: string;
  ttl?: string;
}

/** Part of an answer of the server: Server. */
export interface Server {
  /** orma */
  name: string;
  version: string;
  /** version of the API: v1 */
  api: string;
}

/** Reads Server from decoded JSON. */
export function readServer(d: Json): Server {
  return {
    name: d.name,
    version: d.version,
    api: d.api,
  };
}

/** Body of a request: SleepBody. */
export interface SleepBody {
  backend?: string;
  dry_run?: boolean;
  now?: string;
  rebuild?: boolean;
  space?: string;
}

/** Part of an answer of the server: SleepReport. */
export interface SleepReport {
  space: string;
  at: Date;
  batches: number;
  episodes: number;
  lines: number;
  outcomes: Record<string, number>;
  reasons: Record<string, number>;
  accepted: Array<SleepReportItem>;
  rejected: Array<SleepReportItem>;
  failed: Array<SleepReportFail>;
  backend?: string | undefined;
  dryRun: boolean;
  more: boolean;
  rebuild: boolean;
}

/** Reads SleepReport from decoded JSON. */
export function readSleepReport(d: Json): SleepReport {
  return {
    space: d.space,
    at: new Date(d.at),
    batches: d.batches,
    episodes: d.episodes,
    lines: d.lines,
    outcomes: d.outcomes,
    reasons: d.reasons,
    accepted: d.accepted ? d.accepted.map((x: never) => readSleepReportItem(x)) : [],
    rejected: d.rejected ? d.rejected.map((x: never) => readSleepReportItem(x)) : [],
    failed: d.failed ? d.failed.map((x: never) => readSleepReportFail(x)) : [],
    backend: d.backend,
    dryRun: d.dry_run ?? false,
    more: d.more ?? false,
    rebuild: d.rebuild ?? false,
  };
}

/** Part of an answer of the server: SleepReportFail. */
export interface SleepReportFail {
  episodes: Array<number>;
  error: string;
  attempt: boolean;
  retired: boolean;
}

/** Reads SleepReportFail from decoded JSON. */
export function readSleepReportFail(d: Json): SleepReportFail {
  return {
    episodes: d.episodes ? d.episodes : [],
    error: d.error,
    attempt: d.attempt,
    retired: d.retired ?? false,
  };
}

/** Part of an answer of the server: SleepReportItem. */
export interface SleepReportItem {
  kind: string;
  subject: string;
  value: string;
  sources: Array<SleepReportLine>;
  attribute?: string | undefined;
  condition?: string | undefined;
  detail?: string | undefined;
  forbidden: boolean;
  outcome?: string | undefined;
  reason?: string | undefined;
  validFrom?: string | undefined;
}

/** Reads SleepReportItem from decoded JSON. */
export function readSleepReportItem(d: Json): SleepReportItem {
  return {
    kind: d.kind,
    subject: d.subject,
    value: d.value,
    sources: d.sources ? d.sources.map((x: never) => readSleepReportLine(x)) : [],
    attribute: d.attribute,
    condition: d.condition,
    detail: d.detail,
    forbidden: d.forbidden ?? false,
    outcome: d.outcome,
    reason: d.reason,
    validFrom: d.valid_from,
  };
}

/** Part of an answer of the server: SleepReportLine. */
export interface SleepReportLine {
  episode: number;
  start: number;
  end: number;
  text?: string | undefined;
}

/** Reads SleepReportLine from decoded JSON. */
export function readSleepReportLine(d: Json): SleepReportLine {
  return {
    episode: d.episode,
    start: d.start,
    end: d.end,
    text: d.text,
  };
}

/** Part of an answer of the server: SourceText. */
export interface SourceText {
  /** the passage */
  node: string;
  /** how answers cite it: s14 */
  mark: string;
  episode: number;
  passage: number;
  before: string;
  text: string;
  after: string;
  kind: Kind;
  role: Role;
  source: string;
  trust: string;
  /** when it was said */
  at: Date;
  recorded: Date;
  /** the caller's own id */
  key?: string | undefined;
  /** it reads like an order to a model */
  quoted: boolean;
  session?: string | undefined;
  speaker?: string | undefined;
}

/** Reads SourceText from decoded JSON. */
export function readSourceText(d: Json): SourceText {
  return {
    node: d.node,
    mark: d.mark,
    episode: d.episode,
    passage: d.passage,
    before: d.before,
    text: d.text,
    after: d.after,
    kind: d.kind,
    role: d.role,
    source: d.source,
    trust: d.trust,
    at: new Date(d.at),
    recorded: new Date(d.recorded),
    key: d.key,
    quoted: d.quoted ?? false,
    session: d.session,
    speaker: d.speaker,
  };
}

/** Part of an answer of the server: SpaceStats. */
export interface SpaceStats {
  space: string;
  episodes: number;
  repeats: number;
  passages: number;
  states: number;
  closedStates: number;
  rules: number;
  events: number;
  entities: number;
  links: number;
  pending: number;
  retired: number;
  uses: number;
  first: Date;
  last: Date;
}

/** Reads SpaceStats from decoded JSON. */
export function readSpaceStats(d: Json): SpaceStats {
  return {
    space: d.space,
    episodes: d.episodes,
    repeats: d.repeats,
    passages: d.passages,
    states: d.states,
    closedStates: d.closed_states,
    rules: d.rules,
    events: d.events,
    entities: d.entities,
    links: d.links,
    pending: d.pending,
    retired: d.retired,
    uses: d.uses,
    first: new Date(d.first),
    last: new Date(d.last),
  };
}

/** Part of an answer of the server: SpreadHop. */
export interface SpreadHop {
  hop: number;
  to: string;
  value: number;
  from?: string | undefined;
}

/** Reads SpreadHop from decoded JSON. */
export function readSpreadHop(d: Json): SpreadHop {
  return {
    hop: d.hop,
    to: d.to,
    value: d.value,
    from: d.from,
  };
}

/** Part of an answer of the server: Spreading. */
export interface Spreading {
  stage: string;
  hops: Array<SpreadHop>;
}

/** Reads Spreading from decoded JSON. */
export function readSpreading(d: Json): Spreading {
  return {
    stage: d.stage,
    hops: d.hops ? d.hops.map((x: never) => readSpreadHop(x)) : [],
  };
}

/** Part of an answer of the server: StageInfo. */
export interface StageInfo {
  name: string;
  folder: string;
  summary: string;
  on: boolean;
  removable: boolean;
}

/** Reads StageInfo from decoded JSON. */
export function readStageInfo(d: Json): StageInfo {
  return {
    name: d.name,
    folder: d.folder,
    summary: d.summary,
    on: d.on,
    removable: d.removable,
  };
}

/** Part of an answer of the server: Stages. */
export interface Stages {
  stages: Array<StageInfo>;
}

/** Reads Stages from decoded JSON. */
export function readStages(d: Json): Stages {
  return {
    stages: d.stages ? d.stages.map((x: never) => readStageInfo(x)) : [],
  };
}

/** Part of an answer of the server: Stats. */
export interface Stats {
  store: StoreInfo;
  spaces: Array<SpaceStats>;
  vectors: Record<string, number>;
  indexSpaces: number;
  indexBytes: number;
  embedder?: string | undefined;
  embedderError?: string | undefined;
}

/** Reads Stats from decoded JSON. */
export function readStats(d: Json): Stats {
  return {
    store: readStoreInfo(d.store),
    spaces: d.spaces ? d.spaces.map((x: never) => readSpaceStats(x)) : [],
    vectors: d.vectors,
    indexSpaces: d.index_spaces,
    indexBytes: d.index_bytes,
    embedder: d.embedder,
    embedderError: d.embedder_error,
  };
}

/** Part of an answer of the server: StoreInfo. */
export interface StoreInfo {
  path: string;
  bytes: number;
  walBytes: number;
  schema: number;
  readOnly: boolean;
}

/** Reads StoreInfo from decoded JSON. */
export function readStoreInfo(d: Json): StoreInfo {
  return {
    path: d.path,
    bytes: d.bytes,
    walBytes: d.wal_bytes,
    schema: d.schema,
    readOnly: d.read_only,
  };
}

/** Part of an answer of the server: Trace. */
export interface Trace {
  steps: Array<TraceStep>;
  candidates: Array<Candidate>;
  spread: Array<Spreading>;
}

/** Reads Trace from decoded JSON. */
export function readTrace(d: Json): Trace {
  return {
    steps: d.steps ? d.steps.map((x: never) => readTraceStep(x)) : [],
    candidates: d.candidates ? d.candidates.map((x: never) => readCandidate(x)) : [],
    spread: d.spread ? d.spread.map((x: never) => readSpreading(x)) : [],
  };
}

/** Part of an answer of the server: TraceStep. */
export interface TraceStep {
  stage: string;
  us: number;
  in: number;
  out: number;
  error?: string | undefined;
}

/** Reads TraceStep from decoded JSON. */
export function readTraceStep(d: Json): TraceStep {
  return {
    stage: d.stage,
    us: d.us,
    in: d.in,
    out: d.out,
    error: d.error,
  };
}

/** Part of an answer of the server: UseTime. */
export interface UseTime {
  at: Date;
}

/** Reads UseTime from decoded JSON. */
export function readUseTime(d: Json): UseTime {
  return {
    at: new Date(d.at),
  };
}
