// Every page there is, with everything in it that can be in it, in both languages, on a phone and on a
// desk, light and dark: axe finds nothing, nothing scrolls sideways, what is tapped is large enough, no
// other host is asked, a page is light, and no word is in the other language. A route that nobody has
// put into `pages` fails.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { browser, serve } from "./server.mjs";
import { NAMES, administrator, build } from "./world.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
// With LOOK=… only the pages whose address it matches are looked at.
const only = process.env.LOOK;
// The most that a page may weigh as it is sent, with its styles and scripts.
const MOST = 100_000;

// What axe looks for, and the part of it that colours and a narrow screen alone can change.
const ALL = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"];
const LOOKS = ["color-contrast", "link-in-text-block", "scrollable-region-focusable"];

// The addresses of each route. A form that is sent comes back with what is wrong in it: those are pages
// too, written as [address, fields].
const pages = (world) => {
  const lake = "/manage/e/lake";
  return {
    "/": ["/"],
    "/archive": ["/archive", "/archive?q=赵", "/archive?q=xyz"],
    "/f/{family}": [`/f/${world.family}`, "/f/nowhere"],
    "/f/{family}/find": [`/f/${world.family}/find`, `/f/${world.family}/find?q=1`, `/f/${world.family}/find?q=xyz`],
    "/f/{family}/screen": [`/f/${world.family}/screen`, `/f/${world.family}/screen?page=3`],
    "/manage/families/new": ["/manage/families/new", ["/manage/families/new", { name: "" }]],
    "/manage/f/{family}": [`/manage/f/${world.family}`, [`/manage/f/${world.family}/pair`, {}]],
    "/manage/f/{family}/entries/import": [
      `/manage/f/${world.family}/entries/import`,
      [`/manage/f/${world.family}/entries/import`, { text: "姓名,组别\n韩松,公开组\n赵青山,女子组" }, "multipart"],
    ],
    "/manage/f/{family}/print/{sheet}": ["pairing", "standings"].map((sheet) => `/manage/f/${world.family}/print/${sheet}`),
    "/manage/e/{slug}/split": ["/manage/e/two/split", "/manage/e/weekend/split", "/manage/e/fresh/split"],
    "/e/{slug}": ["/e/lake", "/e/degree", "/e/weekend", "/e/fresh", "/e/nowhere"],
    "/e/{slug}/rounds/{round}": [
      "/e/lake/rounds/4", "/e/lake/rounds/2", "/e/lake/rounds/4?by=name", "/e/lake/rounds/9",
      `/e/${world.many}/rounds/9`, `/e/${world.many}/rounds/9?by=name`,
    ],
    "/e/{slug}/rounds/{round}/withdrawn": ["/e/lake/rounds/2/withdrawn", "/e/lake/rounds/1/withdrawn"],
    "/e/{slug}/rounds/{round}/boards/{board}": ["/e/lake/rounds/4/boards/1", "/e/lake/rounds/4/boards/2?move=3", "/e/lake/rounds/4/boards/3"],
    "/e/{slug}/rounds/{round}/boards/{board}/record": ["/e/lake/rounds/4/boards/3/record", ["/e/lake/rounds/4/boards/3/record", { code: "" }]],
    "/e/{slug}/standings": ["/e/lake/standings", "/e/degree/standings?after=2", "/e/fresh/standings", `/e/${world.many}/standings`],
    "/e/{slug}/standings/compare": ["/e/lake/standings/compare?p=1&p=2", "/e/lake/standings/compare?p=1", `/e/${world.many}/standings/compare?p=1&p=2`],
    "/e/{slug}/standings/{number}": ["/e/lake/standings/1", `/e/${world.many}/standings/3`],
    "/e/{slug}/crosstable": ["/e/lake/crosstable", "/e/fresh/crosstable", `/e/${world.many}/crosstable`],
    "/e/{slug}/players/{number}": ["/e/lake/players/1", "/e/lake/players/5", "/e/lake/players/7", `/e/${world.many}/players/1`],
    "/e/{slug}/find": ["/e/lake/find", "/e/lake/find?q=1", "/e/lake/find?q=xyz", `/e/${world.many}/find?q=1`],
    "/e/{slug}/find/poster": ["/e/lake/find/poster"],
    "/e/{slug}/screen": ["board", "name", "standings", "draw"].map((show) => `/e/lake/screen?show=${show}`).concat("/e/weekend/screen", `/e/${world.many}/screen`),
    "/e/{slug}/sign-up": ["/e/weekend/sign-up", "/e/lake/sign-up", ["/e/weekend/sign-up", { name: "", grade: "99d", contact: "" }]],
    "/e/{slug}/sign-up/{key}": [world.signUp, "/e/weekend/sign-up/none"],
    "/e/{slug}/hand-in": [
      world.handIn, "/e/lake/hand-in", "/e/weekend/hand-in", "/e/lake/hand-in?number=1&code=xyz",
      ["/e/lake/hand-in", { number: "1", code: "xyz", result: "won" }],
    ],
    "/e/{slug}/draw/{what}": ["/e/lake/draw/4", "/e/lake/draw/numbers", "/e/lake/draw/groups", `/e/${world.many}/draw/1`],
    "/r/{token}": [world.link, "/r/none"],
    "/setup/{token}": ["/setup/none"],
    "/invitation/{token}": [world.invitation, "/invitation/none", [world.invitation, { how: "new", name: "", password: "1" }]],
    "/manage": ["/manage"],
    "/manage/sign-in": ["/manage/sign-in", ["/manage/sign-in", { name: "nobody", password: "wrong" }]],
    "/manage/account": ["/manage/account", ["/manage/account/password", { old: "wrong", password: "short" }], ["/manage/account/add-token", { name: "记分台" }]],
    "/manage/users": ["/manage/users", ["/manage/users/invite", { role: "director", note: "二号厅" }]],
    "/manage/new": ["/manage/new", ["/manage/new", { name: "", rounds: "0", slug: "!" }]],
    "/manage/import": ["/manage/import"],
    "/manage/e/{slug}": [lake, "/manage/e/degree", "/manage/e/weekend", "/manage/e/fresh", `/manage/e/${world.many}`],
    "/manage/e/{slug}/entries": [`${lake}/entries`, "/manage/e/fresh/entries", [`${lake}/entries`, { name: "", grade: "99d" }], `/manage/e/${world.many}/entries`],
    "/manage/e/{slug}/entries/import": [
      `${lake}/entries/import`, ["/manage/e/weekend/entries/import", { text: "姓名,段位\n韩松,3d\n赵青山,99d\n,1d", how: "preview" }, "multipart"],
    ],
    "/manage/e/{slug}/check-in": ["/manage/e/weekend/check-in", "/manage/e/weekend/check-in?show=missing", `/manage/e/${world.many}/check-in`],
    "/manage/e/{slug}/sign-ups": ["/manage/e/weekend/sign-ups", `${lake}/sign-ups`],
    "/manage/e/{slug}/entries/{number}": [
      `${lake}/entries/1`, `${lake}/entries/5`, `${lake}/entries/7`, "/manage/e/weekend/entries/1", [`${lake}/entries/1`, { name: "", grade: "99d" }],
      [`${lake}/entries/1/withdraw`, { after: "x" }],
    ],
    "/manage/e/{slug}/draws": [`${lake}/draws`, "/manage/e/weekend/draws"],
    "/manage/e/{slug}/rounds": [`${lake}/rounds`, "/manage/e/fresh/rounds"],
    "/manage/e/{slug}/rounds/by-hand": [`${lake}/rounds/by-hand`, "/manage/e/weekend/rounds/by-hand"],
    "/manage/e/{slug}/rounds/{round}": [`${lake}/rounds/5`, `${lake}/rounds/4`, [`${lake}/rounds/5/publish-at`, { at: "yesterday" }]],
    "/manage/e/{slug}/rounds/{round}/why": [`${lake}/rounds/5/why`, `${lake}/rounds/5/why?board=1`, `${lake}/rounds/5/why?one=1&other=2`],
    "/manage/e/{slug}/rounds/{round}/results": [`${lake}/rounds/4/results`, `${lake}/rounds/4/results?open=1`, `/manage/e/${world.many}/rounds/9/results`, "/manage/e/degree/rounds/3/results", [`${lake}/rounds/3/results`, { w1: "", o1: "both_lose" }]],
    "/manage/e/{slug}/rounds/{round}/slips": [`${lake}/rounds/4/slips`],
    "/manage/e/{slug}/result-links": [`${lake}/result-links`, [`${lake}/result-links`, { name: "二号厅", first: "9", last: "2", hours: "12" }]],
    "/manage/e/{slug}/result-links/cards": [`${lake}/result-links/cards`, "/manage/e/weekend/result-links/cards"],
    "/manage/e/{slug}/rounds/{round}/boards/{board}": [
      `${lake}/rounds/4/boards/1`, `${lake}/rounds/4/boards/6`, [`${lake}/rounds/4/boards/1`, { result: "black", margin: "-3", version: "0" }],
    ],
    "/manage/e/{slug}/rounds/{round}/codes": [`${lake}/rounds/4/codes`, "/manage/e/degree/rounds/3/codes"],
    "/manage/e/{slug}/records": [`${lake}/records`, "/manage/e/fresh/records"],
    "/manage/e/{slug}/settings": [`${lake}/settings`, "/manage/e/fresh/settings", [`${lake}/settings`, { name: "", rounds: "x" }]],
    "/manage/e/{slug}/people": [`${lake}/people`, [`${lake}/people/invite`, { role: "viewer", note: "记分台" }]],
    "/manage/e/{slug}/print": [`${lake}/print`, "/manage/e/fresh/print"],
    "/manage/e/{slug}/print/{sheet}": world.sheets.map((sheet) => `/manage/e/degree/print/${sheet}`).concat(`/manage/e/${world.many}/print/crosstable`),
    "/manage/e/{slug}/finish": [`${lake}/finish`, "/manage/e/degree/finish"],
    "/manage/e/{slug}/promotion": [`${lake}/promotion`, "/manage/e/degree/promotion"],
    "/manage/e/{slug}/prizes": [`${lake}/prizes`, "/manage/e/degree/prizes"],
    "/manage/e/{slug}/log": [`${lake}/log`, `${lake}/log?round=2&board=1`, `/manage/e/${world.many}/log`],
  };
};

// Routes that answer a file, numbers for a script, or the way to another page.
const NO_PAGES = [
  "/e/{slug}/rounds/{round}/boards/{board}/count",
  "/e/{slug}/rounds/{round}/boards/{board}/record.sgf",
  "/manage/e/{slug}/rounds/{round}/boards/{board}/record",
  "/manage/e/{slug}/rounds/{round}/boards/{board}/record/{version}",
  "/static/{file}",
];

// Latin letters in a Chinese page that are no English words: units, formats, keys, codes.
const LATIN = /^(tianyuan|PageUp|PageDown|Big5|Shift_JIS|EUC-[A-Z]+|xlsx|zs|gb18030|utf-8|big5|shift_jis|UTF-16[A-Z]+|[A-Z]?\d*|[A-Z]{2,5}\d*(-?\d+)?|[a-z]|[Nn]o|Excel|GB18030|UTF-8|SHA-256|MiB|Mac|Tromp-Taylor|yesterday|windows-125\d|euc-kr|Ctrl|Tab|Enter|Esc|Home|End|km|HeadlessChrome|Chrome|Linux|X11)$/;

let server, chrome, world, session, routes;
const keys = new Set();

before(async () => {
  for (const file of readdirSync(path.join(root, "crates/web/translations/en"))) {
    const text = readFileSync(path.join(root, "crates/web/translations/en", file), "utf8");
    for (const [, key] of text.matchAll(/^([a-z][a-z0-9-]*) =/gm)) if (key.includes("-")) keys.add(key);
  }
  const source = ["mod.rs", "manage/mod.rs"].map((name) => readFileSync(path.join(root, "crates/web/src/pages", name), "utf8")).join("\n");
  routes = [...source.matchAll(/\.route\(\s*"([^"]+)",\s*(\w+)\(/g)].filter(([, , how]) => how === "get").map(([, route]) => route);
  assert.ok(routes.length > 40, `${routes}`);
  server = await serve();
  chrome = await browser();
});

after(async () => {
  await chrome?.close();
  await server?.stop();
});

// What the reader sees and hears of a page in its own language: texts, and attributes that are read.
function words() {
  const { lang } = document.documentElement;
  const foreign = (element) => {
    const own = element.closest("[lang]");
    return own && own.lang !== lang;
  };
  const found = [document.title];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const parent = walk.currentNode.parentElement;
    if (!parent.closest("script, style, code, textarea") && !foreign(parent)) found.push(walk.currentNode.data);
  }
  for (const element of document.body.querySelectorAll("[title], [aria-label], [placeholder], [alt]")) {
    if (foreign(element)) continue;
    for (const name of ["title", "aria-label", "placeholder", "alt"]) {
      if (element.hasAttribute(name)) found.push(element.getAttribute(name));
    }
  }
  return found.map((text) => text.trim()).filter(Boolean);
}

// What is too small to be tapped: 44 px is the least.
function small() {
  const seen = (element) => element.checkVisibility() && !element.closest(".unseen, .skip, .top, .foot");
  return [...document.querySelectorAll("button, .button, select, summary, input, textarea")]
    .filter((element) => element.type !== "hidden" && seen(element))
    .map((element) => (/radio|checkbox/.test(element.type) ? (element.closest("label") ?? element.labels?.[0] ?? element) : element))
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 43.5)
    .map((element) => `${Math.round(element.getBoundingClientRect().height)} px: ${element.outerHTML.slice(0, 90).replaceAll("\n", " ")}`);
}

function strangers(lang, texts) {
  const names = NAMES.toSorted((one, other) => other.length - one.length);
  const found = new Set();
  for (const text of texts) {
    // A command, hashes, and grades as people may type them in any language.
    let rest = text.replaceAll(/tianyuan user add \S+ --role director|[0-9a-f]{12,}|九段|5段|3级/g, " ");
    for (const name of names) rest = rest.replaceAll(name, " ");
    if (keys.has(text.trim()) && text.split("-").length > 2) found.add(`an untranslated key: ${text}`);
    if (/\{ ?\$|undefined|\bNaN\b|\[object/.test(rest)) found.add(`not filled in: ${text}`);
    if (lang === "en" && /\p{Script=Han}|[，。；：、“”（）？！]/u.test(rest.replace(/[“”]/g, ""))) found.add(`Chinese: ${text}`);
    if (lang !== "en") {
      const bare = rest.replace(/https?:\/\/\S+|\/[\w/{}.?=&-]+|[\w.+-]+@[\w.-]+|[A-Z][a-z]+\/[A-Z][A-Za-z_]+|“xyz”|[a-z]{4}(-[a-z]{4})+/g, " ");
      const english = bare.match(/[A-Za-z][A-Za-z0-9_-]*/g)?.filter((word) => !LATIN.test(word)) ?? [];
      if (english.length) found.add(`English ${english.slice(0, 4)}: ${text.slice(0, 80)}`);
    }
  }
  return [...found];
}

// Everything that is looked at on one page. What the frame has wrong is told once.
const weights = new Map();
const weighing = [];
const heaviest = [];
async function look(page, place, problems) {
  const tell = (what) => {
    if (!problems.some((known) => known.endsWith(what))) problems.push(`${place}: ${what}`);
  };
  const lang = await page.getAttribute("html", "lang");
  const schemes = lang === "en" ? ["dark", "light"] : ["light", "dark"];
  for (const [at, width] of [1280, 390].entries()) {
    await page.emulateMedia({ colorScheme: schemes[at] });
    await page.setViewportSize({ width, height: 844 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide > width) tell(`scrolls sideways at ${width}: ${wide}`);
    // The long tables are the same pages with more rows.
    if (place.includes(world?.many)) continue;
    const found = await page.evaluate(async (runOnly) => {
      const { violations } = await globalThis.axe.run(document, { runOnly, resultTypes: ["violations"] });
      return violations.map(({ id, impact, nodes }) => `${impact} ${id} ×${nodes.length}: ${nodes[0].html.slice(0, 160)}`);
    }, at === 0 || lang !== "en" ? ALL : LOOKS);
    found.forEach((fault) => tell(`${schemes[at]} ${width} ${fault}`));
  }
  if (!/screen|poster/.test(place)) (await page.evaluate(small)).slice(0, 3).forEach(tell);
  strangers(lang, await page.evaluate(words)).slice(0, 5).forEach(tell);
  const headings = await page.locator("h1").count();
  if (headings !== 1) tell(`${headings} headings`);
  // Styles and scripts are sent once and kept: they are weighed with every page all the same.
  const parts = await page.$$eval("link[rel=stylesheet], script[src]", (all) => all.map((one) => one.href ?? one.src));
  await page.waitForLoadState("load");
  await Promise.all(weighing.splice(0));
  const sent = [page.url(), ...parts].map((url) => weights.get(url) ?? 0);
  const weight = sent.reduce((sum, part) => sum + part, 0);
  if (!weight) tell("was not weighed");
  heaviest.push([weight, place]);
  if (weight > MOST) tell(`weighs ${weight} bytes`);
}

async function opened(context, problems) {
  const page = await context.newPage();
  await page.addInitScript(axe);
  page.on("pageerror", (error) => problems.push(`${page.url()}: ${error}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) problems.push(`${page.url()}: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== server.base) problems.push(`${page.url()} asks ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 500) problems.push(`${response.url()}: ${response.status()}`);
  });
  page.on("requestfinished", (request) => {
    const weigh = async () => {
      const sizes = await request.sizes().catch(() => undefined);
      // What the browser had kept was not sent, and comes out as less than nothing.
      if (sizes?.responseBodySize > 0) weights.set(request.url(), sizes.responseBodySize);
    };
    weighing.push(weigh());
  });
  return page;
}

async function go(page, address) {
  if (typeof address === "string") return page.goto(server.base + address);
  const [action, fields, enctype] = address;
  await page.goto(`${server.base}/archive`);
  const answered = page.waitForResponse((response) => response.request().isNavigationRequest());
  await page.evaluate(
    ([action, fields, enctype]) => {
      const form = Object.assign(document.createElement("form"), { method: "post", action });
      if (enctype) form.enctype = `${enctype}/form-data`;
      for (const [name, value] of Object.entries(fields)) {
        form.append(Object.assign(document.createElement("textarea"), { name, value }));
      }
      document.body.append(form);
      form.submit();
    },
    [action, fields, enctype],
  );
  const answer = await answered;
  await page.waitForLoadState("load");
  return answer;
}

test("the first page of a new server", async () => {
  const problems = [];
  for (const locale of ["zh-CN", "en"]) {
    const context = await chrome.newContext({ locale });
    const page = await opened(context, problems);
    await page.goto(server.setup);
    await look(page, "/setup", problems);
    await context.close();
  }
  const made = await administrator(chrome, server);
  world = await build(made.agent, server.base);
  session = await made.context.storageState();
  await made.context.close();
  assert.equal(problems.join("\n"), "");
});

test("every route that answers a page is looked at", () => {
  const known = [...Object.keys(pages(world)), ...NO_PAGES];
  assert.deepEqual(routes.filter((route) => !known.includes(route)), [], "put these routes into `pages`");
  assert.deepEqual(known.filter((route) => !routes.includes(route)), [], "these routes are no more");
});

for (const locale of ["zh-CN", "en"]) {
  test(`every page can be read and used by everybody (${locale})`, async (t) => {
    const problems = [];
    const queue = Object.values(pages(world)).flat();
    const chosen = queue.filter((address) => !only || new RegExp(only).test(`${address}`));
    const looker = async () => {
      const context = await chrome.newContext({ storageState: session, locale });
      const guest = await chrome.newContext({ locale });
      const [page, other] = [await opened(context, problems), await opened(guest, problems)];
      for (let address = chosen.shift(); address; address = chosen.shift()) {
        const place = typeof address === "string" ? address : `${address[0]} (sent)`;
        // Whoever is signed in finds no place to do so, and is invited otherwise.
        const on = /sign-in|sign-up|invitation|\/r\//.test(place) ? other : page;
        try {
          await go(on, address);
          await look(on, place, problems);
        } catch (error) {
          problems.push(`${place}: ${error.message.slice(0, 300)}`);
        }
      }
      await context.close();
      await guest.close();
    };
    await Promise.all([looker(), looker()]);
    const [most, place] = heaviest.toSorted(([one], [other]) => other - one)[0];
    t.diagnostic(`the heaviest page, ${place}, is sent in ${most} bytes`);
    assert.equal(problems.join("\n"), "");
  });
}
