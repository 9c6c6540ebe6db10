// How long the first picture and a frame take, drawn in software: node bench.mjs [NODES …].
// Each size gets a database of its own, made of lines that the rules turn into facts. The
// figures mean something on an idle machine only.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { launch, open } from "./browser.mjs";
import { home, run, serve } from "./server.mjs";

const frames = 40;

const beginnings = ["Ka", "Lo", "Mi", "Ra", "Su", "Te", "Vo", "Ni", "Ja", "Du"];
const middles = ["ren", "lan", "vik", "mor", "sal", "dri", "bel", "tor", "nas", "lum"];
const ends = ["a", "o", "in", "el", "us", "ia", "er", "on", "as", "et"];
const cities = ["Lisbon", "Porto", "Kochi", "Oslo", "Turin", "Graz", "Lyon", "Bergen", "Malmo", "Ghent", "Cork", "Bath"];
const jobs = ["plumber", "nurse", "baker", "teacher", "carpenter", "pilot", "welder", "gardener"];

/** name makes a name out of a number, another for each. */
function name(n) {
  const word = (k) => beginnings[k % 10] + middles[Math.floor(k / 10) % 10] + ends[Math.floor(k / 100) % 10];
  return `${word(n % 1000)} ${word(Math.floor(n / 1000) + 7)}son`;
}

/** lines that give about so many nodes: people, where they live and what they do. */
function* lines(nodes) {
  const people = Math.ceil(nodes / 3);
  const begin = Date.parse("2026-01-01T08:00:00Z");
  for (let i = 0; i < people; i++) {
    const who = name(i);
    const at = new Date(begin + i * 60_000).toISOString();
    yield { text: `My friend ${who} lives in ${cities[i % cities.length]} and works as a ${jobs[i % jobs.length]}.`, role: "user", at };
  }
}

async function measure(browser, nodes) {
  const dir = home();
  const file = join(dir, "lines.jsonl");
  writeFileSync(file, [...lines(nodes)].map((l) => JSON.stringify(l)).join("\n"));
  run(dir, "import", file);
  run(dir, "sleep", "--backend", "rules");
  const server = await serve(dir);
  const first = [];
  for (let i = 0; i < 3; i++) {
    const page = await open(browser, server.view);
    await page.waitForFunction(() => performance.getEntriesByName("orma:first-picture").length > 0);
    first.push(await page.evaluate(() => performance.getEntriesByName("orma:first-picture")[0].startTime));
    if (i < 2) {
      await page.context().close();
      continue;
    }
    await page.waitForTimeout(3000); // until the pages that follow the first are there
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
    const totals = await server.call("GET", "/stats");
    const s = totals.spaces[0];
    console.log(JSON.stringify({
      nodes_asked: nodes, stored: s.states + s.rules + s.entities, drawn: Number(data.nodes), links: Number(data.links), draw_calls: Number(data.calls),
      first_picture_ms: first.map(Math.round), frame_median_ms: Math.round(gaps[Math.floor(gaps.length / 2)]), frame_p95_ms: Math.round(gaps[Math.floor(gaps.length * 0.95)]),
    }));
    await page.context().close();
  }
  await server.stop();
}

const sizes = process.argv.slice(2).map(Number).filter((n) => n > 0);
const browser = await launch();
for (const n of sizes.length ? sizes : [10_000, 100_000]) await measure(browser, n);
await browser.close();
