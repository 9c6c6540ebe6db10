import assert from "node:assert/strict";
import { test } from "node:test";
import { parts, short, signed } from "./score.ts";

const steps = ["bm25", "link", "fusion", "sink"].map((stage) => ({ stage, us: 1, in: 1, out: 1 }));

test("parts of factors are logarithms that add up", () => {
  const got = parts(steps, [1, 1, Math.E ** 2, Math.E]);
  assert.deepEqual(got.map((p) => [p.stage, Number(p.part.toFixed(6))]), [["fusion", 2], ["sink", -1]]);
  assert.ok(Math.abs(got.reduce((s, p) => s + p.part, 0) - 1) < 1e-9);
});

test("where a score is not positive, parts are differences", () => {
  assert.deepEqual(parts(steps, [0, 2, -1, -1]).map((p) => p.part), [2, -3]);
});

test("a stage that failed leaves no part", () => {
  assert.deepEqual(parts(steps, [1, NaN, 1]), []);
  assert.deepEqual(parts(steps, []), []);
});

test("scores and parts are short", () => {
  assert.deepEqual([1234567, 678.9, 1.5, 0.25, 0.00012, 0].map(short), ["1.2e+6", "679", "1.50", "0.250", "1.2e-4", "0.000"]);
  assert.deepEqual([1, -0.5].map(signed), ["+1.00", "−0.50"]);
});
