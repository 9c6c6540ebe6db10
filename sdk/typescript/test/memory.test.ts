// What the contract does not say: types, errors before anything is sent, and limits.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { before, test } from "node:test";

import { type Added, ClosedError, ConfigError, ConflictError, InvalidError, Memory, NotFoundError, OrmaError, TooLargeError } from "orma-memory";
import { database, setUp } from "./support.js";

let memory: Memory;
const at = setUp(() => memory.close());
before(async () => {
  memory = await Memory.open({ path: database(at.folder) });
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const x of items) {
    out.push(x);
  }
  return out;
}

test("a move outdates the old city", async () => {
  const space = "move";
  await memory.observe("user", "I live in Pune.", { at: new Date("2026-03-01T09:00:00Z"), space });
  await memory.observe("user", "I moved to Bangalore.", { at: "2026-05-01T09:00:00Z", space });
  assert.equal((await memory.sleep({ space })).outcomes["superseded"], 1);
  const found = await memory.search("Where do I live?", { space });
  assert.equal(found.states[0]?.text, "user · home city: Bangalore");
  assert.equal(found.passages.find((p) => p.text === "I live in Pune.")?.outdated[0]?.now, "Bangalore");
  assert.equal((await memory.facts({ asOf: "2026-04-01", space }))[0]?.value, "Pune");
  assert.ok((await memory.facts({ history: true, space })).every((f) => f.recordedAt instanceof Date));
});

test("both kinds of modules are one package", () => {
  const required = createRequire(import.meta.url)("orma-memory") as typeof import("orma-memory");
  assert.equal(typeof required.Memory.open, "function");
  assert.equal(typeof required.NotFoundError, "function");
});

test("text is kept word for word, and halves of pairs are repaired", async () => {
  for (const text of ["日本語のメモ", "🏡🚲", "e\u0301", 'quote " \\ \n tab\t', "right\u202eleft"]) {
    assert.equal((await memory.episode((await memory.observe("user", text)).id)).text, text);
  }
  const added: Added = await memory.add("half \ud800 pair");
  assert.equal((await memory.episode(added.id)).text, "half \ufffd pair");
  assert.ok(added.repaired && (await memory.addMany(["low \udc00"]))[0]?.repaired);
});

test("space names", async () => {
  for (const space of ["Zoë’s notes", "工作", "a/b?c&d=e#f%20", "x".repeat(128), "🚲"]) {
    await memory.add("The boiler is serviced in May.", { space });
    assert.ok((await memory.search("boiler", { space })).passages.length > 0);
    assert.equal((await memory.stats({ space })).spaces[0]?.episodes, 1);
    await memory.eraseSpace(space, { yes: true });
  }
  for (const space of ["x".repeat(129), "a\nb", "zero\u200bwidth", "nul\0", "half \ud800"]) {
    await assert.rejects(memory.add("words", { space }), InvalidError);
    await assert.rejects(memory.facts({ space }), InvalidError);
  }
});

test("huge texts", async () => {
  const near = "word ".repeat(200_000);
  assert.equal((await memory.episode((await memory.add(near, { space: "huge" })).id, { space: "huge" })).text.length, near.length);
  for (const huge of ["x".repeat((1 << 20) + 1), "word ".repeat(4_000_000), "word ".repeat(20_000_000)]) {
    await assert.rejects(memory.add(huge), TooLargeError);
  }
  const out = await memory.addMany(["small", "z".repeat(1 << 21), "small too", "w".repeat(20 << 20)], { space: "huge" });
  assert.deepEqual(out.map((a) => a.code), [undefined, "too_large", undefined, "too_large"]);
});

test("what is not accepted", async () => {
  const bad = memory as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  for (const call of [
    () => bad["add"]!(null), () => bad["add"]!(7), () => bad["search"]!(undefined), () => memory.add(" "), () => memory.add("words", { at: "yesterday" }),
    () => memory.add("words", { at: new Date(Number.NaN) }), () => memory.forget(0), () => bad["forget"]!("seven"), () => bad["forget"]!(null),
    () => bad["addMany"]!([{ words: "none" }]), () => bad["addMany"]!([7]), () => bad["buildContext"]!("words"), () => bad["buildContext"]!([{}]),
    () => memory.addFile(at.folder), () => memory.eraseSpace("default", { yes: false }),
  ]) {
    await assert.rejects(call, (e) => e instanceof InvalidError && e.code === "invalid" && e.message !== "", String(call));
  }
  await assert.rejects(memory.addFile(join(at.folder, "none.md")), NotFoundError);
  await assert.rejects(memory.episode(4_711_000), NotFoundError);
});

test("files", async () => {
  const file = join(at.folder, "house rules.md");
  writeFileSync(file, `The boiler is serviced in May.\n\n${"A long paragraph about the garden.\n\n".repeat(800)}`);
  const added = await memory.addFile(file, { space: "files" });
  assert.ok(added.length > 1 && added[0]?.key === "house rules.md#1");
  assert.equal((await memory.episode(added[0]!.id, { space: "files" })).source, "file:house rules.md");
  for (const content of [Buffer.alloc(0), Buffer.from("\x89PNG\r\n\x1a\n\0\0", "latin1")]) {
    writeFileSync(file, content);
    await assert.rejects(memory.addFile(file), InvalidError);
  }
});

test("many keep their order", async () => {
  const out = await memory.addMany((function* () {
    yield { text: "one", id: "k" };
    yield "  ";
    for (let i = 0; i < 1200; i++) {
      yield `line ${i}`;
    }
  })(), { space: "many" });
  assert.equal(out.length, 1202);
  assert.equal(out[1]?.code, "invalid");
  const ids = out.map((a) => a.id).filter((id) => id > 0);
  assert.deepEqual(ids, ids.toSorted((a, b) => a - b));
  assert.equal((await all(memory.export({ space: "many" }))).length, 1201);
  assert.equal((await all(memory.episodes({ space: "many" }))).length, 1201);
  for await (const e of memory.export({ space: "many" })) {
    assert.equal(e["id"], "k");
    break; // an export that is left half read ends its connection
  }
});

test("the graph is walked page by page", async () => {
  const space = "graph";
  const names = Array.from({ length: 12 }, (_, i) => String.fromCharCode(97 + i));
  await memory.addMany(names.map((c, i) => ({ text: `My friend Friend${c} lives in Bergen.`, kind: "turn" as const, at: `2026-01-${String(i + 1).padStart(2, "0")}` })), { space });
  await memory.sleep({ backend: "rules", space });
  assert.deepEqual(await memory.pending({ space }), { total: 0, episodes: [] });
  const whole = await memory.graph({ space, kinds: ["entity", "state"] });
  assert.equal(whole.next, undefined);
  assert.equal(whole.totals.states, 12);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await memory.graph({ space, kinds: ["entity", "state"], limit: 5, ...(cursor === undefined ? {} : { cursor }) });
    assert.ok(page.nodes.length <= 5);
    seen.push(...page.nodes.map((n) => n.id));
    cursor = page.next;
  } while (cursor !== undefined);
  assert.deepEqual(seen, whole.nodes.map((n) => n.id));
  assert.equal((await memory.graph({ space, kinds: ["state"], since: "2026-01-11", until: "2026-01-12" })).nodes.length, 2);
  assert.equal((await memory.graph({ space, asOf: "1999-12-31" })).nodes.length, 0);
  const state = whole.nodes.find((n) => n.kind === "state")!;
  const detail = await memory.node(state.id, { space });
  assert.equal(detail.state?.value, "Bergen");
  assert.match(detail.sources[0]!.text, /^My friend/);
  assert.ok((await memory.graph({ space, of: state.id })).nodes.length > 1);
  await assert.rejects(memory.node("s99999", { space }), NotFoundError);
  assert.match((await memory.sleepReports({ space, text: true }))[0]!.accepted[0]!.sources[0]!.text!, /^My friend/);
  const stages = await memory.stages();
  assert.ok(stages.some((s) => s.name === "pack" && s.on && s.summary !== ""));
});

test("a hundred calls at once", async () => {
  await Promise.all(Array.from({ length: 100 }, (_, i) => memory.observe("user", `at once ${i}`, { space: "once" })));
  assert.equal((await memory.stats({ space: "once" })).spaces[0]?.episodes, 100);
});

test("rules, corrections, uses", async () => {
  const space = "rules";
  const rule = await memory.forbid("never ring before nine", { space });
  assert.match((await memory.recall("phone", { space })).rules, /never ring before nine/);
  await memory.observe("user", "I live in Pune.", { space });
  await memory.sleep({ space });
  const city = (await memory.search("home", { space })).states.find((s) => s.text.endsWith("Pune"))!;
  assert.equal((await memory.correct(city, "Porto", { space })).value, "Porto");
  await memory.forget(rule.ruleId!, { space, reason: "done" });
  await assert.rejects(memory.forget(rule.ruleId!, { space }), ConflictError);
  const before = (await memory.stats({ space })).spaces[0]!.uses;
  await memory.recall("home", { space });
  assert.equal((await memory.stats({ space })).spaces[0]!.uses, before);
  await memory.buildContext([{ role: "user", content: "home?" }], { space });
  assert.ok((await memory.stats({ space })).spaces[0]!.uses > before);
});

test("switches, and closing", async () => {
  const path = database(at.folder);
  {
    await using small = new Memory({ path, config: { set: { "limits.episode_bytes": 4096 } } });
    await assert.rejects(small.add("x".repeat(5000)), TooLargeError);
    await small.close();
    await small.close();
    await assert.rejects(small.search("words"), ClosedError);
  }
  await assert.rejects(Memory.open({ path, config: { set: { "nothing.k": 1 } } }), ConfigError);
  await assert.rejects(Memory.open({ path, config: join(at.folder, "none.toml") }), ConfigError);
  assert.throws(() => new Memory({ path, config: { sett: {} } as never }), InvalidError);
  assert.ok((await memory.version()).api === "v1" && new OrmaError("x") instanceof Error);
});
