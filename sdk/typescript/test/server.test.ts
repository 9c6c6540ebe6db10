// Private servers: shared, restarted, ended; and what goes wrong with them.
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";

import { BinaryNotFoundError, ConfigError, InvalidError, Memory, OrmaError, ServerDiedError, UnauthorizedError, UnavailableError, VersionMismatchError } from "orma-memory";
import { startOf } from "../dist/esm/config.js";
import { describe } from "../dist/esm/http.js";
import { PrivateServer } from "../dist/esm/server.js";
import { database, eventually, servers, setUp } from "./support.js";

const at = setUp();

const WRITER = `
const { Memory } = await import(${JSON.stringify(import.meta.resolve("orma-memory"))});
const [path, name, n] = process.argv.slice(1);
const m = await Memory.open({ path });
for (let i = 0; i < Number(n); i++) await m.observe("user", name + " says " + i);
console.log("done");
process.stdin.resume(); // stays, without closing anything
process.stdin.on("end", () => process.exit());
`;

interface Child {
  process: ChildProcess;
  done: Promise<unknown>;
}

function child(path: string, name: string, n: number): Child {
  const p = spawn(process.execPath, ["--input-type=module", "-e", WRITER, path, name, String(n)], { stdio: ["pipe", "pipe", "inherit"] });
  return { process: p, done: once(createInterface(p.stdout!), "line") };
}

async function killed(c: Child): Promise<void> {
  c.process.kill("SIGKILL");
  await once(c.process, "exit");
}

test("processes share a server that ends with the last", async () => {
  const path = database(at.folder);
  const children = [child(path, "a", 50), child(path, "b", 50), child(path, "c", 50)];
  await Promise.all(children.map((c) => c.done));
  assert.equal(servers(at.folder).length, 1);
  await killed(children[0]!);
  {
    await using memory = new Memory({ path });
    assert.equal((await memory.stats()).spaces[0]?.episodes, 150);
  }
  await new Promise((done) => setTimeout(done, 3000)); // longer than a server stays alone
  assert.equal(servers(at.folder).length, 1);
  await killed(children[1]!);
  children[2]!.process.stdin!.end();
  await eventually(() => servers(at.folder).length === 0, "the server outlives its last client");
});

test("a process that never closes its memory ends by itself", async () => {
  const code = `const { Memory } = await import(${JSON.stringify(import.meta.resolve("orma-memory"))});
    const m = new Memory({ path: process.argv[1] }); await m.add("words");`;
  const p = spawn(process.execPath, ["--input-type=module", "-e", code, database(at.folder)], { stdio: "inherit" });
  assert.deepEqual(await once(p, "exit"), [0, null]);
});

/** gone says whether a process has ended with all its threads: the last of them lets go of its sockets. */
function gone(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8")) && readdirSync(`/proc/${pid}/task`).length < 2;
  } catch {
    return true;
  }
}

test("a killed server is replaced between calls", async () => {
  await eventually(() => servers(at.folder).length === 0, "servers are left");
  await using memory = new Memory({ path: database(at.folder) });
  await memory.add("before");
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    const [pid] = servers(at.folder);
    process.kill(pid!, signal);
    await eventually(() => gone(pid!), "it does not end");
    await memory.add("after");
  }
  assert.equal((await memory.stats()).spaces[0]?.episodes, 3);
});

test("a server that dies in a call, or does not answer", async () => {
  await eventually(() => servers(at.folder).length === 0, "servers are left");
  const path = database(at.folder);
  await using memory = await Memory.open({ path });
  await using hasty = await Memory.open({ path, timeout: 200 });
  const [pid] = servers(at.folder);
  process.kill(pid!, "SIGSTOP");
  await eventually(() => /\) T /.test(readFileSync(`/proc/${pid}/stat`, "utf8")), "it does not stop");
  await assert.rejects(hasty.search("words"), (e) => e instanceof UnavailableError && /did not answer within 200 ms/.test(e.message));
  setTimeout(() => process.kill(pid!, "SIGKILL"), 300);
  await assert.rejects(memory.search("words"), (e) => e instanceof ServerDiedError && e.code === "server_died" && /call again/.test(e.message));
  assert.deepEqual((await memory.search("words")).passages, []);
});

test("over TCP with a token, as on Windows", async () => {
  const server = new PrivateServer(startOf({ path: database(at.folder) }), false);
  const client = await server.connect(10_000);
  assert.ok(client.at.socket === undefined && client.at.token?.startsWith("orma_"));
  await assert.rejects(Memory.open({ url: describe(client.at) }), UnauthorizedError);
  await using memory = new Memory({ url: describe(client.at), token: client.at.token! });
  await memory.add("words");
  assert.equal((await memory.search("words")).passages.length, 1);
  client.close();
});

test("a URL", async () => {
  await eventually(() => servers(at.folder).length === 0, "servers are left");
  const run = join(at.folder, "home", "run");
  rmSync(run, { recursive: true }); // killed servers left something in it
  await using memory = await Memory.open({ path: database(at.folder) });
  await memory.add("words");
  const share = readdirSync(run).find((f) => f.endsWith(".json"))!;
  await using other = new Memory({ url: `unix://${JSON.parse(readFileSync(join(run, share), "utf8")).socket}` });
  assert.equal((await other.search("words")).passages.length, 1);
  for (const url of ["localhost:8080", "ftp://a/", "http://", "unix://", "http://a:port", "words"]) {
    assert.throws(() => new Memory({ url }), InvalidError, url);
  }
  assert.throws(() => new Memory({ url: "http://127.0.0.1:9", path: "x.db" }), /does not go with url/);
  await assert.rejects(Memory.open({ url: "http://127.0.0.1:9" }), /no server answers at http:\/\/127.0.0.1:9/);
});

test("over TLS", async (t) => {
  const [key, cert] = [join(at.folder, "key.pem"), join(at.folder, "cert.pem")];
  const made = spawnSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
    "-keyout", key, "-out", cert, "-days", "1", "-subj", "/CN=localhost"]);
  if (made.status !== 0) {
    t.skip("openssl is not here");
    return;
  }
  const server = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) }, (req, res) => {
    res.end(JSON.stringify({ name: "orma", version: req.headers.authorization, api: "v1" }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await assert.rejects(Memory.open({ url, token: "t" }), (e) => e instanceof UnavailableError && /self.signed/i.test(e.message));
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0"; // what this test trusts, no client should
    await using memory = new Memory({ url, token: "t" });
    assert.equal((await memory.version()).version, "Bearer t");
    assert.equal((await memory.version()).version, "Bearer t"); // over the kept connection
  } finally {
    delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    server.close();
  }
});

test("no binary, a broken one, and one of something else", async () => {
  const { ORMA_BIN, PATH } = process.env;
  const file = join(at.folder, "other");
  const path = database(at.folder);
  try {
    process.env["ORMA_BIN"] = join(at.folder, "none");
    await assert.rejects(Memory.open({ path }), (e) => e instanceof BinaryNotFoundError && e.code === "no_binary" && /ORMA_BIN/.test(e.message));
    delete process.env["ORMA_BIN"];
    process.env["PATH"] = "/nowhere";
    await assert.rejects(Memory.open({ path }), (e) => e instanceof BinaryNotFoundError && /PATH/.test(e.message));
    process.env["ORMA_BIN"] = file;
    writeFileSync(file, "\x7fELF of another machine");
    chmodSync(file, 0o755);
    process.env["PATH"] = PATH;
    await assert.rejects(Memory.open({ path }), (e) => e instanceof OrmaError && ["no_binary", "unavailable"].includes(e.code)); // a shell may try it
    writeFileSync(file, "#!/bin/sh\necho 'usage: orma [-x]' >&2\nexit 3\n");
    await assert.rejects(Memory.open({ path }), /exit code 3\): usage: orma/);
  } finally {
    Object.assign(process.env, { ORMA_BIN, PATH });
  }
});

test("a path that cannot be", async () => {
  const file = join(at.folder, "file");
  writeFileSync(file, "no database, and no folder");
  for (const path of [join(file, "memory.db"), at.folder]) {
    await assert.rejects(Memory.open({ path }), (e) => e instanceof OrmaError && !["internal", "server_died"].includes(e.code), path);
  }
  await assert.rejects(Memory.open({ path: file }), (e) => e instanceof OrmaError && e.code === "corrupt");
  assert.throws(() => new Memory({ path: "" }), InvalidError);
});

test("options that the server refuses", async () => {
  const path = database(at.folder);
  for (const config of ["/nowhere/config.toml", { set: { "stage.pack.budget_tokenz": 1 } }, { off: ["nope"] }]) {
    await assert.rejects(Memory.open({ path, config }), ConfigError);
  }
  await assert.rejects(Memory.open({ path, upstream: "nowhere" }), InvalidError);
});

test("another version", async () => {
  for (const [status, answer] of [
    [200, '{"name": "orma", "version": "9.0.0", "api": "v9"}'], [200, '{"name": "other"}'], [200, "<html>hello</html>"], [404, "not found"], [200, "[]"], [200, ""],
  ] as const) {
    const stranger = createServer((_, res) => res.writeHead(status).end(answer)).listen(0, "127.0.0.1");
    await once(stranger, "listening");
    const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    await assert.rejects(Memory.open({ url }), (e) => e instanceof VersionMismatchError && e.code === "version_mismatch", answer);
    stranger.close();
  }
});
