// The real program with a database of its own, and a model's server for it to stand before.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const orma = resolve(process.env.ORMA ?? join(root, "bin/orma"));
const clock = "2026-08-19T10:00:00Z"; // the day after the shipped history ends

const homes = [];
process.on("exit", () => homes.forEach((dir) => {
  chmodSync(dir, 0o755);
  rmSync(dir, { recursive: true, force: true });
}));

/** home makes a folder for a database; it goes when the process ends. */
export function home() {
  const dir = mkdtempSync(join(tmpdir(), "orma-view-"));
  homes.push(dir);
  return dir;
}

const env = (dir) => ({ ...process.env, ORMA_HOME: dir, ORMA_DB: "", ORMA_CONFIG: "" });

/** run is a command of orma that must succeed; it returns what was printed. */
export function run(dir, ...args) {
  const r = spawnSync(orma, args, { env: env(dir), encoding: "utf8", maxBuffer: 64 << 20 });
  if (r.status !== 0) throw new Error(`orma ${args.join(" ")}: ${r.stderr}`);
  return r.stdout;
}

/** history is a database with the shipped history, slept on by the rules unless awake. */
export function history({ awake = false } = {}) {
  const dir = home();
  run(dir, "import", join(root, "examples/history.jsonl"));
  if (!awake) run(dir, "--now", clock, "sleep", "--backend", "rules");
  return dir;
}

/** serve starts orma and waits for its address. */
export async function serve(dir, { args = [], port = 0, upstream = "http://127.0.0.1:9", program = orma, uid } = {}) {
  const child = spawn(program, ["serve", "--json", "--port", String(port), "--upstream", upstream, ...args], { env: env(dir), uid, gid: uid, stdio: ["ignore", "pipe", "pipe"] });
  let err = "";
  child.stderr.on("data", (b) => (err += b));
  const first = await new Promise((done, fail) => {
    let out = "";
    child.stdout.on("data", (b) => {
      out += b;
      if (out.includes("\n")) done(JSON.parse(out));
    });
    child.on("exit", () => fail(new Error(`orma serve: ${err}`)));
  });
  const origin = first.address;
  // A test that fails stops no server: it must not keep this process, nor outlive it.
  for (const held of [child, ...child.stdio]) held?.unref?.();
  process.on("exit", () => child.kill());
  return {
    origin, view: `${origin}/_orma/viz/`, port: Number(new URL(origin).port), token: first.token,
    stop: () => new Promise((done) => {
      child.ref();
      child.on("exit", done);
      child.kill();
    }),
    async call(method, path, body, headers = {}) {
      const r = await fetch(`${origin}/_orma/v1${path}`, { method, headers: { "Content-Type": "application/json", ...headers }, body: body && JSON.stringify(body) });
      if (!r.ok) throw new Error(`${method} ${path}: ${r.status} ${await r.text()}`);
      return r.json();
    },
  };
}

/** serveReadOnly serves a database that the server's user may not write. Root may write
 * everything, so as root another user serves it, from a copy of the program. */
export async function serveReadOnly(dir) {
  const program = join(dir, "orma");
  copyFileSync(orma, program);
  for (const f of readdirSync(dir)) chmodSync(join(dir, f), f === "orma" ? 0o555 : 0o444);
  chmodSync(dir, 0o555);
  const uid = process.getuid() === 0 ? 65534 : undefined;
  if (uid) for (const f of [...readdirSync(dir).map((f) => join(dir, f)), dir]) chownSync(f, uid, uid);
  return serve(dir, { program, uid });
}

/** model answers chats in one sentence, as a model's server would. */
export async function model(reply) {
  const server = createServer((q, r) => {
    q.resume();
    q.on("end", () => {
      r.setHeader("Content-Type", "application/json");
      r.end(JSON.stringify(q.url === "/v1/chat/completions"
        ? { id: "1", object: "chat.completion", model: "m", choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: reply } }] }
        : { object: "list", data: [{ id: "m", object: "model" }] }));
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { address: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}
