import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Gives the tests of a file the program and a home of their own, and sees that no server outlives them. */
export function setUp(done: () => Promise<void> = async () => undefined): { folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "orma-ts-"));
  const at = { folder };
  before(() => {
    if (!process.env["ORMA_BIN"]) {
      const binary = join(folder, "orma");
      execFileSync("go", ["build", "-trimpath", "-o", binary, "./cmd/orma"], { cwd: ROOT, env: { ...process.env, CGO_ENABLED: "0" } });
      process.env["ORMA_BIN"] = binary;
    }
    process.env["ORMA_HOME"] = join(folder, "home");
    delete process.env["XDG_RUNTIME_DIR"];
  });
  after(async () => {
    await done();
    await eventually(() => servers(folder).length === 0, `servers of ${folder} are left`);
    rmSync(folder, { recursive: true, force: true });
  });
  return at;
}

let databases = 0;

/** Returns the path of a database that is not there yet. */
export function database(folder: string): string {
  return join(folder, `memory-${++databases}.db`);
}

/** Returns the processes that serve out of a folder. */
export function servers(folder: string): number[] {
  return readdirSync("/proc").filter((p) => /^\d+$/.test(p)).map(Number).filter((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      const state = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "")[0];
      return command.includes(`${folder}/home/run/`) && command.includes("\0serve\0") && state !== "Z";
    } catch {
      return false;
    }
  });
}

/** Waits until something holds: what other processes do is not known to the millisecond. */
export async function eventually(holds: () => boolean, what: string, within = 30_000): Promise<void> {
  const until = Date.now() + within;
  while (!holds()) {
    if (Date.now() > until) {
      throw new Error(what);
    }
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** Reads the list that all clients share. */
export function contract(): {
  volatile: string[];
  scenarios: { name: string; steps: { call: string; with: Record<string, unknown>; fails?: string; gives?: unknown }[] }[];
  insert: { name: string; messages: { role: string }[]; rules: string; facts: string; turn: string; gives: unknown }[];
  shares: { start: never; env: Record<string, string>; key: string }[];
} {
  const file = join(ROOT, "sdk/contract/contract.json");
  if (!existsSync(file)) {
    throw new Error(`${file} is missing`);
  }
  return JSON.parse(readFileSync(file, "utf8"));
}
