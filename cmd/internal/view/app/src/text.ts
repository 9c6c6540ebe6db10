// Text as people see it: cut, on one line, and kept from turning the text around it.

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** clip cuts a text to a number of characters as people count them, on one line. Only the
 * beginning is looked at, so a name of many kilobytes costs no more than a short one. */
export function clip(text: string, most: number): string {
  const flat = text.slice(0, most * 32).replace(/[\s\u0000-\u001f\u007f-\u009f]+/gu, " ").trim();
  let out = "";
  let n = 0;
  for (const { segment } of graphemes.segment(flat)) {
    if (n === most) return out.trimEnd() + "…";
    // A character under a pile of accents would run over its neighbours.
    out += segment.slice(0, 16);
    n++;
  }
  return flat.length < text.trim().length && text.length > most * 32 ? out + "…" : out;
}

/** isolate keeps the direction of a text to itself, and takes out the marks that would
 * change the direction of what follows. */
export function isolate(text: string): string {
  return "\u2068" + text.replace(/[\u202a-\u202e\u2066-\u2069]/gu, "") + "\u2069";
}

/** count writes a number with separators, and its noun. */
export function count(n: number, one: string, many = one + "s"): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

/** day shortens a time to its date; a date stays one. */
export function day(time: string | undefined): string {
  return (time ?? "").slice(0, 10);
}

/** clock writes a time as date and minute in the reader's zone; a date without a time of
 * day stays a date. */
export function clock(time: string | undefined): string {
  if (!time) return "";
  if (!time.includes("T")) return time;
  const t = new Date(time);
  if (Number.isNaN(t.getTime())) return time;
  const two = (n: number) => String(n).padStart(2, "0");
  return `${t.getFullYear()}-${two(t.getMonth() + 1)}-${two(t.getDate())} ${two(t.getHours())}:${two(t.getMinutes())}`;
}
