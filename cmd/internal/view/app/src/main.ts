// The view of a memory: puts its parts together, and keeps them in step with the address.

import type { App } from "./app.ts";
import { beginning } from "./beginning.ts";
import { Client, Lost, Refusal, says, type Stats } from "./api.ts";
import { byId, el, refill } from "./dom.ts";
import { saveData, savePicture } from "./export.ts";
import { Drawer } from "./drawer.ts";
import { Filters, shownKinds } from "./filters.ts";
import { Graph } from "./graph.ts";
import { forbid, Inspector } from "./inspector.ts";
import { read, start, takeToken, write, type Mode, type Place } from "./link.ts";
import { remember, remembered } from "./keep.ts";
import { List } from "./list.ts";
import { Scene, type Spark } from "./scene.ts";
import { Search } from "./search.ts";
import type { Wave } from "./spread.ts";
import { Theme } from "./theme.ts";
import { Trouble } from "./trouble.ts";
import { clip, count } from "./text.ts";

const firstPage = 1000; // nodes, few for a quick first picture
const laterPage = 3000;
const mostByItself = 10_000; // nodes that are fetched without being asked for
const fewNeighbours = 12; // of a node, so that all of them are shown with it
const atOnce = 6; // requests for single nodes

class View implements App {
  client = new Client("../v1", () => this.askToken());
  graph = new Graph();
  place: Place = { ...start };
  whyNot = "";
  private stats: Stats | null = null;
  private trouble = new Trouble();
  private scene: Scene | null = null;
  private search: Search;
  private inspector: Inspector;
  private drawer: Drawer;
  private filters: Filters;
  private list: List;
  private theme: Theme;
  private extra = new Set<string>(); // nodes that were asked for besides the overview
  private loading = new AbortController();
  private flyNext = false;
  private focusNext = false; // the inspector gets the focus when it opens
  private stale = false; // the counts of the spaces may be old
  private showing: Promise<void> = Promise.resolve(); // ends when the node of the place is shown
  private openedBy: HTMLElement | null = null;
  private lostTimer = 0;
  private sayTimer = 0;
  private asked = false;

  constructor() {
    this.client.token = remembered("session", "orma-token");
    this.place = this.arrive().place;
    this.client.space = this.place.space;
    this.theme = new Theme(() => this.recolour());
    this.openScene();
    this.search = new Search(this);
    this.inspector = new Inspector(this);
    this.drawer = new Drawer(this, (lost) => lost && this.lost(), (generation) => generation !== this.graph.generation && this.renew());
    this.filters = new Filters(this);
    this.list = new List(this);
    this.listen();
    this.showMode();
    void this.load();
  }

  // arrive reads the address, and takes a token out of it.
  private arrive(): { place: Place; withToken: boolean } {
    const { token, rest } = takeToken(location.hash);
    if (token) {
      this.client.token = token;
      remember("session", "orma-token", token);
      history.replaceState(null, "", location.pathname + (rest ? `#${rest}` : ""));
    }
    return { place: read(rest), withToken: token !== "" };
  }

  // -- App

  go(change: Partial<Place>): void {
    const next = { ...this.place, ...change };
    if (change.space !== undefined && change.space !== this.place.space) Object.assign(next, { ...start, space: change.space, mode: this.place.mode });
    const hash = write(next);
    if (hash === write(this.place)) return;
    const big = (["space", "node", "q", "mode"] as const).some((k) => next[k] !== this.place[k]);
    history[big ? "pushState" : "replaceState"](null, "", location.pathname + (hash ? `#${hash}` : ""));
    this.move(next);
  }

  async select(id: string, fly: boolean, focus = true): Promise<void> {
    this.openedBy = document.activeElement instanceof HTMLElement && !byId("inspector").contains(document.activeElement) ? document.activeElement : this.openedBy;
    this.flyNext = fly;
    this.focusNext = focus && this.mode() !== "graph";
    if (this.place.node === id) this.showing = this.showNode();
    else this.go({ node: id });
    await this.showing;
  }

  async hold(ids: string[]): Promise<void> {
    const missing = ids.filter((id) => !this.graph.nodes.has(id));
    for (let i = 0; i < missing.length; i += atOnce) {
      await Promise.all(missing.slice(i, i + atOnce).map(async (of) => {
        try {
          this.graph.add(await this.client.graph({ of, limit: 1, history: true, as_of: this.place.as_of }));
          this.extra.add(of);
        } catch (e) {
          if (!(e instanceof Refusal)) throw e; // what is not there cannot be shown; the rest can
        }
      }));
    }
    if (missing.length) this.redraw(false);
  }

  private async around(id: string): Promise<number> {
    const page = await this.client.graph({ of: id, limit: 300, as_of: this.place.as_of, history: this.place.history });
    this.graph.add(page);
    for (const n of page.nodes) this.extra.add(n.id);
    this.redraw(false);
    return page.nodes.length;
  }

  async grow(id: string): Promise<void> {
    try {
      this.say(`${count(await this.around(id), "node")} shown around it.`);
      void this.inspector.show(false);
    } catch (e) {
      this.fail(e);
    }
  }

  replay(w: Wave, onHop: (hop: number) => void): void {
    if (!this.scene || this.mode() !== "graph") return;
    const at = (id: string) => this.graph.at(id);
    const hops = w.hops.map((hop) => hop.map((h): Spark | null => {
      const from = at(h.from);
      const to = at(h.to);
      return from === null || to === null ? null : { from, to, force: h.force };
    }).filter((s): s is Spark => s !== null));
    this.scene.replay(w.seeds.map(at).filter((i): i is number => i !== null), hops, onHop);
  }

  changed(): void {
    this.extra.clear();
    this.renew();
    void this.inspector.show(false);
    void this.drawer.refresh().catch(() => undefined);
  }

  say(text: string): void {
    const box = byId("say");
    refill(box, text);
    clearTimeout(this.sayTimer);
    this.sayTimer = window.setTimeout(() => refill(box), 6000);
  }

  fail(e: unknown): void {
    if (e instanceof Lost) this.lost();
    else if (e instanceof Refusal && e.status === 401) return;
    else if (e instanceof DOMException && e.name === "AbortError") return;
    else this.trouble.error(says(e), () => void this.load());
  }

  // -- loading

  private async load(): Promise<void> {
    try {
      const [stats, { right }] = await Promise.all([this.client.stats(), this.client.version()]);
      this.stats = stats;
      this.back();
      const { read_only } = stats.store;
      this.whyNot = read_only ? "The database is read-only, so nothing can be changed here." : right === "read" ? "Your token is for reading, so nothing can be changed here." : "";
      byId<HTMLButtonElement>("new-rule").disabled = !!this.whyNot;
      this.trouble.clear("error");
      this.trouble.readOnly(read_only);
      const spaces = this.stats.spaces.map((s) => s.space);
      // A token that is bound to other spaces does not see the default one.
      if (spaces.length && !spaces.includes(this.place.space) && this.place.space === start.space) this.place.space = spaces[0]!;
      this.client.space = this.place.space;
      this.showSpaces(spaces);
      await this.refresh(true);
      void this.drawer.start();
      const opened = this.place.node;
      await this.search.show(!opened);
      if (opened) {
        this.flyNext = true;
        await this.showNode();
      }
    } catch (e) {
      this.fail(e);
    }
  }

  private query(): Record<string, string | number | boolean> {
    const { as_of, kinds, source, trust, from, to, history } = this.place;
    return { as_of, kinds: shownKinds(kinds).join(","), source, trust, from, to, history };
  }

  private renew(): void {
    this.stale = true;
    void this.refresh(false);
  }

  /** refresh gets the graph anew. */
  private async refresh(fit: boolean): Promise<void> {
    this.loading.abort();
    const { signal } = (this.loading = new AbortController());
    try {
      const none = shownKinds(this.place.kinds).length === 0;
      let page = await this.client.graph({ ...this.query(), ...(none ? { kinds: "entity" } : {}), limit: none ? 1 : firstPage }, signal);
      if (none) page = { ...page, nodes: [], links: [], next: "" };
      const kept = [...this.extra].map((id) => this.graph.nodes.get(id)).filter((n) => n !== undefined);
      const links = [...this.graph.links.values()];
      this.graph.replace(page);
      for (const n of kept) if (!this.graph.nodes.has(n.id)) this.graph.nodes.set(n.id, n);
      if (kept.length) for (const l of links) if (this.extra.has(l.from) || this.extra.has(l.to)) this.graph.links.set(`${l.from} ${l.to} ${l.kind}`, l);
      this.redraw(fit);
      await this.more(page.nodes.length, signal);
      this.scene?.whole();
      if (this.stale) this.stats = await this.client.stats();
      this.stale = false;
      this.showFilters();
      this.showEmpty();
    } catch (e) {
      if (!signal.aborted) this.fail(e);
    }
  }

  // Small memories come whole; of large ones the hubs, and more when it is asked for.
  private async more(have: number, signal: AbortSignal): Promise<void> {
    if (this.total() > 2 * mostByItself) return;
    while (this.graph.next && have < mostByItself && !signal.aborted) have += await this.nextPage(signal);
  }

  // How many nodes there are of the kinds that are shown.
  private total(): number {
    const t = this.graph.totals;
    const of = { entity: t.entities, state: t.states, conditional: t.conditionals, rule: t.rules, event: t.events, passage: t.passages };
    return shownKinds(this.place.kinds).reduce((sum, k) => sum + of[k], 0);
  }

  private async nextPage(signal?: AbortSignal): Promise<number> {
    const page = await this.client.graph({ ...this.query(), limit: laterPage, cursor: this.graph.next }, signal);
    if (signal?.aborted) return 0;
    this.graph.add(page);
    this.graph.next = page.nodes.length ? page.next ?? "" : "";
    this.redraw(false);
    return page.nodes.length;
  }

  // -- showing

  private move(next: Place): void {
    const old = this.place;
    this.place = next;
    const differs = (...keys: (keyof Place)[]) => keys.some((k) => JSON.stringify(old[k]) !== JSON.stringify(next[k]));
    if (differs("mode")) this.showMode();
    if (differs("space")) {
      this.client.space = next.space;
      this.extra.clear();
      this.scene?.choose(null);
      void this.inspector.show(false);
      void this.load();
      return;
    }
    if (differs("q", "off", "on")) void this.search.show(differs("q") && !differs("node"));
    const graph = differs("as_of", "kinds", "source", "trust", "from", "to", "history");
    if (graph) {
      if (differs("kinds")) this.extra.clear();
      this.showFilters();
      // Another selection is looked at whole; time moves on under a camera that stays.
      const fit = !next.node && differs("kinds", "source", "trust", "from", "to");
      void this.refresh(fit).then(() => {
        if (differs("as_of") && this.place.q) void this.search.show(false);
      });
    }
    if (differs("node")) this.showing = this.showNode();
  }

  private async showNode(): Promise<void> {
    const id = this.place.node;
    const fly = this.flyNext;
    this.flyNext = false;
    const shown = this.inspector.show(this.focusNext && !!id);
    this.focusNext = false;
    if (!id) {
      this.scene?.choose(null);
    } else {
      try {
        await this.hold([id]);
        // A fact is shown with what it rests on; of a hub there would be too much.
        const n = this.graph.nodes.get(id);
        if (n && n.kind !== "entity" && n.degree <= fewNeighbours && this.graph.hidden(id) > 0) await this.around(id);
      } catch (e) {
        this.fail(e);
      }
      if (this.place.node !== id) return; // another was opened while this one was fetched
      const at = this.graph.at(id);
      this.scene?.choose(at);
      if (at !== null && fly) this.scene?.flyTo(at);
    }
    this.drawText();
    if (!id) this.giveBackFocus();
    await shown;
  }

  // Focus goes back to what opened the inspector, or to what was drawn in its place.
  private giveBackFocus(): void {
    const e = this.openedBy;
    this.openedBy = null;
    if (e?.isConnected) e.focus();
    else if (e?.dataset["node"]) document.querySelector<HTMLElement>(`#work [data-node="${CSS.escape(e.dataset["node"])}"]`)?.focus();
  }

  private redraw(fit: boolean): void {
    const { nodes, links } = this.graph.picture();
    this.scene?.show(nodes, links, fit);
    if (this.place.node) this.scene?.choose(this.graph.at(this.place.node));
    this.drawText();
    const all = this.total();
    const next = this.graph.next ? el("button", { class: "link", onclick: () => void this.nextPage().catch((e) => this.fail(e)) }, "more") : null;
    refill(byId("amount"), nodes.length < all ? `${nodes.length.toLocaleString("en")} of ${all.toLocaleString("en")} shown ` : `${nodes.length.toLocaleString("en")} shown`, next);
  }

  private drawText(): void {
    const mode = this.mode();
    if (mode !== "graph") this.list.draw(mode);
  }

  private mode(): Mode {
    const wanted = this.place.mode || (window.matchMedia("(max-width: 760px)").matches ? "list" : "graph");
    return wanted === "graph" && !this.scene ? "list" : wanted;
  }

  private showMode(): void {
    const mode = this.mode();
    byId("scene").hidden = mode !== "graph";
    byId("text-view").hidden = mode === "graph";
    document.body.dataset["mode"] = mode;
    for (const b of document.querySelectorAll<HTMLButtonElement>("[data-mode][aria-pressed]")) {
      b.setAttribute("aria-pressed", String(b.dataset["mode"] === mode));
      if (b.dataset["mode"] === "graph" && !this.scene) {
        b.disabled = true;
        b.title = "This browser has no WebGL, so there is no picture. The list and the table show the same.";
      }
    }
    byId<HTMLButtonElement>("save-png").disabled = mode !== "graph";
    this.list?.reset();
    this.drawText();
    this.scene?.draw();
  }

  private showSpaces(spaces: string[]): void {
    const all = spaces.includes(this.place.space) ? spaces : [this.place.space, ...spaces];
    refill(byId("space"), ...all.map((s) => el("option", { value: s, selected: s === this.place.space }, clip(s, 60))));
    document.title = `${clip(this.place.space, 40)} · Orma`;
  }

  private showFilters(): void {
    const sources = function* (nodes: Iterable<{ source?: string }>) {
      for (const n of nodes) if (n.source) yield n.source;
    };
    this.filters.show(this.graph.totals, this.stats?.spaces.find((s) => s.space === this.place.space), sources(this.graph.nodes.values()));
  }

  private showEmpty(): void {
    const space = this.stats?.spaces.find((s) => s.space === this.place.space);
    const p = this.place;
    if (this.graph.nodes.size) return this.trouble.nothing(null);
    const button = (text: string, act: () => void, primary = false) => el("button", { class: primary ? "primary" : "", onclick: act }, text);
    if (p.source || p.trust || p.from || p.to || p.as_of || p.kinds) {
      this.trouble.nothing([el("h2", {}, "Nothing matches"), el("p", {}, "The memory is not empty, but the filters leave nothing of it."),
        el("div", { class: "row" }, button("Clear the filters", () => this.go({ source: "", trust: "", from: "", to: "", as_of: "", kinds: null, history: false }), true))]);
    } else if (space?.episodes) {
      this.trouble.nothing([el("h2", {}, "Nothing has been worked out yet"),
        el("p", {}, `${count(space.episodes, "episode")} ${space.episodes === 1 ? "is" : "are"} kept word for word. Sleep turns what was said into facts; until then there are lines to look at.`),
        el("div", { class: "row" }, !this.whyNot && button("Open the buffer", () => byId("drawer").hidden && this.drawer.toggle(), true), button("Show the lines", () => this.go({ kinds: ["entity", "passage"] })))]);
    } else {
      this.trouble.nothing(beginning(this.client, this.whyNot, () => {
        this.say("Remembered.");
        this.renew();
      }));
    }
  }

  // -- trouble

  private lost(): void {
    this.trouble.lost(true, () => void this.tryAgain());
    if (!this.lostTimer) this.lostTimer = window.setTimeout(() => void this.tryAgain(), 2000);
  }

  private async tryAgain(): Promise<void> {
    clearTimeout(this.lostTimer);
    this.lostTimer = 0;
    try {
      await this.client.stats();
      await this.load();
      this.say("The server is back.");
    } catch (e) {
      this.fail(e);
    }
  }

  private back(): void {
    clearTimeout(this.lostTimer);
    this.lostTimer = 0;
    this.trouble.lost(false, () => undefined);
  }

  private askToken(): void {
    if (this.asked) return;
    this.asked = true;
    const refused = this.client.token !== "";
    remember("session", "orma-token", "");
    this.trouble.askToken(refused, (token) => this.signIn(token));
  }

  private signIn(token: string): void {
    this.asked = false;
    this.trouble.signedIn();
    this.client.token = token;
    remember("session", "orma-token", token);
    void this.load();
  }

  // -- the page

  private openScene(): void {
    try {
      this.scene = new Scene(byId("scene"), {
        pick: (i) => (i === null ? this.go({ node: "" }) : void this.select(this.graph.id(i), false)),
        lost: () => {
          this.say("The browser lost the picture and draws it again. The list shows the same.");
        },
        restored: () => this.say("The picture is back."),
      }, this.theme.still());
      this.recolour();
    } catch (e) {
      console.warn("no WebGL:", e instanceof Error ? e.message : e);
      this.scene = null;
    }
  }

  private recolour(): void {
    this.scene?.recolour(this.theme.dark(), getComputedStyle(document.documentElement));
    this.scene?.setStill(this.theme.still());
  }

  private listen(): void {
    window.addEventListener("popstate", () => {
      const { place, withToken } = this.arrive();
      this.move(place);
      if (withToken) this.signIn(this.client.token);
    });
    window.matchMedia("(max-width: 760px)").addEventListener("change", () => this.showMode());
    byId<HTMLSelectElement>("space").addEventListener("change", (e) => this.go({ space: (e.target as HTMLSelectElement).value }));
    for (const b of document.querySelectorAll<HTMLButtonElement>("[data-mode][aria-pressed]")) b.addEventListener("click", () => this.go({ mode: b.dataset["mode"] as Mode }));
    byId("overview").addEventListener("click", () => this.scene?.overview());
    byId("skip").addEventListener("click", (e) => {
      e.preventDefault();
      this.go({ mode: "list" });
      byId("text-view").focus();
    });
    const menu = byId<HTMLDetailsElement>("menu");
    const item = (id: string, act: () => void) => byId(id).addEventListener("click", () => {
      menu.open = false;
      act();
    });
    item("new-rule", () => forbid(this, ""));
    item("save-json", () => saveData(this.graph, this.place));
    item("save-png", () => this.scene && void savePicture(this.scene.picture(), this.place).catch((e) => this.fail(e)));
    item("copy-link", () => void navigator.clipboard.writeText(location.href).then(() => this.say("Copied."), () => this.say("Copy the address from the bar above: it keeps all of this.")));
    byId("theme").addEventListener("click", () => this.theme.next());
    byId<HTMLInputElement>("pulses").addEventListener("change", (e) => this.scene?.setPulsing((e.target as HTMLInputElement).checked));
    document.addEventListener("click", (e) => {
      if (menu.open && !menu.contains(e.target as Node)) menu.open = false;
    });
    document.addEventListener("keydown", (e) => this.key(e));
  }

  private key(e: KeyboardEvent): void {
    const t = e.target as HTMLElement;
    const typing = t.matches("input:not([type=checkbox]):not([type=range]), textarea, select");
    if (document.querySelector("dialog[open]")) return;
    if (e.key === "/" && !typing) {
      e.preventDefault();
      this.search.focus();
    } else if (e.key === "Escape") {
      const menu = byId<HTMLDetailsElement>("menu");
      if (menu.open) menu.open = false;
      else if (!byId("filters").hidden) this.filters.open(false);
      else if (this.place.node) this.go({ node: "" });
      else if (this.place.q) this.go({ q: "", off: [], on: [] });
    }
  }
}

new View();
