// What an empty memory shows: how to fill it, and a field for a first line.

import { type Client, says } from "./api.ts";
import { el, refill } from "./dom.ts";

/** beginning is what stands where nothing is remembered yet. `whyNot` says why nothing can
 * be added here, or is empty; `added` is told of a line that was. */
export function beginning(client: Client, whyNot: string, added: () => void): Node[] {
  const field = el("input", { type: "text", id: "first-note", required: true, autocomplete: "off", placeholder: "I moved to Lisbon in May" });
  const wrong = el("p", { class: "wrong", role: "alert" });
  const form = el("form", {}, el("label", { for: "first-note" }, "Remember a first line"), el("div", { class: "row" }, field, el("button", { class: "primary", type: "submit" }, "Remember")), wrong);
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    client.add(field.value).then(added).catch((err) => refill(wrong, says(err)));
  });
  return [el("h2", {}, "Nothing is remembered here yet"), el("p", {}, "Point a chat client at Orma, import a history, or begin with a line of your own:"),
    el("pre", {}, `base URL   ${location.origin}/v1\norma import history.jsonl\norma add "I moved to Lisbon in May"`), whyNot ? el("p", { class: "meta" }, whyNot) : form];
}
