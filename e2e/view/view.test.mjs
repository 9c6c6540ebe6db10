// What people do in the view, done in a real browser with the real program.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { close, drawn, launch, open, shot } from "./browser.mjs";
import { history, home, model, run, serve, serveReadOnly } from "./server.mjs";

let browser;
let server; // with the shipped history
before(async () => {
  browser = await launch();
  server = await serve(history());
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const text = (page, selector) => page.locator(selector).first().innerText();
const hits = (page) => page.locator("#results .hit").evaluateAll((all) => all.map((e) => e.dataset.node));
const searched = (page) => page.waitForFunction(() => /result|Nothing/.test(document.querySelector("#results .status")?.textContent ?? ""));

async function search(page, words) {
  await page.fill("#query", words);
  await page.press("#query", "Enter");
  await searched(page);
}

test("the memory is drawn, in a few draw calls, and an idle view draws nothing", async () => {
  const page = await open(browser, server.view, { reducedMotion: "reduce" });
  await drawn(page, 20);
  await shot(page, "graph-dark");
  const frames = () => page.evaluate(() => Number(document.querySelector("#scene canvas").dataset.frames));
  const settled = async () => {
    for (let before = -1; ;) {
      const now = await frames();
      if (now === before) return now;
      before = now;
      await page.waitForTimeout(500);
    }
  };
  const at = await settled();
  await page.waitForTimeout(1000);
  assert.equal(await frames(), at, "frames were drawn though nothing changed");
  assert.ok(await page.evaluate(() => Number(document.querySelector("#scene canvas").dataset.calls)) <= 6);
  for (const kind of ["entity", "state", "rule"]) assert.ok(Number(await text(page, `#legend .kind-${kind} .n`)) > 0, `no ${kind} is counted`);
  await page.click("#menu summary");
  await page.click("#theme"); // dark
  await page.click("#theme"); // light
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
  await shot(page, "graph-light");
  await close(page);
});

test("pulses run along the links, and rest where motion is not wanted", async () => {
  const page = await open(browser, server.view);
  await drawn(page, 20);
  const frames = () => page.evaluate(() => Number(document.querySelector("#scene canvas").dataset.frames));
  await page.mouse.move(600, 400);
  await page.mouse.move(640, 420);
  const at = await frames();
  await page.waitForFunction((n) => Number(document.querySelector("#scene canvas").dataset.frames) > n + 2, at);
  await close(page);
});

test("search flies to the best node, replays how activation spread, and explains the scores", async () => {
  const page = await open(browser, server.view);
  await drawn(page, 20);
  await page.evaluate(() => {
    window.told = [];
    new MutationObserver(() => window.told.push(document.querySelector("#results .hops")?.textContent ?? "")).observe(document.querySelector("#results"), { subtree: true, childList: true });
  });
  await search(page, "Where does my sister Devika live?");
  await page.waitForSelector("#inspector:not([hidden]) .title");
  const list = await hits(page);
  assert.ok(list.length > 3);
  assert.equal(new URL(page.url()).hash.includes(`node=${list[0]}`), true, "the best node is not the one that is opened");
  await page.waitForFunction(() => window.told.some((t) => t.includes("Hop 1 of")));
  await shot(page, "search-hop");
  await page.waitForFunction(() => document.querySelector("#results .hops")?.textContent.includes("Done."));
  assert.ok((await page.locator("#results .parts .bar").count()) > 0);
  assert.match(await text(page, "#results .parts .num"), /^[+−]\d/);
  await shot(page, "search");

  // The camera is at the node: a click in the middle of the picture picks it again.
  await page.keyboard.press("Escape");
  await page.waitForSelector("#inspector", { state: "hidden" });
  const box = await page.locator("#scene").boundingBox();
  await page.click("#scene canvas", { position: { x: box.width / 2, y: box.height / 2 } });
  await page.waitForSelector("#inspector:not([hidden]) .title");
  await close(page);
});

test("a stage is switched off and the ranking changes", async () => {
  const page = await open(browser, `${server.view}#q=${encodeURIComponent("What should I drink for a sore throat?")}`);
  await searched(page);
  await page.waitForSelector("#results .hit");
  const before = await hits(page);
  await page.click("#results .stages > summary");
  await page.locator('#results [data-stage="score_fusion"]').uncheck();
  await page.waitForFunction(() => location.hash.includes("off=score_fusion"));
  await page.waitForSelector("#results .move");
  const without = await hits(page);
  assert.notDeepEqual(without, before);
  await shot(page, "search-stage-off");
  await page.locator("#results .stages").getByText("As configured").click();
  await page.waitForSelector("#results .move", { state: "detached" });
  assert.deepEqual(await hits(page), before);
  await close(page);
});

test("the inspector shows value, both clocks, sources in context and history", async () => {
  const facts = (await server.call("GET", "/facts?history=true&limit=500")).facts;
  const moved = facts.find((f) => f.subject === "user" && f.attribute === "home_city" && f.active);
  const page = await open(browser, `${server.view}#node=s${moved.id}`);
  await page.waitForSelector("#inspector .title");
  assert.equal(await text(page, "#inspector .title"), moved.value);
  const words = await text(page, "#inspector");
  assert.ok(words.includes(moved.valid_from.slice(0, 10)), "when it was true");
  assert.match(words, /Learnt/);
  assert.ok(words.includes(`[${moved.sources[0].mark}]`));
  assert.equal(await text(page, "#inspector .source mark"), moved.sources[0].text);
  assert.ok((await page.locator("#inspector .timeline li").count()) >= 2, "its history");
  await drawn(page, 20);
  await page.waitForTimeout(1500); // until the flight is over, for the picture
  await shot(page, "inspector");
  await page.locator("#inspector .timeline button:not([disabled])").first().click();
  await page.waitForFunction((v) => document.querySelector("#inspector .title").textContent !== v, moved.value);
  assert.match(await text(page, "#inspector .chips"), /ended|forgotten/);
  await page.locator("#inspector .source .mark").first().click();
  await page.waitForFunction(() => /node=p\d+/.test(location.hash));
  await page.waitForSelector("#inspector .source mark");
  await close(page);
});

test("correct, forget, forbid, lift and erase, each after a question", async () => {
  const dir = home();
  run(dir, "add", "I live in Porto. My sister Ana lives in Braga.");
  run(dir, "sleep", "--backend", "rules");
  const own = await serve(dir);
  const facts = async () => (await own.call("GET", "/facts")).facts;
  const city = (await facts()).find((f) => f.value === "Porto");
  const page = await open(browser, `${own.view}#node=s${city.id}`);
  const act = (name) => page.locator("#inspector .actions").getByRole("button", { name }).click();
  const yes = (name) => page.locator("dialog").getByRole("button", { name, exact: true }).click();

  await act("Correct");
  await page.fill("dialog textarea", "Faro");
  await shot(page, "ask-correct");
  await yes("Correct");
  await page.waitForFunction(() => document.querySelector("#inspector .title")?.textContent === "Faro");
  assert.ok((await facts()).some((f) => f.value === "Faro" && f.active));

  await act("Forget");
  await yes("Cancel");
  assert.ok((await facts()).some((f) => f.value === "Faro" && f.active), "it was forgotten though the answer was no");
  await act("Forget");
  await yes("Forget");
  await page.waitForFunction(() => document.querySelector("#inspector .chips")?.textContent.includes("forgotten"));

  await page.click("#menu summary");
  await page.click("#new-rule");
  await page.fill("dialog textarea", "peanuts");
  await yes("Forbid");
  await page.waitForFunction(() => document.querySelector("#legend .kind-rule .n").textContent === "1");
  const rule = (await facts()).find((f) => f.forbidden);
  await page.goto(`${own.view}#node=s${rule.id}`);
  await page.waitForFunction(() => document.querySelector("#inspector .chips")?.textContent.includes("forbidden"));
  await act("Lift");
  await yes("Lift");
  await page.waitForFunction(() => !document.querySelector("#inspector .chips")?.textContent.includes("stands"));
  assert.equal((await facts()).filter((f) => f.forbidden && f.active).length, 0);

  const sister = (await facts()).find((f) => f.value === "Braga");
  await page.goto(`${own.view}#node=s${sister.id}`);
  await page.waitForFunction(() => document.querySelector("#inspector .title")?.textContent === "Braga");
  await act("Erase");
  assert.match(await text(page, "dialog blockquote"), /I live in Porto\. My sister Ana/);
  assert.match(await text(page, "dialog"), /Braga/);
  await shot(page, "ask-erase");
  await yes("Erase for good");
  await page.waitForSelector("dialog", { state: "detached" });
  await page.waitForFunction(() => /Erased/.test(document.querySelector("#say").textContent));
  await assert.rejects(own.call("GET", `/episodes/${sister.sources[0].episode}`), /404/);
  await close(page);
  await own.stop();
});

test("a turn through the proxy is in the drawer within a second; after sleep its state is in the graph, with its source", async () => {
  const upstream = await model("Noted.");
  const own = await serve(home(), { upstream: upstream.address });
  const page = await open(browser, own.view);
  await page.waitForSelector("#empty:not([hidden])");
  await page.click("#drawer-handle");
  await page.waitForSelector("#drawer .live.on");
  const began = Date.now();
  const r = await fetch(`${own.origin}/v1/chat/completions`, {
    method: "POST", headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "My brother Tiago works as a plumber in Coimbra." }] }),
  });
  assert.equal((await r.json()).choices[0].message.content, "Noted.");
  const answered = Date.now();
  await page.waitForFunction(() => [...document.querySelectorAll("#drawer .turn .said")].some((e) => e.textContent.includes("Tiago")), null, { polling: 20 });
  const took = Date.now() - answered;
  // A busy machine is slow in everything; it is given what the chat itself took.
  assert.ok(took < 1000 + (answered - began), `it took ${took} ms`);
  await page.locator("#tab-waiting").click();
  await page.waitForFunction(() => /Waiting \(\d+\)/.test(document.querySelector("#tab-waiting").textContent));
  await shot(page, "drawer-waiting");
  await own.call("POST", "/sleep", { backend: "rules" });
  await drawn(page, 2);
  const fact = (await own.call("GET", "/facts")).facts.find((f) => /plumber/.test(f.value));
  assert.ok(fact, "sleep found no fact");
  await page.locator('[data-mode="list"]').first().click();
  await page.locator("#text-view .item-open", { hasText: "plumber" }).first().click();
  await page.waitForSelector("#inspector .source mark");
  assert.match(await text(page, "#inspector .source mark"), /Tiago works as a plumber/);
  await close(page);
  await own.stop();
  upstream.stop();
});

test("sleep now: progress, what was accepted, and what was rejected with the reason", async () => {
  const own = await serve(history({ awake: true }), { args: ["--set", "sleep.pending_episodes=10000", "--set", "sleep.idle_seconds=100000"] }); // not by itself
  const page = await open(browser, own.view);
  await page.click("#drawer-handle");
  await page.waitForFunction(() => document.querySelector("#tab-waiting").textContent.includes("("));
  await page.getByRole("button", { name: "Sleep now" }).click();
  await page.waitForSelector("#drawer progress");
  await page.waitForFunction(() => /accepted/.test(document.querySelector("#drawer .progress").textContent), null, { timeout: 120_000 });
  assert.equal(await page.locator("#tab-last").getAttribute("aria-selected"), "true");
  const report = await text(page, "#drawer .report");
  assert.match(report, /Accepted \([1-9]/i);
  assert.match(report, /Rejected \([1-9]/i);
  assert.ok((await page.locator("#drawer .item.bad .chip").first().innerText()).length > 3, "why it was rejected");
  assert.ok((await page.locator("#drawer .item.bad .quote").first().innerText()).length > 3, "the line that it was in");
  await page.waitForFunction(() => Number(document.querySelector("#legend .kind-state .n").textContent) > 10);
  await shot(page, "drawer-sleep");
  await close(page);
  await own.stop();
});

test("spaces, time, filters and links that keep them", async () => {
  await server.call("POST", "/episodes", { space: "work", text: "The printer is in room 12." });
  const page = await open(browser, server.view);
  await drawn(page, 20);
  const n = () => page.evaluate(() => Number(document.querySelector("#scene canvas").dataset.nodes));
  const all = await n();
  await page.locator("#as-of").focus();
  await page.evaluate(() => {
    const s = document.querySelector("#as-of");
    s.value = String(Number(s.min) + 20);
    s.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await page.waitForFunction(() => location.hash.includes("as_of="));
  await page.waitForFunction((a) => Number(document.querySelector("#scene canvas").dataset.nodes) < a, all);
  assert.match(await text(page, "#as-of-text"), /As of 2026-01/);
  await shot(page, "as-of");
  await page.click("#as-of-now");
  await page.waitForFunction((a) => Number(document.querySelector("#scene canvas").dataset.nodes) === a, all);

  await page.locator('#legend [data-kind="entity"]').uncheck();
  await page.locator('#legend [data-kind="state"]').uncheck();
  await page.locator('#legend [data-kind="passage"]').check();
  await page.waitForFunction(() => location.hash.includes("kinds=conditional%2Crule%2Cpassage"));
  await page.waitForFunction((a) => Number(document.querySelector("#scene canvas").dataset.nodes) > a, all);
  await shot(page, "passages");
  await page.click("#filters-button");
  await page.fill("#f-from", "2026-02-01");
  await page.fill("#f-to", "2026-02-20");
  await page.selectOption("#f-trust", "note");
  await page.waitForFunction(() => /from=2026-02-01.*to=2026-02-20/.test(location.hash) && location.hash.includes("trust=note"));
  await shot(page, "filters");
  const link = page.url();
  const filtered = await page.waitForFunction((a) => {
    const n = Number(document.querySelector("#scene canvas").dataset.nodes);
    return n > 0 && n < a && n;
  }, all).then((h) => h.jsonValue());
  const second = await open(browser, link);
  await drawn(second, 1);
  await second.waitForFunction((f) => Number(document.querySelector("#scene canvas").dataset.nodes) === f, filtered);
  assert.equal(await second.locator('#legend [data-kind="entity"]').isChecked(), false);
  assert.equal(await second.locator("#f-trust").inputValue(), "note");
  await close(second);
  await page.locator("#filters").getByText("Clear all").click();
  await page.waitForFunction((a) => Number(document.querySelector("#scene canvas").dataset.nodes) === a, all);

  await page.selectOption("#space", "work");
  await page.waitForFunction(() => location.hash.includes("space=work"));
  await page.waitForFunction((a) => Number(document.querySelector("#scene canvas").dataset.nodes) < a, all);
  await page.goBack();
  await page.waitForFunction((a) => Number(document.querySelector("#scene canvas").dataset.nodes) === a, all);
  await close(page);
});

test("the picture and the data are saved as files", async () => {
  const page = await open(browser, server.view);
  await drawn(page, 20);
  const save = async (id) => {
    const waiting = page.waitForEvent("download");
    await page.click("#menu summary");
    await page.click(id);
    const d = await waiting;
    return { name: d.suggestedFilename(), bytes: await readFile(await d.path()) };
  };
  const png = await save("#save-png");
  assert.match(png.name, /^orma-default-\d{4}-\d\d-\d\d\.png$/);
  assert.equal(png.bytes.subarray(1, 4).toString(), "PNG");
  assert.ok(png.bytes.length > 20_000, "the picture is empty");
  const json = JSON.parse((await save("#save-json")).bytes.toString());
  assert.equal(json.nodes.length, await page.evaluate(() => Number(document.querySelector("#scene canvas").dataset.nodes)));
  assert.ok(json.links.length > 0 && json.totals.states > 0);
  await close(page);
});

test("all of it by keyboard, in list and table", async () => {
  const page = await open(browser, server.view, { reducedMotion: "reduce" });
  await drawn(page, 20);
  await page.keyboard.press("Tab"); // "Skip to the list"
  await page.keyboard.press("Enter");
  await page.waitForSelector("#text-view .item-open");
  assert.equal(await page.evaluate(() => document.activeElement.id), "text-view");
  await page.keyboard.press("Tab");
  const first = await page.evaluate(() => document.activeElement.dataset.node);
  assert.ok(first, "the first item of the list has the focus");
  await shot(page, "list");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.id === "inspector-title");
  await page.keyboard.press("Escape");
  await page.waitForFunction((id) => document.activeElement.dataset.node === id, first);
  await page.keyboard.press("/");
  await page.keyboard.type("sister");
  await page.keyboard.press("Enter");
  await searched(page);
  assert.ok((await hits(page)).length > 0);

  await page.locator('.modes [data-mode="table"]').focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector("#text-view table");
  const by = async (name) => {
    await page.locator("#text-view thead").getByRole("button", { name }).focus();
    await page.keyboard.press("Enter");
  };
  await by("From");
  const column = await page.locator("#text-view tbody td:nth-child(3)").allInnerTexts();
  const days = column.filter(Boolean);
  assert.deepEqual(days, [...days].sort().reverse(), "sorted by the day, newest first");
  await shot(page, "table");
  assert.equal(await page.locator('th[aria-sort="descending"]').count(), 1);
  await close(page);
});

test("without WebGL there is the list, and it says why", async () => {
  const plain = await launch({ webgl: false });
  try {
    const page = await open(plain, server.view);
    await page.waitForSelector("#text-view .item-open");
    const button = page.locator('.modes [data-mode="graph"]');
    assert.equal(await button.isDisabled(), true);
    assert.match(await button.getAttribute("title"), /WebGL/);
    await page.locator("#text-view .item-open").nth(1).click();
    await page.waitForSelector("#inspector .actions");
    await search(page, "sister Devika");
    assert.ok((await hits(page)).length > 0);
    await close(page);
  } finally {
    await plain.close();
  }
});

test("on a small screen the list comes first, and nothing runs over the edge", async () => {
  const page = await open(browser, server.view, { viewport: { width: 390, height: 844 } });
  await page.waitForSelector("#text-view .item-open");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page scrolls sideways");
  await shot(page, "phone");
  await page.locator("#text-view .item-open").nth(1).click();
  await page.waitForSelector("#inspector .actions");
  await shot(page, "phone-inspector");
  await close(page);
});

test("everything has a name for a screen reader", async () => {
  const page = await open(browser, `${server.view}#q=sister`);
  await searched(page);
  await page.click("#drawer-handle");
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, textarea, a[href], summary, [role=tab]")].filter((e) => {
    const labelled = e.getAttribute("aria-labelledby");
    const name = e.getAttribute("aria-label") || (labelled && document.getElementById(labelled)?.textContent) || e.textContent || [...(e.labels ?? [])].map((l) => l.textContent).join("");
    return !name.trim();
  }).map((e) => e.outerHTML.slice(0, 120)));
  assert.deepEqual(nameless, []);
  const live = await page.locator('[aria-live="polite"]').count();
  assert.ok(live >= 3, "results, counts and messages are read out");
  await close(page);
});

test("hostile names are text, in every view of them", async () => {
  const evil = ["<img src=x onerror=\"window.pwned=1\">", "</script><script>window.pwned=1</script>", "\u202egnp.exe", "مرحبا بالعالم", "long".repeat(2560), "\" onmouseover=\"window.pwned=1", "${7*7} {{7*7}} javascript:window.pwned=1"];
  const space = "<img src=x onerror=window.pwned=1>";
  const own = await serve(home());
  for (const rule of evil) await own.call("POST", "/rules", { space, rule });
  await own.call("POST", "/episodes", { space, speaker: "<b onclick=alert(1)>Eve", source: "<svg onload=alert(1)>", role: "user", text: `My sister </script><img src=x onerror=alert(1)> lives in ${evil[0]}. I live in Porto.` });
  await own.call("POST", "/sleep", { space, backend: "rules" });
  const rules = (await own.call("GET", `/facts?space=${encodeURIComponent(space)}`)).facts.filter((f) => f.forbidden);
  assert.ok(rules.length >= 5, "the rules were taken");
  const page = await open(browser, `${own.view}#space=${encodeURIComponent(space)}`, { reducedMotion: "reduce" });
  await drawn(page, 5);
  assert.equal(await page.locator("#space option:checked").innerText(), space);
  await shot(page, "hostile");
  for (const f of rules) {
    await page.goto(`${own.view}#space=${encodeURIComponent(space)}&node=s${f.id}`);
    await page.waitForFunction((id) => location.hash.includes(id) && document.querySelector("#inspector .title"), `s${f.id}`);
  }
  await page.locator('.modes [data-mode="list"]').click();
  await page.waitForSelector("#text-view .item-open");
  assert.ok((await text(page, "#text-view")).includes(evil[0]));
  await shot(page, "hostile-list");
  await page.locator('.modes [data-mode="table"]').click();
  await page.click("#drawer-handle");
  await page.waitForSelector("#drawer .turn");
  await page.locator("#tab-last").click();
  await search(page, evil[0]);
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.equal(await page.locator("img, iframe, object, embed, main script, aside script, section script").count(), 0);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), "a long name widens the page");
  await close(page);
  await own.stop();
});

test("the page has a strict policy, and nothing of a token in its address", async () => {
  const policy = (await fetch(server.view)).headers.get("content-security-policy");
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  const page = await open(browser, server.view);
  await page.addScriptTag({ content: "window.inline = 1" }).catch(() => undefined);
  assert.equal(await page.evaluate(() => window.inline), undefined);
  await page.context().close();
});

test("a token that is wanted, wrong, and right", async () => {
  const own = await serve(home(), { args: ["--private"] });
  const page = await open(browser, own.view);
  await page.waitForSelector("#token-field");
  assert.match(await text(page, "#token h2"), /token is wanted/);
  await shot(page, "token");
  await page.fill("#token-field", "orma_wrong");
  await page.press("#token-field", "Enter");
  await page.waitForFunction(() => document.querySelector("#token h2")?.textContent.includes("not accepted"));
  await page.fill("#token-field", own.token);
  await page.press("#token-field", "Enter");
  await page.waitForSelector("#empty:not([hidden])");
  await page.waitForSelector("#token", { state: "hidden" });
  await page.reload();
  await page.waitForSelector("#empty:not([hidden])"); // kept for this tab
  const linked = await open(browser, `${own.view}#token=${own.token}&mode=list`);
  await linked.waitForSelector("#empty:not([hidden])");
  assert.ok(!linked.url().includes("token"), "the token stays in the address");
  await close(linked);
  await close(page);
  await own.stop();
});

test("a token for reading shows everything and changes nothing", async () => {
  const dir = home();
  run(dir, "add", "I live in Porto.");
  run(dir, "sleep", "--backend", "rules");
  const { token } = JSON.parse(run(dir, "token", "new", "reader", "--all", "--right", "read", "--json"));
  const own = await serve(dir, { args: ["--set", "serve.tokens=on"] });
  const page = await open(browser, `${own.view}#token=${token}&mode=list`);
  await page.locator("#text-view .item-open", { hasText: "Porto" }).first().click();
  await page.waitForSelector("#inspector .actions button");
  for (const b of await page.locator("#inspector .actions button").all()) assert.equal(await b.isDisabled(), true);
  assert.match(await text(page, "#inspector .actions"), /token is for reading/);
  await close(page);
  await own.stop();
});

test("a lost server is said, tried again, and found", async () => {
  const dir = history();
  let own = await serve(dir);
  const page = await open(browser, own.view);
  await drawn(page, 20);
  await page.click("#drawer-handle");
  await page.waitForSelector("#drawer .live.on");
  await own.stop();
  await page.waitForSelector('#banner[data-why="lost"]');
  assert.match(await text(page, "#banner"), /does not answer/);
  await page.waitForSelector("#drawer .live.off");
  await shot(page, "lost");
  own = await serve(dir, { port: own.port });
  await own.call("POST", "/episodes", { text: "I am back at the desk.", role: "user" });
  await page.waitForSelector("#banner", { state: "hidden" });
  await page.waitForSelector("#drawer .live.on");
  await page.waitForFunction(() => [...document.querySelectorAll("#drawer .said")].some((e) => e.textContent.includes("back at the desk")));
  await close(page);
  await own.stop();
});

test("an empty memory says what to do, and takes a first line", async () => {
  const own = await serve(home());
  const page = await open(browser, own.view);
  await page.waitForSelector("#first-note");
  assert.ok((await text(page, "#empty")).includes(`${own.origin}/v1`));
  await shot(page, "empty");
  await page.fill("#first-note", "My sister Ana lives in Braga.");
  await page.press("#first-note", "Enter");
  await page.waitForFunction(() => document.querySelector("#first-note") === null);
  assert.equal((await own.call("GET", "/stats")).spaces[0].episodes, 1);
  await close(page);
  await own.stop();
});

test("a read-only database is said, and looked at", async () => {
  const own = await serveReadOnly(history());
  const page = await open(browser, own.view);
  await page.waitForSelector('#banner[data-why="read_only"]');
  await drawn(page, 20);
  const fact = (await own.call("GET", "/facts")).facts.find((f) => f.active && !f.forbidden);
  await page.goto(`${own.view}#node=s${fact.id}`);
  await page.waitForSelector("#inspector .actions button");
  for (const b of await page.locator("#inspector .actions button").all()) assert.equal(await b.isDisabled(), true);
  await page.click("#drawer-handle");
  assert.equal(await page.getByRole("button", { name: "Sleep now" }).isDisabled(), true);
  await search(page, "sister Devika");
  assert.ok((await hits(page)).length > 0);
  await shot(page, "read-only");
  await close(page);
  await own.stop();
});
