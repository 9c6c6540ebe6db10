// What people who mean ill, bad luck and haste do to the view: nothing throws, nothing leaves
// the origin, and there is always a word and a way on.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { close, drawn, launch, open, shot } from "./browser.mjs";
import { history, home, run, serve } from "./server.mjs";

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

const still = { reducedMotion: "reduce" };
const nodes = (page) => page.evaluate(() => Number(document.querySelector("#scene canvas").dataset.nodes));
const evil = "<img src=x onerror=\"window.pwned=1\">\u202e</script>";

test("mangled addresses open the memory, one after the other in one tab", async () => {
  const page = await open(browser, server.view, still);
  await drawn(page, 20);
  for (const hash of [
    "node=s99999999999999999999", "node=e0&node=<img>", "node=__proto__", "space=__proto__", `space=${encodeURIComponent(evil)}`, "space=" + "x".repeat(4000), "as_of=9999-12-31", "as_of=0001-01-01",
    "as_of=2026-02-30", "as_of=-1", "from=2026-12-31&to=2026-01-01", "kinds=", "kinds=passage,passage,x", "off=nothere,bm25&on=nothere&q=sister", `q=${encodeURIComponent(evil.repeat(60))}`,
    `source=${encodeURIComponent(evil)}`, "q=%E0%A4%A", "%", "mode=table&q=" + "a ".repeat(900),
  ]) {
    await page.goto(`${server.view}#${hash}`);
    await page.waitForTimeout(150);
    // There is something to see, or a word why there is not.
    await page.waitForFunction(() => {
      const seen = (s) => document.querySelector(s)?.checkVisibility();
      return seen("#empty") || seen("#banner") || seen("#text-view") || Number(document.querySelector("#scene canvas").dataset.nodes) > 0;
    });
  }
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  await page.goto(server.view + "#");
  await drawn(page, 20);
  await close(page);
});

test("a token that is pasted into an open tab is used and leaves the address", async () => {
  const own = await serve(home(), { args: ["--private"] });
  const page = await open(browser, own.view);
  await page.waitForSelector("#token-field");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => document.activeElement === document.body || document.querySelector("#token").contains(document.activeElement)), "what is behind the form has the focus");
  await page.goto(`${own.view}#token=${own.token}&mode=list`);
  await page.waitForSelector("#empty:not([hidden])");
  await page.waitForSelector("#token", { state: "hidden" });
  assert.ok(!page.url().includes("token"), "the token stays in the address");
  await close(page);
  await own.stop();
});

test("a token that is revoked while the view is open is asked for again", async () => {
  const dir = home();
  run(dir, "add", "I live in Porto.");
  run(dir, "sleep", "--backend", "rules");
  const made = JSON.parse(run(dir, "token", "new", "guest", "--all", "--json"));
  const own = await serve(dir, { args: ["--set", "serve.tokens=on"] });
  const page = await open(browser, `${own.view}#token=${made.token}&mode=list`);
  await page.waitForSelector("#text-view .item-open");
  run(dir, "token", "revoke", made.id);
  await page.locator("#text-view .item-open").first().click();
  await page.waitForSelector("#token-field");
  assert.match(await page.locator("#token h2").innerText(), /not accepted/);
  await close(page);
  await own.stop();
});

test("a server that dies during an action says so in the question, which stays", async () => {
  const dir = history();
  let own = await serve(dir);
  const fact = (await own.call("GET", "/facts")).facts.find((f) => f.active && !f.forbidden);
  const page = await open(browser, `${own.view}#node=s${fact.id}`, still);
  await page.waitForSelector("#inspector .actions button");
  await page.locator("#inspector .actions button", { hasText: "Correct" }).click();
  await page.fill("#ask-field", "something else");
  await own.stop();
  await page.locator("dialog button[type=submit]").click();
  await page.waitForFunction(() => document.querySelector("dialog .wrong")?.textContent.includes("does not answer"));
  assert.equal(await page.locator("#ask-field").inputValue(), "something else", "what was typed is lost");
  own = await serve(dir, { port: own.port });
  await page.locator("dialog button[type=submit]").click();
  await page.waitForSelector("dialog", { state: "detached" });
  await page.waitForFunction(() => document.querySelector("#inspector .title")?.textContent.includes("something else"));
  await close(page);
  await own.stop();
});

test("an answer that breaks off, or is none of Orma's, is said", async () => {
  const page = await open(browser, server.view, still);
  await drawn(page, 20);
  await page.route("**/v1/search", (r) => r.fulfill({ status: 200, contentType: "text/html", body: `<h1>${evil}</h1>` }));
  await page.fill("#query", "sister");
  await page.press("#query", "Enter");
  await page.waitForFunction(() => /not one of Orma's/.test(document.querySelector("#results .status").textContent));
  await page.unroute("**/v1/search");
  await page.route("**/v1/search", (r) => r.fulfill({ status: 500, contentType: "application/json", body: JSON.stringify({ error: { code: "internal", message: evil.repeat(500), hint: evil.repeat(500) } }) }));
  await page.fill("#query", "brother");
  await page.press("#query", "Enter");
  await page.waitForFunction(() => document.querySelector("#results .status").textContent.includes("<img"));
  assert.ok((await page.locator("#results .status").innerText()).length < 1000, "a message of many kilobytes fills the page");
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  await close(page);
});

test("quick clicks and steps back: what was opened last is what is shown", async () => {
  const page = await open(browser, `${server.view}#mode=list`, still);
  await page.waitForSelector("#text-view .item-open");
  // Answers come late, and the first ones last.
  let asked = 0;
  await page.route(/\/v1\/graph\/[a-z]\d+/, async (r) => {
    const wait = Math.max(0, 600 - 150 * asked++);
    await new Promise((done) => setTimeout(done, wait));
    await r.continue().catch(() => undefined);
  });
  const ids = await page.locator("#text-view .item-open").evaluateAll((all) => all.slice(1, 6).map((e) => e.dataset.node));
  for (const id of ids) await page.evaluate((i) => document.querySelector(`#text-view [data-node="${i}"]`).click(), id);
  const want = (await server.call("GET", `/graph/${ids.at(-1)}`)).label;
  const title = () => page.locator("#inspector .title").innerText();
  await page.waitForSelector("#inspector .title");
  await page.waitForTimeout(900);
  assert.ok(want.includes((await title()).slice(0, 20)));
  assert.ok(page.url().includes(`node=${ids.at(-1)}`));
  for (let i = 0; i < 3; i++) await page.goBack();
  await page.goForward();
  await page.waitForFunction((id) => location.hash.includes(`node=${id}`), ids[2]);
  await page.waitForFunction((id) => document.querySelector("#text-view [aria-current]")?.dataset.node === id, ids[2]);
  await close(page);
});

test("an answer about a space that was left does not come into the next", async () => {
  await server.call("POST", "/episodes", { space: "other", text: "The printer is in room 12." });
  const page = await open(browser, server.view, still);
  await drawn(page, 20);
  await page.route(/\/v1\/graph\?.*of=/, async (r) => {
    await new Promise((done) => setTimeout(done, 700));
    await r.continue().catch(() => undefined);
  });
  await page.fill("#query", "Where does my sister Devika live?");
  await page.press("#query", "Enter");
  await page.waitForSelector("#results .hit");
  await page.selectOption("#space", "other");
  await page.waitForFunction(() => location.hash.includes("space=other"));
  await page.waitForTimeout(1800);
  const shown = await page.evaluate(() => document.querySelector("#scene canvas").dataset.nodes);
  const there = (await server.call("GET", "/graph?space=other")).nodes.length;
  assert.equal(Number(shown), there);
  await close(page);
});

test("a space that is erased while it is open leaves a word and a way on", async () => {
  const own = await serve(home());
  const { added: [{ id }] } = await own.call("POST", "/episodes", { space: "gone", role: "user", text: "My sister Ana lives in Braga." });
  await own.call("POST", "/sleep", { space: "gone", backend: "rules" });
  const page = await open(browser, `${own.view}#space=gone`, still);
  await drawn(page, 2);
  const other = await open(browser, `${own.view}#space=gone&mode=list`, still);
  await other.waitForSelector("#text-view .item-open");
  await own.call("DELETE", `/episodes/${id}?space=gone`);
  // Both tabs hear of it.
  await page.waitForSelector("#empty:not([hidden])");
  await other.waitForSelector("#empty:not([hidden])");
  await shot(page, "erased");
  await close(other);
  await close(page);
  await own.stop();
});

test("a lost picture is drawn again, and the list is there meanwhile", async () => {
  const page = await open(browser, server.view, still);
  await drawn(page, 20);
  await page.evaluate(() => {
    const gl = document.querySelector("#scene canvas").getContext("webgl2");
    window.lose = gl.getExtension("WEBGL_lose_context");
    window.lose.loseContext();
  });
  await page.waitForFunction(() => /lost the picture/.test(document.querySelector("#say").textContent));
  await page.locator('.modes [data-mode="list"]').click();
  await page.waitForSelector("#text-view .item-open");
  await page.locator('.modes [data-mode="graph"]').click();
  await page.evaluate(() => window.lose.restoreContext());
  await page.waitForFunction(() => /is back/.test(document.querySelector("#say").textContent));
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.click("#overview");
  await page.emulateMedia({ reducedMotion: "reduce" });
  const at = await page.evaluate(() => Number(document.querySelector("#scene canvas").dataset.frames));
  await page.click("#overview");
  await page.waitForFunction((n) => Number(document.querySelector("#scene canvas").dataset.frames) > n, at);
  assert.ok((await nodes(page)) > 20);
  await shot(page, "restored");
  await close(page);
});

test("a browser that keeps nothing still shows the memory", async () => {
  const page = await open(browser, server.view, still);
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
  });
  await page.reload();
  await drawn(page, 20);
  await page.click("#menu summary");
  await page.click("#theme");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await close(page);
});
