// What the browser keeps for the page. One that is told to keep nothing throws at the mere
// mention of its storage; the view then does without.

type Where = "local" | "session"; // for good, or for the tab

function storage(where: Where): Storage | null {
  try {
    return where === "local" ? localStorage : sessionStorage;
  } catch {
    return null;
  }
}

export function remembered(where: Where, key: string): string {
  return storage(where)?.getItem(key) ?? "";
}

/** remember keeps a value; an empty one is forgotten. */
export function remember(where: Where, key: string, value: string): void {
  try {
    if (value) storage(where)?.setItem(key, value);
    else storage(where)?.removeItem(key);
  } catch {
    // It is full: what was to be kept lasts as long as the page.
  }
}
