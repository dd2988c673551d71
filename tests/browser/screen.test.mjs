// The projector's screen and a phone at the wall: pages turn by themselves, a new table comes
// without a reload, a lost connection is told, and two characters of a name give the board.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browser, serve, watched } from "./server.mjs";

let server, chrome, context, page, event;
const faults = [];

async function api(method, path, body) {
  const answer = await page.evaluate(
    async ([method, path, body]) => {
      const headers = { "content-type": "application/json", "if-match": "*" };
      const response = await fetch(`/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
      return [response.status, await response.text()];
    },
    [method, path, body],
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
  event = (await api("POST", "/events", { name: "东湖杯", slug: "lake", rounds: 5 })).id;
  const given = "青山 晓舟 望岳 清泉 听雨 长风 归舟 若水 一鸣".split(" ");
  const entries = [..."赵钱孙李周吴郑"].flatMap((surname) => given.map((name) => ({ name: surname + name })));
  await api("POST", `/events/${event}/entries`, [...entries, { name: "Bartholomew Featherstonehaugh-Łuczak" }]);
  await api("POST", `/events/${event}/numbers/draw`, {});
});

after(async () => {
  await chrome?.close();
  await server?.stop();
});

// Nothing is cut off and nothing has to be scrolled.
async function fits(screen) {
  return screen.evaluate(() => {
    const sheet = document.documentElement;
    const rows = [...document.querySelectorAll(".screen-rows li")];
    const bottom = document.querySelector(".screen-foot").getBoundingClientRect().top;
    return {
      scrolls: sheet.scrollHeight > innerHeight || sheet.scrollWidth > innerWidth,
      cut: rows
        .filter((row) => {
          const room = row.getBoundingClientRect();
          return [...row.querySelectorAll(".screen-name")].some((name) => {
            const box = name.getBoundingClientRect();
            const text = name.querySelector("bdi")?.getBoundingClientRect() ?? box;
            return box.height > room.height + 1 || text.right > box.right + 1 || box.right > room.right + 1;
          });
        })
        .map((row) => row.textContent),
      below: rows.filter((row) => row.getBoundingClientRect().bottom > bottom + 1).length,
    };
  });
}

test("the names of a draw come one by one, and at once when asked", async () => {
  const screen = await watched(await chrome.newContext({ locale: "zh-CN" }), faults);
  await screen.goto(`${server.base}/e/lake/screen?show=draw`);
  const shown = () => screen.locator(".drawn li:not(.unrolled)").count();
  const first = await shown();
  assert.ok(first < 5, `${first} names at the beginning`);
  await screen.waitForTimeout(3200);
  assert.ok((await shown()) > first && (await shown()) < 42);
  await screen.getByRole("button", { name: "全部显示" }).click();
  assert.equal(await shown(), 42);
  await screen.getByRole("button", { name: "从头再放" }).click();
  await screen.waitForFunction(() => document.querySelectorAll(".drawn li.unrolled").length > 30);
  await screen.context().close();
});

test("the screen shows a new table by itself, turns, counts down and tells of a lost connection", async () => {
  const screens = await chrome.newContext({ locale: "zh-CN", viewport: { width: 1280, height: 720 } });
  const screen = await watched(screens, faults);
  await screen.goto(`${server.base}/e/lake/screen?show=board`);
  await screen.getByText("第一轮对阵发布后将在这里显示。").waitFor();
  await api("POST", `/events/${event}/rounds`);
  const at = new Date(Date.now() + 3_600_000).toISOString();
  await api("POST", `/events/${event}/rounds/1/publish`, { at });
  await screen.locator("time[data-until]").filter({ hasText: /^(59:\d\d|1:00:0\d|60:00)$/ }).waitFor({ timeout: 15_000 });
  assert.equal(await screen.locator(".boards li").count(), 0);
  await api("POST", `/events/${event}/rounds/1/publish`);
  await screen.getByRole("heading", { name: "第1轮对阵表" }).waitFor({ timeout: 15_000 });
  assert.deepEqual(await fits(screen), { scrolls: false, cut: [], below: 0 });

  const where = screen.locator("#where");
  assert.equal(await where.textContent(), "1 / 2");
  await screen.keyboard.press("ArrowRight");
  await where.filter({ hasText: "2 / 2" }).waitFor();
  await where.filter({ hasText: "1 / 2" }).waitFor({ timeout: 20_000 });
  for (const size of [{ width: 1920, height: 1080 }, { width: 1024, height: 768 }, { width: 1080, height: 1920 }]) {
    await screen.setViewportSize(size);
    for (const show of ["board", "name"]) {
      await screen.goto(`${server.base}/e/lake/screen?show=${show}`);
      assert.deepEqual(await fits(screen), { scrolls: false, cut: [], below: 0 }, `${show} ${size.width}`);
    }
  }
  // In a hand it is a list to be scrolled, with names that can be read.
  await screen.setViewportSize({ width: 390, height: 844 });
  for (const show of ["board", "name"]) {
    await screen.goto(`${server.base}/e/lake/screen?show=${show}`);
    assert.deepEqual((await fits(screen)).cut, [], `${show} on a phone`);
    const [wide, small] = await screen.evaluate(() => [
      document.documentElement.scrollWidth,
      Math.min(...[...document.querySelectorAll(".screen-name")].map((name) => parseFloat(getComputedStyle(name).fontSize))),
    ]);
    assert.ok(wide <= 390 && small >= 16, `${show}: ${wide} px wide, names of ${small} px`);
  }
  await screens.setOffline(true);
  await screen.getByText(/没有连接/).waitFor({ timeout: 30_000 });
  await screens.setOffline(false);
  await screen.getByText(/没有连接/).waitFor({ state: "hidden", timeout: 30_000 });
  await screens.close();
});

test("a phone finds its board while two characters are typed", async () => {
  const phones = await chrome.newContext({ locale: "zh-CN", viewport: { width: 390, height: 844 } });
  const phone = await watched(phones, faults);
  await phone.goto(`${server.base}/e/lake/find`);
  const field = phone.getByLabel("姓名或编号");
  await field.pressSequentially("赵青");
  const answers = phone.locator("#answers li");
  await answers.filter({ hasText: "赵青山" }).waitFor();
  assert.equal(await answers.count(), 1);
  assert.match(await answers.first().innerText(), /第\d+台\s*(黑|白)\s*对/);
  // Back to the same answer from the player's page.
  await answers.getByRole("link").click();
  await phone.goBack();
  assert.equal(await answers.count(), 1);
  await phones.close();
});

test("nothing went wrong on the way", () => {
  const real = faults.filter((fault) => !/ERR_INTERNET_DISCONNECTED/.test(fault));
  assert.deepEqual(real, []);
});
