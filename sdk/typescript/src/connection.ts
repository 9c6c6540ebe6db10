import { quoted } from "./arguments.js";
import { startOf, type Switches } from "./config.js";
import { ClosedError, InvalidError, ServerDiedError, UnavailableError } from "./errors.js";
import { CannotConnect, Client, describe, type Endpoint, endpointOf } from "./http.js";
import { ROUTES } from "./schema.js";
import { checkVersion, PrivateServer } from "./server.js";

type Json = Record<string, unknown>;
type Query = Record<string, string | undefined>;
type Route = keyof typeof ROUTES;

// Routes that are about no space.
const SPACELESS: Route[] = ["stats", "stages", "version", "audit", "erase_space", "openapi"];

/** A server, private or at a URL, that requests go to: the part of {@link Memory} that is not verbs. */
export class Connection {
  /** The space of calls that name none. */
  readonly space: string | undefined;

  private readonly timeout: number;
  private readonly at: Endpoint | undefined;
  private readonly private: PrivateServer | undefined;
  private client: Promise<Client> | undefined;
  private closed = false;

  protected constructor(o: {
    upstream?: string; model?: string; path?: string; space?: string; url?: string; token?: string; config?: string | Switches; timeout?: number;
  }) {
    this.space = o.space;
    this.timeout = o.timeout ?? 30_000;
    if (o.url === undefined) {
      if (o.token !== undefined) {
        throw new InvalidError("token goes with url");
      }
      this.private = new PrivateServer(startOf(o));
      return;
    }
    for (const name of ["upstream", "model", "path", "config"] as const) {
      if (o[name] !== undefined) {
        throw new InvalidError(`${name} does not go with url`, { hint: "it is the server's to decide" });
      }
    }
    this.at = endpointOf(o.url, o.token);
  }

  /** Lets the server go. It may be called twice; other calls fail from here on. */
  async close(): Promise<void> {
    this.closed = true;
    const client = this.client;
    this.client = undefined;
    await client?.then(
      (c) => c.close(),
      () => undefined, // whoever opened it has the error
    );
  }

  /** Closes the memory at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  protected async post(route: Route, body: Json, space: string | undefined, place: Query = {}, slow = false): Promise<Json> {
    return this.call(route, {}, space, body, place, slow);
  }

  protected async get(route: Route, query: Query, space: string | undefined, place: Query = {}): Promise<Json> {
    return this.call(route, query, space, undefined, place);
  }

  protected async *pages(route: Route, query: Query, space: string | undefined): AsyncGenerator<Json> {
    let cursor: string | undefined;
    do {
      const page = await this.get(route, { ...query, cursor }, space);
      yield page;
      cursor = page["next"] as string | undefined;
    } while (cursor !== undefined);
  }

  protected async *lines(route: Route, space: string | undefined): AsyncGenerator<string> {
    const [method, path] = this.route(route, {}, space, {});
    try {
      yield* (await this.connected()).lines(method, path);
    } catch (e) {
      throw this.reached(e);
    }
  }

  protected async call(route: Route, query: Query, space: string | undefined, body: Json | undefined, place: Query, slow = false): Promise<Json> {
    const [method, path] = this.route(route, query, space, place);
    try {
      const opening = this.connected();
      const client = await opening;
      try {
        return (await client.call(method, path, body, slow)) as Json;
      } catch (e) {
        const gone = e instanceof CannotConnect;
        if (this.private === undefined || !(gone || e instanceof ServerDiedError)) {
          throw e;
        }
        if (this.client === opening) {
          client.close();
          this.client = undefined; // the next call finds or starts another server
        }
        if (!gone) {
          throw e;
        }
        // It ended between two calls, and nothing was sent.
        return (await (await this.connected()).call(method, path, body, slow)) as Json;
      }
    } catch (e) {
      throw this.reached(e);
    }
  }

  private route(route: Route, query: Query, space: string | undefined, place: Query): [string, string] {
    const [method, template] = ROUTES[route];
    let path: string = template;
    for (const [k, v] of Object.entries(place)) {
      path = path.replace(`{${k}}`, () => quoted(v ?? "", k));
    }
    const given: Query = { ...query };
    if (!SPACELESS.includes(route)) {
      given["space"] = space ?? this.space;
    }
    const parts = Object.entries(given).filter((e): e is [string, string] => e[1] !== undefined).map(([k, v]) => `${k}=${quoted(v, k)}`);
    return [method, parts.length === 0 ? path : `${path}?${parts.join("&")}`];
  }

  /** Returns a client, having found or started the server; calls at the same time wait for the same one. */
  protected connected(): Promise<Client> {
    if (this.closed) {
      return Promise.reject(new ClosedError("the memory is closed", { hint: "open a new one" }));
    }
    if (this.client === undefined) {
      const opening = this.open();
      this.client = opening;
      opening.catch(() => {
        if (this.client === opening) {
          this.client = undefined;
        }
      });
    }
    return this.client;
  }

  private async open(): Promise<Client> {
    if (this.private !== undefined) {
      return this.private.connect(this.timeout);
    }
    const client = new Client(this.at ?? {}, this.timeout);
    try {
      await checkVersion(client);
    } catch (e) {
      client.close();
      throw this.reached(e);
    }
    return client;
  }

  /** Turns a connection that is refused into an error of this package. */
  private reached(e: unknown): unknown {
    if (!(e instanceof CannotConnect)) {
      return e;
    }
    const where = this.at === undefined ? "" : ` at ${describe(this.at)}`;
    return new UnavailableError(`no server answers${where}: ${e.message}`, { hint: "start it, or check the URL", cause: e });
  }
}
