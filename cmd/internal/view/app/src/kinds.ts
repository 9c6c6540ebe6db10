// The kinds of node: what they are called, their colour and their shape. The shape says the
// same as the colour, for those who do not see it and for pictures without one.

import { svg } from "./dom.ts";

export const kinds = ["entity", "state", "conditional", "rule", "event", "passage"] as const;
export type Kind = (typeof kinds)[number];

interface Look {
  one: string;
  many: string;
  shape: "sphere" | "square" | "diamond" | "octagon" | "triangle" | "bar";
  dark: string;
  light: string;
}

export const looks: Record<Kind, Look> = {
  entity: { one: "entity", many: "entities", shape: "sphere", dark: "#2fd0e6", light: "#0788a3" },
  state: { one: "state", many: "states", shape: "square", dark: "#45d483", light: "#15803d" },
  conditional: { one: "conditional", many: "conditional", shape: "diamond", dark: "#fbb83a", light: "#b45309" },
  rule: { one: "rule", many: "rules", shape: "octagon", dark: "#f2365c", light: "#c3123c" },
  event: { one: "event", many: "events", shape: "triangle", dark: "#a58bfa", light: "#6d3fd4" },
  passage: { one: "passage", many: "passages", shape: "bar", dark: "#8fa1bd", light: "#5b6b83" },
};

/** shown at first; the rest is there on demand. */
export const shownAtFirst: readonly Kind[] = ["entity", "state", "conditional", "rule"];

/** isKind tells whether a word from a server is a kind that the view knows. */
export function isKind(word: string): word is Kind {
  return (kinds as readonly string[]).includes(word);
}

const outline: Record<Look["shape"], string> = {
  sphere: "M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13z",
  square: "M3.5 2.5h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1z",
  diamond: "M8 .8L15.2 8L8 15.2L.8 8z",
  octagon: "M5.2 1.2h5.6l4 4v5.6l-4 4H5.2l-4-4V5.2z",
  triangle: "M8 1.5L15 14H1z",
  bar: "M1 5.5h14v5H1z",
};

/** glyph draws a kind as it is in the picture, for legends and lists. */
export function glyph(kind: Kind): SVGElement {
  const shape = svg("path", { d: outline[looks[kind].shape] });
  const parts = [shape];
  if (kind === "rule") parts.push(svg("path", { d: "M4 6.9h8v2.2H4z", class: "cut" }));
  const e = svg("svg", { viewBox: "0 0 16 16", width: 14, height: 14, class: `glyph kind-${kind}`, "aria-hidden": "true", focusable: "false" }, ...parts);
  return e;
}
