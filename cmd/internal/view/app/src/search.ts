// Search: the ranked list with each stage's part of the score, and the stages, which can be
// switched off one by one to see the ranking change.

import type { App } from "./app.ts";
import { Refusal, says, type Found, type Item, type StageInfo } from "./api.ts";
import { byId, el, refill } from "./dom.ts";
import { glyph, isKind, looks, type Kind } from "./kinds.ts";
import { parts, share, signed, type Part } from "./score.ts";
import { named, wave, type Wave } from "./spread.ts";
import { clip, count, day, isolate } from "./text.ts";

const shownParts = 8;

export class Search {
  private box = byId<HTMLInputElement>("query");
  private panel = byId("results");
  private status = el("p", { class: "status", role: "status", "aria-live": "polite" });
  private list = el("ol", { class: "hits", "aria-label": "Results, best first" });
  private stagesBox = el("details", { class: "stages" });
  private steps = el("p", { class: "hops", "aria-live": "polite" });
  private stages: StageInfo[] = [];
  private plain: string[] = []; // ids in the order of all stages, to compare with
  private plainFor = "";
  private running = 0;
  private wave: Wave = { seeds: [], hops: [] };

  constructor(private app: App) {
    byId<HTMLFormElement>("search").addEventListener("submit", (e) => {
      e.preventDefault();
      app.go({ q: this.box.value.trim() });
    });
    refill(this.panel,
      el("header", { class: "panel-head" }, el("h2", {}, "Search"),
        el("button", { class: "icon", "aria-label": "Close the results", onclick: () => app.go({ q: "", off: [], on: [] }) }, "×")),
      this.status, this.steps, this.stagesBox, this.list);
  }

  focus(): void {
    this.box.focus();
    this.box.select();
  }

  /** show searches for what the place says. */
  async show(fly: boolean): Promise<void> {
    const { q, off, on, space, as_of } = this.app.place;
    this.box.value = q;
    this.panel.hidden = !q;
    if (!q) return;
    const turn = ++this.running;
    refill(this.status, "Searching …");
    try {
      const body = (off: string[], on: string[]) => ({
        query: q, limit: 20, explain: true, ...(as_of ? { now: as_of } : {}), ...(off.length ? { off } : {}),
        ...(on.length ? { set: Object.fromEntries(on.map((s) => [`stage.${s}.enabled`, "true"])) } : {}),
      });
      const key = JSON.stringify([space, q, as_of]);
      if (!this.stages.length) this.stages = await this.app.client.stages().then((s) => s.stages, () => []);
      if (this.plainFor !== key && (off.length || on.length)) {
        this.plain = ranked(await this.app.client.search(body([], []))).map((i) => i.node);
        this.plainFor = key;
      }
      const found = await this.app.client.search(body(off, on));
      if (turn !== this.running) return;
      if (!off.length && !on.length) {
        this.plain = ranked(found).map((i) => i.node);
        this.plainFor = key;
      }
      await this.draw(found, fly);
    } catch (e) {
      if (turn !== this.running) return;
      refill(this.status, e instanceof Refusal && e.code === "denied" ? `${says(e)} The list below is as it was.` : says(e));
      if (!(e instanceof Refusal)) this.app.fail(e);
    }
  }

  private async draw(found: Found, fly: boolean): Promise<void> {
    const hits = ranked(found);
    const notes = (found.notes ?? []).map((n) => `${n.stage}: ${n.text}`).join(" · ");
    refill(this.status, hits.length ? `${count(hits.length, "result")}.` : "Nothing was found. Try other words, or look at the list.", notes && ` ${notes}`);
    const partsOf = partsByNode(found);
    const widest = Math.max(1, ...[...partsOf.values()].flat().map((p) => Math.abs(p.part)));
    refill(this.list, ...hits.map((h, i) => this.hit(h, i, hits[0]!.score, partsOf, widest)));
    this.drawStages(found);
    this.wave = wave(found.trace?.spread);
    const wanted = [...new Set([...named(this.wave), ...hits.slice(0, 10).map((h) => h.node)])];
    await this.app.hold(wanted);
    if (fly && hits[0]) {
      await this.app.select(hits[0].node, true, false);
      this.replay();
    } else {
      this.drawHops(-1);
    }
  }

  private replay(): void {
    if (this.wave.hops.length || this.wave.seeds.length) this.app.replay(this.wave, (hop) => this.drawHops(hop));
    this.drawHops(-1);
  }

  // The replay in words, for those who do not see it.
  private drawHops(hop: number): void {
    const { seeds, hops } = this.wave;
    if (!seeds.length && !hops.length) return refill(this.steps, "No activation was spread for these words.");
    const at = hop < 0 ? "" : hop < hops.length ? ` Hop ${hop + 1} of ${hops.length} …` : " Done.";
    const sizes = hops.map((h) => h.length).join(" + ");
    refill(this.steps, `Activation: ${count(seeds.length, "seed")}${sizes ? `, then ${sizes} along links` : ""}.${at} `,
      el("button", { class: "link", onclick: () => this.replay() }, "Replay"));
  }

  private hit(h: Item & { node: string }, i: number, best: number, partsOf: Map<string, Part[]>, widest: number): HTMLElement {
    const was = this.plain.indexOf(h.node);
    const changed = this.app.place.off.length > 0 || this.app.place.on.length > 0;
    const move = !changed || was === i ? "" : was < 0 ? "new" : was > i ? `▲ ${was - i}` : `▼ ${i - was}`;
    const kind: Kind = isKind(h.kind) ? h.kind : this.app.graph.nodes.get(h.node)?.kind ?? "state";
    // A state takes the score of the line that it rests on.
    const list = partsOf.get(h.node) ?? partsOf.get(`p${h.sources?.[0]?.passage}`) ?? [];
    const top = [...list].sort((a, b) => Math.abs(b.part) - Math.abs(a.part)).slice(0, shownParts).map((p) => p.stage);
    const weight = share(h.score, best);
    const mark = h.sources?.[0]?.mark ?? (h.node.startsWith("p") ? `s${h.id}` : "");
    return el("li", {},
      el("button", { class: "hit", "data-node": h.node, onclick: () => void this.app.select(h.node, true) },
        el("span", { class: "rank" }, String(i + 1)), glyph(kind), el("span", { class: "hit-text", dir: "auto" }, clip(h.text, 140)),
        el("span", { class: "meta" }, looks[kind].one, mark && ` · [${mark}]`, h.at && ` · ${day(h.at)}`, weight && ` · ${weight}`,
          move && el("strong", { class: "move" }, ` ${move}`))),
      list.length > 0 && el("details", { class: "parts", open: i === 0 },
        el("summary", {}, "Where the score comes from"),
        el("table", {}, el("caption", { class: "sr" }, "What each stage changed, in powers of e"), el("tbody", {},
          ...list.filter((p) => top.includes(p.stage)).map((p) => partRow(p, widest))))));
  }

  private drawStages(found: Found): void {
    const { off, on } = this.app.place;
    const micros = new Map((found.trace?.steps ?? []).map((s) => [s.stage, s]));
    const toggle = (s: StageInfo, checked: boolean) => {
      const without = (l: string[]) => l.filter((n) => n !== s.name);
      if (s.on) this.app.go({ off: checked ? without(off) : [...without(off), s.name] });
      else this.app.go({ on: checked ? [...without(on), s.name] : without(on) });
    };
    const rows = this.stages.map((s) => {
      const checked = s.on ? !off.includes(s.name) : on.includes(s.name);
      const step = micros.get(s.name);
      return el("li", {}, el("label", { title: s.summary },
        el("input", { type: "checkbox", checked, disabled: !s.removable, "data-stage": s.name, onchange: (e: Event) => toggle(s, (e.target as HTMLInputElement).checked) }),
        el("span", {}, s.name), el("span", { class: "meta" }, step ? (step.error ? `failed: ${clip(step.error, 60)}` : `${step.in} → ${step.out} rows`) : "off")));
    });
    const n = off.length + on.length;
    const again = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["stage"] : undefined;
    refill(this.stagesBox, el("summary", {}, n ? `Stages (${n} switched)` : "Stages"),
      n > 0 && el("button", { class: "link", onclick: () => this.app.go({ off: [], on: [] }) }, "As configured"), el("ul", { class: "stage-list" }, ...rows));
    if (again) this.stagesBox.querySelector<HTMLElement>(`[data-stage="${CSS.escape(again)}"]`)?.focus();
  }
}

/** nodeOf is the node of an item that was found. */
function nodeOf(i: Item): string {
  return (i.kind === "passage" ? "p" : i.kind === "event" ? "v" : "s") + i.id;
}

/** ranked puts what was found into one list, best first. */
export function ranked(f: Found): (Item & { node: string })[] {
  return [...f.states, ...f.events, ...f.passages].map((i) => ({ ...i, node: nodeOf(i) })).sort((a, b) => b.score - a.score).filter((h, i, all) => all.findIndex((o) => o.node === h.node) === i);
}

function partsByNode(f: Found): Map<string, Part[]> {
  const out = new Map<string, Part[]>();
  const t = f.trace;
  for (const c of t?.candidates ?? []) out.set((c as { node?: string }).node ?? `p${c.id}`, parts(t!.steps, c.scores));
  return out;
}

function partRow(p: Part, widest: number): HTMLElement {
  const bar = el("span", { class: p.part < 0 ? "bar minus" : "bar" });
  bar.style.width = `${Math.max(2, (Math.abs(p.part) / widest) * 100)}%`;
  return el("tr", {}, el("th", { scope: "row" }, isolate(p.stage)), el("td", { class: "bar-cell" }, bar), el("td", { class: "num" }, signed(p.part)));
}
