import type { Message } from "./context.js";
import { textOf } from "./context.js";
import type { Memory } from "./memory.js";

/** The part of an OpenAI client that is used: any version, and compatible ones. */
export interface ChatClient {
  chat: { completions: { create(...args: never[]): unknown } };
}

/** How a client remembers. */
export interface WithMemoryOptions {
  /** The space; by default that of the memory. */
  space?: string;
  /** A name of the conversation. */
  session?: string;
  /** The most tokens of memory in a request. */
  budget?: number;
  /** Record what is said; by default true. */
  observe?: boolean;
  /** Is told when memory fails. The request goes on without it; by default a warning is printed. */
  onError?: (error: unknown) => void;
}

interface Params {
  messages: Message[];
  stream?: boolean | null;
}

interface Chunk {
  choices?: { index?: number; delta?: { content?: string | null } }[];
}

interface Completion {
  choices?: { message?: Message }[];
}

/**
 * Returns an OpenAI client whose `chat.completions.create` recalls and observes: memory goes
 * into its messages, and what was said is recorded. Everything else is the client itself.
 *
 * What fails in memory never fails the request. `create` returns a plain promise.
 *
 * @example
 * const client = withMemory(new OpenAI(), memory);
 * await client.chat.completions.create({ model: "gpt-5", messages: [{ role: "user", content: "Where do I live?" }] });
 */
export function withMemory<C extends ChatClient>(client: C, memory: Memory, options: WithMemoryOptions = {}): C {
  const keeper = new Keeper(memory, options);
  const completions = client.chat.completions;
  const create = async (params: Params, ...rest: unknown[]): Promise<unknown> => {
    const messages = await keeper.recall(params.messages);
    await keeper.observeNew(params.messages);
    const answer = await (completions.create as (...args: unknown[]) => unknown).call(completions, { ...params, messages }, ...rest);
    if (params.stream) {
      return keeper.listen(answer as AsyncIterable<Chunk>);
    }
    await keeper.observeReply((answer as Completion).choices?.[0]?.message);
    return answer;
  };
  return over(client, { chat: over(client.chat, { completions: over(completions, { create }) }) });
}

/** Returns an object that differs from another in some fields only. */
function over<T extends object>(thing: T, fields: Record<string | symbol, unknown>): T {
  return new Proxy(thing, {
    get(target, name) {
      if (name in fields) {
        return fields[name];
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

class Keeper {
  constructor(
    private readonly memory: Memory,
    private readonly o: WithMemoryOptions,
  ) {}

  async recall(messages: Message[]): Promise<Message[]> {
    const { space, session, budget } = this.o;
    return this.safely(() => this.memory.buildContext(messages, { space, session, ...(budget === undefined ? {} : { budget }) }), messages);
  }

  /** Records the turns after the last one of the assistant. */
  async observeNew(messages: Message[]): Promise<void> {
    const from = messages.findLastIndex((m) => m.role === "assistant") + 1;
    for (const m of messages.slice(from)) {
      if (m.role === "user" || m.role === "tool") {
        await this.observe(m.role, textOf(m));
      }
    }
  }

  async observeReply(m: Message | undefined): Promise<void> {
    if (m !== undefined) {
      await this.observe("assistant", textOf(m));
    }
  }

  /** Passes a stream on and records what was said in it, also when the reader leaves early. */
  listen<S extends AsyncIterable<Chunk>>(stream: S): S {
    const observe = (text: string): Promise<void> => this.observe("assistant", text);
    const read = async function* (): AsyncGenerator<Chunk> {
      let text = "";
      try {
        for await (const chunk of stream) {
          text += chunk.choices?.find((c) => (c.index ?? 0) === 0)?.delta?.content ?? "";
          yield chunk;
        }
      } finally {
        await observe(text);
      }
    };
    return over(stream, { [Symbol.asyncIterator]: read });
  }

  private async observe(role: "user" | "assistant" | "tool", text: string): Promise<void> {
    if (this.o.observe === false || text.trim() === "") {
      return;
    }
    const { space, session } = this.o;
    await this.safely(() => this.memory.observe(role, text, { space, ...(session === undefined ? {} : { session }) }), undefined);
  }

  private async safely<T>(call: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await call();
    } catch (e) {
      (this.o.onError ?? ((error) => console.warn("orma: the request goes on without memory:", error)))(e);
      return otherwise;
    }
  }
}
