// What a director meets when things do not go smoothly: each time a sentence that names the thing
// and the way out, with everything that was typed still there.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browser, serve, watched } from "./server.mjs";

let server, chrome, context, page;
const faults = [];
const base = () => `${server.base}/manage/e/four`;

before(async () => {
  server = await serve();
  chrome = await browser();
  context = await chrome.newContext({ locale: "zh-CN", viewport: { width: 1280, height: 900 } });
  page = await watched(context, faults);
  await page.goto(server.setup);
  await page.getByLabel("用户名").fill("director");
  await page.getByLabel("密码").fill("a sentence to remember");
  await page.getByRole("button", { name: "设立管理员" }).click();
  await page.goto(`${server.base}/manage/new`);
  await page.getByLabel("赛事名称").fill("四人赛");
  await page.getByLabel("网址中的名称").fill("four");
  await page.getByLabel("轮数", { exact: true }).fill("6");
  await page.getByRole("button", { name: "新建赛事" }).click();
  await page.goto(`${base()}/entries/import`);
  await page.getByLabel("名单").fill("甲\n乙\n丙\n丁");
  await page.getByRole("button", { name: "预览" }).click();
  await page.getByRole("button", { name: "加入这4人" }).click();
});

after(async () => {
  await chrome?.close();
  await server?.stop();
});

const button = (name) => page.getByRole("button", { name, exact: true });
const see = (text) => page.getByText(text).first().waitFor();

async function pair(round) {
  await page.goto(base());
  await button(`编排第${round}轮`).click();
}

async function enter(round, ...results) {
  await page.goto(`${base()}/rounds/${round}/results`);
  for (const key of results) await page.keyboard.press(key);
  await see("成绩齐全");
  await page.waitForFunction(() =>
    [...document.querySelectorAll("[data-words]")].every((words) => words.textContent === "已保存"),
  );
}

test("settings that cannot be are told and what was typed stays", async () => {
  await page.goto(`${base()}/settings`);
  await page.getByLabel("赛事名称").fill("四人赛（改）");
  await page.getByLabel("贴子").fill("6.55");
  await button("保存设置").click();
  await see("“6.55”不是贴子");
  assert.equal(await page.getByLabel("赛事名称").inputValue(), "四人赛（改）");
  await page.getByLabel("贴子").fill("3,75");
  await button("保存设置").click();
  await see("设置已保存。");
  assert.equal(await page.getByLabel("贴子").inputValue(), "3.75");
  await page.getByLabel("如确实要删除").fill("别的");
  await button("删除赛事").click();
  await see("没有删除：请输入“four”以确认。");
});

test("an entry that cannot be is told with what may be written", async () => {
  await page.goto(`${base()}/entries`);
  await page.getByText("加入参赛者").first().click();
  await page.getByLabel("姓名", { exact: true }).fill("戊");
  await page.getByLabel("编号", { exact: true }).fill("2");
  await page.getByLabel("段位").fill("九十段");
  await page.locator("details").getByRole("button", { name: "加入参赛者" }).click();
  await see("“九十段”不是段位");
  assert.equal(await page.getByLabel("姓名", { exact: true }).inputValue(), "戊");
  await page.getByLabel("段位").fill("5段");
  await page.locator("details").getByRole("button", { name: "加入参赛者" }).click();
  await see("编号2已属于他人");
});

test("a table made by hand seats everybody once, or names whom it does not", async () => {
  await page.goto(`${base()}/rounds`);
  await page.getByRole("link", { name: "人工编排" }).click();
  const make = async (table) => {
    await page.getByLabel("对阵").fill(table);
    await button("作为第1轮草稿").click();
  };
  await make("1 2\n1 3");
  await see("出现不止一次：1；没有安排：4");
  await make("1 1\n2 3");
  await see("与自己对局：1");
  assert.equal(await page.getByLabel("对阵").inputValue(), "1 1\n2 3");
  await make("1 2 3");
  await see("第1行“1 2 3”无法读取");
  assert.equal((await context.request.get(`${base()}/rounds/1`)).status(), 404);
  await make("3 1\n4 2");
  await see("第1轮草稿已按人工编排保存。");
  assert.equal((await page.locator(".p-bn").first().textContent()).trim(), "3");
  await button("撤销草稿").click();
  await see("第1轮已撤销。");
});

test("a session that ended keeps what was typed", async () => {
  await page.goto(`${base()}/settings`);
  await page.getByLabel("地点").fill("三楼");
  const cookies = await context.cookies();
  await context.clearCookies();
  await button("保存设置").click();
  await see("登录已过期，刚才的改动没有保存。");
  await context.addCookies(cookies);
  await page.goBack();
  assert.equal(await page.getByLabel("地点").inputValue(), "三楼");
  await button("保存设置").click();
  await see("设置已保存。");
});

test("a round whose results are missing is not paired without saying so", async () => {
  await pair(1);
  await button("发布第1轮").click();
  await page.goto(`${base()}/rounds`);
  await button("编排第2轮").click();
  await see("第1轮还有2台没有成绩：");
  await see("第1台 1号甲 对 2号乙");
  await page.getByRole("link", { name: "暂不编排" }).click();
  await page.goto(base());
  await see("第1轮还有2台没有成绩：第1、2台。");
});

test("a round thrown away leaves nothing, and one with results cannot be", async () => {
  await page.goto(`${base()}/rounds/1`);
  await button("撤销第1轮").click();
  await see("第1轮已撤销。");
  assert.equal((await context.request.get(`${server.base}/e/four/rounds/1`)).status(), 404);
  await pair(1);
  await button("发布第1轮").click();
  await enter(1, "1", "1");
  const answer = await context.request.post(`${base()}/rounds/1/throw-away`, { form: {} });
  assert.equal(answer.status(), 409);
  assert.match(await answer.text(), /第1轮第1、2台已有成绩（2台），请先清除。/);
});

test("a table made by hand that repeats a pair is kept only when that is confirmed", async () => {
  await page.goto(`${base()}/rounds/by-hand`);
  await page.getByLabel("对阵").fill("1 2\n3 4");
  await button("作为第2轮草稿").click();
  await page.locator(".problem").getByText("将重复对局").waitFor();
  await page.getByLabel("允许重复对局").check();
  await button("作为第2轮草稿").click();
  await see("重复（已对局1次）");
  await button("撤销草稿").click();
});

test("repeats are named and confirmed before anything is paired", async () => {
  for (const round of [2, 3]) {
    await pair(round);
    await button(`发布第${round}轮`).click();
    await enter(round, "1", "2");
  }
  await pair(4);
  await see("第4轮不重复对局就无法编排，至少有2对要再次相遇：");
  assert.equal(await page.locator("main li").filter({ hasText: "已对局1次" }).count(), 2);
  assert.equal((await context.request.get(`${base()}/rounds/4`)).status(), 404);
  await button("允许重复，编排第4轮").click();
  assert.equal(await page.locator(".mark", { hasText: "重复（已对局1次）" }).count(), 2);
  await button("发布第4轮").click();
});

test("whoever leaves with a board to play: the director chooses what becomes of it", async () => {
  await page.goto(`${server.base}/e/four/rounds/4`);
  const leaving = (await page.locator(".p-wn").first().textContent()).trim();
  const staying = (await page.locator(".p-bn").first().textContent()).trim();
  await page.goto(`${base()}/entries/${leaving}`);
  await see("第4轮已发布，此人坐第1台，还没有成绩。这一台怎么办？");
  await button("办理退赛").click();
  await page.locator(".problem").waitFor();
  await page.getByText("对手不战而胜").click();
  await page.getByLabel("原因").fill("提前离场");
  await button("办理退赛").click();
  await see("已退赛，从第4轮起不再编排。");
  await page.goto(`${server.base}/e/four/rounds/4`);
  await page.locator("#board-1").getByText("白方弃权").waitFor();
  await page.goto(`${server.base}/e/four/players/${staying}`);
  await see("对手弃权，胜");
});

test("a draft made before something changed is not published by mistake", async () => {
  await page.goto(`${base()}/rounds/4/results`);
  await page.keyboard.press("2");
  await see("成绩齐全");
  await page.locator('#board-2 [data-words]:text-is("已保存")').waitFor();
  await page.goto(base());
  await button("编排第5轮").click();
  await page.waitForURL(/\/rounds(\/5)?$/);
  if ((await page.getByRole("button", { name: "允许重复，编排第5轮" }).count()) > 0) {
    await button("允许重复，编排第5轮").click();
  }
  await page.waitForURL(/\/rounds\/5$/);
  await page.goto(`${base()}/rounds/4/boards/2`);
  await page.getByRole("radio", { name: "黑胜", exact: true }).check();
  await page.getByLabel("原因").fill("看错");
  await button("更正第2台").click();
  await see("尚未保存。成绩将成为");
  await button("更正第2台").click();
  await see("第2台已更正：白胜 → 黑胜。");
  await page.goto(`${base()}/rounds/5`);
  await button("发布第5轮").click();
  await page.locator(".problem").waitFor();
  assert.equal((await context.request.get(`${server.base}/e/four/rounds/5`)).status(), 404);
  await button("仍按此表发布第5轮").click();
  await see("第5轮已发布");
});

test("a result changed by somebody else meanwhile is not overwritten", async () => {
  await page.goto(`${base()}/rounds/5/results`);
  const other = await context.newPage();
  // Neither page hears of the other: what both see is no conflict.
  const deaf = (on) => on.route("**/stream*", (route) => route.fulfill({ contentType: "text/event-stream", body: "retry: 600000\n\n" }));
  for (const on of [page, other]) await deaf(on);
  await page.reload();
  await other.goto(`${base()}/rounds/5/results`);
  await other.locator("#board-1").getByText("白胜").click();
  await other.locator('#board-1 [data-words]:text-is("已保存")').waitFor();
  await page.locator("#board-1").getByText("黑胜").click();
  // Both results are said, and one of them is chosen.
  await page.locator('#board-1 [data-words]:text-is("他人已录入：白胜；您录入：黑胜。")').waitFor();
  await other.reload();
  assert.equal(await other.locator("#board-1").getAttribute("data-result"), "white");
  await page.locator("#board-1").getByRole("button", { name: "以他人的为准" }).click();
  await page.locator('#board-1 [data-words]:text-is("已保存")').waitFor();
  assert.equal(await page.locator("#board-1 input:checked").inputValue(), "white");
  // The other choice keeps what was typed, and not its opposite.
  await other.locator("#board-1").getByText("和棋").click();
  await other.locator('#board-1 [data-words]:text-is("已保存")').waitFor();
  await page.locator("#board-1").getByText("黑胜").click();
  await page.locator('#board-1 [data-words]:text-is("他人已录入：和棋；您录入：黑胜。")').waitFor();
  await page.locator("#board-1").getByRole("button", { name: "以我的为准" }).click();
  await page.locator('#board-1 [data-words]:text-is("已保存")').waitFor();
  await other.reload();
  assert.equal(await other.locator("#board-1").getAttribute("data-result"), "black");
  // As it was, for what follows.
  await other.locator("#board-1").getByText("白胜").click();
  await other.locator('#board-1 [data-words]:text-is("已保存")').waitFor();
  await page.unroute("**/stream*");
  await other.close();
});

test("a result that meets no connection waits, says so, and is saved later", async () => {
  page.on("dialog", (dialog) => dialog.accept());
  await page.goto(`${base()}/rounds/5/results`);
  await context.setOffline(true);
  await page.locator("#board-1").getByText("黑胜").click();
  await page.locator('#board-1 [data-words]:text-is("等待网络，稍后自动重试")').waitFor();
  await context.setOffline(false);
  await page.locator('#board-1 [data-words]:text-is("已保存")').waitFor();
  await page.reload();
  assert.equal(await page.locator("#board-1").getAttribute("data-result"), "black");
});

test("nothing else went wrong", () => {
  // The browser reports the connection that was cut on purpose.
  assert.deepEqual(faults.filter((fault) => !fault.includes("ERR_INTERNET_DISCONNECTED")), []);
});
