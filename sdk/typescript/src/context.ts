import { createHash } from "node:crypto";

import { InvalidError } from "./errors.js";

// Where memory goes in a list of chat messages: the rule that the proxy keeps too. Rules
// stand at the very top of the system message, the rest of the stable part at its end,
// and what belongs to the question before the text of the last user message. So the
// beginning of the prompt stays the same from turn to turn, and a model's server can keep
// what it has worked out for it. Nothing else is touched.

/** A message of a chat, as chat APIs take them. */
export interface Message {
  role: string;
  content?: unknown;
}

interface Part {
  type?: unknown;
  text?: unknown;
}

const GAP = "\n\n";
const TEXT_PARTS: unknown[] = ["text", "input_text", "output_text"];

/** Refuses what is no list of messages. */
export function check(messages: readonly Message[]): void {
  if (!Array.isArray(messages)) {
    throw new InvalidError("messages must be an array");
  }
  messages.forEach((m, i) => {
    if (typeof m?.role !== "string") {
      throw new InvalidError(`messages[${i}] has no role`);
    }
  });
}

/** Returns the text of a message; that of parts is joined by lines. */
export function textOf(m: Message): string {
  if (typeof m.content === "string") {
    return m.content;
  }
  return parts(m).map(partText).filter((t) => t !== undefined).join("\n");
}

/** Returns the index of the last user message, or -1. The answers of tools are none. */
export function question(messages: readonly Message[]): number {
  return messages.findLastIndex((m) => m.role === "user" && (textOf(m) !== "" || !parts(m).some((p) => p?.type === "tool_result")));
}

/** Returns what the reader sees anyway. */
export function said(messages: readonly Message[]): string[] {
  return messages.filter((m) => !isSystem(m)).map(textOf).filter((t) => t !== "");
}

/** Names a conversation by all that was said in it, other than by the system. */
export function fingerprint(messages: readonly Message[]): string {
  const h = createHash("sha256");
  for (const m of messages) {
    if (!isSystem(m)) {
      for (const part of [m.role, textOf(m).trim()]) {
        h.update(`${part.length}:${part}`);
      }
    }
  }
  return h.digest("hex");
}

/** Returns the messages with memory in them. Those that get none are the same objects. */
export function insert<M extends Message>(messages: readonly M[], rules: string, facts: string, turn: string): M[] {
  [rules, facts, turn] = [trim(rules), trim(facts), trim(turn)];
  const out = [...messages];
  const at = question(out);
  const asked = out[at];
  if (turn !== "" && asked !== undefined && asked.content != null) { // one without words is left alone
    out[at] = fill(asked, turn, "") ?? asked;
  }
  if (rules !== "" || facts !== "") {
    const head = out[0];
    const filled = head !== undefined && isSystem(head) ? fill(head, rules, facts) : undefined;
    if (filled !== undefined) {
      out[0] = filled;
    } else {
      out.unshift({ role: "system", content: join(rules, facts) } as unknown as M);
    }
  }
  return out;
}

/** Returns a copy with text before and after that of the message, or undefined if it has no place. */
function fill<M extends Message>(m: M, before: string, after: string): M | undefined {
  const { content } = m;
  if (typeof content === "string") {
    return { ...m, content: around(content, before, after) };
  }
  if (content === null) {
    return { ...m, content: join(before, after) };
  }
  if (!Array.isArray(content)) {
    return undefined;
  }
  const list: Part[] = [...content];
  const first = list.findIndex((p) => partText(p) !== undefined);
  const last = list.findLastIndex((p) => partText(p) !== undefined);
  if (first < 0) {
    return { ...m, content: [{ type: "text", text: join(before, after) }, ...list] };
  }
  list[first] = { ...list[first], text: around(partText(list[first]) ?? "", before, first === last ? after : "") };
  if (first !== last) {
    list[last] = { ...list[last], text: around(partText(list[last]) ?? "", "", after) };
  }
  return { ...m, content: list };
}

function isSystem(m: Message): boolean {
  return m.role === "system" || m.role === "developer";
}

function trim(text: string): string {
  return text.replace(/^\n+|\n+$/g, "");
}

function around(text: string, before: string, after: string): string {
  return join(join(before, text), after);
}

function join(a: string, b: string): string {
  return a !== "" && b !== "" ? a + GAP + b : a + b;
}

function parts(m: Message): Part[] {
  return Array.isArray(m.content) ? m.content : [];
}

function partText(p: Part | undefined): string | undefined {
  return typeof p?.text === "string" && TEXT_PARTS.includes(p.type) ? p.text : undefined;
}
