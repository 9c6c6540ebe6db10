import assert from "node:assert/strict";
import { test } from "node:test";
import type { GraphNode, GraphPage } from "./api.ts";
import { Graph, pulse } from "./graph.ts";

const node = (id: string, kind: string, degree = 1): GraphNode => ({ id, kind, label: id, degree, hidden: 0, x: 0, y: 0, z: 0 }) as GraphNode;
const totals = { states: 2, rules: 0, conditionals: 0, entities: 1, passages: 1, events: 0, links: 2 };
const page = (nodes: GraphNode[], links: [string, string, string][], next?: string): GraphPage => ({
  space: "default", generation: 1, as_of: "", radius: 1, totals, nodes, links: links.map(([from, to, kind]) => ({ from, to, kind, weight: 1 })), next,
});

test("links wait until both of their ends are held", () => {
  const g = new Graph();
  g.replace(page([node("e0", "entity", 2), node("s1", "state")], [["s1", "e0", "about"], ["s2", "e0", "about"]], "c"));
  assert.equal(g.picture().links.length, 1);
  assert.equal(g.hidden("e0"), 1);
  g.add(page([node("s2", "state")], []));
  assert.deepEqual(g.picture().links.map((l) => [g.id(l.from), g.id(l.to)]), [["s1", "e0"], ["s2", "e0"]]);
  assert.equal(g.hidden("e0"), 0);
  assert.deepEqual(g.neighbours("e0").map((n) => n.node.id), ["s1", "s2"]);
  assert.equal(g.next, "c");
});

test("an answer about another space is left out", () => {
  const g = new Graph();
  g.replace(page([node("e0", "entity")], []));
  g.add({ ...page([node("e1", "entity")], [["e1", "e0", "together"]]), space: "other" });
  assert.equal(g.picture().nodes.length, 1);
});

test("a kind that is not known is not drawn", () => {
  const g = new Graph();
  g.replace(page([node("x1", "<img>")], []));
  assert.equal(g.picture().nodes.length, 0);
});

test("replace forgets the page before", () => {
  const g = new Graph();
  g.replace(page([node("e0", "entity")], []));
  g.replace(page([node("e1", "entity")], []));
  g.picture();
  assert.equal(g.at("e0"), null);
  assert.equal(g.at("e1"), 0);
});

test("a pulse is stronger the later and the more often a link was used", () => {
  const newest = Date.parse("2026-08-18T00:00:00Z");
  const used = (days: number) => new Date(newest - days * 86_400_000).toISOString();
  assert.equal(pulse({}, newest), 0);
  assert.equal(pulse({ last_used: "never" }, newest), 0);
  assert.equal(pulse({ last_used: used(0) }, newest), 0.6);
  assert.ok(Math.abs(pulse({ last_used: used(14) }, newest) - 0.3) < 1e-9);
  assert.ok(pulse({ last_used: used(14), burst: 0.5 }, newest) > pulse({ last_used: used(14) }, newest));
  assert.equal(pulse({ last_used: used(0), burst: 1 }, newest), 1);
});
