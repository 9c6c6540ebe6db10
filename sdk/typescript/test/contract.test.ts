// The list of calls and answers that all clients share: sdk/contract/contract.json.
import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Memory, OrmaError } from "orma-memory";
import { keyOf } from "../dist/esm/config.js";
import { insert } from "../dist/esm/context.js";
import { contract, database, setUp } from "./support.js";

type Json = Record<string, unknown>;

const at = setUp();
const list = contract();
const began = Math.floor(Date.now() / 1000) * 1000;

// Arguments that are given by their place.
const PLACED: Record<string, string[]> = {
  add: ["text"], observe: ["role", "text"], add_many: ["items"], add_file: ["path"], forbid: ["rule"], forget: ["fact"], correct: ["fact", "text"],
  search: ["query"], recall: ["query"], build_context: ["messages"], episode: ["id"], node: ["id"], erase: ["episode"], erase_space: ["name"], quarantine: ["source"],
};

for (const scenario of list.scenarios) {
  test(scenario.name, async () => {
    await using memory = new Memory({ path: database(at.folder), config: { set: { "clock.timezone": "UTC", "sleep.enabled": false } } });
    const files = mkdtempSync(join(at.folder, "files-"));
    for (const [n, step] of scenario.steps.entries()) {
      const where = `step ${n + 1}, ${step.call} ${JSON.stringify(step.with)}`;
      const call = (): Promise<unknown> => made(memory, step.call, step.with, files);
      if (step.fails !== undefined) {
        await assert.rejects(call, (e) => e instanceof OrmaError && (assert.equal(e.code, step.fails, where), true), where);
      } else {
        assert.deepEqual(clean(plain(await call())), step.gives, where);
      }
    }
  });
}

async function made(memory: Memory, name: string, given: Json, folder: string): Promise<unknown> {
  const args = { ...given };
  if (name === "add_file") {
    const path = join(folder, args["name"] as string);
    if (args["content"] !== undefined) {
      writeFileSync(path, args["content"] as string);
    }
    delete args["name"];
    delete args["content"];
    args["path"] = path;
  }
  const placed = (PLACED[name] ?? []).map((p) => args[p]);
  const options = Object.fromEntries(Object.entries(args).filter(([k]) => !PLACED[name]?.includes(k)).map(([k, v]) => [camel(k), v]));
  const out = (memory as unknown as Record<string, (...args: unknown[]) => unknown>)[camel(name)]!(...placed, options);
  if (typeof (out as AsyncIterable<unknown>)[Symbol.asyncIterator] !== "function") {
    return out;
  }
  const all: unknown[] = [];
  for await (const x of out as AsyncIterable<unknown>) {
    all.push(x);
  }
  return all;
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, c: string) => c.toUpperCase());
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
}

/** An answer as the server wrote it. */
function plain(value: unknown): unknown {
  if (value instanceof Date) {
    return value.toISOString().replace(/\.?0*Z$/, "Z");
  }
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [snake(k), plain(v)]));
  }
  return value;
}

/** An answer without what is empty or volatile, as the Go API's test leaves it out. */
function clean(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(clean);
  }
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).filter(([k]) => !list.volatile.includes(k)).map(([k, v]) => [k, clean(v)]).filter(([, v]) => says(v)));
  }
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && Date.parse(value) >= began ? null : value;
}

function says(value: unknown): boolean {
  if (value !== null && typeof value === "object") {
    return Object.keys(value).length > 0;
  }
  return value !== null && value !== undefined && value !== "" && value !== 0 && value !== false;
}

for (const c of list.insert) {
  test(`insert: ${c.name}`, () => {
    const before = JSON.stringify(c.messages);
    assert.deepEqual(insert(c.messages, c.rules, c.facts, c.turn), c.gives);
    assert.equal(JSON.stringify(c.messages), before, "the given messages were changed");
  });
}

test("processes of both languages share a server", () => {
  assert.ok(list.shares.length > 0);
  for (const s of list.shares) {
    assert.equal(keyOf(s.start, s.env), s.key);
  }
});

test("a tool loop keeps its prompt", async () => {
  await using memory = new Memory({ path: database(at.folder) });
  await memory.add("The tide is at six.");
  const asked: { role: string; content: string | null }[] = [{ role: "user", content: "When is the tide?" }];
  const first = await memory.buildContext(asked);
  await memory.add("The tide is strong today.");
  const loop = [...asked, { role: "assistant", content: null, tool_calls: [] }, { role: "tool", content: "42" }];
  assert.deepEqual((await memory.buildContext(loop)).slice(0, first.length), first);
  assert.notDeepEqual(await memory.buildContext(asked), first); // asked anew, it is recalled anew
});
