// The same graph as text: a list by subject, and a table. For keyboards, screen readers,
// small screens, and browsers without WebGL; the inspector with its actions is the same.

import type { App } from "./app.ts";
import type { GraphNode } from "./api.ts";
import { byId, el, refill } from "./dom.ts";
import { glyph, kinds, looks } from "./kinds.ts";
import { clip, count, day, isolate } from "./text.ts";

const step = 200; // rows that are shown at once

type Key = "kind" | "label" | "valid_from" | "valid_to" | "trust" | "source" | "uses" | "degree";
const columns: [Key, string][] = [
  ["kind", "Kind"], ["label", "What"], ["valid_from", "From"], ["valid_to", "Until"], ["trust", "Trust"], ["source", "Source"], ["uses", "Uses"], ["degree", "Links"],
];

export class List {
  private host = byId("text-view");
  private sort: Key = "degree";
  private down = true;
  private shown = step;

  constructor(private app: App) {}

  /** reset goes back to the first rows. */
  reset(): void {
    this.shown = step;
  }

  draw(mode: "list" | "table"): void {
    const at = document.activeElement instanceof HTMLElement && this.host.contains(document.activeElement) ? document.activeElement.dataset["node"] : undefined;
    const all = [...this.app.graph.nodes.values()];
    refill(this.host, mode === "list" ? this.list(all) : this.table(all));
    if (at) this.host.querySelector<HTMLElement>(`[data-node="${CSS.escape(at)}"]`)?.focus();
  }

  private more(all: number): HTMLElement | null {
    if (all <= this.shown) return null;
    return el("button", { class: "quiet wide", onclick: () => { this.shown += step; this.draw(this.app.place.mode === "table" ? "table" : "list"); } },
      `Show ${Math.min(step, all - this.shown)} more of ${(all - this.shown).toLocaleString("en")}`);
  }

  private open(n: GraphNode, text: string): HTMLElement {
    return el("button", {
      class: "item-open", "data-node": n.id, "aria-current": this.app.place.node === n.id ? "true" : undefined, onclick: () => void this.app.select(n.id, true),
    }, glyph(n.kind), el("span", { class: "sr" }, looks[n.kind].one), el("span", { dir: "auto", class: n.closed ? "closed" : "" }, text));
  }

  private list(all: GraphNode[]): HTMLElement {
    const groups = new Map<string, GraphNode[]>();
    for (const n of all) {
      if (n.kind === "entity") continue;
      const hub = n.hub ?? "";
      const group = groups.get(hub);
      if (group) group.push(n);
      else groups.set(hub, [n]);
    }
    const heads = all.filter((n) => n.kind === "entity").sort((a, b) => b.degree - a.degree);
    const rank = (n: GraphNode) => (n.kind === "rule" ? 0 : 1 + kinds.indexOf(n.kind));
    let left = this.shown;
    const sections: Node[] = [];
    const section = (head: GraphNode | null, items: GraphNode[]) => {
      if (left <= 0 || (!head && !items.length)) return;
      const part = items.sort((a, b) => rank(a) - rank(b) || (b.valid_from ?? "").localeCompare(a.valid_from ?? "")).slice(0, left);
      left -= part.length + 1;
      sections.push(el("section", { class: "group" },
        el("h3", {}, head ? this.open(head, clip(head.label, 80)) : "About no one named", el("span", { class: "meta" }, head ? ` ${count(head.degree, "link")}` : "")),
        el("ul", { class: "plain" }, ...part.map((n) => el("li", {}, this.open(n, clip(n.label, 140)), el("span", { class: "meta" }, about(n)))))));
    };
    for (const h of heads) {
      section(h, groups.get(h.id) ?? []);
      groups.delete(h.id);
    }
    section(null, [...groups.values()].flat());
    return el("div", { class: "list", role: "region", "aria-label": "The memory as a list" }, ...sections, this.more(all.length), all.length === 0 && el("p", { class: "none" }, "Nothing to show with these filters."));
  }

  private table(all: GraphNode[]): HTMLElement {
    const value = (n: GraphNode, k: Key) => n[k] ?? "";
    const sorted = all.sort((a, b) => {
      const x = value(a, this.sort);
      const y = value(b, this.sort);
      const c = typeof x === "number" || typeof y === "number" ? Number(x) - Number(y) : x.localeCompare(y);
      return (this.down ? -c : c) || a.id.localeCompare(b.id);
    });
    const head = columns.map(([k, text]) => el("th", { scope: "col", "aria-sort": this.sort === k ? (this.down ? "descending" : "ascending") : "none" },
      el("button", { onclick: () => { this.down = this.sort === k ? !this.down : k === "uses" || k === "degree" || k.startsWith("valid"); this.sort = k; this.draw("table"); } },
        text, el("span", { "aria-hidden": "true" }, this.sort === k ? (this.down ? " ▾" : " ▴") : ""))));
    return el("div", { class: "table-wrap" }, el("table", { class: "table" }, el("caption", { class: "sr" }, "The memory as a table"), el("thead", {}, el("tr", {}, ...head)),
      el("tbody", {}, ...sorted.slice(0, this.shown).map((n) => el("tr", { class: this.app.place.node === n.id ? "current" : "" },
        el("td", {}, looks[n.kind].one), el("th", { scope: "row" }, this.open(n, clip(n.label, 120))), el("td", {}, day(n.valid_from)), el("td", {}, day(n.valid_to)),
        el("td", {}, n.trust ?? ""), el("td", { dir: "auto" }, clip(n.source ?? "", 40)), el("td", { class: "num" }, n.uses ? String(n.uses) : ""), el("td", { class: "num" }, String(n.degree)))))),
    this.more(all.length));
  }
}

function about(n: GraphNode): string {
  const time = n.valid_from ? ` ${day(n.valid_from)}${n.valid_to ? ` – ${day(n.valid_to)}` : ""}` : "";
  return `${looks[n.kind].one}${n.closed ? ", ended" : ""}${n.condition ? `, only if ${isolate(clip(n.condition, 40))}` : ""}${time}${n.source ? ` · ${isolate(clip(n.source, 30))}` : ""}`;
}
