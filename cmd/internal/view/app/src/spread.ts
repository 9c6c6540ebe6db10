// The spreading activation of a recall, hop by hop, out of its trace.

import type { Hop } from "./api.ts";

export interface Wave {
  seeds: string[];
  hops: { from: string; to: string; force: number }[][];
}

/** wave sorts what a stage spread into hops, the strongest of each first, with forces
 * relative to the strongest of all. */
export function wave(spread: { hops: Hop[] }[] | undefined, most = 60): Wave {
  const seeds: string[] = [];
  const byHop = new Map<number, Hop[]>();
  for (const s of spread ?? []) {
    for (const h of s.hops) {
      if (!h.from) {
        if (!seeds.includes(h.to)) seeds.push(h.to);
        continue;
      }
      const list = byHop.get(h.hop) ?? [];
      list.push(h);
      byHop.set(h.hop, list);
    }
  }
  const top = Math.max(1e-12, ...[...byHop.values()].flat().map((h) => h.value));
  const hops = [...byHop.keys()].sort((a, b) => a - b).map((k) => {
    const best = new Map<string, Hop>();
    for (const h of byHop.get(k)!) {
      const key = `${h.from} ${h.to}`;
      if ((best.get(key)?.value ?? -Infinity) < h.value) best.set(key, h);
    }
    return [...best.values()].sort((a, b) => b.value - a.value).slice(0, most).map((h) => ({ from: h.from!, to: h.to, force: Math.sqrt(Math.max(0, h.value) / top) }));
  });
  return { seeds: seeds.slice(0, most), hops };
}

/** named are all nodes that a wave touches. */
export function named(w: Wave): string[] {
  return [...new Set([...w.seeds, ...w.hops.flat().flatMap((h) => [h.from, h.to])])];
}
