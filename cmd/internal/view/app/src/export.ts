// What is looked at, as files: the picture and the data.

import type { Graph } from "./graph.ts";
import type { Place } from "./link.ts";
import { el } from "./dom.ts";

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const a = el("a", { href: url, download: name });
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function name(place: Place, ending: string): string {
  const space = place.space.replace(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, 40) || "space";
  return `orma-${space}-${(place.as_of || new Date().toISOString()).slice(0, 10)}.${ending}`;
}

/** data is the graph that is shown, as JSON. */
export function data(graph: Graph, place: Place): string {
  return JSON.stringify({ space: place.space, as_of: place.as_of || null, totals: graph.totals, nodes: [...graph.nodes.values()], links: [...graph.links.values()] }, null, 1);
}

export function saveData(graph: Graph, place: Place): void {
  save(new Blob([data(graph, place)], { type: "application/json" }), name(place, "json"));
}

export async function savePicture(picture: Promise<Blob>, place: Place): Promise<void> {
  save(await picture, name(place, "png"));
}
