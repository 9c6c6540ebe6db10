// Chromium, drawing in software, and what every page is held to: no request leaves its
// origin, nothing breaks the content security policy, no script throws.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const found = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((p) => existsSync(p));
const shots = process.env.ORMA_SCREENSHOTS;
if (shots) mkdirSync(shots, { recursive: true });

export async function launch({ webgl = true } = {}) {
  const drawing = webgl ? ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] : ["--disable-gpu", "--disable-3d-apis"];
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? found, args: ["--no-sandbox", ...drawing] });
}

/** open opens a page at an address and watches it; its watch.check() fails on what may not be. */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 820 }, colorScheme: "dark", acceptDownloads: true, ...options });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const origin = new URL(url).origin;
  const wrong = [];
  page.on("request", (r) => {
    if (!r.url().startsWith(origin + "/") && !/^(blob|data):/.test(r.url())) wrong.push(`a request left for ${r.url().slice(0, 120)}`);
  });
  page.on("pageerror", (e) => wrong.push(`a script threw: ${e.message}`));
  page.on("console", (m) => /Content Security Policy|Refused to/i.test(m.text()) && wrong.push(m.text()));
  page.on("dialog", (d) => {
    wrong.push(`a dialog opened: ${d.message()}`);
    void d.dismiss();
  });
  page.check_ = () => {
    if (wrong.length) throw new Error(wrong.join("\n"));
  };
  await page.goto(url);
  return page;
}

/** drawn waits for the picture to hold at least so many nodes, and to stand still. */
export async function drawn(page, nodes = 1) {
  await page.waitForFunction((n) => Number(document.querySelector("#scene canvas")?.dataset.nodes ?? 0) >= n, nodes);
}

export async function shot(page, name) {
  if (shots) await page.screenshot({ path: join(shots, `${name}.png`) });
}

/** close ends a page, and fails on what it should not have done. */
export async function close(page) {
  const { check_ } = page;
  await page.context().close();
  check_();
}
