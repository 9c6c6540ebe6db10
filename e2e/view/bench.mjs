// How long the first picture and a frame take, drawn in software: node bench.mjs [NODES …].
// Each size gets a database of its own: some lines that the rules turned into facts, and
// many that name people. The figures mean something on an idle machine only.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { launch, open } from "./browser.mjs";
import { home, run, serve } from "./server.mjs";

const frames = 40;
const slept = 300; // lines that the rules turn into facts

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

const begin = Date.parse("2026-01-01T08:00:00Z");
const line = (i, text) => JSON.stringify({ text, role: "user", at: new Date(begin + i * 60_000).toISOString() });

/** facts are lines that sleep turns into states. */
function facts(n) {
  return Array.from({ length: n }, (_, i) => line(i, `My friend ${name(i)} lives in ${cities[i % cities.length]} and works as a ${jobs[i % jobs.length]}.`));
}

/** meetings are lines that name three people each, who are nodes as soon as they are named. */
function meetings(people) {
  return Array.from({ length: Math.ceil(people / 3) }, (_, i) =>
    line(slept + i, `${name(slept + i * 3)} met ${name(slept + i * 3 + 1)} and ${name(slept + i * 3 + 2)} in ${cities[i % cities.length]}.`));
}

async function measure(browser, nodes) {
  const dir = home();
  const file = join(dir, "lines.jsonl");
  writeFileSync(file, facts(slept).join("\n"));
  run(dir, "import", file);
  run(dir, "sleep", "--backend", "rules");
  writeFileSync(file, meetings(nodes - 3 * slept).join("\n"));
  run(dir, "import", file);
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
    const t = (await server.call("GET", "/graph?limit=1")).totals;
    console.log(JSON.stringify({
      nodes_asked: nodes, stored: t.states + t.rules + t.conditionals + t.entities, drawn: Number(data.nodes), links: Number(data.links), draw_calls: Number(data.calls),
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
