// The part of the graph that the view holds: pages of the overview, and what was asked for
// besides (the neighbours of a node, the results of a search).

import type { GraphLink, GraphNode, GraphPage, Totals } from "./api.ts";
import { isKind } from "./kinds.ts";
import type { SceneLink, SceneNode } from "./layers.ts";

const room = 2.1; // what circles a hub stands so much farther from it, to be told apart beside a large hub
const halfLife = 14 * 86_400_000; // ms until a link's pulse is half as strong

/** pulse is how strongly a link pulses, 0 to 1: by its burst, and by how long before the
 * newest use of all it was last used. */
export function pulse(l: Pick<GraphLink, "last_used" | "burst">, newest: number): number {
  const used = l.last_used ? Date.parse(l.last_used) : NaN;
  const recent = Number.isNaN(used) ? 0 : 0.6 * 2 ** (-Math.max(0, newest - used) / halfLife);
  return Math.min(1, recent + 0.6 * (l.burst ?? 0));
}

const none: Totals = { states: 0, rules: 0, conditionals: 0, entities: 0, passages: 0, events: 0, links: 0 };

export class Graph {
  nodes = new Map<string, GraphNode>();
  links = new Map<string, GraphLink>();
  totals = none;
  generation = 0;
  private space = "";
  next = ""; // cursor of the next page of the overview
  private order: string[] = [];
  private index = new Map<string, number>();

  /** replace begins anew with the first page of an overview. */
  replace(page: GraphPage): void {
    this.nodes.clear();
    this.links.clear();
    this.space = page.space;
    this.totals = page.totals;
    this.generation = page.generation;
    this.add(page);
    this.next = page.next ?? "";
  }

  /** add takes in another page, of the overview or of a node's neighbours. */
  add(page: GraphPage): void {
    // An answer to what was asked before another space was chosen.
    if (page.space !== this.space) return;
    for (const n of page.nodes) if (isKind(n.kind)) this.nodes.set(n.id, n);
    for (const l of page.links) this.links.set(`${l.from} ${l.to} ${l.kind}`, l);
  }

  /** neighbours are the nodes held that a node is linked to, and how. */
  neighbours(id: string): { node: GraphNode; link: GraphLink }[] {
    const out = new Map<string, { node: GraphNode; link: GraphLink }>();
    for (const link of this.links.values()) {
      const other = link.from === id ? link.to : link.to === id ? link.from : "";
      const node = other && this.nodes.get(other);
      if (node && !out.has(other)) out.set(other, { node, link });
    }
    return [...out.values()];
  }

  /** hidden is how many neighbours of a node are not held. */
  hidden(id: string): number {
    const n = this.nodes.get(id);
    return n ? Math.max(0, n.degree - this.neighbours(id).length) : 0;
  }

  /** picture is the graph as the scene takes it: by index, with links whose both ends are
   * held. */
  picture(): { nodes: SceneNode[]; links: SceneLink[] } {
    this.order = [...this.nodes.keys()];
    this.index = new Map(this.order.map((id, i) => [id, i]));
    let newest = 0;
    for (const l of this.links.values()) if (l.last_used) newest = Math.max(newest, Date.parse(l.last_used) || 0);
    const links: SceneLink[] = [];
    for (const l of this.links.values()) {
      const from = this.index.get(l.from);
      const to = this.index.get(l.to);
      if (from !== undefined && to !== undefined) links.push({ from, to, weight: Math.min(1, Math.max(0, l.weight)), pulse: pulse(l, newest) });
    }
    const nodes = this.order.map((id) => {
      const n = this.nodes.get(id)!;
      const hub = n.hub ? this.nodes.get(n.hub) : undefined;
      const out = (k: "x" | "y" | "z") => (hub ? hub[k] + (n[k] - hub[k]) * room : n[k]);
      return { id, kind: n.kind, label: n.label, degree: n.degree, ended: n.closed === true, x: out("x"), y: out("y"), z: out("z") };
    });
    return { nodes, links };
  }

  /** at is the index of a node in the last picture. */
  at(id: string): number | null {
    return this.index.get(id) ?? null;
  }

  /** id is the node at an index of the last picture. */
  id(index: number): string {
    return this.order[index] ?? "";
  }
}
