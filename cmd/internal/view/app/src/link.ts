// The address keeps what is looked at: space, node, time, filters, words. It stands behind
// "#", so that none of it reaches a server or its log.

import { isKind, type Kind } from "./kinds.ts";

export type Mode = "graph" | "list" | "table";

export interface Place {
  space: string;
  node: string; // "" for none
  as_of: string; // RFC 3339 or a day; "" for now
  q: string; // what is searched for
  off: string[]; // stages of recall that are switched off
  on: string[]; // stages that are off by configuration and switched on
  kinds: Kind[] | null; // null: what the view shows at first
  source: string; // "" for all
  trust: string; // at least; "" for any
  from: string; // said on or after this day
  to: string;
  history: boolean; // states that have ended too
  mode: Mode | ""; // "" lets the view choose
}

export const start: Place = {
  space: "default", node: "", as_of: "", q: "", off: [], on: [], kinds: null, source: "", trust: "", from: "", to: "", history: false, mode: "",
};

const texts = ["space", "node", "as_of", "q", "source", "trust", "from", "to"] as const;
const stages = ["off", "on"] as const;

/** write turns a place into the part of an address behind "#". */
export function write(p: Place): string {
  const q = new URLSearchParams();
  for (const k of texts) if (p[k] && p[k] !== start[k]) q.set(k, p[k]);
  for (const k of stages) if (p[k].length) q.set(k, p[k].join(","));
  if (p.kinds) q.set("kinds", p.kinds.join(","));
  if (p.history) q.set("history", "true");
  if (p.mode) q.set("mode", p.mode);
  return q.toString();
}

/** read is the way back. What cannot be is left out, so an old or mangled link still opens. */
export function read(hash: string): Place {
  const q = new URLSearchParams(hash.replace(/^#/, ""));
  const p: Place = { ...start };
  for (const k of texts) p[k] = q.get(k) || start[k];
  for (const k of stages) p[k] = (q.get(k) ?? "").split(",").filter((s) => /^[a-z0-9_]{1,64}$/.test(s));
  const kinds = q.get("kinds");
  if (kinds !== null) p.kinds = kinds.split(",").filter(isKind);
  const mode = q.get("mode");
  if (mode === "graph" || mode === "list" || mode === "table") p.mode = mode;
  p.history = q.get("history") === "true";
  if (!/^[a-z][0-9a-z]{1,32}$/.test(p.node)) p.node = "";
  if (!/^(user|note|document|import|assistant|tool)$/.test(p.trust)) p.trust = "";
  for (const k of ["as_of", "from", "to"] as const) if (!isTime(p[k])) p[k] = "";
  return p;
}

// Date.parse takes the 30th of February for the 2nd of March, and a server does not.
function isTime(text: string): boolean {
  const day = /^(\d{4}-\d\d-\d\d)(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.exec(text)?.[1];
  return day !== undefined && !Number.isNaN(Date.parse(text)) && new Date(Date.parse(day)).toISOString().startsWith(day);
}

/** takeToken returns the token of an address, and the address without it. */
export function takeToken(hash: string): { token: string; rest: string } {
  const q = new URLSearchParams(hash.replace(/^#/, ""));
  const token = q.get("token") ?? "";
  q.delete("token");
  return { token, rest: q.toString() };
}
