// Names beside nodes, drawn as text on a flat canvas over the picture. The most important
// come first, and one that would cover another is left out.

import { clip, isolate } from "./text.ts";

export interface Label {
  x: number; // pixels
  y: number;
  r: number; // of the node
  text: string;
  rank: number; // higher first
  strong: boolean; // the chosen node, or the one under the pointer
}

export interface LabelColours {
  ink: string;
  paper: string;
  faint: string;
}

const widths = new Map<string, number>();

function width(ctx: CanvasRenderingContext2D, text: string): number {
  const key = ctx.font + text;
  let w = widths.get(key);
  if (w === undefined) {
    if (widths.size > 4000) widths.clear();
    w = ctx.measureText(text).width;
    widths.set(key, w);
  }
  return w;
}

interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** overlaps tells whether two boxes touch. */
function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/** drawLabels writes what fits of at most `most` labels. */
export function drawLabels(ctx: CanvasRenderingContext2D, labels: Label[], most: number, c: LabelColours, w: number, h: number): void {
  labels.sort((a, b) => b.rank - a.rank);
  // No name stands over the node that is chosen.
  const taken: Box[] = labels.filter((l) => l.strong).map((l) => ({ x: l.x - l.r * 0.8, y: l.y - l.r * 0.8, w: l.r * 1.6, h: l.r * 1.6 }));
  most += taken.length;
  ctx.textBaseline = "middle";
  ctx.lineJoin = "round";
  for (const l of labels) {
    if (taken.length >= most) break;
    const text = isolate(clip(l.text, l.strong ? 60 : 28));
    const big = l.strong ? 14 : l.r > 9 ? 13 : 12;
    ctx.font = `${l.strong || l.r > 9 ? 600 : 500} ${big}px "Inter", system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif`;
    const tw = width(ctx, text);
    const box: Box = { x: l.x + l.r + 5, y: l.y - big * 0.7, w: tw + 4, h: big * 1.4 };
    if (box.x + box.w > w - 4) box.x = l.x - l.r - 7 - tw;
    if (!l.strong) {
      if (box.x < 4 || box.y < 4 || box.y + box.h > h - 4) continue;
      if (taken.some((t) => overlaps(t, box))) continue;
    } else {
      box.x = Math.max(4, box.x);
    }
    taken.push(box);
    ctx.textAlign = "left";
    ctx.direction = "ltr";
    ctx.strokeStyle = c.paper;
    ctx.lineWidth = 4;
    ctx.strokeText(text, box.x, l.y);
    ctx.fillStyle = l.strong || l.rank > 1e6 ? c.ink : c.faint;
    ctx.fillText(text, box.x, l.y);
  }
}
