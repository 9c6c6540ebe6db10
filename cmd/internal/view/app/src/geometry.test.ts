import assert from "node:assert/strict";
import { test } from "node:test";
import { backToFront, bounds, firstBy } from "./geometry.ts";

const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

test("a few strays do not widen the sphere; of a few nodes none is a stray", () => {
  const many = new Float32Array(300).map((_, i) => (i === 0 ? 9000 : ((i * 37) % 41) - 20));
  assert.ok(bounds(many).radius < 200);
  const few = Float32Array.from([0, 0, 0, 100, 0, 0]);
  assert.deepEqual(bounds(few), { x: 50, y: 0, z: 0, radius: 50 });
  assert.equal(bounds(new Float32Array(0)).radius, 12);
});

test("nodes are drawn from the back to the front, near ones and the chosen one last", () => {
  const xyz = Float32Array.from([0, 0, 5, 0, 0, -50, 0, 0, 90, 0, 0, -99, 0, 0, 40]);
  const order = new Uint32Array(5);
  const draw = (...mark: number[]) => {
    backToFront(xyz, identity, Float32Array.from(mark), new Float32Array(5), order);
    return Array.from(order);
  };
  assert.deepEqual(draw(1, 1, 1, 1, 1), [3, 1, 0, 4, 2]);
  assert.deepEqual(draw(1, 3, 1, 2, 0), [0, 4, 2, 3, 1]);
});

test("nodes at one place are all drawn", () => {
  const order = new Uint32Array(4);
  backToFront(new Float32Array(12).fill(7), identity, new Float32Array(4).fill(1), new Float32Array(4), order);
  assert.deepEqual(Array.from(order), [0, 1, 2, 3]);
});

test("marked links come first, and none is lost", () => {
  const pairs = new Uint32Array(8);
  assert.equal(firstBy(4, (i) => i % 2 === 1, pairs), 2);
  assert.deepEqual(Array.from(pairs), [2, 3, 6, 7, 0, 1, 4, 5]);
  assert.equal(firstBy(4, () => false, pairs), 0);
  assert.deepEqual(Array.from(pairs), [0, 1, 2, 3, 4, 5, 6, 7]);
});
