// What is shown: kinds (the legend), where it came from, how far it is trusted, when it was
// said, and as of which day.

import type { App } from "./app.ts";
import type { SpaceStats, Totals } from "./api.ts";
import { byId, el, fill, refill } from "./dom.ts";
import { glyph, kinds, looks, shownAtFirst, type Kind } from "./kinds.ts";
import { day } from "./text.ts";

const dayLong = 86_400_000;
const trusts = ["user", "note", "document", "import", "assistant", "tool"];

/** shownKinds are the kinds that a place asks for. */
export function shownKinds(chosen: Kind[] | null): readonly Kind[] {
  return chosen ?? shownAtFirst;
}

/** days are the first and last day of a space, as numbers, and the day of a number. */
export function dayNumber(day: string): number {
  return Math.floor(Date.parse(day) / dayLong);
}
export function dayOf(n: number): string {
  return new Date(n * dayLong).toISOString().slice(0, 10);
}

export class Filters {
  private legend = byId("legend");
  private slider = byId<HTMLInputElement>("as-of");
  private sliderText = byId("as-of-text");
  private nowButton = byId<HTMLButtonElement>("as-of-now");
  private panel = byId("filters");
  private button = byId<HTMLButtonElement>("filters-button");
  private boxes = new Map<Kind, { box: HTMLInputElement; n: HTMLElement }>();
  private source = el("input", { type: "text", id: "f-source", "list": undefined, placeholder: "any", autocomplete: "off", spellcheck: false });
  private names = el("datalist", { id: "f-sources" });
  private trust = el("select", { id: "f-trust" }, el("option", { value: "" }, "any"), ...trusts.map((t) => el("option", { value: t }, t)));
  private from = el("input", { type: "date", id: "f-from" });
  private to = el("input", { type: "date", id: "f-to" });
  private history = el("input", { type: "checkbox", id: "f-history" });
  private timer = 0;

  constructor(private app: App) {
    this.source.setAttribute("list", "f-sources");
    for (const k of kinds) {
      const box = el("input", { type: "checkbox", onchange: () => this.kinds(), "data-kind": k });
      const n = el("span", { class: "n" });
      this.boxes.set(k, { box, n });
      fill(this.legend, el("label", { class: `kind kind-${k}` }, box, glyph(k), el("span", {}, looks[k].many), n));
    }
    const field = (text: string, e: HTMLElement) => el("div", { class: "field" }, el("label", { for: e.id }, text), e);
    refill(this.panel, el("h2", { class: "sr" }, "Filters"), field("Source", this.source), this.names, field("Trusted at least as", this.trust), field("Said from", this.from),
      field("until", this.to), el("div", { class: "field check" }, this.history, el("label", { for: "f-history" }, "Also what has ended")),
      el("button", { class: "quiet", onclick: () => app.go({ source: "", trust: "", from: "", to: "", history: false, kinds: null, as_of: "" }) }, "Clear all"));
    this.source.addEventListener("change", () => app.go({ source: this.source.value.trim() }));
    this.trust.addEventListener("change", () => app.go({ trust: this.trust.value }));
    this.from.addEventListener("change", () => app.go({ from: this.from.value }));
    this.to.addEventListener("change", () => app.go({ to: this.to.value }));
    this.history.addEventListener("change", () => app.go({ history: this.history.checked }));
    this.button.addEventListener("click", () => this.open(this.panel.hidden));
    this.slider.addEventListener("input", () => this.slid());
    this.nowButton.addEventListener("click", () => app.go({ as_of: "" }));
  }

  open(on: boolean): void {
    this.panel.hidden = !on;
    this.button.setAttribute("aria-expanded", String(on));
    if (on) this.source.focus();
  }

  private kinds(): void {
    const on = kinds.filter((k) => this.boxes.get(k)!.box.checked);
    this.app.go({ kinds: on.length === shownAtFirst.length && on.every((k) => shownAtFirst.includes(k)) ? null : on });
  }

  private slid(): void {
    const n = Number(this.slider.value);
    const now = n >= Number(this.slider.max);
    this.tell(now ? "" : dayOf(n));
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.app.go({ as_of: now ? "" : dayOf(n) }), 200);
  }

  private tell(as_of: string): void {
    refill(this.sliderText, as_of ? `As of ${day(as_of)}` : "As of now");
    this.slider.setAttribute("aria-valuetext", as_of ? day(as_of) : "now");
    this.nowButton.hidden = !as_of;
  }

  /** show draws the controls as the place says. */
  show(totals: Totals, space: SpaceStats | undefined, sources: Iterable<string>): void {
    const p = this.app.place;
    const counts: Record<Kind, number> = {
      entity: totals.entities, state: totals.states, conditional: totals.conditionals, rule: totals.rules, event: totals.events, passage: totals.passages,
    };
    for (const [k, { box, n }] of this.boxes) {
      box.checked = shownKinds(p.kinds).includes(k);
      refill(n, counts[k].toLocaleString("en"));
    }
    this.source.value = p.source;
    this.trust.value = p.trust;
    this.from.value = day(p.from);
    this.to.value = day(p.to);
    this.history.checked = p.history;
    refill(this.names, ...[...new Set(sources)].sort().slice(0, 100).map((s) => el("option", { value: s })));
    const active = [p.source, p.trust, p.from, p.to, p.history].filter(Boolean).length;
    refill(this.button, active ? `Filters (${active})` : "Filters");
    const first = space?.first ? dayNumber(space.first) : dayNumber(dayOf(Date.now() / dayLong));
    const last = Math.max(first + 1, dayNumber(dayOf(Date.now() / dayLong)));
    this.slider.min = String(first);
    this.slider.max = String(last);
    this.slider.value = String(p.as_of ? dayNumber(p.as_of) : last);
    this.tell(p.as_of);
  }
}
