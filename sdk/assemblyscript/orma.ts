// Orma's kit for plugins in AssemblyScript. The guide is
// docs/plugins/assemblyscript.md, the contract docs/plugins/abi.md.
//
//   import { Frame, Params, text } from "./orma";
//   export { orma_abi, orma_alloc, orma_error } from "./orma";
//   export function orma_manifest(): u64 { return text(MANIFEST); }
//   export function orma_configure(at: usize, n: u32): u32 { const p = new Params(at); … }
//   export function orma_run(at: usize, n: u32): u32 { const f = new Frame(at); … }
//
// Columns and parameters are named by their place in the manifest. Nothing that points
// into a block may be kept after the call.

let arena: usize = 0;
let kept: ArrayBuffer = new ArrayBuffer(0); // the last text that was returned
let reason: string = "";

export function orma_abi(): u32 { return 1; }

export function orma_alloc(n: u32): usize {
  if (arena) heap.free(arena);
  arena = heap.alloc(n);
  return arena;
}

export function orma_error(code: u32): u64 { return text(reason); }

/** Returns a text to the host: pointer<<32 | length of its UTF-8. */
export function text(s: string): u64 {
  kept = String.UTF8.encode(s);
  return (<u64>changetype<usize>(kept) << 32) | <u64>kept.byteLength;
}

/** Keeps the reason of an error; return what it returns. */
export function fail(why: string): u32 {
  reason = why;
  return 1;
}

/** The values of the plugin's configuration table. */
export class Params {
  constructor(private base: usize) {}

  number(i: u32): f64 { return load<f64>(this.base + load<u32>(this.base + 8 + 8 * i)); }

  /** Where the bytes of a string or file are. */
  at(i: u32): usize { return this.base + load<u32>(this.base + 8 + 8 * i); }

  /** How many bytes a string or file has. */
  size(i: u32): u32 { return load<u32>(this.base + 12 + 8 * i); }

  string(i: u32): string { return String.UTF8.decodeUnsafe(this.at(i), this.size(i)); }
}

/** The table of candidates: one row a candidate, one column an attribute. */
@final
export class Frame {
  /** Rows, live or not. */
  rows: u32;
  private order: usize;

  constructor(private base: usize) {
    this.rows = load<u32>(base + 4);
    this.order = base + 40 + 8 * load<u32>(base + 12);
  }

  /** Where a column begins. An f32 column has 4 bytes a row, an i64 column 8. */
  column(i: u32): usize { return this.base + load<u32>(this.base + 40 + 8 * i); }

  /** Where the text of a row is. */
  textAt(col: u32, row: u32): usize {
    const c = this.column(col);
    return c + 4 * (this.rows + 1) + load<u32>(c + 4 * row);
  }

  /** How many bytes the text of a row has. */
  textSize(col: u32, row: u32): u32 {
    const c = this.column(col) + 4 * row;
    return load<u32>(c + 4) - load<u32>(c);
  }

  /** Where the floats of a row's list are. */
  listAt(col: u32, row: u32): usize {
    const c = this.column(col);
    return c + 4 * (this.rows + 1) + 4 * load<u32>(c + 4 * row);
  }

  /** How many floats the list of a row has. */
  listSize(col: u32, row: u32): u32 { return this.textSize(col, row); }

  /** The number of live rows. */
  get live(): u32 { return load<u32>(this.base + 8); }

  /** Shortens the order, which drops the last rows. The manifest must declare it. */
  set live(n: u32) { store<u32>(this.base + 8, n); }

  /** The i-th live row, best first. */
  at(i: u32): u32 { return load<u32>(this.order + 4 * i); }

  /** Puts a row into a place of the order. The manifest must declare it. */
  put(i: u32, row: u32): void { store<u32>(this.order + 4 * i, row); }

  /** The question; empty unless the manifest asks for it. */
  query(): string { return String.UTF8.decodeUnsafe(this.base + load<u32>(this.base + 20), load<u32>(this.base + 24)); }

  /** When it was asked, in milliseconds since 1970; 0 unless the manifest asks. */
  now(): i64 { return load<i64>(this.base + 32); }

  /** Minutes that the question's zone is ahead of UTC. */
  zone(): i32 { return load<i32>(this.base + 28); }
}
