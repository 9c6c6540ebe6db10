import assert from "node:assert/strict";
import { test } from "node:test";
import { named, wave } from "./spread.ts";

test("hops are in order, the strongest first, without repeats", () => {
  const w = wave([{ hops: [
    { hop: 2, from: "p1", to: "e2", value: 0.01 }, { hop: 0, to: "e1", value: 1 }, { hop: 1, from: "e1", to: "p2", value: 0.25 },
    { hop: 1, from: "e1", to: "p1", value: 1 }, { hop: 1, from: "e1", to: "p2", value: 0.16 },
  ] }]);
  assert.deepEqual(w, { seeds: ["e1"], hops: [[{ from: "e1", to: "p1", force: 1 }, { from: "e1", to: "p2", force: 0.5 }], [{ from: "p1", to: "e2", force: 0.1 }]] });
  assert.deepEqual(named(w), ["e1", "p1", "p2", "e2"]);
});

test("no spreading, no wave", () => {
  assert.deepEqual(wave(undefined), { seeds: [], hops: [] });
  assert.deepEqual(wave([{ hops: [] }]), { seeds: [], hops: [] });
});

test("most bounds a hop", () => {
  const hops = Array.from({ length: 200 }, (_, i) => ({ hop: 1, from: "e1", to: `p${i}`, value: 1 / (i + 1) }));
  assert.equal(wave([{ hops }], 10).hops[0]!.length, 10);
});
