// Somebody is invited by a link, makes an account, enters a result, and finds no draft; a password is
// changed, a session ends everywhere, and a withheld name stays away from the public.
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
  await page.goto(base());
  await page.getByRole("button", { name: "编排第1轮" }).click();
  await page.getByRole("button", { name: "发布第1轮" }).first().click();
});

after(async () => {
  await chrome?.close();
  await server?.stop();
});

async function invite(role) {
  await page.goto(`${base()}/people`);
  await page.getByRole("radio", { name: role }).check();
  await page.getByLabel("给谁").fill("二号厅");
  await page.getByRole("button", { name: "生成链接" }).click();
  return page.locator("#new-link").inputValue();
}

let arbiter, hall;

test("an invited arbiter makes an account and stands before the results", async () => {
  const link = await invite("裁判员");
  arbiter = await chrome.newContext({ locale: "zh-CN", viewport: { width: 390, height: 844 } });
  hall = await watched(arbiter, faults);
  await hall.goto(link);
  await hall.getByText("director邀请您担任“四人赛”的裁判员").waitFor();
  await hall.getByLabel("用户名").fill("arbiter");
  await hall.getByLabel("密码", { exact: true }).fill("1234567890");
  await hall.getByRole("button", { name: "新建账号并接受" }).click();
  await hall.getByText("这个密码很快会被猜到").waitFor();
  assert.equal(await hall.getByLabel("用户名").inputValue(), "arbiter");
  await hall.getByLabel("密码", { exact: true }).fill("seven quiet herons");
  await hall.getByRole("button", { name: "新建账号并接受" }).click();
  await hall.getByText("您现在是“四人赛”的裁判员").waitFor();
  await hall.getByRole("link", { name: /四人赛/ }).first().click();
  assert.match(hall.url(), /\/manage\/e\/four\/rounds\/1\/results/);
  await hall.locator(".board.cursor").waitFor();
  await hall.keyboard.press("1");
  await hall.waitForFunction(() =>
    [...document.querySelectorAll("[data-words]")].some((words) => words.textContent === "已保存"),
  );
  const again = await arbiter.request.get(link);
  assert.equal(again.status(), 410);
});

test("what needs a director says so to an arbiter", async () => {
  await hall.goto(base());
  await hall.getByText("您是本赛事的裁判员").waitFor();
  await hall.goto(`${base()}/rounds/1`);
  await hall.getByText("您是本赛事的裁判员").waitFor();
});

test("a changed password and signing out everywhere end the other sessions", async () => {
  const other = await chrome.newContext({ locale: "zh-CN" });
  const desk = await watched(other, faults);
  await desk.goto(`${server.base}/manage/sign-in`);
  await desk.getByLabel("用户名").fill("arbiter");
  await desk.getByLabel("密码", { exact: true }).fill("seven quiet herons");
  await desk.getByRole("button", { name: "登录" }).click();
  await desk.goto(`${server.base}/manage/account`);
  await desk.getByLabel("旧密码").fill("seven quiet herons");
  await desk.getByLabel("新密码").fill("eleven loud kettles");
  await desk.getByRole("button", { name: "更改密码" }).click();
  await desk.getByText("密码已更改").waitFor();
  await hall.goto(`${server.base}/manage`);
  assert.match(hall.url(), /sign-in/);
  await desk.getByRole("button", { name: "在所有地方退出" }).click();
  await desk.goto(`${server.base}/manage`);
  assert.match(desk.url(), /sign-in/);
  await other.close();
  await arbiter.close();
});

test("a withheld name is a number to the public and a name to its director", async () => {
  await page.goto(`${base()}/entries/3`);
  await page.getByLabel("不公开姓名").check();
  await page.getByRole("button", { name: "保存报名信息" }).first().click();
  const anybody = await chrome.newContext({ locale: "zh-CN" });
  const wall = await watched(anybody, faults);
  for (const path of ["rounds/1", "standings", "crosstable", "players/3", "find?q=3"]) {
    await wall.goto(`${server.base}/e/four/${path}`);
    const text = await wall.locator("main").innerText();
    assert.ok(!text.includes("丙"), path);
    assert.ok(text.includes("棋手3") || path === "crosstable", path);
  }
  await page.goto(`${server.base}/e/four/standings`);
  assert.ok((await page.locator("main").innerText()).includes("丙"));
  await anybody.close();
});

test("nothing went wrong in the browser", () => assert.deepEqual(faults, []));
