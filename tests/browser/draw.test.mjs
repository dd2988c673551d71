// The public pages of draws: the check in the browser agrees with the server, finds what is wrong
// in a falsified file, and what stands there for people without scripts gives the same.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { browser, serve, watched } from "./server.mjs";

let server, chrome, page, context;
const faults = [];
// A folder to keep pictures of the pages in, when somebody wants to look at them.
const pictures = process.env.PICTURES;

async function api(method, path, body, headers = {}) {
  const answer = await page.evaluate(
    async ([method, path, body, headers]) => {
      const response = await fetch(`/api/v1${path}`, {
        method,
        headers: { "content-type": "application/json", ...headers },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      return [response.status, await response.text()];
    },
    [method, path, body, headers],
  );
  assert.ok(answer[0] < 300, `${method} ${path}: ${answer}`);
  return answer[1] ? JSON.parse(answer[1]) : undefined;
}

before(async () => {
  server = await serve();
  chrome = await browser();
  context = await chrome.newContext({ locale: "zh-CN" });
  page = await watched(context, faults);
  await page.goto(server.setup);
  await page.getByLabel("用户名").fill("director");
  await page.getByLabel("密码").fill("a sentence to remember");
  await page.getByRole("button", { name: "设立管理员" }).click();
  await page.waitForURL(/manage/);
  const pairing = { order: "random", colours: "lots" };
  const event = (await api("POST", "/events", { name: "抽签杯", slug: "lots", rounds: 5, pairing })).id;
  const entries = Array.from({ length: 13 }, (_, i) => ({
    name: `棋手${i + 1}`,
    team: ["东湖", "西山", "南城"][i % 3],
    rating: 2400 - 20 * i,
  }));
  await api("POST", `/events/${event}/entries`, entries);
  await api("POST", `/events/${event}/draws/numbers/words`, { word: "it's 100% 天元", said_by: "张教练" });
  await api("POST", `/events/${event}/numbers/draw`, { seeded: [1, 2, 3] });
  await api("POST", `/events/${event}/groups/draw`, { groups: 3, split: "snake" });
  await api("POST", `/events/${event}/draws/1/words`, { word: "春风又绿江南岸", said_by: "李教练" });
  for (const round of [1, 2, 3]) {
    await api("POST", `/events/${event}/rounds`, { confirm: { repeats: true } });
    await api("POST", `/events/${event}/rounds/${round}/publish`);
    const table = await api("GET", `/events/${event}/rounds/${round}`);
    if (round === 3) break;
    await api("POST", `/events/${event}/draws/${round + 1}/words`, { word: `第${round + 1}轮 “${round}” \\n` });
    const results = table.boards.map(({ board }, i) => ({ board, result: (i + round) % 3 ? "black" : "white" }));
    await api("PUT", `/events/${event}/rounds/${round}/results`, { results });
  }
  const rules = (await api("POST", "/events", { name: "规则杯", slug: "rules", rounds: 3 })).id;
  await api("POST", `/events/${rules}/entries`, entries.slice(0, 6));
  await api("POST", `/events/${rules}/rounds`);
  await api("POST", `/events/${rules}/rounds/1/publish`);
});

after(async () => {
  await chrome?.close();
  await server?.stop();
});

// The names of the steps with their verdicts, once the check is done.
async function verdict(page) {
  await page.locator("[data-verdict]").filter({ hasText: /^[✓✗]/ }).waitFor();
  const steps = await page.$$eval("[data-step]:not([hidden])", (steps) =>
    steps.map((step) => [step.dataset.step, step.querySelector(".verdict").textContent]),
  );
  return { whole: (await page.locator("[data-verdict]").textContent())[0], steps: Object.fromEntries(steps) };
}

const checked = {
  "lots/draw/1": ["sum", "page", "commitment", "seed", "order", "colours", "players", "head"],
  "lots/draw/3": ["sum", "page", "commitment", "seed", "order", "colours", "players", "head"],
  "lots/draw/numbers": ["sum", "page", "commitment", "seed", "numbers", "head"],
  "lots/draw/groups": ["sum", "page", "commitment", "seed", "groups", "head"],
  "rules/draw/1": ["sum", "page", "players", "head"],
};

for (const [path, steps] of Object.entries(checked)) {
  test(`everything on ${path} holds, with the browser's own SHA-256 and with ours`, async () => {
    for (const own of [false, true]) {
      const visitor = await chrome.newContext({ locale: "en" });
      if (own) {
        await visitor.addInitScript(() => Object.defineProperty(crypto, "subtle", { value: undefined }));
      }
      const page = await watched(visitor, faults);
      await page.goto(`${server.base}/e/${path}`);
      await page.getByRole("button", { name: "Check here and now" }).click();
      const found = await verdict(page);
      assert.deepEqual(found, { whole: "✓", steps: Object.fromEntries(steps.map((step) => [step, "✓"])) });
      await visitor.close();
    }
  });
}

test("a falsified file shows where it is wrong", async () => {
  const visitor = await chrome.newContext({ locale: "zh-CN" });
  const page = await watched(visitor, faults);
  const change = async (path, file, falsify, wrong) => {
    await page.goto(`${server.base}/e/lots/draw/${path}`);
    const draw = structuredClone(file);
    falsify(draw);
    const buffer = Buffer.from(typeof draw === "string" ? draw : JSON.stringify(draw));
    await page.locator("[data-check-file]").setInputFiles({ name: "draw.json", mimeType: "application/json", buffer });
    const { whole, steps } = await verdict(page);
    assert.equal(whole, "✗", wrong);
    for (const step of wrong) assert.equal(steps[step], "✗", `${step} of ${JSON.stringify(steps)}`);
    return steps;
  };
  const fetched = async (path) => {
    await page.goto(`${server.base}/e/lots/draw/${path}`);
    const href = await page.locator("[data-check]").getAttribute("data-file");
    return page.evaluate((href) => fetch(href).then((answer) => answer.json()), href);
  };
  const swap = (list) => ([list[0], list[1]] = [list[1], list[0]]);
  const round = await fetched("3");
  await change("3", round, (file) => swap(file.order), ["sum", "order"]);
  await change("3", round, (file) => swap(file.colours), ["sum", "colours"]);
  await change("3", round, (file) => (file.secret = file.secret.replace(/^./, (c) => (c === "0" ? "1" : "0"))), [
    "sum", "page", "commitment", "seed",
  ]);
  await change("3", round, (file) => file.words.push("late"), ["sum", "page", "seed"]);
  await change("3", round, (file) => (file.table.boards[0].black = file.table.boards[1].black), ["sum", "players"]);
  const other = await change("3", await fetched("1"), () => {}, ["page"]);
  assert.equal(other.order, "✓", "a file of another round is whole, and not this page's");
  const numbers = await fetched("numbers");
  await change("numbers", numbers, ({ entries }) => {
    [entries[4].number, entries[5].number] = [entries[5].number, entries[4].number];
  }, ["sum", "numbers"]);
  const groups = await fetched("groups");
  await change("groups", groups, ({ entries }) => (entries[0].group = entries[0].group === "A" ? "B" : "A"), ["groups"]);
  // Not even JSON: said in words.
  await page.locator("[data-check-file]").setInputFiles({ name: "x.json", mimeType: "application/json", buffer: Buffer.from("{") });
  await page.locator("[data-verdict]").filter({ hasText: "✗ 抽签文件无法读取" }).waitFor();
  // A number on paper that is not the log's.
  await page.goto(`${server.base}/e/lots/draw/3`);
  await page.locator("[data-check-head]").fill("0123 4567 89ab");
  await page.locator("[data-check-head]").blur();
  assert.equal((await verdict(page)).steps.head, "✗");
  await page.locator("[data-check-head]").fill(await page.locator(".log-head b").textContent());
  await page.locator("[data-check-head]").blur();
  await page.locator('[data-step="head"] .verdict').filter({ hasText: "✓" }).waitFor();
  await visitor.close();
});

test("without scripts the commands on the page give what the page says", async () => {
  const visitor = await chrome.newContext({ locale: "en", javaScriptEnabled: false });
  const page = await watched(visitor, faults);
  for (const path of ["2", "numbers"]) {
    await page.goto(`${server.base}/e/lots/draw/${path}`);
    const commands = await page.locator(".draw-elsewhere code").allTextContents();
    const shells = commands.filter((command) => command.startsWith("printf"));
    const given = shells.map((command) => execFileSync("sh", ["-c", command], { encoding: "utf8" }).split(" ")[0]);
    const said = [await page.locator("#commitment").textContent(), await page.locator("#seed").textContent()];
    assert.deepEqual(given, said);
    assert.equal(await page.getByRole("button", { name: "Check here and now" }).isVisible(), false);
  }
  await page.goto(`${server.base}/e/lots/draw/4`);
  assert.equal(await page.locator("#secret").count(), 0, "promised and not drawn");
  await page.goto(`${server.base}/e/rules/draw/1`);
  assert.ok((await page.getByText("No lots were drawn for this round").count()) > 0);
  await visitor.close();
});

test("directors ask why two do not meet, and the pages fit a phone and paper", async () => {
  const paths = ["e/lots/draw/3", "e/lots/draw/4", "e/lots/draw/numbers", "e/lots/draw/groups", "e/rules/draw/1"];
  const manage = ["manage/e/lots/draws", "manage/e/rules/draws", "manage/e/lots/rounds/3/why?one=1&other=2&board=1"];
  const state = await context.storageState();
  for (const locale of ["zh-CN", "en"]) {
    for (const width of [1280, 390]) {
      const visitor = await chrome.newContext({ locale, viewport: { width, height: 900 }, storageState: state });
      const page = await watched(visitor, faults);
      for (const path of [...paths, ...manage]) {
        const answer = await page.goto(`${server.base}/${path}`);
        assert.equal(answer.status(), 200, path);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(wide <= 0, `${path} at ${width} is ${wide} too wide`);
        if (path === "e/lots/draw/3") {
          await page.locator("[data-check-now]").click();
          await verdict(page);
        }
        if (pictures) {
          const name = path.replace(/[?].*/, "").replaceAll("/", "-");
          await page.screenshot({ path: `${pictures}/${name}-${locale}-${width}.png`, fullPage: true });
        }
      }
      await visitor.close();
    }
  }
  if (pictures) {
    await page.goto(`${server.base}/e/lots/draw/3`);
    await page.pdf({ path: `${pictures}/draw.pdf`, format: "A4" });
  }
  await page.goto(`${server.base}/manage/e/lots/rounds/3/why`);
  await page.getByLabel("为何编号", { exact: true }).fill("1");
  await page.getByLabel("不与编号对局", { exact: true }).fill("99");
  await page.getByRole("button", { name: "查询" }).click();
  assert.ok((await page.locator(".problem").textContent()).includes("99"));
  await page.getByLabel("不与编号对局", { exact: true }).fill("2");
  await page.getByRole("button", { name: "查询" }).click();
  assert.ok((await page.locator("#answer").textContent()).length > 20);
  assert.deepEqual(faults, []);
});
