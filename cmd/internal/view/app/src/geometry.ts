// Sums over all nodes, which run for each frame or each graph.

/** bounds is the sphere that holds nearly all points: of many, two in a hundred may stray,
 * so that they do not push the rest far away. */
export function bounds(xyz: Float32Array): { x: number; y: number; z: number; radius: number } {
  const n = xyz.length / 3;
  const c = [0, 0, 0];
  xyz.forEach((v, i) => (c[i % 3]! += v / n));
  const [x, y, z] = c as [number, number, number];
  const far = new Float32Array(n);
  for (let i = 0; i < n; i++) far[i] = Math.hypot(xyz[i * 3]! - x, xyz[i * 3 + 1]! - y, xyz[i * 3 + 2]! - z);
  far.sort();
  return { x, y, z, radius: Math.max(12, far[n < 60 ? n - 1 : Math.floor((n - 1) * 0.98)] ?? 12) };
}

/** firstBy writes the two ends of each of n links into `pairs`, links that `first` is true
 * of before the others, and returns how many these are. */
export function firstBy(n: number, first: (i: number) => boolean, pairs: Uint32Array): number {
  let at = 0;
  const put = (i: number) => {
    pairs[at++] = 2 * i;
    pairs[at++] = 2 * i + 1;
  };
  for (let i = 0; i < n; i++) if (first(i)) put(i);
  const marked = at / 2;
  for (let i = 0; i < n; i++) if (!first(i)) put(i);
  return marked;
}

const steps = 1024; // of depth: more than the eye tells apart, and sorted in linear time

/** backToFront writes the nodes into `order` from the farthest to the nearest, marked ones
 * last, and their depths into `depth`. `view` is a camera's matrix, column by column. */
export function backToFront(xyz: Float32Array, view: ArrayLike<number>, mark: Float32Array, depth: Float32Array, order: Uint32Array): void {
  const n = depth.length;
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < n; i++) {
    const z = view[2]! * xyz[i * 3]! + view[6]! * xyz[i * 3 + 1]! + view[10]! * xyz[i * 3 + 2]!;
    depth[i] = z;
    if (z < low) low = z;
    if (z > high) high = z;
  }
  const to = (i: number) => {
    const m = mark[i]!;
    return m > 2.5 ? steps + 1 : m > 1.5 ? steps : Math.min(steps - 1, Math.max(0, Math.floor(((depth[i]! - low) / (high - low || 1)) * steps)));
  };
  const starts = new Uint32Array(steps + 3);
  for (let i = 0; i < n; i++) starts[to(i) + 1]!++;
  for (let b = 1; b < starts.length; b++) starts[b]! += starts[b - 1]!;
  for (let i = 0; i < n; i++) order[starts[to(i)]!++] = i;
}
