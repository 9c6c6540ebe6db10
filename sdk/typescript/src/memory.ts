import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";

import type { Switches } from "./config.js";
import { Connection } from "./connection.js";
import { check, fingerprint, insert, type Message, question, said, textOf } from "./context.js";
import { checkText, hasHalf, idOf, type Time, timeOf } from "./arguments.js";
import { InvalidError, NotFoundError, OrmaError, TooLargeError } from "./errors.js";
import {
  type Added, type Audit, type Episode, type Fact, type Found, type Graph, type Item, type Kind, type NewEpisode, type NodeDetail, type Pending,
  type Quarantined, type Recalled, type Receipt, type Role, type Server, type SleepReport, type StageInfo, type Stats,
  readAdded, readAudit, readEpisode, readFact, readFound, readGraph, readNodeDetail, readPending, readQuarantined, readRecalled, readReceipt, readServer,
  readSleepReport, readStages, readStats,
} from "./schema.js";

/** How a {@link Memory} is opened. */
export interface MemoryOptions {
  /** Address of the model's server that sleep asks, with or without `/v1`. Without one, facts are found by rules. */
  upstream?: string;
  /** The model that sleep asks for. */
  model?: string;
  /** The database; by default what the configuration says, else `~/.orma/memory.db`. */
  path?: string;
  /** The space of calls that name none; by default `default`. */
  space?: string;
  /** Address of a server that runs already: `http://…`, `https://…` or `unix:///path`. */
  url?: string;
  /** What that server wants to be let in. */
  token?: string;
  /** A TOML file, or switches: `{ off: ["hawkes"], set: { "stage.pack.budget_tokens": 800 } }`. */
  config?: string | Switches;
  /** Milliseconds that a call may take, other than sleep and erasures; by default 30,000. */
  timeout?: number;
}

/** Every verb takes the space it is about; by default that of the object. */
export interface InSpace {
  space?: string | undefined;
}

/** What is said of a text that is remembered. */
export interface AddOptions extends InSpace {
  /** note (the default), turn, document, tool, identity, or anti_pattern, which is a rule. */
  kind?: Kind;
  /** Who said it. */
  role?: Role;
  /** A name of who said it. */
  speaker?: string;
  /** A name of the conversation. */
  session?: string;
  /** Where it came from, such as `mail`. */
  source?: string;
  /** Your own id of it. */
  id?: string;
  /** When it was said; by default now. */
  at?: Time;
  /** The IANA zone that it was said in. */
  tz?: string;
  /** How long it is recalled: `30m`, `12h`, `7d`, `session`, `forever`. */
  ttl?: string;
  /** Less trust than its kind implies, such as `import`. */
  trust?: string;
}

/** What is said of a turn of a conversation. */
export type ObserveOptions = Omit<AddOptions, "kind" | "role" | "source" | "trust">;

/** One of several texts. */
export type NewItem = string | ({ text: string } & Omit<AddOptions, "space">);

/** How a search is made. */
export interface SearchOptions extends InSpace {
  /** The most passages; by default 10. */
  limit?: number;
  /** The conversation being held. */
  session?: string;
  /** The time to take as now. */
  now?: Time;
  /** Say in `trace` what each stage did. */
  explain?: boolean;
  /** Stages to leave out for this query. */
  off?: string[];
  /** Keys of stages to change for this query. */
  set?: Record<string, string>;
}

/** How a block of memory is made. */
export interface RecallOptions extends Omit<SearchOptions, "limit"> {
  /** The most tokens of the block. */
  budget?: number;
  /** How the block is written. */
  format?: "classic" | "sutra" | "grouped" | "json";
  /** Texts that the reader sees anyway, which need not be repeated. */
  said?: string[];
  /** The block goes to a reader: what is in it counts as used. */
  deliver?: boolean;
  /** Choose the stable part without the query, so that it seldom changes. */
  steady?: boolean;
}

/** What is shown of the graph of a space. */
export interface GraphOptions extends InSpace {
  /** The node whose neighbours are wanted; by default an overview. */
  of?: string;
  /** What held then; a day counts whole. */
  asOf?: Time;
  /** States that ended too. */
  history?: boolean;
  /** Kinds of nodes: entity, state, rule, conditional, event, passage. */
  kinds?: string[];
  /** Only what came from there. */
  source?: string;
  /** Only what is trusted as much: user, note, document, import, assistant or tool. */
  trust?: string;
  /** Only what was said at or after. */
  since?: Time;
  /** Only what was said until then; a day counts whole. */
  until?: Time;
  /** The most nodes of a page. */
  limit?: number;
  /** `next` of the page before. */
  cursor?: string;
}

/** A row of an export: an episode, or with a `type` what was commanded. */
export interface Row {
  type?: string;
  /** Its number in this space. */
  n?: number;
  at?: string;
  role?: Role;
  kind?: Kind;
  text?: string;
  [key: string]: unknown;
}

// What one request carries of a long list.
const BATCH = 500;
const BATCH_CHARS = 2 << 20;

const LARGEST_FILE = 256 << 20;

// How many conversations have what was inserted into them remembered.
const CONVERSATIONS = 256;

/**
 * Long-term memory.
 *
 * Without `url` it uses a private server on this machine, which it starts if no other
 * process of this user has, and which ends after the last one is closed. It is opened by
 * the first call, or by {@link Memory.open}.
 *
 * @example
 * const memory = await Memory.open({ path: "memory.db" });
 * await memory.observe("user", "I moved to Lisbon in May.");
 * console.log((await memory.recall("Where do I live?")).block);
 * await memory.close();
 */
export class Memory extends Connection {
  private readonly inserted = new Map<string, Recalled>();

  constructor(options: MemoryOptions = {}) {
    super(options);
  }

  /** Opens a memory, and fails at once if that is not possible. */
  static async open(options: MemoryOptions = {}): Promise<Memory> {
    const memory = new Memory(options);
    await memory.connected();
    return memory;
  }

  /** Remembers a text word for word: at most 1 MB; longer ones are for {@link addFile}. */
  async add(text: string, options: AddOptions = {}): Promise<Added> {
    const { space, ...rest } = options;
    const answer = await this.post("add", { kind: "note", ...rest, text: checkText(text, "text"), at: timeOf(rest.at, "at") }, space);
    return repaired(readAdded((answer["added"] as never[])[0]!), text);
  }

  /** Records one turn of a conversation: what the user, the assistant or a tool said. */
  async observe(role: Role, text: string, options: ObserveOptions = {}): Promise<Added> {
    return this.add(text, { ...options, role, kind: role === "tool" ? "tool" : "turn", source: "chat" });
  }

  /**
   * Remembers many texts, in order and much faster than one by one. Of a text that was
   * refused, `error` and `code` say why; the others are stored all the same.
   */
  async addMany(items: Iterable<NewItem>, options: InSpace = {}): Promise<Added[]> {
    const out: Added[] = [];
    let batch: NewEpisode[] = [];
    let size = 0;
    let i = 0;
    for (const item of items) {
      const episode = newEpisode(item, i++);
      if (batch.length === BATCH || (batch.length > 0 && size + episode.text.length > BATCH_CHARS)) {
        out.push(...(await this.addBatch(batch, options.space)));
        [batch, size] = [[], 0];
      }
      batch.push(episode);
      size += episode.text.length;
    }
    return batch.length > 0 ? [...out, ...(await this.addBatch(batch, options.space))] : out;
  }

  private async addBatch(batch: NewEpisode[], space: string | undefined): Promise<Added[]> {
    try {
      const answer = await this.post("add", { episodes: batch }, space);
      return (answer["added"] as never[]).map((a, i) => repaired(readAdded(a), batch[i]?.text ?? ""));
    } catch (e) {
      if (!(e instanceof InvalidError || e instanceof TooLargeError || (e instanceof OrmaError && e.code === "denied"))) {
        throw e;
      }
      if (batch.length === 1) {
        return [{ id: 0, passages: [], repaired: false, error: e.message, code: e.code }];
      }
      if (e.code !== "too_large") {
        throw e;
      }
      const half = batch.length >> 1;
      return [...(await this.addBatch(batch.slice(0, half), space)), ...(await this.addBatch(batch.slice(half), space))];
    }
  }

  /**
   * Remembers a text file, in parts of 8 KB that are cut between paragraphs. Its time is
   * that of its last change, unless `at` says otherwise.
   */
  async addFile(path: string, options: Omit<AddOptions, "id" | "trust" | "role"> = {}): Promise<Added[]> {
    const { space, ...rest } = options;
    let data: Buffer;
    let changed: Date;
    try {
      const info = await stat(path);
      if (info.isDirectory()) {
        throw new InvalidError(`${path} is a folder`, { hint: "add its files one by one" });
      }
      if (info.size > LARGEST_FILE) {
        throw new TooLargeError(`${path} has more than ${LARGEST_FILE >> 20} MB`, { hint: "split it first" });
      }
      data = await readFile(path);
      changed = info.mtime;
    } catch (e) {
      if (e instanceof OrmaError) {
        throw e;
      }
      if ((e as NodeJS.ErrnoException).code === "ENOENT") {
        throw new NotFoundError(`there is no file ${path}`, { code: "not_found" });
      }
      throw new InvalidError(`${path} cannot be read: ${(e as Error).message}`, { cause: e });
    }
    const body = { kind: "document", ...rest, name: basename(path), text: data.toString("utf8"), at: timeOf(rest.at ?? changed, "at") };
    return (((await this.post("add_document", body, space))["added"]) as never[]).map((a) => readAdded(a));
  }

  /** Makes a rule of what must not be done. It stands at once and heads every block. */
  async forbid(rule: string, options: InSpace & { session?: string; source?: string; at?: Time; ttl?: string } = {}): Promise<Added> {
    const { space, ...rest } = options;
    return repaired(readAdded(await this.post("forbid", { ...rest, rule: checkText(rule, "rule"), at: timeOf(rest.at, "at") }, space)), rule);
  }

  /** Ends a fact or lifts a rule. Its history is kept; see {@link erase} for what must be gone. */
  async forget(fact: number | Fact | Item, options: InSpace & { reason?: string; at?: Time } = {}): Promise<Fact> {
    const { space, ...rest } = options;
    return readFact(await this.post("forget", { ...rest, at: timeOf(rest.at, "at") }, space, { id: idOf(fact) }));
  }

  /** Replaces the value of a fact by what it should be, and returns the fact that stands. */
  async correct(fact: number | Fact | Item, text: string, options: InSpace & { at?: Time } = {}): Promise<Fact> {
    const { space, ...rest } = options;
    return readFact(await this.post("correct", { ...rest, text: checkText(text, "text"), at: timeOf(rest.at, "at") }, space, { id: idOf(fact) }));
  }

  /**
   * Lists what a query finds, best first: `.states`, `.passages` and `.events`. The `text`
   * of a state reads `user · home city: Bangalore`. A passage that no longer holds has
   * `outdated`, with what is true now.
   */
  async search(query: string, options: SearchOptions = {}): Promise<Found> {
    const { space, ...rest } = options;
    return readFound(await this.post("search", { ...rest, query: checkText(query, "query"), now: timeOf(rest.now, "now") }, space));
  }

  /** Returns the block of memory for a query, packed for a prompt, as `.block`. */
  async recall(query: string, options: RecallOptions = {}): Promise<Recalled> {
    const { space, ...rest } = options;
    return readRecalled(await this.post("recall", { ...rest, query: checkText(query, "query"), now: timeOf(rest.now, "now") }, space));
  }

  /**
   * Returns chat messages with memory in them; the given ones stay as they are.
   *
   * Rules go to the top of the system message, current facts to its end (it is made if
   * there is none), and what bears on the last user message before its text. Nothing else
   * changes. While tools answer, the memory stays the same byte for byte.
   */
  async buildContext<M extends Message>(
    messages: readonly M[],
    options: InSpace & { session?: string | undefined; budget?: number; now?: Time } = {},
  ): Promise<M[]> {
    check(messages);
    const at = question(messages);
    const asked = messages.slice(0, at + 1);
    const last = asked[at];
    const key = JSON.stringify([options.space ?? this.space, options.session, fingerprint(asked)]);
    let found = at + 1 < messages.length ? this.inserted.get(key) : undefined;
    if (found === undefined) {
      const spoken = said(asked);
      found = await this.recall(last === undefined ? "" : textOf(last), {
        ...options, ...(spoken.length > 0 ? { said: spoken } : {}), deliver: true, steady: true,
      });
      this.inserted.set(key, found);
      for (const old of this.inserted.keys()) {
        if (this.inserted.size <= CONVERSATIONS) {
          break;
        }
        this.inserted.delete(old);
      }
    }
    return insert(messages, found.rules, found.stable.slice(found.rules.length), found.turn);
  }

  /** Lists what holds, or held: rules and facts, oldest first. */
  async facts(
    options: InSpace & {
      /** Only those about this name; the speaker is `user`. */
      subject?: string;
      /** Those that ended too. */
      history?: boolean;
      /** Those that were true at that time. */
      asOf?: Time;
      /** The time to take as now. */
      now?: Time;
    } = {},
  ): Promise<Fact[]> {
    const query = {
      subject: options.subject, history: options.history ? "true" : undefined, as_of: timeOf(options.asOf, "asOf"), now: timeOf(options.now, "now"),
    };
    const out: Fact[] = [];
    for await (const page of this.pages("facts", query, options.space)) {
      out.push(...(page["facts"] as never[]).map((f) => readFact(f)));
    }
    return out;
  }

  /** Returns one episode, word for word. */
  async episode(id: number, options: InSpace = {}): Promise<Episode> {
    return readEpisode(await this.get("episode", {}, options.space, { id: idOf(id) }));
  }

  /** Yields what was said, newest first. */
  async *episodes(options: InSpace = {}): AsyncGenerator<Episode> {
    for await (const page of this.pages("episodes", { limit: "500" }, options.space)) {
      for (const e of page["episodes"] as never[]) {
        yield readEpisode(e);
      }
    }
  }

  /**
   * Yields a space as rows, oldest first, without holding them all. They are what
   * `orma export` writes and `orma import` takes back.
   */
  async *export(options: InSpace = {}): AsyncGenerator<Row> {
    for await (const line of this.lines("export", options.space)) {
      yield JSON.parse(line) as Row;
    }
  }

  /** Counts what is stored, by space, or for one space alone. */
  async stats(options: InSpace = {}): Promise<Stats> {
    const out = readStats(await this.get("stats", {}, undefined));
    return options.space === undefined ? out : { ...out, spaces: out.spaces.filter((s) => s.space === options.space) };
  }

  /** Returns a page of what is remembered as nodes and links, each with its place in space. */
  async graph(options: GraphOptions = {}): Promise<Graph> {
    const { of, source, trust, cursor } = options;
    const query = {
      of, source, trust, cursor, as_of: timeOf(options.asOf, "asOf"), history: options.history ? "true" : undefined,
      kinds: options.kinds?.join(",") || undefined, from: timeOf(options.since, "since"), to: timeOf(options.until, "until"),
      limit: options.limit === undefined ? undefined : String(options.limit),
    };
    return readGraph(await this.get("graph", query, options.space));
  }

  /** Returns one node of the graph with its sources, history and neighbours. */
  async node(id: string, options: InSpace & { now?: Time } = {}): Promise<NodeDetail> {
    return readNodeDetail(await this.get("node", { now: timeOf(options.now, "now") }, options.space, { id: checkText(id, "id") }));
  }

  /** Lists the stages of recall in their order, and which of them run. */
  async stages(): Promise<StageInfo[]> {
    return readStages(await this.get("stages", {}, undefined)).stages;
  }

  /** Says what server answers. */
  async version(): Promise<Server> {
    return readServer(await this.get("version", {}, undefined));
  }

  /** Turns what waits into checked facts, and reports what became of each. */
  async sleep(
    options: InSpace & {
      /** What reads the lines, such as `rules`; by default the model if there is one, else rules. */
      backend?: string;
      /** Report what would be done. */
      dryRun?: boolean;
      /** Read every episode again. */
      rebuild?: boolean;
      /** The time to take as now. */
      now?: Time;
    } = {},
  ): Promise<SleepReport> {
    const body = { backend: options.backend, dry_run: options.dryRun, rebuild: options.rebuild, now: timeOf(options.now, "now") };
    return readSleepReport(await this.post("sleep", body, options.space, {}, true));
  }

  /** Returns what waits for sleep, in the order in which it will be read. */
  async pending(options: InSpace & { limit?: number } = {}): Promise<Pending> {
    return readPending(await this.get("pending", { limit: String(options.limit ?? 100) }, options.space));
  }

  /** Returns what the last sleeps reported, newest first; with `text` also the lines that they cite. */
  async sleepReports(options: InSpace & { limit?: number; text?: boolean } = {}): Promise<SleepReport[]> {
    const query = { limit: String(options.limit ?? 10), text: options.text ? "true" : undefined };
    const answer = await this.get("sleep_reports", query, options.space);
    return (answer["reports"] as never[]).map((r) => readSleepReport(r));
  }

  /** Erases an episode and all that was made of it. Nothing of its text stays in the file. */
  async erase(episode: number | Episode | Added, options: InSpace = {}): Promise<Receipt> {
    return readReceipt(await this.call("erase", {}, options.space, undefined, { id: idOf(episode) }, true));
  }

  /** Erases a space with everything in it. `yes` must be true: it cannot be undone. */
  async eraseSpace(name: string, options: { yes: boolean }): Promise<Receipt> {
    return readReceipt(await this.call("erase_space", { yes: options.yes ? "true" : undefined }, undefined, undefined, { name }, true));
  }

  /** Takes all that came from a source out of recall, or puts it back. */
  async quarantine(source: string, options: InSpace & { since?: Time; release?: boolean } = {}): Promise<Quarantined> {
    const { space, ...rest } = options;
    return readQuarantined(await this.post("quarantine", { ...rest, source, since: timeOf(rest.since, "since") }, space, {}, true));
  }

  /** Lists who did what on the server, newest first. */
  async audit(options: { limit?: number } = {}): Promise<Audit> {
    return readAudit(await this.get("audit", { limit: String(options.limit ?? 100) }, undefined));
  }
}

const FIELDS = ["text", "kind", "role", "speaker", "session", "source", "id", "at", "tz", "ttl", "trust"];

function newEpisode(item: NewItem, i: number): NewEpisode {
  if (typeof item === "string") {
    return { text: item, kind: "note" };
  }
  if (typeof item !== "object" || item === null) {
    throw new InvalidError(`items[${i}] must be text or an object, not ${typeof item}`);
  }
  const unknown = Object.keys(item).find((k) => !FIELDS.includes(k));
  if (unknown !== undefined) {
    throw new InvalidError(`items[${i}] has "${unknown}", which is not known`);
  }
  const { at, ...rest } = item;
  const when = timeOf(at, `items[${i}].at`);
  return { kind: "note", ...rest, text: checkText(item.text, `items[${i}].text`), ...(when === undefined ? {} : { at: when }) };
}

/** Says what encoding the request has repaired, as the server says of its own repairs. */
function repaired(added: Added, text: string): Added {
  return hasHalf(text) ? { ...added, repaired: true } : added;
}
