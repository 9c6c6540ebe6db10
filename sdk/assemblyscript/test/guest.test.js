const test = require("node:test");
const assert = require("node:assert");
const fs = require("node:fs");

const { exports: g } = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(__dirname + "/guest.wasm")));

// put copies bytes into the guest's arena.
function put(bytes) {
  const at = g.orma_alloc(bytes.length) >>> 0;
  assert.equal(at % 8, 0);
  new Uint8Array(g.memory.buffer).set(bytes, at);
  return at;
}

function textOf(packed) {
  const at = Number(BigInt.asUintN(64, packed) >> 32n), n = Number(packed & 0xffffffffn);
  return Buffer.from(g.memory.buffer, at, n).toString();
}

function params(number, string) {
  const s = Buffer.from(string), b = Buffer.alloc(32 + s.length);
  [0x31504d4f, 2, 24, 8, 32, s.length].forEach((v, i) => b.writeUInt32LE(v, 4 * i));
  b.writeDoubleLE(number, 24);
  s.copy(b, 32);
  return b;
}

test("parameters", () => {
  let p = params(2, "näh");
  assert.equal(g.orma_configure(put(p), p.length), 0);
  p = params(2, "fern");
  assert.equal(g.orma_configure(put(p), p.length), 1);
  assert.equal(textOf(g.orma_error(1)), "not näh: fern");
  p = params(2, "näh");
  g.orma_configure(put(p), p.length);
});

test("a frame", () => {
  // Three rows; texts "ab", "a", "abc"; lists [1], [], [2, 3]; the question "ab".
  const b = Buffer.alloc(168);
  const words = [0x31424d4f, 3, 3, 3, 168, 160, 2, 60, 1000, 0, 80, 12, 96, 22, 120, 28, 0, 1, 2];
  words.forEach((v, i) => b.writeUInt32LE(v, 4 * i));
  [0, 2, 3, 6].forEach((v, i) => b.writeUInt32LE(v, 96 + 4 * i));
  b.write("abaabc", 112);
  [0, 1, 1, 3].forEach((v, i) => b.writeUInt32LE(v, 120 + 4 * i));
  [1, 2, 3].forEach((v, i) => b.writeFloatLE(v, 136 + 4 * i));
  b.write("ab", 160);
  for (let run = 0; run < 1000; run++) { // memory must not pile up
    const at = put(b);
    assert.equal(g.orma_run(at, b.length), 0);
    const out = Buffer.from(g.memory.buffer, at, b.length);
    assert.equal(out.readUInt32LE(8), 2);
    assert.deepEqual([out.readUInt32LE(64), out.readUInt32LE(68)], [2, 0]);
    assert.deepEqual([0, 1, 2].map((i) => out.readFloatLE(80 + 4 * i)), [2122, 2120, 2130]);
  }
  assert.ok(g.memory.buffer.byteLength < 1 << 20);
});
