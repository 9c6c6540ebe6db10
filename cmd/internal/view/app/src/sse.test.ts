import assert from "node:assert/strict";
import { test } from "node:test";
import { EventParser, type ServerEvent } from "./sse.ts";

const stream = ":\n\nid: 7\nevent: episode\ndata: {\"id\":7}\n\nevent: change\r\ndata: {\"generation\":1}\r\n\r\ndata: a\rdata:b\r\rdata\n\nevent: lost\n\n";
const want: ServerEvent[] = [
  { id: "7", event: "episode", data: '{"id":7}' },
  { id: "7", event: "change", data: '{"generation":1}' },
  { id: "7", event: "message", data: "a\nb" },
  { id: "7", event: "message", data: "" },
];

test("a stream cut at any place gives the same events", () => {
  for (let size = 1; size <= stream.length; size++) {
    const p = new EventParser();
    const got: ServerEvent[] = [];
    for (let i = 0; i < stream.length; i += size) got.push(...p.push(stream.slice(i, i + size)));
    assert.deepEqual(got, want, `pieces of ${size}`);
  }
});

test("what is not complete is not told", () => {
  assert.deepEqual(new EventParser().push("data: half\n"), []);
});
