// What stands in the way, said plainly, with a way on: a token that is wanted, a server that
// is gone, a memory that is empty, a database that cannot be written.

import { byId, el, refill } from "./dom.ts";

export class Trouble {
  private banner = byId("banner");
  private token = byId("token");
  private empty = byId("empty");

  /** lost says that the server is gone, until it is back. */
  lost(on: boolean, again: () => void): void {
    if (!on) return this.clear("lost");
    if (this.banner.dataset["why"] === "lost") return;
    this.show("lost", "bad", `The server at ${location.host} does not answer. What you see may be old. It is tried again until it is back; is “orma serve” still running?`, "Try now", again);
  }

  readOnly(on: boolean): void {
    if (!on) return this.clear("read_only");
    this.show("read_only", "warn", "The database is read-only: you can look at everything, and change nothing. To change things, make the file and its folder writable for the user who runs orma, and start it again.");
  }

  error(text: string, again: () => void): void {
    this.show("error", "bad", text, "Try again", again);
  }

  clear(why?: string): void {
    if (why && this.banner.dataset["why"] !== why) return;
    this.banner.hidden = true;
    this.banner.dataset["why"] = "";
    refill(this.banner);
  }

  private show(why: string, kind: string, text: string, button = "", act?: () => void): void {
    this.banner.hidden = false;
    this.banner.dataset["why"] = why;
    this.banner.className = `banner ${kind}`;
    refill(this.banner, el("p", { role: kind === "bad" ? "alert" : "status" }, text), button && el("button", { onclick: act }, button),
      why !== "lost" && el("button", { class: "icon", "aria-label": "Close this message", onclick: () => this.clear() }, "×"));
  }

  /** askToken shows the form for a token in place of everything else. */
  askToken(refused: boolean, use: (token: string) => void): void {
    this.token.hidden = false;
    this.behind(true);
    const field = el("input", { type: "password", id: "token-field", autocomplete: "off", required: true, spellcheck: false });
    const form = el("form", { class: "card" }, el("h2", {}, refused ? "This token is not accepted" : "A token is wanted"),
      el("p", {}, refused ? "It may have been revoked, or it belongs to another server. " : "This server lets in only who has a token. ", "Make one on the machine where Orma runs:"),
      el("pre", {}, "orma token new view --all"), el("label", { for: "token-field" }, "Token"), field,
      el("div", { class: "row end" }, el("button", { class: "primary", type: "submit" }, "Open the memory")));
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      use(field.value.trim());
    });
    refill(this.token, form);
    field.focus();
  }

  /** signedIn takes the form away. */
  signedIn(): void {
    this.token.hidden = true;
    this.behind(false);
    refill(this.token);
  }

  // What lies behind the form is not to be reached, by Tab or by a screen reader.
  private behind(on: boolean): void {
    for (const e of document.body.children) if (e !== this.token && e instanceof HTMLElement) e.inert = on;
  }

  /** nothing says why there is no picture, and what to do; null takes it away. */
  nothing(content: Node[] | null): void {
    this.empty.hidden = !content;
    refill(this.empty, ...(content ?? []));
  }
}
