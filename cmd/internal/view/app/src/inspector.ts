// The inspector: all that is known of one node, where it comes from, and what can be done
// about it.

import type { App } from "./app.ts";
import { Refusal, says, type Detail, type Line, type Past } from "./api.ts";
import { ask } from "./ask.ts";
import { byId, el, refill, svg } from "./dom.ts";
import { glyph, looks } from "./kinds.ts";
import { clip, clock, count, day, isolate } from "./text.ts";

type Pair = [string, string | Node | undefined | false];

export class Inspector {
  private panel = byId("inspector");
  private running = 0;

  constructor(private app: App) {}

  /** show draws the node that the place names, or closes. */
  async show(focus: boolean): Promise<void> {
    const id = this.app.place.node;
    const turn = ++this.running;
    this.panel.hidden = !id;
    if (!id) return refill(this.panel);
    try {
      const d = await this.app.client.node(id);
      if (turn === this.running) this.draw(d, focus);
    } catch (e) {
      if (turn !== this.running) return;
      const gone = e instanceof Refusal && e.code === "not_found";
      refill(this.panel, this.head("Not here"), el("p", {}, gone ? "This item is not in this space, or no longer: it was erased, or the link is for another space." : says(e)));
      if (!gone && !(e instanceof Refusal)) this.app.fail(e);
    }
  }

  private head(title: string, ...before: Node[]): HTMLElement {
    return el("header", { class: "panel-head" }, ...before, el("h2", { tabIndex: -1, id: "inspector-title" }, title),
      el("button", { class: "icon", "aria-label": "Close the inspector", onclick: () => this.app.go({ node: "" }) }, "×"));
  }

  private draw(d: Detail, focus: boolean): void {
    const long = d.label.length > 300;
    refill(this.panel,
      this.head(capital(looks[d.kind].one), glyph(d.kind)),
      el("p", { class: long ? "title long" : "title", dir: "auto" }, clip(d.state ? d.state.value || d.label : d.entity?.name ?? d.event?.event ?? d.passage?.text ?? d.label, 400)),
      el("p", { class: "chips" }, ...this.chips(d)),
      this.facts(d),
      this.actions(d),
      section("Sources", d.sources.map((l) => this.line(l)), d.kind === "entity" ? "" : "None is left."),
      d.closing.length > 0 && section("Ended by", d.closing.map((l) => this.line(l)), ""),
      d.history.length > 1 && el("section", {}, el("h3", {}, "History"), el("ol", { class: "timeline" }, ...d.history.map((h) => this.past(h, d.id)))),
      this.uses(d),
      this.neighbours(d));
    this.panel.scrollTop = 0;
    if (focus) byId("inspector-title").focus();
  }

  private chips(d: Detail): Node[] {
    const chip = (text: string, kind = "") => el("span", { class: `chip ${kind}` }, text);
    const s = d.state;
    if (!s) return [];
    const out = [s.forgotten ? chip("forgotten") : s.active ? chip(s.forbidden ? "forbidden, stands" : "holds", "good") : chip("has ended")];
    if (s.condition) out.push(chip(`only: ${clip(s.condition, 60)}`, "warn"));
    if (s.trust) out.push(chip(`trust: ${s.trust}`));
    return out;
  }

  private facts(d: Detail): HTMLElement {
    const s = d.state;
    const go = (id: string, text: string) => el("button", { class: "link", dir: "auto", onclick: () => void this.app.select(id, true) }, clip(text, 80));
    const pairs: Pair[] = [];
    if (s) {
      pairs.push(["Subject", d.hub ? go(d.hub, s.subject) : isolate(clip(s.subject, 120))], ["Attribute", isolate(clip(s.attribute.replaceAll("_", " "), 120))],
        ["Condition", s.condition && isolate(clip(s.condition, 200))],
        ["True", span(s.valid_from, s.valid_to)], ["Learnt", clock(s.recorded_at) + (s.closed_at ? `; end learnt ${clock(s.closed_at)}` : "")],
        ["Found by", s.backend && isolate(s.backend)], ["Replaced by", s.superseded_by ? go(`s${s.superseded_by}`, `state ${s.superseded_by}`) : undefined]);
    }
    if (d.event) pairs.push(["Subject", isolate(clip(d.event.subject, 120))], ["When", span(d.event.start, d.event.end, "")]);
    if (d.entity) {
      pairs.push(["Also called", d.entity.names.length > 1 && isolate(clip(d.entity.names.filter((n) => n !== d.entity!.name).join(", "), 200))],
        ["States", String(d.entity.states)], ["Mentions", String(d.entity.mentions)]);
    }
    if (d.passage) pairs.push(["Cited as", `[${d.passage.mark}]`], ["Episode", String(d.passage.episode)]);
    return el("dl", { class: "facts" }, ...pairs.filter(([, v]) => v).flatMap(([k, v]) => [el("dt", {}, k), el("dd", {}, v as Node | string)]));
  }

  private line(l: Line): HTMLElement {
    const who = l.speaker || l.role;
    return el("li", { class: "source" },
      el("p", { class: "meta" }, el("button", { class: "mark", onclick: () => void this.app.select(l.node, true), "aria-label": `Open the line ${l.mark}` }, `[${l.mark}]`),
        ` ${isolate(clip(who, 40))} · ${clock(l.at)} · ${isolate(clip(l.source, 60))}`, l.quoted && el("span", { class: "chip warn" }, "reads like an order; kept as a quotation")),
      el("blockquote", { dir: "auto" }, l.before && el("span", { class: "context" }, l.before), el("mark", {}, l.text), l.after && el("span", { class: "context" }, l.after)));
  }

  private past(h: Past, id: string): HTMLElement {
    const here = h.node === id;
    const how = h.forgotten ? "forgotten" : h.active ? "holds" : "ended";
    return el("li", { class: h.active ? "now" : "", "aria-current": here ? "true" : undefined },
      el("button", { class: "link", dir: "auto", disabled: here, onclick: () => void this.app.select(h.node, true) }, clip(h.value, 120)),
      h.condition && el("span", { class: "meta", dir: "auto" }, ` if ${clip(h.condition, 60)}`),
      el("p", { class: "meta" }, `${span(h.valid_from, h.valid_to)} · ${how} · learnt ${day(h.recorded_at)}`));
  }

  private uses(d: Detail): HTMLElement | null {
    if (!d.uses.length) return null;
    const times = d.uses.map((u) => Date.parse(u.at)).filter((t) => !Number.isNaN(t));
    const low = Math.min(...times);
    const high = Math.max(...times, low + 1);
    const ticks = times.map((t) => svg("rect", { x: 4 + ((t - low) / (high - low)) * 292 - 1, y: 3, width: 2.5, height: 14, rx: 1 }));
    return el("section", {}, el("h3", {}, count(d.uses.length, "use")),
      svg("svg", { viewBox: "0 0 300 20", class: "uses", role: "img", "aria-label": `Between ${day(d.uses[0]!.at)} and ${day(d.uses.at(-1)!.at)}` },
        svg("line", { x1: 0, x2: 300, y1: 10, y2: 10 }), ...ticks) as unknown as HTMLElement,
      el("p", { class: "meta between" }, el("span", {}, clock(d.uses[0]!.at)), d.uses.length > 1 && el("span", {}, clock(d.uses.at(-1)!.at))));
  }

  private neighbours(d: Detail): HTMLElement | null {
    if (!d.neighbours.length) return null;
    const hidden = this.app.graph.hidden(d.id);
    return el("section", {}, el("h3", {}, count(d.degree, "neighbour")),
      hidden > 0 && el("button", { class: "quiet", onclick: () => void this.app.grow(d.id) }, `Show ${hidden.toLocaleString("en")} more in the picture`),
      el("ul", { class: "plain" }, ...d.neighbours.slice(0, 30).map((n) => el("li", {},
        el("button", { class: "near", onclick: () => void this.app.select(n.node, true) }, glyph(n.kind), el("span", { dir: "auto" }, clip(n.label, 80)), el("span", { class: "meta" }, n.link))))));
  }

  // -- actions

  private actions(d: Detail): HTMLElement | null {
    const why = this.app.whyNot;
    const button = (text: string, act: () => void, kind = "") =>
      el("button", { class: kind, disabled: !!why, title: why || undefined, onclick: act }, text);
    const out: Node[] = [];
    const s = d.state;
    if (s?.active && !s.forbidden) out.push(button("Correct …", () => correct(this.app, d)), button("Forget …", () => forget(this.app, d)));
    if (s?.active && s.forbidden) out.push(button("Lift …", () => forget(this.app, d)));
    if (!s?.forbidden) out.push(button("Forbid …", () => forbid(this.app, s?.value ?? (d.kind === "entity" ? d.label : ""))));
    if (d.erases) out.push(button("Erase …", () => void erase(this.app, d), "danger-text"));
    return el("div", { class: "actions", role: "group", "aria-label": "Actions" }, ...out, why && el("p", { class: "meta" }, why));
  }
}

const number = (id: string) => Number(id.slice(1));

function correct(app: App, d: Detail): void {
  ask({
    title: "Correct this state", about: [`It says: ${isolate(clip(d.label, 200))}. The old value stays in the history.`], field: { label: "What is right", value: d.state!.value }, yes: "Correct",
    act: async (text) => {
      const f = await app.client.correct(number(d.id), text);
      app.say("Corrected.");
      app.changed();
      await app.select(`s${f.id}`, false);
    },
  });
}

function forget(app: App, d: Detail): void {
  const rule = d.state!.forbidden;
  ask({
    title: rule ? "Lift this rule?" : "Forget this state?",
    about: [isolate(clip(d.label, 300)), rule ? "It no longer heads what models are told. It stays in the history." : "It is no longer recalled. It stays in the history; the line that it came from stays too."],
    yes: rule ? "Lift" : "Forget",
    act: async () => {
      await app.client.forget(number(d.id));
      app.say(rule ? "Lifted." : "Forgotten.");
      app.changed();
    },
  });
}

/** forbid asks for a rule and makes it. */
export function forbid(app: App, value: string): void {
  ask({
    title: "Forbid something", about: ["A rule stands above everything else that models are told, at once."], field: { label: "What must not be", value }, yes: "Forbid",
    act: async (text) => {
      await app.client.forbid(text);
      app.say("Forbidden: it stands from now on.");
      app.changed();
    },
  });
}

async function erase(app: App, d: Detail): Promise<void> {
  const episode = d.erases!;
  try {
    const [e, rest] = await Promise.all([app.client.episode(episode), restingOn(app, d, episode)]);
    ask({
      title: `Erase episode ${episode} for good?`, danger: true, yes: "Erase for good",
      about: [
        "It cannot be undone. What is lost:",
        el("blockquote", { dir: "auto" }, clip(e.text, 600)),
        rest.length ? el("p", {}, "and what rests on it, unless another line says it too:") : "No state or event that is shown rests on it.",
        el("ul", {}, ...rest.slice(0, 12).map((t) => el("li", { dir: "auto" }, clip(t, 120))), rest.length > 12 && el("li", {}, `and ${rest.length - 12} more`)),
        "Its words go from the file, the search index, the vectors and the graph.",
      ],
      act: async () => {
        const r = await app.client.erase(episode);
        const n = (k: string) => Number(r[k] ?? 0);
        app.go({ node: "" });
        app.say(`Erased: ${count(n("passages"), "passage")}, ${count(n("states"), "state")}, ${count(n("events"), "event")}.`);
        app.changed();
      },
    });
  } catch (err) {
    app.fail(err);
  }
}

// What rests on the lines of an episode that this node knows of.
async function restingOn(app: App, d: Detail, episode: number): Promise<string[]> {
  const lines = [...new Set(d.sources.filter((l) => l.episode === episode).map((l) => l.node))];
  const pages = await Promise.all(lines.slice(0, 8).map((of) => app.client.graph({ of, history: true, limit: 200 })));
  const out = new Set<string>();
  for (const p of pages) {
    const rests = new Set(p.links.filter((l) => l.kind === "source" && lines.includes(l.to)).map((l) => l.from));
    for (const n of p.nodes) if (rests.has(n.id)) out.add(n.label);
  }
  return [...out];
}

function section(title: string, items: Node[], none: string): HTMLElement | null {
  if (!items.length && !none) return null;
  return el("section", {}, el("h3", {}, title), items.length ? el("ul", { class: "plain" }, ...items) : el("p", { class: "meta" }, none));
}

function span(from: string | undefined, to: string | undefined, open = "until now"): string {
  if (!from && !to) return "";
  return `${day(from) || "always"} – ${day(to) || open}`.replace(/ – $/, "");
}

function capital(s: string): string {
  return s.slice(0, 1).toUpperCase() + s.slice(1);
}
