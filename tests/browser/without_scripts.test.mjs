// The director's round without scripts: plain forms, from pairing to the standings; and what
// forms on other sites cannot do.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browser, serve, watched } from "./server.mjs";

let server, chrome, context, page;
const faults = [];

before(async () => {
  server = await serve();
  chrome = await browser();
  context = await chrome.newContext({
    locale: "zh-CN",
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  page = await watched(context, faults);
  await page.goto(server.setup);
  await page.getByLabel("用户名").fill("director");
  await page.getByLabel("密码").fill("a sentence to remember");
  await page.getByRole("button", { name: "设立管理员" }).click();
});

after(async () => {
  await chrome?.close();
  await server?.stop();
});

const button = (name) => page.getByRole("button", { name, exact: true });
const shows = async (text) => assert.ok((await page.getByText(text).count()) > 0, `“${text}” on ${page.url()}`);

test("a round is paired, changed by hand, published and entered without scripts", async () => {
  await page.goto(`${server.base}/manage/new`);
  await page.getByLabel("赛事名称").fill("无脚本");
  await page.getByLabel("网址中的名称").fill("plain");
  await button("新建赛事").click();
  for (const name of ["甲", "乙", "丙", "丁", "戊", "己"]) {
    await page.goto(`${server.base}/manage/e/plain/entries`);
    const details = page.locator("details");
    if ((await details.getAttribute("open")) === null) await page.locator("summary").click();
    await page.getByLabel("姓名", { exact: true }).fill(name);
    await page.locator("details").getByRole("button", { name: "加入参赛者" }).click();
    await shows(`号${name}。`);
  }
  await page.goto(`${server.base}/manage/e/plain`);
  await button("编排第1轮").click();

  // Only one is ticked: told, and nothing changes.
  await page.locator('input[name=pick][value="2"]').check();
  await button("交换所选两人").click();
  await shows("请正好勾选两人（现在是1人）");
  await page.locator('input[name=pick][value="2"]').check();
  await page.locator('input[name=pick][value="3"]').check();
  await button("交换所选两人").click();
  await shows("互换位置。");
  await page.getByRole("link", { name: "保持原样" }).click();
  const numbers = () => page.locator(".pairing .p-bn, .pairing .p-wn").allTextContents();
  assert.deepEqual((await numbers()).map((text) => text.trim()), ["1", "2", "3", "4", "5", "6"]);
  await page.locator('input[name=pick][value="2"]').check();
  await page.locator('input[name=pick][value="3"]').check();
  await button("交换所选两人").click();
  await button("确认交换").click();
  await shows("已改动：");
  assert.deepEqual((await numbers()).map((text) => text.trim()), ["1", "3", "2", "4", "5", "6"]);
  await button("发布第1轮").click();
  await shows("第1轮已发布");

  await page.locator("a.seal-button", { hasText: "录入成绩" }).click();
  await page.locator("#board-1").getByLabel("黑胜").check();
  await page.locator("#board-2").getByLabel("和棋").check();
  await page.locator("#board-3 select").selectOption("both_lose");
  // Somebody else enters board 2 meanwhile.
  const other = await context.newPage();
  await other.goto(`${server.base}/manage/e/plain/rounds/1/boards/2`);
  await other.getByRole("radio", { name: "白胜", exact: true }).check();
  await other.getByRole("button", { name: "保存第2台" }).click();
  await other.close();
  await button("保存成绩").first().click();
  await shows("已保存2台。另有1台在此期间被他人更改");
  await shows("第2台：他人已录入“白胜”，您选的是“和棋”。");
  await page.goto(`${server.base}/manage/e/plain`);
  await shows("第1轮成绩齐全。");
  await page.goto(`${server.base}/e/plain/standings`);
  const rows = await page.locator(".standings tbody tr").allTextContents();
  assert.equal(rows.length, 6);
});

test("a form on another site changes nothing", async () => {
  const attempt = (headers) =>
    context.request.post(`${server.base}/manage/e/plain/rounds`, { form: { round: "2" }, headers, maxRedirects: 0 });
  for (const headers of [
    { "Sec-Fetch-Site": "cross-site", Origin: "https://elsewhere.example" },
    { Origin: "https://elsewhere.example" },
  ]) {
    assert.equal((await attempt(headers)).status(), 403);
  }
  // A GET of such an address changes nothing: it leads back to the page with the form.
  for (const path of ["publish", "throw-away", "swap"]) {
    const answer = await context.request.get(`${server.base}/manage/e/plain/rounds/1/${path}`, { maxRedirects: 0 });
    assert.equal(answer.status(), 303, path);
    assert.equal(answer.headers().location, "/manage/e/plain/rounds/1", path);
  }
  await page.goto(`${server.base}/manage/e/plain`);
  await shows("编排第2轮");
});

test("two directors who both pair get one round, and the second learns whose it is", async () => {
  // Each with cookies of its own: what one is told once, the other must not take.
  const storageState = await context.storageState();
  const directors = await Promise.all([1, 2].map(() => chrome.newContext({ storageState, locale: "zh-CN" })));
  const twice = await Promise.all(
    directors.map(({ request }) => request.post(`${server.base}/manage/e/plain/rounds`, { form: { round: "2" } })),
  );
  for (const answer of twice) assert.match(answer.url(), /\/manage\/e\/plain\/rounds\/2$/);
  const told = (await Promise.all(twice.map((answer) => answer.text()))).filter((text) => text.includes("已由director于"));
  assert.equal(told.length, 1);
  await Promise.all(directors.map((director) => director.close()));
});

test("nothing went wrong", () => {
  assert.deepEqual(faults, []);
});
