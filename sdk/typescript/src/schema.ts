// Request and response types, written by sdk/clientgen from docs/openapi.json.
// Do not edit: run "go run ./sdk/clientgen" in the root of the repository.

import { reader, type Shapes } from "./read.js";

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

// The fields of each answer, as read.ts takes them.
const SHAPES: Shapes = {
  AddAnswer: "added[Added]",
  Added: "id passages[] code error key masked repaired? repeat_of rule_id",
  Audit: "entries[AuditEntry] next",
  AuditEntry: "seq at@ verb status item space token",
  Candidate: "id node kind rank scores[] parts[] columns{}",
  Cite: "passage mark episode text at@",
  Context: "messages block tokens items[Item] notes[Note]",
  EntityDetail: "name names[] mentions states id",
  Episode: "id kind role source trust at@ recorded@ text expires@ key quarantined? repeat_of session speaker tz",
  Episodes: "episodes[Episode] next",
  Event: "id subject event sources[Cite] end start",
  Fact: "id subject attribute value condition forbidden? active? text sources[Cite] backend closed_at@ forgotten? recorded_at@ superseded_by trust valid_from valid_to",
  Facts: "facts[Fact] next",
  Failure: "error:FailureText",
  FailureText: "code message hint",
  Found: "states[Item] passages[Item] events[Item] approximate? notes[Note] trace:Trace",
  Graph: "space generation as_of@ seed radius totals:GraphTotals nodes[GraphNode] links[GraphLink] next",
  GraphLink: "from to kind weight burst last_used@",
  GraphNode: "id kind label degree hidden x y z burst closed? condition hub last_used@ recorded_at@ source superseded_by trust uses valid_from valid_to",
  GraphTotals: "states rules conditionals entities passages events links",
  HistoryEntry: "node value active? closed_at@ condition forgotten? recorded_at@ superseded_by valid_from valid_to",
  Item: "id kind text score at@ episode event:Event key outdated[Outdated] role session source sources[Cite] speaker state:Fact",
  Neighbour: "node kind label link back?",
  NodeDetail: "id kind label generation degree sources[SourceText] history[HistoryEntry] uses[UseTime] neighbours[Neighbour] entity:EntityDetail erases event:Event hub passage:PassageDetail state:Fact",
  Note: "stage text",
  Outdated: "text by now",
  PassageDetail: "id mark episode text start end",
  Pending: "total episodes[PendingEpisode]",
  PendingEpisode: "id kind role source trust at@ recorded@ text attempts expires@ key last_error quarantined? repeat_of session speaker tz",
  Quarantined: "space at@ episodes[] passages states events vectors uses clean? gone[Fact] back[Fact] backups[]",
  Recalled: "block rules stable turn tokens over_budget? left_out items[Item] notes[Note] trace:Trace",
  Receipt: "space at@ episodes[] passages states events vectors uses clean? backups[]",
  Reports: "reports[]",
  Server: "name version api right",
  SleepReport: "space at@ batches episodes lines outcomes{} reasons{} accepted[SleepReportItem] rejected[SleepReportItem] failed[SleepReportFail] backend dry_run? more? rebuild?",
  SleepReportFail: "episodes[] error attempt? retired?",
  SleepReportItem: "kind subject value sources[SleepReportLine] attribute condition detail forbidden? outcome reason valid_from",
  SleepReportLine: "episode start end text",
  SourceText: "node mark episode passage before text after kind role source trust at@ recorded@ key quoted? session speaker",
  SpaceStats: "space episodes repeats passages states closed_states rules events entities links pending retired uses first@ last@",
  SpreadHop: "hop to value from",
  Spreading: "stage hops[SpreadHop]",
  StageInfo: "name folder summary on? removable?",
  Stages: "stages[StageInfo]",
  Stats: "store:StoreInfo spaces[SpaceStats] vectors{} index_spaces index_bytes embedder embedder_error",
  StoreInfo: "path bytes wal_bytes schema read_only?",
  Trace: "steps[TraceStep] candidates[Candidate] spread[Spreading]",
  TraceStep: "stage us in out error",
  UseTime: "at@",
};

/** Part of an answer of the server: AddAnswer. */
export interface AddAnswer {
  added: Array<Added>;
}

/** Reads AddAnswer from decoded JSON. */
export const readAddAnswer = reader<AddAnswer>(SHAPES, "AddAnswer");

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
export const readAdded = reader<Added>(SHAPES, "Added");

/** Part of an answer of the server: Audit. */
export interface Audit {
  entries: Array<AuditEntry>;
  /** cursor of the next page; missing on the last one */
  next?: string | undefined;
}

/** Reads Audit from decoded JSON. */
export const readAudit = reader<Audit>(SHAPES, "Audit");

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
export const readAuditEntry = reader<AuditEntry>(SHAPES, "AuditEntry");

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
export const readCandidate = reader<Candidate>(SHAPES, "Candidate");

/** Part of an answer of the server: Cite. */
export interface Cite {
  passage: number;
  mark: string;
  episode: number;
  text: string;
  at?: Date | undefined;
}

/** Reads Cite from decoded JSON. */
export const readCite = reader<Cite>(SHAPES, "Cite");

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
export const readContext = reader<Context>(SHAPES, "Context");

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
export const readEntityDetail = reader<EntityDetail>(SHAPES, "EntityDetail");

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
export const readEpisode = reader<Episode>(SHAPES, "Episode");

/** Part of an answer of the server: Episodes. */
export interface Episodes {
  episodes: Array<Episode>;
  /** cursor of the next page; missing on the last one */
  next?: string | undefined;
}

/** Reads Episodes from decoded JSON. */
export const readEpisodes = reader<Episodes>(SHAPES, "Episodes");

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
export const readEvent = reader<Event>(SHAPES, "Event");

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
export const readFact = reader<Fact>(SHAPES, "Fact");

/** Part of an answer of the server: Facts. */
export interface Facts {
  facts: Array<Fact>;
  /** cursor of the next page; missing on the last one */
  next?: string | undefined;
}

/** Reads Facts from decoded JSON. */
export const readFacts = reader<Facts>(SHAPES, "Facts");

/** Part of an answer of the server: Failure. */
export interface Failure {
  error: FailureText;
}

/** Reads Failure from decoded JSON. */
export const readFailure = reader<Failure>(SHAPES, "Failure");

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
export const readFailureText = reader<FailureText>(SHAPES, "FailureText");

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
export const readFound = reader<Found>(SHAPES, "Found");

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
export const readGraph = reader<Graph>(SHAPES, "Graph");

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
export const readGraphLink = reader<GraphLink>(SHAPES, "GraphLink");

/** Part of an answer of the server: GraphNode. */
export interface GraphNode {
  /** e0, the owner of the space; e and a number, a stored entity; n, letters and digits, a name in lines; s a state, v an event, p a passage, with their number */
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
export const readGraphNode = reader<GraphNode>(SHAPES, "GraphNode");

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
export const readGraphTotals = reader<GraphTotals>(SHAPES, "GraphTotals");

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
export const readHistoryEntry = reader<HistoryEntry>(SHAPES, "HistoryEntry");

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
export const readItem = reader<Item>(SHAPES, "Item");

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
export const readNeighbour = reader<Neighbour>(SHAPES, "Neighbour");

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
export const readNodeDetail = reader<NodeDetail>(SHAPES, "NodeDetail");

/** Part of an answer of the server: Note. */
export interface Note {
  stage: string;
  text: string;
}

/** Reads Note from decoded JSON. */
export const readNote = reader<Note>(SHAPES, "Note");

/** Part of an answer of the server: Outdated. */
export interface Outdated {
  text: string;
  by?: number | undefined;
  now?: string | undefined;
}

/** Reads Outdated from decoded JSON. */
export const readOutdated = reader<Outdated>(SHAPES, "Outdated");

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
export const readPassageDetail = reader<PassageDetail>(SHAPES, "PassageDetail");

/** Part of an answer of the server: Pending. */
export interface Pending {
  total: number;
  episodes: Array<PendingEpisode>;
}

/** Reads Pending from decoded JSON. */
export const readPending = reader<Pending>(SHAPES, "Pending");

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
export const readPendingEpisode = reader<PendingEpisode>(SHAPES, "PendingEpisode");

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
export const readQuarantined = reader<Quarantined>(SHAPES, "Quarantined");

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
export const readRecalled = reader<Recalled>(SHAPES, "Recalled");

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
export const readReceipt = reader<Receipt>(SHAPES, "Receipt");

/** Part of an answer of the server: Reports. */
export interface Reports {
  reports: Array<unknown>;
}

/** Reads Reports from decoded JSON. */
export const readReports = reader<Reports>(SHAPES, "Reports");

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
  /** what the caller may do: read, write or admin */
  right?: string | undefined;
}

/** Reads Server from decoded JSON. */
export const readServer = reader<Server>(SHAPES, "Server");

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
export const readSleepReport = reader<SleepReport>(SHAPES, "SleepReport");

/** Part of an answer of the server: SleepReportFail. */
export interface SleepReportFail {
  episodes: Array<number>;
  error: string;
  attempt: boolean;
  retired: boolean;
}

/** Reads SleepReportFail from decoded JSON. */
export const readSleepReportFail = reader<SleepReportFail>(SHAPES, "SleepReportFail");

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
export const readSleepReportItem = reader<SleepReportItem>(SHAPES, "SleepReportItem");

/** Part of an answer of the server: SleepReportLine. */
export interface SleepReportLine {
  episode: number;
  start: number;
  end: number;
  text?: string | undefined;
}

/** Reads SleepReportLine from decoded JSON. */
export const readSleepReportLine = reader<SleepReportLine>(SHAPES, "SleepReportLine");

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
export const readSourceText = reader<SourceText>(SHAPES, "SourceText");

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
export const readSpaceStats = reader<SpaceStats>(SHAPES, "SpaceStats");

/** Part of an answer of the server: SpreadHop. */
export interface SpreadHop {
  hop: number;
  to: string;
  value: number;
  from?: string | undefined;
}

/** Reads SpreadHop from decoded JSON. */
export const readSpreadHop = reader<SpreadHop>(SHAPES, "SpreadHop");

/** Part of an answer of the server: Spreading. */
export interface Spreading {
  stage: string;
  hops: Array<SpreadHop>;
}

/** Reads Spreading from decoded JSON. */
export const readSpreading = reader<Spreading>(SHAPES, "Spreading");

/** Part of an answer of the server: StageInfo. */
export interface StageInfo {
  name: string;
  folder: string;
  summary: string;
  on: boolean;
  removable: boolean;
}

/** Reads StageInfo from decoded JSON. */
export const readStageInfo = reader<StageInfo>(SHAPES, "StageInfo");

/** Part of an answer of the server: Stages. */
export interface Stages {
  stages: Array<StageInfo>;
}

/** Reads Stages from decoded JSON. */
export const readStages = reader<Stages>(SHAPES, "Stages");

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
export const readStats = reader<Stats>(SHAPES, "Stats");

/** Part of an answer of the server: StoreInfo. */
export interface StoreInfo {
  path: string;
  bytes: number;
  walBytes: number;
  schema: number;
  readOnly: boolean;
}

/** Reads StoreInfo from decoded JSON. */
export const readStoreInfo = reader<StoreInfo>(SHAPES, "StoreInfo");

/** Part of an answer of the server: Trace. */
export interface Trace {
  steps: Array<TraceStep>;
  candidates: Array<Candidate>;
  spread: Array<Spreading>;
}

/** Reads Trace from decoded JSON. */
export const readTrace = reader<Trace>(SHAPES, "Trace");

/** Part of an answer of the server: TraceStep. */
export interface TraceStep {
  stage: string;
  us: number;
  in: number;
  out: number;
  error?: string | undefined;
}

/** Reads TraceStep from decoded JSON. */
export const readTraceStep = reader<TraceStep>(SHAPES, "TraceStep");

/** Part of an answer of the server: UseTime. */
export interface UseTime {
  at: Date;
}

/** Reads UseTime from decoded JSON. */
export const readUseTime = reader<UseTime>(SHAPES, "UseTime");
