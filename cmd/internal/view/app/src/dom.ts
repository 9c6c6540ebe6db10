// Elements made by code. Text goes in as text only: nothing here, or anywhere in the
// view, parses markup, so a name such as "<img onerror=…>" is what it says.

type Child = Node | string | number | null | undefined | false;
type Props = Record<string, unknown>;

/** el makes an element. Keys that start with "on" are listeners, "class" and "data-…" and
 * "aria-…" attributes, everything else a property. */
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(props)) {
    if (v === undefined || v === null || v === false) continue;
    if (k.startsWith("on")) e.addEventListener(k.slice(2), v as EventListener);
    else if (k === "class" || k === "role" || k === "for" || k.includes("-")) e.setAttribute(k, v === true ? "" : String(v));
    else (e as unknown as Props)[k] = v;
  }
  fill(e, ...children);
  return e;
}

/** fill puts children at the end of an element. */
export function fill(e: Element, ...children: Child[]): void {
  for (const c of children) {
    if (c === null || c === undefined || c === false) continue;
    e.append(c instanceof Node ? c : String(c));
  }
}

/** refill replaces all children of an element. */
export function refill(e: Element, ...children: Child[]): void {
  e.replaceChildren();
  fill(e, ...children);
}

/** svg makes a drawing out of attributes; no markup is parsed. */
export function svg(tag: string, attributes: Record<string, string | number>, ...children: Element[]): SVGElement {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, String(v));
  e.append(...children);
  return e;
}

/** byId returns an element that index.html has. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const e = document.getElementById(id);
  if (!e) throw new Error(`#${id} is missing from index.html`);
  return e as T;
}
