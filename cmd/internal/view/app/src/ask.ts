// Questions that stand before an action.

import { el, refill } from "./dom.ts";
import { says } from "./api.ts";

export interface Question {
  title: string;
  about: (Node | string)[];
  field?: { label: string; value: string };
  yes: string;
  danger?: boolean;
  /** act is done on yes; an error of it is shown in the dialog, which stays. */
  act(text: string): Promise<void>;
}

/** ask shows a question and does what it is about on yes. Escape and "Cancel" do nothing. */
export function ask(q: Question): void {
  const field = q.field ? el("textarea", { rows: 3, value: q.field.value, required: true, id: "ask-field", maxLength: 100000 }) : null;
  const wrong = el("p", { class: "wrong", role: "alert" });
  const yes = el("button", { type: "submit", class: q.danger ? "danger" : "primary" }, q.yes);
  const no = el("button", { type: "button", onclick: () => box.close() }, "Cancel");
  const form = el("form", {},
    el("h2", { id: "ask-title" }, q.title), ...q.about.map((a) => (typeof a === "string" ? el("p", {}, a) : a)),
    field && el("label", { for: "ask-field" }, q.field!.label), field, wrong, el("div", { class: "row end" }, no, yes));
  const box = el("dialog", { class: "ask", "aria-labelledby": "ask-title" }, form);
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    yes.disabled = true;
    refill(wrong);
    try {
      await q.act(field?.value.trim() ?? "");
      box.close();
    } catch (err) {
      refill(wrong, says(err));
      yes.disabled = false;
    }
  });
  const back = document.activeElement;
  box.addEventListener("close", () => {
    box.remove();
    if (back instanceof HTMLElement) back.focus();
  });
  document.body.append(box);
  box.showModal();
  (field ?? (q.danger ? no : yes)).focus();
  field?.select();
}
