import assert from "node:assert/strict";
import { test } from "node:test";
import { Pace } from "./pace.ts";

test("pace", async (t) => {
  const cases: [string, number[], boolean][] = [
    ["quick frames", [16, 16, 17, 16, 16, 16], false],
    ["slow frames", [180, 190, 175, 180, 185], true],
    ["too few to tell", [180, 190, 175, 180], false],
    ["one that stuck", [16, 16, 900, 16, 16, 16, 16], false],
    ["two that stuck", [16, 900, 900, 16, 16], false],
    ["a page in the background", [60_000, 60_000, 60_000, 60_000, 60_000], false],
    ["slow, then quick for what is left out", [180, 190, 175, 180, 185, 16, 16, 16, 16, 16], true],
  ];
  for (const [name, times, want] of cases) {
    await t.test(name, () => {
      const p = new Pace();
      times.forEach((ms) => p.took(ms));
      assert.equal(p.slow, want);
      p.again();
      assert.equal(p.slow, false);
    });
  }
});
