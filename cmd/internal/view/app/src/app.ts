// What the parts of the view share: the server, the place that is looked at, and the few
// things that one part asks of the others.

import type { Client } from "./api.ts";
import type { Graph } from "./graph.ts";
import type { Place } from "./link.ts";
import type { Wave } from "./spread.ts";

export interface App {
  client: Client;
  graph: Graph;
  place: Place;
  /** whyNot says why nothing can be changed; empty where it can. */
  whyNot: string;
  /** go changes the place, and with it the address and what is shown. */
  go(change: Partial<Place>): void;
  /** select opens a node in the inspector, and brings it to the middle if `fly`. Where
   * there is no picture the focus goes along, unless it was not a person who asked. */
  select(id: string, fly: boolean, focus?: boolean): Promise<void>;
  /** hold gets nodes that the view does not have yet. */
  hold(ids: string[]): Promise<void>;
  /** grow gets the neighbours of a node. */
  grow(id: string): Promise<void>;
  /** replay shows how activation spread. */
  replay(w: Wave, onHop: (hop: number) => void): void;
  /** changed says that something was written: all is asked for again. */
  changed(): void;
  /** say tells a person what happened; screen readers read it out. */
  say(text: string): void;
  /** fail tells a person what went wrong, and what to do. */
  fail(e: unknown): void;
}
