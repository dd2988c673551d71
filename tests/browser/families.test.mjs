// A tournament of two groups: entries in one event, split by lots, paired and published at once.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browser, serve, watched } from "./server.mjs";

let server, chrome, context, page;
const faults = [];
const button = (name) => page.getByRole("button", { name, exact: true });
const see = (text) => page.getByText(text).first().waitFor();

before(async () => {
  server = await serve();
  chrome = await browser();
  context = await chrome.newContext({ locale: "zh-CN", viewport: { width: 1280, height: 900 } });
  page = await watched(context, faults);
  await page.goto(server.setup);
  await page.getByLabel("用户名").fill("director");
  await page.getByLabel("密码").fill("a sentence to remember");
  await button("设立管理员").click();
});

after(async () => {
  await chrome?.close();
  await server?.stop();
});

test("entries are split into two groups by lots", async () => {
  await page.goto(`${server.base}/manage/new`);
  await page.getByRole("link", { name: "升段赛，7轮" }).click();
  await page.getByLabel("赛事名称").fill("双组赛");
  await page.getByLabel("网址中的名称").fill("two");
  await button("新建赛事").click();
  await page.goto(`${server.base}/manage/e/two/entries/import`);
  const names = Array.from({ length: 12 }, (_, index) => `棋手${"甲乙丙丁戊己庚辛壬癸子丑"[index]}`);
  await page.getByLabel("名单").fill(names.join("\n"));
  await button("预览").click();
  await button("加入这12人").click();
  await page.goto(`${server.base}/manage/e/two/settings`);
  await page.getByRole("link", { name: "分组", exact: true }).click();
  await see("还有人没有组别");
  await page.getByRole("link", { name: "分组抽签" }).first().click();
  await page.locator("form[action$='/draws/groups'] button").last().click();
  await page.goto(`${server.base}/manage/e/two/split`);
  await button("分为2个组").click();
  await see("已分为2个组");
});

test("both groups are paired and published at once", async () => {
  await button("编排2个组的下一轮").click();
  await see("已编排：A第1轮、B第1轮");
  await button("发布2个组的草稿").click();
  await see("已发布：A第1轮、B第1轮");
  await page.goto(server.base);
  await page.getByText("双组赛").first().waitFor();
});

test("nothing went wrong in the browser", () => assert.deepEqual(faults, []));
