// A guest that does a little of everything: drops the rows whose text is shorter than the
// question, reverses the rest, and sums each list into the score.
import { Frame, Params, fail, text } from "../orma";
export { orma_abi, orma_alloc, orma_error } from "../orma";

let scale: f64 = 1;

export function orma_manifest(): u64 { return text("{}"); }

export function orma_configure(at: usize, n: u32): u32 {
  const p = new Params(at);
  scale = p.number(0);
  return p.string(1) == "näh" ? 0 : fail("not näh: " + p.string(1));
}

export function orma_run(at: usize, n: u32): u32 {
  const f = new Frame(at);
  let kept: u32 = 0;
  for (let i: u32 = 0; i < f.live; i++) {
    if (f.textSize(1, f.at(i)) >= <u32>f.query().length) f.put(kept++, f.at(i));
  }
  f.live = kept;
  for (let i: u32 = 0; i < kept / 2; i++) {
    const row = f.at(i);
    f.put(i, f.at(kept - 1 - i));
    f.put(kept - 1 - i, row);
  }
  for (let row: u32 = 0; row < f.rows; row++) {
    let sum: f32 = <f32>(f.now() + f.zone());
    for (let i: u32 = 0; i < f.listSize(2, row); i++) sum += load<f32>(f.listAt(2, row) + 4 * i);
    store<f32>(f.column(0) + 4 * row, <f32>scale * sum);
  }
  return 0;
}
