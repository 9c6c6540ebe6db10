import assert from "node:assert/strict";
import { test } from "node:test";
import { parts, share, signed } from "./score.ts";

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

test("a score is said as a share of the best", () => {
  const cases: [number, number, string][] = [
    [131_000, 131_000, "best score"], [130_999, 131_000, "99% of the best"], [13_383, 131_000, "10% of the best"], [500, 131_000, "under 1% of the best"],
    [0, 3, "under 1% of the best"], [-1, 3, "under 1% of the best"], [0, 0, ""], [-2, -1, ""], [NaN, 3, ""], [1, Infinity, ""],
  ];
  for (const [score, best, want] of cases) assert.equal(share(score, best), want, `${score} of ${best}`);
});

test("parts have their sign", () => {
  assert.deepEqual([1, -0.5].map(signed), ["+1.00", "−0.50"]);
});
