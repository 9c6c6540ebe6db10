import * as http from "node:http";
import type { TLSSocket } from "node:tls";
import type { RequestOptions } from "node:https"; // itself only for TLS: it takes a program's start 9 ms

import { errorOf, InvalidError, type OrmaError, ServerDiedError, UnavailableError } from "./errors.js";

/** Nothing listens there: the request was not sent. */
export class CannotConnect extends Error {}

/** Where a server listens, and the token it wants. */
export interface Endpoint {
  socket?: string | undefined;
  host?: string | undefined;
  port?: number | undefined;
  tls?: boolean | undefined;
  prefix?: string | undefined;
  token?: string | undefined;
}

/** Reads a URL: `http://`, `https://` or `unix:///path`. */
export function endpointOf(url: string, token?: string): Endpoint {
  let u: URL;
  try {
    u = new URL(url);
  } catch {
    throw new InvalidError(`"${url}" is not a URL`, { hint: "such as http://127.0.0.1:8080 or unix:///run/orma.sock" });
  }
  if (u.protocol === "unix:" && u.pathname.length > 1) {
    return { socket: decodeURIComponent(u.pathname), token };
  }
  if ((u.protocol !== "http:" && u.protocol !== "https:") || u.hostname === "") {
    throw new InvalidError(`"${url}" is not the URL of a server`, { hint: "such as http://127.0.0.1:8080 or unix:///run/orma.sock" });
  }
  return {
    host: u.hostname.replace(/^\[|\]$/g, ""),
    port: u.port === "" ? undefined : Number(u.port),
    tls: u.protocol === "https:",
    prefix: u.pathname.replace(/\/+$/, "").replace(/\/_orma\/v1$/, ""),
    token,
  };
}

/** Says in words where a server is. */
export function describe(at: Endpoint): string {
  return at.socket ?? `${at.tls ? "https" : "http"}://${at.host}${at.port === undefined ? "" : `:${at.port}`}`;
}

const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

/** A request, and how long it may take: 0 stands for as long as it takes. */
interface Request {
  method: string;
  path: string;
  body?: unknown;
  timeout: number;
}

/** Sends requests to one server, over connections that are kept. */
export class Client {
  private agent: http.Agent | undefined;
  private request = http.request;

  constructor(
    readonly at: Endpoint,
    private readonly timeout: number,
  ) {
    this.agent = at.tls ? undefined : new http.Agent({ keepAlive: true });
  }

  /** Closes the connections. */
  close(): void {
    this.agent?.destroy();
  }

  /** Sends a request and returns the decoded answer. */
  async call(method: string, path: string, body?: unknown, slow = false): Promise<unknown> {
    const res = await this.send({ method, path, body, timeout: slow ? 0 : this.timeout });
    return this.decode(res, await this.text(res));
  }

  /** Sends a request and yields the lines of the answer as they arrive. */
  async *lines(method: string, path: string): AsyncGenerator<string> {
    const res = await this.send({ method, path, timeout: 0 });
    if (res.statusCode !== 200) {
      this.decode(res, await this.text(res));
    }
    res.setEncoding("utf8");
    let rest = "";
    try {
      for await (const chunk of res as AsyncIterable<string>) {
        const whole = (rest + chunk).split("\n");
        rest = whole.pop() ?? "";
        yield* whole;
      }
    } catch (e) {
      throw this.died(e);
    } finally {
      res.destroy();
    }
    if (rest !== "") {
      yield rest;
    }
  }

  private async send(r: Request): Promise<http.IncomingMessage> {
    const agent = this.agent ?? (await this.secure());
    await this.prune(agent);
    const headers: http.OutgoingHttpHeaders = { accept: "application/json" };
    let data: Buffer | undefined;
    if (r.body !== undefined) {
      data = Buffer.from(JSON.stringify(r.body));
      headers["content-type"] = "application/json";
      headers["content-length"] = data.length;
    }
    if (this.at.token !== undefined) {
      headers["authorization"] = `Bearer ${this.at.token}`;
    }
    const to = this.at.socket === undefined ? { host: this.at.host, port: this.at.port } : { socketPath: this.at.socket, host: "localhost" };
    return new Promise((resolve, reject) => {
      const req = this.request(
        { ...to, method: r.method, path: (this.at.prefix ?? "") + r.path, headers, agent, timeout: r.timeout } as RequestOptions,
        resolve,
      );
      req.on("timeout", () => req.destroy(this.late()));
      req.on("error", (e: NodeJS.ErrnoException) => {
        // EPIPE: the server closed the connection before it had the request.
        const closed = e.syscall === "connect" || e.code === "ENOTFOUND" || e.code === "EPIPE";
        const unsent = closed || (this.at.tls === true && !(req.socket as TLSSocket | null)?.authorized);
        reject(unsent ? new CannotConnect(e.message) : this.died(e));
      });
      req.end(data);
    });
  }

  private async secure(): Promise<http.Agent> {
    const https = await import("node:https");
    this.request = https.request;
    this.agent ??= new https.Agent({ keepAlive: true });
    return this.agent;
  }

  /** Drops kept connections that the server has closed. Two turns of the loop see what the kernel knows of them. */
  private async prune(agent: http.Agent): Promise<void> {
    await turn();
    await turn();
    for (const socket of Object.values(agent.freeSockets).flat()) {
      if (socket !== undefined && (socket.readableEnded || !socket.writable)) {
        socket.destroy();
      }
    }
  }

  private async text(res: http.IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of res as AsyncIterable<Buffer>) {
        chunks.push(chunk);
      }
    } catch (e) {
      throw this.died(e);
    }
    return Buffer.concat(chunks).toString();
  }

  private late(): OrmaError {
    return new UnavailableError(`the server at ${describe(this.at)} did not answer within ${this.timeout} ms`, {
      hint: "raise timeout, or try again",
    });
  }

  private died(e: unknown): Error {
    if (e instanceof UnavailableError) {
      return e;
    }
    return new ServerDiedError(`the server at ${describe(this.at)} ended during the call (${(e as NodeJS.ErrnoException).code ?? e})`, {
      hint: "call again; whether this call was carried out is not known",
      cause: e,
    });
  }

  private decode(res: http.IncomingMessage, text: string): unknown {
    const status = res.statusCode ?? 0;
    let out: unknown;
    try {
      out = text === "" ? undefined : JSON.parse(text);
    } catch {
      out = undefined;
    }
    if (status < 400 && out !== undefined) {
      return out;
    }
    const failure = (out as { error?: { code?: unknown; message?: unknown; hint?: string } } | null | undefined)?.error;
    if (typeof failure?.code === "string") {
      throw errorOf(failure.code, String(failure.message), failure.hint, status);
    }
    throw errorOf("version_mismatch", `what answers at ${describe(this.at)} is not Orma: it said ${status} ${res.statusMessage}`, "check the URL", status);
  }
}
