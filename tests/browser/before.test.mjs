// Before the first round: 160 entries out of a GB18030 file, a player who signs up, check-in on a
// phone, and those who are missing.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browser, serve, watched } from "./server.mjs";

let server, chrome, context, page;
const faults = [];
const base = () => `${server.base}/manage/e/spring`;
const button = (name) => page.getByRole("button", { name, exact: true });
const see = (text) => page.getByText(text).first().waitFor();
const look = async (name, where = page) => {
  if (!process.env.PAGES_OUT) return;
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1280, 390]) {
      await where.emulateMedia({ colorScheme });
      await where.setViewportSize({ width, height: 900 });
      await where.screenshot({ path: `${process.env.PAGES_OUT}/${name}-${width}-${colorScheme}.png` });
    }
  }
};

// 甲 to 癸 in GB18030, to write a file in it by hand.
const STEMS = [0xbcd7, 0xd2d2, 0xb1fb, 0xb6a1, 0xceec, 0xbcba, 0xb8fd, 0xd0c1, 0xc8c9, 0xb9ef];
const gb = (...parts) =>
  Buffer.concat(
    parts.map((part) => (typeof part === "number" ? Buffer.from([part >> 8, part & 0xff]) : Buffer.from(part))),
  );
const HEAD = gb(0xb6ce, 0xcebb, ",", 0xd0d5, 0xc3fb, ",", 0xb5a5, 0xcebb, "\r\n"); // 段位,姓名,单位

before(async () => {
  server = await serve();
  chrome = await browser();
  context = await chrome.newContext({ locale: "zh-CN", viewport: { width: 1280, height: 900 } });
  page = await watched(context, faults);
  await page.goto(server.setup);
  await page.getByLabel("用户名").fill("director");
  await page.getByLabel("密码").fill("a sentence to remember");
  await button("设立管理员").click();
  await page.goto(`${server.base}/manage/new`);
  await page.getByLabel("赛事名称").fill("春季赛");
  await page.getByLabel("网址中的名称").fill("spring");
  await button("新建赛事").click();
});

after(async () => {
  await chrome?.close();
  await server?.stop();
});

test("a file in GB18030 is looked at row by row, put right in place, and taken whole", async () => {
  const rows = [];
  for (let at = 0; at < 160; at += 1) {
    const [one, two, three] = [STEMS[at % 10], STEMS[Math.floor(at / 10) % 10], STEMS[Math.floor(at / 100)]];
    const grade = at === 7 ? gb("99", 0xb6ce) : gb(String((at % 6) + 1), 0xb6ce);
    rows.push(grade, gb(",", one, two, three, ",", STEMS[at % 4], "\r\n"));
  }
  await page.goto(`${base()}/entries/import`);
  await look("import-empty");
  await page.getByLabel("或选择文件").setInputFiles({
    name: "名单.csv",
    mimeType: "text/csv",
    buffer: Buffer.concat([HEAD, ...rows]),
  });
  await button("预览").click();
  await see("按 gb18030 读取");
  await see("有1行不能加入");
  await see("A列：“99段”不是段位");
  await look("import-wrong");
  const list = page.getByLabel("名单", { exact: true });
  await list.fill((await list.inputValue()).replace("99段", "2段"));
  await button("预览").click();
  await look("import-ready");
  await button("加入这160人").click();
  await see("名单已导入：新增160人，更改0人。");
});

test("a file is kept at the first press, and a form that is sent twice enters nobody twice", async () => {
  const address = `${server.base}/manage/e/once`;
  await page.goto(`${server.base}/manage/new`);
  await page.getByLabel("赛事名称").fill("一次");
  await page.getByLabel("网址中的名称").fill("once");
  await button("新建赛事").click();
  await page.goto(`${address}/entries/import`);
  // As Windows ends lines: a browser sends the text back with other ones.
  const rows = Array.from({ length: 4 }, (_, at) => gb(STEMS[at], STEMS[at], ",", STEMS[0], "\r\n"));
  const head = gb(0xd0d5, 0xc3fb, ",", 0xb5a5, 0xcebb, "\r\n");
  await page.getByLabel("或选择文件").setInputFiles({ name: "名单.csv", mimeType: "text/csv", buffer: Buffer.concat([head, ...rows]) });
  await button("预览").click();
  await button("加入这4人").click();
  await see("名单已导入：新增4人，更改0人。");
  for (const again of [false, true]) {
    await page.goto(`${address}/entries`);
    await page.getByText("加入参赛者").first().click();
    await page.getByLabel("姓名", { exact: true }).fill("丁丁");
    await page.getByLabel("单位").fill("甲");
    await button("加入参赛者").click();
    await see("名单上已有同名、同单位的4号丁丁");
    if (!again) continue;
    await page.getByLabel("这是另一位同名的棋手").check();
    await button("加入参赛者").click();
    await see("已加入：5号丁丁");
  }
  assert.equal(await page.locator("#rows tbody tr").count(), 5);
});

test("the same list once more doubles nobody and says what it changes", async () => {
  await page.goto(`${base()}/entries/import`);
  await page.getByLabel("名单", { exact: true }).fill("姓名,等级分\n甲甲甲,2310\n乙甲甲,\n新人,");
  await button("预览").click();
  await see("新增1人，更改1人，相同1人，不能加入0行");
  await see("更改1号：等级分 → 2310");
  await button("全部导入：新增1人，更改1人").click();
  await see("名单已导入");
  await page.goto(`${base()}/entries/import`);
  await button("撤销此项").click();
  await see("已撤销，恢复原状。");
  await page.goto(`${base()}/entries`);
  assert.equal(await page.locator("#rows tbody tr").count(), 160);
});

test("a player signs up and comes back by the link, and the director confirms", async () => {
  await page.goto(`${base()}/sign-ups`);
  await page.getByLabel("开放报名").check();
  await page.getByLabel("表格上方的说明").fill("请带身份证。");
  await button("保存").click();
  await see("报名开放中。");
  const player = await watched(await chrome.newContext({ locale: "zh-CN" }), faults);
  await player.goto(`${server.base}/e/spring/sign-up`);
  await look("sign-up", player);
  await player.getByLabel("姓名").fill("许远山");
  await player.getByLabel("段位").fill("3段");
  await player.getByLabel("电话或邮箱").fill("13000000000");
  await player.getByRole("button", { name: "报名", exact: true }).click();
  await player.getByText("等待主办方确认").waitFor();
  await look("sign-up-link", player);
  await page.reload();
  await look("sign-ups");
  await button("确认: 许远山").click();
  await see("已确认1人。");
  await player.reload();
  await player.getByText("您已参赛，编号161。").waitFor();
});

test("at the door a tap is enough, and those who are missing are left out and put back", async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${base()}/check-in`);
  await page.getByRole("searchbox").or(page.locator("#q")).first().fill("xys");
  await button("到: 161 许远山").click();
  await button("撤销: 161 许远山").waitFor();
  assert.equal(await page.locator("[data-here]").textContent(), "1");
  await page.locator("#q").fill("");
  await look("check-in");
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.reload();
  assert.equal(await page.locator("[data-here]").textContent(), "1");
  await page.getByText("未到160人：不编入……").click();
  await button("未到的160人第1轮不参赛").click();
  await see("已设160人首轮不参赛。");
  await button("撤销此项").click();
  await see("已撤销，恢复原状。");
  assert.match(await page.locator(".check-in-count").textContent(), /1 \/ 161/);
});

test("nothing went wrong in the pages", () => {
  assert.deepEqual(faults, []);
});
