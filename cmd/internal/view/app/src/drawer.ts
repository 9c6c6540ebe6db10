// The buffer drawer: turns as they arrive, what waits for sleep, and what the last sleep
// accepted and rejected, with the reasons.

import type { App } from "./app.ts";
import { Lost, says, type Episode, type Report, type ReportItem } from "./api.ts";
import { byId, el, fill, refill } from "./dom.ts";
import { clip, clock, count, isolate } from "./text.ts";

const most = 100; // episodes that are kept in the list
type Tab = "recent" | "waiting" | "last";

export class Drawer {
  private panel = byId("drawer");
  private handle = byId<HTMLButtonElement>("drawer-handle");
  private recent = el("ul", { class: "turns", "aria-label": "Recent turns, newest first" });
  private waiting = el("ul", { class: "turns", "aria-label": "What waits for sleep, oldest first" });
  private last = el("div", { class: "report" });
  private body = el("div", { class: "drawer-body", tabIndex: 0, role: "tabpanel", id: "drawer-body" });
  private state = el("p", { class: "live", role: "status" });
  private sleepButton = el("button", { class: "primary", onclick: () => void this.sleep() }, "Sleep now");
  private progress = el("span", { class: "progress", role: "status", "aria-live": "polite" });
  private tabs: Record<Tab, HTMLButtonElement>;
  private tab: Tab = "recent";
  private newest = 0;
  private total = 0;
  private sleeping = false;
  private stop = new AbortController();
  private later = 0;
  private generation = 0; // of the space, as last heard

  constructor(private app: App, private onLost: (lost: boolean) => void, private onChange: (generation: number) => void) {
    const tab = (t: Tab, text: string) =>
      el("button", { role: "tab", id: `tab-${t}`, "aria-controls": "drawer-body", onclick: () => this.open(t), onkeydown: (e: KeyboardEvent) => this.key(e, t) }, text);
    this.tabs = { recent: tab("recent", "Recent"), waiting: tab("waiting", "Waiting"), last: tab("last", "Last sleep") };
    refill(this.panel, el("div", { class: "drawer-head" }, el("div", { role: "tablist", "aria-label": "Buffer", class: "tabs" }, ...Object.values(this.tabs)),
      this.state, el("span", { class: "grow" }), this.progress, this.sleepButton), this.body);
    this.handle.addEventListener("click", () => this.toggle());
    this.open("recent");
  }

  toggle(): void {
    const show = this.panel.hidden;
    this.panel.hidden = !show;
    this.handle.setAttribute("aria-expanded", String(show));
    window.dispatchEvent(new Event("resize"));
    if (show) this.tabs[this.tab].focus();
  }

  private key(e: KeyboardEvent, t: Tab): void {
    const all: Tab[] = ["recent", "waiting", "last"];
    const step = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const next = all[(all.indexOf(t) + step + all.length) % all.length]!;
    this.open(next);
    this.tabs[next].focus();
  }

  open(tab: Tab): void {
    this.tab = tab;
    for (const [t, b] of Object.entries(this.tabs)) {
      b.setAttribute("aria-selected", String(t === tab));
      b.tabIndex = t === tab ? 0 : -1;
    }
    this.body.setAttribute("aria-labelledby", `tab-${tab}`);
    refill(this.body, tab === "recent" ? this.recent : tab === "waiting" ? this.waiting : this.last);
  }

  /** start follows the space of the place; an earlier following ends. */
  async start(): Promise<void> {
    this.stop.abort();
    const stop = (this.stop = new AbortController());
    this.newest = 0;
    this.sleepButton.disabled = !!this.app.whyNot;
    this.sleepButton.title = this.app.whyNot;
    refill(this.recent);
    try {
      const { episodes } = await this.app.client.episodes(50);
      if (stop.signal.aborted) return;
      for (const e of [...episodes].reverse()) this.take(e, false);
      if (!episodes.length) refill(this.recent, el("li", { class: "none" }, "Nothing has been said yet. A turn shows up here as soon as it is recorded."));
      await this.refresh();
    } catch (e) {
      if (stop.signal.aborted) return;
      this.app.fail(e);
      if (!(e instanceof Lost)) return;
    }
    void this.follow(stop.signal);
  }

  private async follow(signal: AbortSignal): Promise<void> {
    for (let wait = 500; !signal.aborted; wait = Math.min(wait * 2, 8000)) {
      try {
        await this.app.client.follow(this.newest, signal, () => {
          wait = 500;
          this.live(true);
        }, (event, data) => {
          if (event === "episode") this.take(data as Episode, true);
          else if (event === "change") this.soon((data as { generation: number }).generation);
        });
      } catch (e) {
        if (!(e instanceof Lost)) {
          refill(this.state, says(e));
          return;
        }
      }
      if (signal.aborted) return;
      this.live(false);
      await new Promise((done) => setTimeout(done, wait));
    }
  }

  private live(on: boolean): void {
    this.state.className = on ? "live on" : "live off";
    const text = on ? "live" : "connection lost";
    if (this.state.textContent !== text) refill(this.state, text);
    this.onLost(!on);
  }

  // Changes come in bursts; the view follows them, but not each alone.
  private soon(generation: number): void {
    this.generation = generation;
    if (this.later) return;
    this.later = window.setTimeout(() => {
      this.later = 0;
      void this.refresh().catch((e) => this.app.fail(e));
      this.onChange(this.generation);
    }, 400);
  }

  private take(e: Episode, fresh: boolean): void {
    if (e.id <= this.newest) return;
    this.newest = e.id;
    this.recent.querySelector(".none")?.remove();
    this.recent.prepend(this.turn(e, fresh));
    while (this.recent.children.length > most) this.recent.lastElementChild!.remove();
  }

  private turn(e: Episode, fresh = false): HTMLElement {
    return el("li", { class: fresh ? "turn fresh" : "turn", "data-episode": e.id },
      el("span", { class: `role role-${e.role}` }, clip(e.speaker || (e.kind === "turn" ? e.role : e.kind), 18)),
      el("span", { class: "said", dir: "auto" }, clip(e.text, 240)),
      el("span", { class: "meta" }, `${clock(e.at)} · ${isolate(clip(e.source, 30))}`, e.attempts ? ` · tried ${e.attempts}×: ${clip(e.last_error ?? "", 80)}` : ""));
  }

  /** refresh asks again what waits, and what the last sleep did. */
  async refresh(): Promise<void> {
    const [pending, { reports }] = await Promise.all([this.app.client.pending(most), this.app.client.lastSleep()]);
    this.total = pending.total;
    refill(this.tabs.waiting, pending.total ? `Waiting (${pending.total.toLocaleString("en")})` : "Waiting");
    refill(this.handle, pending.total ? `Buffer · ${pending.total.toLocaleString("en")} waiting` : "Buffer");
    refill(this.waiting, ...pending.episodes.map((e) => this.turn(e)));
    if (!pending.total) fill(this.waiting, el("li", { class: "none" }, "Nothing waits: all that was said has been slept on."));
    else if (pending.total > pending.episodes.length) fill(this.waiting, el("li", { class: "none" }, `and ${(pending.total - pending.episodes.length).toLocaleString("en")} more`));
    if (this.sleeping) this.tell();
    else this.report(reports[0]);
  }

  private report(r: Report | undefined): void {
    if (!r) return refill(this.last, el("p", { class: "none" }, "This space has not slept yet. Sleep turns what was said into checked facts; it runs by itself when nothing happens, or now with the button."));
    const part = (title: string, items: ReportItem[], kind: string) =>
      el("section", {}, el("h3", {}, `${title} (${items.length})`), el("ul", { class: "plain" }, ...items.slice(0, 200).map((i) => this.item(i, kind))));
    refill(this.last,
      el("p", { class: "meta" }, `${clock(r.at)} · ${count(r.episodes, "episode")}, ${count(r.lines, "line")}${r.backend ? ` · by ${clip(r.backend, 40)}` : ""}`),
      el("div", { class: "columns" }, part("Accepted", r.accepted, "good"), part("Rejected", r.rejected, "bad")),
      r.failed.length > 0 && el("section", {}, el("h3", {}, "Failed"), el("ul", { class: "plain" }, ...r.failed.map((f) => el("li", { class: "wrong" }, `${count(f.episodes.length, "episode")}: ${clip(f.error, 300)}`)))));
  }

  private item(i: ReportItem, kind: string): HTMLElement {
    const what = [clip(i.subject, 40), i.attribute && clip(i.attribute.replaceAll("_", " "), 40)].filter((t): t is string => !!t).map(isolate).join(" · ");
    const line = i.sources.find((s) => s.text)?.text;
    return el("li", { class: `item ${kind}` }, el("p", {}, `${what}: `, el("strong", { dir: "auto" }, clip(i.value, 100)), i.condition && ` if ${clip(i.condition, 60)}`),
      el("p", { class: "meta" }, el("span", { class: `chip ${kind}` }, (i.reason || i.outcome || kind).replaceAll("_", " ")), i.detail && ` ${clip(i.detail, 120)}`),
      line && el("p", { class: "meta quote", dir: "auto" }, clip(line, 160)));
  }

  private tell(): void {
    refill(this.progress, el("progress", { "aria-label": "Sleeping" }), ` Sleeping … ${this.total ? `${count(this.total, "episode")} left` : ""}`);
  }

  private async sleep(): Promise<void> {
    if (this.sleeping) return;
    this.sleeping = true;
    this.sleepButton.disabled = true;
    this.tell();
    try {
      const r = await this.app.client.sleep();
      this.report(r);
      refill(this.progress, `${count(r.accepted.length, "item")} accepted, ${r.rejected.length} rejected${r.failed.length ? `, ${r.failed.length} failed` : ""}.`);
      this.open("last");
      this.app.changed();
    } catch (e) {
      refill(this.progress, el("span", { class: "wrong", role: "alert" }, says(e)));
    } finally {
      this.sleeping = false;
      this.sleepButton.disabled = !!this.app.whyNot;
      void this.refresh().catch(() => undefined);
    }
  }
}
