/**
 * Long-term memory for language models, on your own machine.
 *
 * @packageDocumentation
 */
export type { Time } from "./arguments.js";
export type { Switches } from "./config.js";
export type { Message } from "./context.js";
export * from "./errors.js";
export { Memory } from "./memory.js";
export type { AddOptions, GraphOptions, InSpace, MemoryOptions, NewItem, ObserveOptions, RecallOptions, Row, SearchOptions } from "./memory.js";
export type {
  Added, Audit, AuditEntry, Candidate, Cite, Episode, Event, Fact, Found, Graph, GraphLink, GraphNode, GraphTotals, Item, Kind, Neighbour, NodeDetail,
  Note, Outdated, Pending, PendingEpisode, Quarantined, Recalled, Receipt, Role, Server, SleepReport, SleepReportFail, SleepReportItem, SleepReportLine,
  SpaceStats, StageInfo, Stats, StoreInfo, Trace, TraceStep,
} from "./schema.js";
