import { accessSync, closeSync, constants, existsSync, fstatSync, ftruncateSync, lstatSync, mkdirSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";

import { flagsOf, keyOf, type Start } from "./config.js";
import { BinaryNotFoundError, DeniedError, errorOf, type OrmaError, ServerDiedError, UnavailableError, VersionMismatchError } from "./errors.js";
import { CannotConnect, Client, describe, endpointOf } from "./http.js";
import { packageFolder } from "./package.js";
import { readServer, type Server } from "./schema.js";

const API = "v1";

// How long a server stays after its last client has gone: long enough for the next
// command of a script.
const LINGER = "2s";

const START_TIMEOUT = 20_000;

const WINDOWS = process.platform === "win32";

// The path of a Unix socket has about 104 bytes on some systems.
const LONGEST_SOCKET = 100;
const LONGEST_LOG = 1 << 20;

/** Returns the path of `orma`: `$ORMA_BIN`, the one in this package, or on PATH. */
export function findBinary(): string {
  const named = process.env["ORMA_BIN"];
  if (named) {
    if (runnable(named)) {
      return named;
    }
    throw new BinaryNotFoundError(`ORMA_BIN is "${named}", which is not a program`, { hint: "let it name the orma binary, or unset it" });
  }
  const name = WINDOWS ? "orma.exe" : "orma";
  for (const folder of [join(packageFolder(), "bin"), ...(process.env["PATH"] ?? "").split(delimiter)]) {
    if (folder !== "" && runnable(join(folder, name))) {
      return join(folder, name);
    }
  }
  throw new BinaryNotFoundError("the program orma was not found", {
    hint: "install a tarball of orma-memory that is built for this platform, put orma on PATH, or let ORMA_BIN name it",
  });
}

function runnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Asks a server what it is, and refuses one that is not what this package speaks to. */
export async function checkVersion(client: Client): Promise<Server> {
  const answer = (await client.call("GET", "/_orma/v1/version")) as Record<string, unknown> | null;
  if (answer?.["name"] !== "orma") {
    throw new VersionMismatchError(`what answers at ${describe(client.at)} is not Orma`, { hint: "check the URL" });
  }
  if (answer["api"] !== API) {
    throw new VersionMismatchError(
      `the server at ${describe(client.at)} is Orma ${answer["version"]} and speaks API ${answer["api"]}; this package speaks ${API}`,
      { hint: "install versions of orma and orma-memory that belong together" },
    );
  }
  return readServer(answer);
}

/** Finds or starts the server for some options: one for the processes of a user, while any wants it. */
export class PrivateServer {
  private readonly share: string;
  private readonly socket: string;
  private readonly log: string;

  constructor(
    private readonly start: Start,
    private readonly sockets = !WINDOWS,
  ) {
    const key = keyOf(start, process.env) + (sockets ? "" : "t"); // how it is reached is part of it
    const folder = runFolder(start.home, key);
    this.share = join(folder, `${key}.json`);
    this.socket = join(folder, `${key}.sock`);
    this.log = join(folder, `${key}.log`);
  }

  /** Returns a client with a connection that the server knows of: it stays for that. */
  async connect(timeout: number): Promise<Client> {
    const until = Date.now() + START_TIMEOUT;
    let wait = 2;
    let problem: OrmaError | undefined;
    while (Date.now() < until) {
      const client = this.published(timeout);
      if (client !== undefined) {
        try {
          await checkVersion(client);
          return client;
        } catch (e) {
          client.close();
          if (!(e instanceof CannotConnect) && !(e instanceof ServerDiedError)) {
            throw e;
          } // else it was ending, or was killed
        }
      }
      problem = await this.launch();
      if (problem !== undefined && problem.code !== "conflict") {
        throw problem;
      }
      if (problem !== undefined) {
        // Another process is starting it, or it is ending.
        await new Promise((done) => setTimeout(done, wait));
        wait = Math.min(wait * 1.5, 100);
      }
    }
    throw new UnavailableError(`no server could be started within ${START_TIMEOUT} ms${problem ? `: ${problem.message}` : ""}`, {
      hint: `see ${this.log}`,
    });
  }

  private published(timeout: number): Client | undefined {
    let at: { socket?: string; address?: string; token?: string };
    try {
      at = JSON.parse(readFileSync(this.share, "utf8"));
    } catch {
      return undefined;
    }
    if (this.sockets && at.socket) {
      return new Client({ socket: at.socket, token: at.token }, timeout);
    }
    return at.address ? new Client(endpointOf(at.address, at.token), timeout) : undefined;
  }

  /** Starts a server, and returns once it listens, or with the reason why not. */
  private async launch(): Promise<OrmaError | undefined> {
    const s = this.start;
    const args = ["--json", ...flagsOf(s), "serve", "--share", this.share, "--idle-exit", LINGER];
    args.push(...(this.sockets ? ["--socket", this.socket] : ["--port", "0", "--private"]));
    args.push(...(s.upstream ? ["--upstream", s.upstream] : []), ...(s.model ? ["--model", s.model] : []));
    const binary = findBinary();
    const { spawn } = await import("node:child_process"); // where a server runs it is not needed
    const log = openSync(this.log, "a+", 0o600);
    try {
      let begun = fstatSync(log).size;
      if (begun > LONGEST_LOG) {
        ftruncateSync(log);
        begun = 0;
      }
      // Detached: it outlives the process that happens to start it, and its Ctrl-C.
      const child = spawn(binary, args, { detached: true, stdio: ["ignore", "pipe", log], cwd: dirname(this.log), windowsHide: true });
      const watch = setTimeout(() => child.kill("SIGKILL"), START_TIMEOUT);
      const code = await new Promise<number | "listening" | Error>((done) => {
        child.on("error", done);
        child.on("close", (code) => done(code ?? -1));
        child.stdout?.once("data", () => done("listening"));
      });
      clearTimeout(watch);
      child.stdout?.destroy();
      child.unref();
      if (code === "listening") {
        return undefined;
      }
      if (code instanceof Error) {
        throw new BinaryNotFoundError(`${binary} cannot be run: ${code.message}`, { hint: "is it built for this platform?", cause: code });
      }
      return why(log, begun, code, this.log);
    } finally {
      closeSync(log);
    }
  }
}

/** Reads from the log why a server did not start. */
function why(log: number, begun: number, code: number, path: string): OrmaError {
  const data = Buffer.alloc(Math.max(fstatSync(log).size - begun, 0));
  readSync(log, data, 0, data.length, begun);
  const lines = data.toString().trim().split("\n");
  for (const line of lines.toReversed()) {
    try {
      const e = JSON.parse(line).error;
      return errorOf(e.code, e.message, e.hint);
    } catch {
      continue;
    }
  }
  return new UnavailableError(`the server did not start (exit code ${code}): ${lines.at(-1) || "it said nothing"}`, { hint: `see ${path}` });
}

/** Returns a folder of this user for sockets: the system's, Orma's, or a temporary one. */
function runFolder(home: string, key: string): string {
  const folders = [join(home, "run"), join(tmpdir(), `orma-${process.getuid?.() ?? "user"}`)];
  const runtime = process.env["XDG_RUNTIME_DIR"];
  if (runtime && isAbsolute(runtime)) {
    folders.unshift(join(runtime, "orma"));
  }
  for (const folder of folders) {
    if (!WINDOWS && Buffer.byteLength(folder) + key.length + "/.sock".length > LONGEST_SOCKET) {
      continue;
    }
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    } catch {
      continue;
    }
    if (ours(folder)) {
      return folder;
    }
  }
  throw new DeniedError("there is no folder for the socket of a server", {
    code: "denied",
    hint: "let ORMA_HOME name a folder that can be written",
  });
}

/** Says whether a folder is this user's alone: a socket in another's could be anyone's. */
function ours(folder: string): boolean {
  const info = lstatSync(folder);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    return false;
  }
  const uid = process.getuid?.();
  return info.isDirectory() && existsSync(folder) && (uid === undefined || (info.uid === uid && (info.mode & 0o022) === 0));
}
