// How long the first picture, the whole picture and a frame take, drawn in software:
// node bench.mjs [NODES …]. Each size gets a memory that benchmarks/view makes. The figures
// mean something on an idle machine only.
import { spawnSync } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, open } from "./browser.mjs";
import { home, serve } from "./server.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const frames = 40;
const whole = 10_000; // nodes that the view gets without being asked
const everything = "#kinds=entity,state,conditional,rule,event,passage";

/** make puts a memory of about so many nodes into a folder. */
function make(dir, nodes) {
  const r = spawnSync("go", ["run", "./benchmarks/view", "-nodes", String(nodes), "-rounds", "1", "-keep", join(dir, "memory.db")], { cwd: root, encoding: "utf8" });
  if (r.status !== 0) throw new Error(r.stderr);
}

async function measure(browser, nodes) {
  const dir = home();
  make(dir, nodes);
  const server = await serve(dir);
  const first = [];
  const all = [];
  // Of a small memory everything is drawn; a large one is seen from its hubs.
  const address = server.view + (nodes <= whole ? everything : "");
  for (let i = 0; i < 3; i++) {
    const page = await open(browser, address);
    await page.waitForFunction(() => performance.getEntriesByName("orma:first-picture").length > 0);
    first.push(await page.evaluate(() => performance.getEntriesByName("orma:first-picture")[0].startTime));
    await page.waitForFunction(() => performance.getEntriesByName("orma:whole-picture").length > 0, null, { timeout: 120_000 });
    all.push(await page.evaluate(() => performance.getEntriesByName("orma:whole-picture")[0].startTime));
    if (i < 2) {
      await page.context().close();
      continue;
    }
    // The camera turns by the mouse; the time between frames is what a person sees.
    const turning = page.evaluate((n) => new Promise((done) => {
      const at = [];
      const step = (t) => (at.push(t), at.length > n ? done(at) : requestAnimationFrame(step));
      requestAnimationFrame(step);
    }), frames);
    await page.mouse.move(500, 400);
    await page.mouse.down();
    let over = false;
    void turning.finally(() => (over = true));
    for (let x = 0; !over; x++) await page.mouse.move(500 + (x % 300), 400 + (x % 40));
    await page.mouse.up();
    const at = await turning;
    const gaps = at.slice(1).map((t, k) => t - at[k]).sort((a, b) => a - b);
    const data = await page.evaluate(() => ({ ...document.querySelector("#scene canvas").dataset }));
    const t = (await server.call("GET", "/graph?limit=1")).totals;
    console.log(JSON.stringify({
      stored: t.states + t.rules + t.conditionals + t.entities + t.events + t.passages, drawn: Number(data.nodes), links: Number(data.links), draw_calls: Number(data.calls),
      first_picture_ms: first.map(Math.round), whole_picture_ms: all.map(Math.round), frame_median_ms: Math.round(gaps[Math.floor(gaps.length / 2)]), frame_p95_ms: Math.round(gaps[Math.floor(gaps.length * 0.95)]),
    }));
    await page.context().close();
  }
  await server.stop();
}

const sizes = process.argv.slice(2).map(Number).filter((n) => n > 0);
const browser = await launch();
for (const n of sizes.length ? sizes : [10_000, 100_000]) await measure(browser, n);
await browser.close();
