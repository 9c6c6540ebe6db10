// What the server is asked, and how its answers look. docs/openapi.json has the whole of it.

import type { Kind } from "./kinds.ts";
import type { Trace } from "./score.ts";
import { EventParser } from "./sse.ts";
import { clip } from "./text.ts";

export interface GraphNode {
  id: string;
  kind: Kind;
  label: string;
  hub?: string;
  degree: number;
  hidden: number;
  x: number;
  y: number;
  z: number;
  trust?: string;
  source?: string;
  valid_from?: string;
  valid_to?: string;
  recorded_at?: string;
  condition?: string;
  closed?: boolean;
  superseded_by?: string;
  uses?: number;
  last_used?: string;
  burst?: number;
}

export interface GraphLink {
  from: string;
  to: string;
  kind: string;
  weight: number;
  last_used?: string;
  burst?: number;
}

export interface Totals {
  states: number;
  rules: number;
  conditionals: number;
  entities: number;
  passages: number;
  events: number;
  links: number;
}

export interface GraphPage {
  space: string;
  generation: number;
  as_of: string;
  radius: number;
  totals: Totals;
  nodes: GraphNode[];
  links: GraphLink[];
  next?: string;
}

export interface Line {
  node: string;
  mark: string;
  episode: number;
  before: string;
  text: string;
  after: string;
  role: string;
  speaker?: string;
  session?: string;
  source: string;
  trust: string;
  kind: string;
  at: string;
  recorded: string;
  quoted?: boolean;
}

export interface Fact {
  id: number;
  subject: string;
  attribute: string;
  value: string;
  condition: string;
  forbidden: boolean;
  active: boolean;
  valid_from?: string;
  valid_to?: string;
  recorded_at?: string;
  closed_at?: string;
  superseded_by?: number;
  forgotten?: boolean;
  trust?: string;
  backend?: string;
  text: string;
}

export interface Past {
  node: string;
  value: string;
  condition?: string;
  valid_from?: string;
  valid_to?: string;
  recorded_at?: string;
  closed_at?: string;
  active: boolean;
  forgotten?: boolean;
  superseded_by?: string;
}

export interface Detail {
  id: string;
  kind: Kind;
  label: string;
  degree: number;
  state?: Fact;
  event?: { subject: string; event: string; start?: string; end?: string };
  passage?: { mark: string; episode: number; text: string };
  entity?: { name: string; names: string[]; mentions: number; states: number };
  hub?: string;
  sources: Line[];
  closing: Line[];
  history: Past[];
  uses: { at: string }[];
  neighbours: { node: string; kind: Kind; label: string; link: string }[];
  erases?: number;
}

export interface Item {
  id: number;
  kind: string;
  text: string;
  score: number;
  at?: string;
  role?: string;
  source?: string;
  sources?: { mark: string; passage: number; text: string }[];
  outdated?: { now?: string; text: string }[];
}

export interface Hop {
  hop: number;
  from?: string;
  to: string;
  value: number;
}

export interface Found {
  states: Item[];
  passages: Item[];
  events: Item[];
  notes?: { stage: string; text: string }[];
  trace?: Trace & { spread?: { stage: string; hops: Hop[] }[] };
}

export interface StageInfo {
  name: string;
  folder: string;
  summary: string;
  on: boolean;
  removable: boolean;
}

export interface Episode {
  id: number;
  kind: string;
  role: string;
  speaker?: string;
  source: string;
  trust: string;
  at: string;
  recorded: string;
  text: string;
  attempts?: number;
  last_error?: string;
}

export interface ReportItem {
  kind: string;
  subject: string;
  attribute?: string;
  value: string;
  condition?: string;
  forbidden?: boolean;
  valid_from?: string;
  outcome?: string;
  reason?: string;
  detail?: string;
  sources: { episode: number; text?: string }[];
}

export interface Report {
  at: string;
  backend?: string;
  episodes: number;
  lines: number;
  accepted: ReportItem[];
  rejected: ReportItem[];
  failed: { episodes: number[]; error: string }[];
}

export interface SpaceStats {
  space: string;
  episodes: number;
  passages: number;
  states: number;
  rules: number;
  events: number;
  entities: number;
  pending: number;
  first?: string;
  last?: string;
}

export interface Stats {
  store: { path?: string; read_only: boolean };
  spaces: SpaceStats[];
}

/** Refusal is an answer of the server that says no, with its reason and what to do. */
export class Refusal extends Error {
  constructor(readonly status: number, readonly code: string, message: string, readonly hint: string) {
    super(message);
  }
}

/** Lost means that no server answered. */
export class Lost extends Error {}

/** says is what a person reads of an error. */
export function says(e: unknown): string {
  if (e instanceof Refusal) {
    const hint = clip(e.hint, longest);
    return clip(e.message, longest) + (hint ? `. ${hint[0]!.toUpperCase()}${hint.slice(1)}.` : ".");
  }
  if (e instanceof Lost) return "The server does not answer.";
  return clip(e instanceof Error ? e.message : String(e), longest);
}

/** answer reads the body of an answer, which may break off, or not be what it says. */
async function answer<T>(r: Response): Promise<T> {
  let text: string;
  try {
    text = await r.text();
  } catch (e) {
    if (e instanceof DOMException && e.name === "AbortError") throw e;
    throw new Lost("the answer broke off");
  }
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new Refusal(r.status, "internal", "the answer is not one of Orma's", "something between this page and the server may have answered for it");
  }
}

const longest = 400; // characters of a message
const silence = 30_000; // a stream that says nothing for so long is lost, in ms
const patience = 60_000; // for an answer to a read, in ms

type Query = Record<string, string | number | boolean | undefined>;

export class Client {
  token = "";
  space = "default";

  constructor(private base: string, private onUnauthorized: () => void) {}

  private headers(json: boolean): Headers {
    const h = new Headers();
    if (this.token) h.set("Authorization", `Bearer ${this.token}`);
    if (json) h.set("Content-Type", "application/json");
    return h;
  }

  private async open(method: string, path: string, query: Query, body?: unknown, signal?: AbortSignal): Promise<Response> {
    const q = new URLSearchParams();
    for (const [k, v] of Object.entries(query)) if (v !== undefined && v !== "" && v !== false) q.set(k, String(v));
    const url = this.base + path + (q.size ? `?${q}` : "");
    const init: RequestInit = { method, headers: this.headers(body !== undefined), redirect: "error" };
    if (body !== undefined) init.body = JSON.stringify(body);
    if (signal) init.signal = signal;
    let r: Response;
    try {
      r = await fetch(url, init);
    } catch (e) {
      if (signal?.aborted && signal.reason?.name !== "TimeoutError") throw e;
      throw new Lost("the server does not answer");
    }
    if (r.ok) return r;
    let f: { code?: string; message?: string; hint?: string } = {};
    try {
      f = ((await r.json()) as { error?: typeof f }).error ?? {};
    } catch {
      // Something between us and the server answered; its status has to do.
    }
    if (r.status === 401) this.onUnauthorized();
    throw new Refusal(r.status, f.code ?? "internal", f.message ?? `the server answers ${r.status}`, f.hint ?? "");
  }

  private async get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
    const limit = AbortSignal.timeout(patience);
    const r = await this.open("GET", path, query, undefined, signal ? AbortSignal.any([signal, limit]) : limit);
    return answer<T>(r);
  }

  private async send<T>(path: string, body: object): Promise<T> {
    return answer<T>(await this.open("POST", path, {}, { space: this.space, ...body }));
  }

  version = () => this.get<{ right?: string }>("/version");
  stats = () => this.get<Stats>("/stats");
  stages = () => this.get<{ stages: StageInfo[] }>("/stages");
  graph = (query: Query, signal?: AbortSignal) => this.get<GraphPage>("/graph", { space: this.space, ...query }, signal);
  async node(id: string, signal?: AbortSignal): Promise<Detail> {
    const d = await this.get<Detail>(`/graph/${encodeURIComponent(id)}`, { space: this.space }, signal);
    return { ...d, sources: d.sources ?? [], closing: d.closing ?? [], history: d.history ?? [], uses: d.uses ?? [], neighbours: d.neighbours ?? [] };
  }
  episodes = (limit: number) => this.get<{ episodes: Episode[] }>("/episodes", { space: this.space, limit });
  episode = (id: number) => this.get<Episode>(`/episodes/${id}`, { space: this.space });
  pending = (limit: number) => this.get<{ total: number; episodes: Episode[] }>("/sleep/pending", { space: this.space, limit });
  lastSleep = () => this.get<{ reports: Report[] }>("/sleep", { space: this.space, limit: 1, text: true });

  search = (body: object) => this.send<Found>("/search", body);
  sleep = () => this.send<Report>("/sleep", {});
  add = (text: string) => this.send<unknown>("/episodes", { text, kind: "note" });
  forbid = (rule: string) => this.send<unknown>("/rules", { rule });
  correct = (id: number, text: string) => this.send<Fact>(`/facts/${id}/correct`, { text });
  forget = (id: number) => this.send<Fact>(`/facts/${id}/forget`, {});
  async erase(episode: number): Promise<Record<string, unknown>> {
    return answer<Record<string, unknown>>(await this.open("DELETE", `/episodes/${episode}`, { space: this.space }));
  }

  /** follow calls back for each event of a space until the signal says stop or the stream
   * ends; it throws when the server is lost. */
  async follow(after: number | null, signal: AbortSignal, onOpen: () => void, onEvent: (event: string, data: unknown) => void): Promise<void> {
    const quiet = new AbortController();
    let timer = setTimeout(() => quiet.abort(), silence);
    const both = AbortSignal.any([signal, quiet.signal]);
    try {
      const r = await this.open("GET", "/stream", { space: this.space, after: after ?? undefined }, undefined, both);
      onOpen();
      const reader = r.body!.pipeThrough(new TextDecoderStream()).getReader();
      const parser = new EventParser();
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        clearTimeout(timer);
        timer = setTimeout(() => quiet.abort(), silence);
        for (const e of parser.push(value)) onEvent(e.event, JSON.parse(e.data));
      }
    } catch (e) {
      if (signal.aborted) return;
      throw e instanceof Refusal ? e : new Lost("the stream broke off");
    } finally {
      clearTimeout(timer);
    }
  }
}
