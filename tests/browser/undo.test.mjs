// Drawn numbers are put back from the log and stay told, an arbiter checks in at the door on a phone
// without scripts, and an event that is given out and taken in again keeps its clock.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browser, serve, watched } from "./server.mjs";

let server, chrome, context, page;
const faults = [];
const base = () => `${server.base}/manage/e/autumn`;
const look = async (name, where = page) => {
  if (!process.env.PAGES_OUT) return;
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1280, 390]) {
      await where.emulateMedia({ colorScheme });
      await where.setViewportSize({ width, height: 900 });
      const folder = process.env.PAGES_OUT;
      await where.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  }
};

async function api(method, path, body) {
  const answer = await page.evaluate(
    async ([method, path, body]) => {
      const response = await fetch(`/api/v1/events${path}`, {
        method,
        headers: { "content-type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
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
  context = await chrome.newContext({ locale: "zh-CN", viewport: { width: 1280, height: 900 } });
  page = await watched(context, faults);
  await page.goto(server.setup);
  await page.getByLabel("用户名").fill("director");
  await page.getByLabel("密码").fill("a sentence to remember");
  await page.getByRole("button", { name: "设立管理员" }).click();
  await page.waitForURL(/manage/);
  await api("POST", "", {
    name: "秋季赛",
    slug: "autumn",
    rounds: 3,
    time_zone: "America/New_York",
    round_starts: [{ round: 1, local: "2026-11-01T13:30" }],
  });
  await api("POST", "/autumn/entries", ["甲", "乙", "丙", "丁", "戊"].map((name) => ({ name })));
});

after(async () => {
  await chrome?.close();
  await server?.stop();
});

const names = async () => {
  const { items } = await api("GET", "/autumn/entries");
  return items.map(({ name }) => name).join("");
};

test("drawn numbers are put back from the log, and what was revealed stays told", async () => {
  const order = await names();
  await api("POST", "/autumn/numbers/draw", {});
  await page.goto(`${base()}/log`);
  await look("log-drawn");
  const line = page.locator("tr").filter({ hasText: "抽签定编号" });
  await line.getByRole("button", { name: /撤销/ }).click();
  await page.locator("tr").filter({ hasText: "退回抽签编号" }).first().waitFor();
  assert.equal(await names(), order);
  await page.goto(`${server.base}/e/autumn/draw/numbers`);
  // The clock of the event, not that of the server.
  const told = await page.getByText(/抽过一次.*退回，不再有效/).innerText();
  assert.match(told, /UTC-[45]/);
  await look("draw-put-back");
  await page.goto(`${base()}/draws`);
  await page.getByRole("button", { name: /抽签/ }).first().waitFor();
});

test("an arbiter checks in on a phone without scripts, and finds nothing a director decides", async () => {
  const { address } = await api("POST", "/autumn/invitations", { right: "arbiter", for: "门口" });
  const phone = await chrome.newContext({
    locale: "zh-CN",
    viewport: { width: 390, height: 844 },
    javaScriptEnabled: false,
  });
  const door = await watched(phone, faults);
  await door.goto(address);
  await door.getByLabel("用户名").fill("arbiter");
  await door.getByLabel("密码", { exact: true }).fill("seven quiet herons");
  await door.getByRole("button", { name: "新建账号并接受" }).click();
  await door.goto(`${server.base}/e/autumn`);
  await door.getByRole("link", { name: "签到", exact: true }).first().click();
  await door.getByRole("button", { name: /^到/ }).first().click();
  await door.locator("tr.is-here").first().waitFor();
  assert.equal(await door.locator('form[action$="/check-in/missing"]').count(), 0);
  await look("door", door);
  const { here } = await api("GET", "/autumn/check-in");
  assert.deepEqual([here.length, here[0].by], [1, "arbiter"]);
  await phone.close();
});

test("an event that is given out and taken in again keeps its clock", async () => {
  const file = await api("GET", "/autumn/export");
  await page.goto(`${server.base}/manage/import`);
  await page.locator('input[type="file"]').setInputFiles({
    name: "autumn.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify({ ...file, event: { ...file.event, name: "秋季赛二" } })),
  });
  await page.getByRole("button", { name: "导入", exact: true }).click();
  await page.waitForURL(/\/manage\/e\/(?!autumn)/);
  await page.goto(`${server.base}${new URL(page.url()).pathname}/settings`);
  assert.equal(await page.locator('[name="time_zone"]').inputValue(), "America/New_York");
  const copy = decodeURIComponent(new URL(page.url()).pathname.split("/")[3]);
  const event = await api("GET", `/${encodeURIComponent(copy)}`);
  assert.equal(event.round_starts[0].at, "2026-11-01T13:30:00-05:00");
  assert.deepEqual(faults, []);
});
