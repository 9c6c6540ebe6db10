// Text against what it stands on, in both themes, by the contrast ratio of WCAG 2.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const css = readFileSync("src/style.css", "utf8");

/** colours are the variables of one block of the style sheet. */
function colours(selector: string): Map<string, string> {
  const block = css.slice(css.indexOf(`${selector} {`)).split("}")[0]!;
  return new Map([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((m) => [m[1]!, m[2]!]));
}

function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((i) => {
    const v = parseInt(colour.slice(i, i + 2), 16) / 255;
    return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [hi, lo] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (hi + 0.05) / (lo + 0.05);
}

const grounds = ["paper", "panel", "panel-2"];
const text = 4.5;
const shape = 3; // glyphs, and what shows where the focus is

const pairs: [string, string[], number][] = [
  ...["ink", "ink-2", "ink-3", "accent", "bad", "good", "warn"].map((c): [string, string[], number] => [c, grounds, text]),
  ["on-accent", ["accent", "bad"], text],
  ...["entity", "state", "conditional", "rule", "event", "passage"].map((c): [string, string[], number] => [c, grounds, shape]),
];

for (const [theme, selector] of [["dark", ":root"], ["light", ":root[data-theme=\"light\"]"]] as const) {
  test(`contrast of the ${theme} theme`, () => {
    const of = colours(selector);
    for (const [fore, backs, least] of pairs) {
      for (const back of backs) {
        const ratio = contrast(of.get(fore)!, of.get(back)!);
        assert.ok(ratio >= least, `${fore} on ${back} is ${ratio.toFixed(2)}, less than ${least}`);
      }
    }
  });
}

test("contrast is that of the standard", () => {
  assert.equal(contrast("#000000", "#ffffff"), 21);
  assert.equal(contrast("#777777", "#ffffff").toFixed(2), "4.48");
});
