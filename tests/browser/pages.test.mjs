// Every page of the sample events: headings, labels and contrast, no sideways scrolling on a
// phone, both languages, light and dark, and print.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { browser, serve, watched } from "./server.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let server, chrome, session;
const faults = [];
let paths = [];

before(async () => {
  server = await serve("--demo");
  chrome = await browser();
  const context = await chrome.newContext({ locale: "zh-CN" });
  const page = await watched(context, faults);
  await page.goto(server.setup);
  await page.getByLabel("用户名").fill("director");
  await page.getByLabel("密码").fill("a sentence to remember");
  await page.getByRole("button", { name: "设立管理员" }).click();
  session = await context.storageState();
  await page.goto(server.base);
  const events = await page.$$eval(".rows a.row", (links) => links.map((link) => link.getAttribute("href")));
  assert.equal(events.length, 3);
  paths = ["/", "/archive?q=1", "/manage", "/manage/new", "/manage/import"];
  for (const event of events) {
    await page.goto(server.base + event);
    const rounds = await page.$$eval(".rows a.row", (links) => links.map((link) => link.getAttribute("href")));
    const last = rounds[0];
    const manage = `/manage${event}`;
    paths.push(event, `${event}/standings`, `${event}/crosstable`, `${event}/find?q=1`, `${event}/players/1`, manage);
    paths.push(`${manage}/entries`, `${manage}/entries/1`, `${manage}/entries/import`, `${manage}/rounds`, `${manage}/rounds/by-hand`);
    paths.push(`${manage}/print`, `${manage}/print/standings`, `${manage}/print/programme`, `${manage}/finish`);
    paths.push(`${manage}/promotion`, `${manage}/prizes`);
    paths.push(`${manage}/settings`, `${manage}/log`, `${manage}/draws`, `${manage}/records`);
    if (last) {
      const round = last.match(/\d+$/)[0];
      paths.push(last, `${last}?by=name`, `${manage}/rounds/${round}`, `${manage}/rounds/${round}/results`);
      paths.push(`${last}/boards/1`, `${last}/boards/1/record`, `${manage}/rounds/${round}/codes`);
      paths.push(`${manage}/rounds/${round}/boards/1`, `${manage}/rounds/${round}/why`, `${event}/draw/${round}`);
    }
  }
  await context.close();
});

after(async () => {
  await chrome?.close();
  await server?.stop();
});

async function each(options, look) {
  const context = await chrome.newContext({ storageState: session, ...options });
  const page = await watched(context, faults);
  for (const path of paths) {
    const answer = await page.goto(server.base + path);
    assert.equal(answer.status(), 200, path);
    await look(page, path);
  }
  await context.close();
}

for (const [colorScheme, locale] of [["light", "zh-CN"], ["dark", "en-GB"]]) {
  test(`every page can be read by everybody (${colorScheme}, ${locale})`, async () => {
    const problems = [];
    await each({ colorScheme, locale, viewport: { width: 1280, height: 900 } }, async (page, path) => {
      await page.evaluate(axe);
      const found = await page.evaluate(async () => {
        const result = await globalThis.axe.run(document, {
          runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"],
        });
        return result.violations.map(
          ({ id, impact, nodes }) => `${impact} ${id} ×${nodes.length}: ${nodes[0].html.slice(0, 160)}`,
        );
      });
      // A fault of the frame is on every page: it is told once.
      for (const fault of found) {
        if (!problems.some((known) => known.endsWith(fault))) problems.push(`${path}: ${fault}`);
      }
      assert.equal(await page.locator("h1").count(), 1, `${path} has one heading`);
    });
    assert.deepEqual(problems.slice(0, 20), []);
  });
}

test("no page scrolls sideways on a phone", async () => {
  const wide = [];
  await each({ viewport: { width: 390, height: 844 }, locale: "zh-CN" }, async (page, path) => {
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > 390) wide.push(`${path}: ${width}`);
  });
  assert.deepEqual(wide, []);
});

test("the language is the browser's, can be changed, and stays", async () => {
  const context = await chrome.newContext({ locale: "fr-CH", extraHTTPHeaders: { "Accept-Language": "fr-CH, de;q=0.8" } });
  const page = await watched(context, faults);
  await page.goto(server.base);
  assert.equal(await page.getAttribute("html", "lang"), "en");
  await page.getByRole("button", { name: "中文" }).click();
  assert.equal(await page.getAttribute("html", "lang"), "zh-CN");
  await page.goto(`${server.base}${paths[5]}/standings`);
  assert.equal(await page.getAttribute("html", "lang"), "zh-CN");
  await context.close();
});

test("a page that has not changed is not sent again, and assets are kept for ever", async () => {
  const context = await chrome.newContext();
  const first = await context.request.get(server.base + paths[5]);
  const tag = first.headers().etag;
  assert.ok(tag);
  const again = await context.request.get(server.base + paths[5], { headers: { "If-None-Match": tag } });
  assert.equal(again.status(), 304);
  const style = (await first.text()).match(/\/static\/style\.[0-9a-f]{12}\.css/)[0];
  const asset = await context.request.get(server.base + style);
  assert.match(asset.headers()["cache-control"], /immutable/);
  await context.close();
});

test("nothing went wrong in the browser or on the server", () => {
  assert.deepEqual(faults, []);
});
