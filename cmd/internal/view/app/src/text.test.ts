import assert from "node:assert/strict";
import { test } from "node:test";
import { clip, clock, count, isolate } from "./text.ts";

test("clip", () => {
  const cases: [string, number, string][] = [
    ["", 5, ""],
    ["short", 5, "short"],
    ["longer text", 6, "longer…"],
    ["two\nlines\tand\u0000more", 40, "two lines and more"],
    ["👩‍👩‍👧‍👦 family", 1, "👩‍👩‍👧‍👦…"],
    ["  edges  ", 10, "edges"],
    ["<img src=x onerror=alert(1)>", 9, "<img src=…"],
  ];
  for (const [text, most, want] of cases) assert.equal(clip(text, most), want, JSON.stringify(text));
});

test("clip looks at the beginning of a long name only, and says that more follows", () => {
  const got = clip("x".repeat(10_240), 20);
  assert.equal(got, "x".repeat(20) + "…");
  const spaces = clip(" ".repeat(100_000) + "end", 20);
  assert.ok(spaces.length <= 21);
});

test("clip cuts a pile of accents", () => {
  assert.ok(clip("a" + "\u0301".repeat(5000), 10).length < 40);
});

test("isolate holds the direction of a text and drops what would break out", () => {
  assert.equal(isolate("a\u202eb\u2069c"), "\u2068abc\u2069");
});

test("count", () => {
  assert.equal(count(1, "entity", "entities"), "1 entity");
  assert.equal(count(1200, "entity", "entities"), "1,200 entities");
});

test("clock leaves a day a day, and what is no time as it is", () => {
  assert.equal(clock("2026-05-03"), "2026-05-03");
  assert.equal(clock(undefined), "");
  assert.equal(clock("noTime"), "noTime");
  assert.match(clock("2026-05-03T10:00:00Z"), /^2026-05-0[34] \d\d:\d\d$/);
});
