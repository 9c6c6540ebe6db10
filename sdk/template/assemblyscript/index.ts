// Multiplies the score by a bonus that halves with age.
import { Frame, Params, text } from "./orma";
export { orma_abi, orma_alloc, orma_error } from "./orma";

// Columns and parameters are named by their place in these lists.
const MANIFEST = `{
  "name": "my_ranker", "version": "0.1.0", "contract": "rank",
  "summary": "Multiply the score by a bonus that halves with age",
  "doc": "A memory of age a days gets score * (1 + weight * 2^(-a / half_life_days)).",
  "columns": [
    {"name": "score", "kind": "f32", "read": true, "write": true},
    {"name": "age_days", "kind": "f32", "read": true}
  ],
  "params": [
    {"name": "weight", "kind": "number", "doc": "bonus of a brand new memory", "default": 0.3, "min": 0, "max": 10, "neutral": 0},
    {"name": "half_life_days", "kind": "number", "doc": "age at which the bonus has halved", "default": 30, "min": 0.01, "max": 100000}
  ]
}`;

let weight: f64 = 0;
let halfLife: f64 = 1;

export function orma_manifest(): u64 { return text(MANIFEST); }

export function orma_configure(at: usize, n: u32): u32 {
  const p = new Params(at);
  weight = p.number(0);
  halfLife = p.number(1);
  return 0;
}

export function orma_run(at: usize, n: u32): u32 {
  const f = new Frame(at);
  let score = f.column(0), age = f.column(1);
  for (let row: u32 = 0; row < f.rows; row++, score += 4, age += 4) {
    const days = max<f64>(load<f32>(age), 0); // below 0 is the future
    const s = <f64>load<f32>(score) * (1 + weight * Math.pow(2, -days / halfLife));
    store<f32>(score, <f32>min<f64>(s, <f64>f32.MAX_VALUE));
  }
  return 0;
}
