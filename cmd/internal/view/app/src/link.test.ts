import assert from "node:assert/strict";
import { test } from "node:test";
import { read, start, takeToken, write, type Place } from "./link.ts";

test("a place survives its address", () => {
  const places: Place[] = [
    start,
    { ...start, space: "a&b=#/ü", node: "s12", q: "where? \u202e <img>", as_of: "2026-05-03", mode: "table" },
    { ...start, off: ["novelty", "bm25"], on: ["spreading"], kinds: ["rule", "passage"], source: "file:x.md", trust: "note", from: "2026-01-01", to: "2026-02-01", history: true },
    { ...start, kinds: [], node: "nabcdefghijklm" },
  ];
  for (const p of places) assert.deepEqual(read("#" + write(p)), p);
});

test("what cannot be is left out", () => {
  const got = read("#node=<img>&as_of=yesterday&mode=x&kinds=rule,evil&trust=god&off=a b,ok&from=1");
  assert.deepEqual(got, { ...start, kinds: ["rule"], off: ["ok"] });
});

test("a day that is in no calendar is left out", () => {
  const cases: [string, string][] = [
    ["2026-02-28", "2026-02-28"], ["2024-02-29", "2024-02-29"], ["2026-05-03T10:00:00Z", "2026-05-03T10:00:00Z"], ["2026-05-03T23:30:00-05:00", "2026-05-03T23:30:00-05:00"],
    ["2026-02-30", ""], ["2026-13-01", ""], ["2026-05-03 or so", ""], ["-1", ""],
  ];
  for (const [day, want] of cases) assert.equal(read(`#as_of=${encodeURIComponent(day)}`).as_of, want, day);
});

test("an empty place is an empty address", () => assert.equal(write(start), ""));

test("a token is taken out of the address", () => {
  assert.deepEqual(takeToken("#token=orma_x&space=work"), { token: "orma_x", rest: "space=work" });
  assert.deepEqual(takeToken(""), { token: "", rest: "" });
});
