// Maximal marginal relevance: the best rows are taken one after another, each for its
// score and against its likeness to those that were taken before.
import { Frame, Params, text } from "../../sdk/assemblyscript/orma";
export { orma_abi, orma_alloc, orma_error } from "../../sdk/assemblyscript/orma";

const MANIFEST = `{
  "name": "mmr", "version": "1.0.0", "contract": "rank",
  "summary": "Prefer rows that say something else than the better ones",
  "doc": "Of the best depth rows, the next is always the one with the highest lambda * score / best score - (1 - lambda) * (greatest cosine to a row that was taken). The rows' scores are dealt out again in that order, so the range of scores stays as it was. Rows without a vector are like no other. Source: Carbonell and Goldstein 1998.",
  "columns": [
    {"name": "score", "kind": "f32", "read": true, "write": true},
    {"name": "id", "kind": "i64", "read": true},
    {"name": "vector", "kind": "list", "read": true}
  ],
  "params": [
    {"name": "lambda", "kind": "number", "doc": "share of relevance; the rest is for being different", "default": 0.9, "min": 0, "max": 1, "neutral": 1},
    {"name": "depth", "kind": "number", "doc": "rows from the top that take part", "default": 40, "min": 2, "max": 200}
  ]
}`;

const MOST = 200;
const SCORE: u32 = 0, ID: u32 = 1, VECTOR: u32 = 2;

let lambda: f64 = 1;
let depth: i32 = 0;

// Scratch for the rows that take part, best first.
const rows = new StaticArray<u32>(MOST);
const scores = new StaticArray<f32>(MOST);
const likeness = new StaticArray<f64>(MOST);
const taken = new StaticArray<bool>(MOST);

export function orma_manifest(): u64 { return text(MANIFEST); }

export function orma_configure(at: usize, n: u32): u32 {
  const p = new Params(at);
  lambda = p.number(0);
  depth = <i32>p.number(1);
  return 0;
}

export function orma_run(at: usize, n: u32): u32 {
  const f = new Frame(at);
  const count = choose(f);
  if (count < 2 || unchecked(scores[0]) <= 0) return 0;
  for (let i = 0; i < count; i++) {
    unchecked(likeness[i] = 0);
    unchecked(taken[i] = false);
  }
  for (let place = 0; place < count; place++) {
    const best = next(count);
    unchecked(taken[best] = true);
    const row = unchecked(rows[best]);
    store<f32>(f.column(SCORE) + 4 * row, unchecked(scores[place]));
    for (let i = 0; i < count; i++) {
      if (unchecked(taken[i])) continue;
      const c = cosine(f, row, unchecked(rows[i]));
      if (c > unchecked(likeness[i])) unchecked(likeness[i] = c);
    }
  }
  return 0;
}

// choose puts the best live rows into rows and their scores into scores, and returns how
// many there are. Equal scores go by id.
function choose(f: Frame): i32 {
  const score = f.column(SCORE), id = f.column(ID);
  let count = 0;
  for (let i: u32 = 0; i < f.live; i++) {
    const row = f.at(i), s = load<f32>(score + 4 * row), own = load<i64>(id + 8 * row);
    let at = count;
    while (at > 0) {
      const before = unchecked(scores[at - 1]);
      if (before > s || (before == s && load<i64>(id + 8 * unchecked(rows[at - 1])) < own)) break;
      at--;
    }
    if (at >= depth) continue;
    if (count < depth) count++;
    for (let j = count - 1; j > at; j--) {
      unchecked(rows[j] = rows[j - 1]);
      unchecked(scores[j] = scores[j - 1]);
    }
    unchecked(rows[at] = row);
    unchecked(scores[at] = s);
  }
  return count;
}

// next returns the row that is worth most now. Ties go to the better one.
function next(count: i32): i32 {
  let best = -1, most: f64 = 0;
  const top = <f64>unchecked(scores[0]);
  for (let i = 0; i < count; i++) {
    if (unchecked(taken[i])) continue;
    const worth = lambda * (<f64>unchecked(scores[i]) / top) - (1 - lambda) * unchecked(likeness[i]);
    if (best < 0 || worth > most) {
      best = i;
      most = worth;
    }
  }
  return best;
}

// cosine is that of two rows' unit vectors; 0 where one has none or they do not compare.
function cosine(f: Frame, a: u32, b: u32): f64 {
  const n = f.listSize(VECTOR, a);
  if (n != f.listSize(VECTOR, b)) return 0;
  let p = f.listAt(VECTOR, a), q = f.listAt(VECTOR, b);
  const whole = p + 4 * (n & ~7), end = p + 4 * n;
  let x: f32 = 0, y: f32 = 0;
  while (p < whole) {
    x += load<f32>(p) * load<f32>(q) + load<f32>(p, 4) * load<f32>(q, 4) + load<f32>(p, 8) * load<f32>(q, 8) + load<f32>(p, 12) * load<f32>(q, 12);
    y += load<f32>(p, 16) * load<f32>(q, 16) + load<f32>(p, 20) * load<f32>(q, 20) + load<f32>(p, 24) * load<f32>(q, 24) + load<f32>(p, 28) * load<f32>(q, 28);
    p += 32;
    q += 32;
  }
  while (p < end) {
    x += load<f32>(p) * load<f32>(q);
    p += 4;
    q += 4;
  }
  const dot = <f64>(x + y);
  return dot >= -1.01 && dot <= 1.01 ? dot : 0; // what is no cosine says nothing
}
