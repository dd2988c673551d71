// Pages that are open keep themselves up to date: results and tables come without a reload, nothing
// that is being typed is lost, a lost connection is told, and a draft is told to nobody outside.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browser, serve, watched } from "./server.mjs";

let server, chrome, context, page, reader;
const faults = [];
const SOON = { timeout: 3000 };

async function api(method, path, body) {
  const answer = await page.evaluate(
    async ([method, path, body]) => {
      const headers = { "content-type": "application/json", "if-match": "*" };
      const response = await fetch(`/api/v1/events/hall${path}`, { method, headers, body: body && JSON.stringify(body) });
      return [response.status, await response.text()];
    },
    [method, path, body],
  );
  assert.ok(answer[0] < 300, `${method} ${path}: ${answer}`);
  return answer[1] ? JSON.parse(answer[1]) : undefined;
}

const enter = (round, board, result) =>
  api("PUT", `/rounds/${round}/boards/${board}/result`, { result, reason: "seen" });
// Opens a page and waits until it listens.
async function opened(context, path) {
  const open = await watched(context, faults);
  const stream = open.waitForResponse((response) => /\/stream/.test(response.url()));
  await open.goto(server.base + path);
  await stream;
  return open;
}

before(async () => {
  server = await serve();
  chrome = await browser();
  context = await chrome.newContext({ locale: "en-GB" });
  page = await watched(context, faults);
  await page.goto(server.setup);
  await page.getByLabel("User name").fill("director");
  await page.getByLabel("Password").fill("a sentence to remember");
  await page.getByRole("button", { name: "Become the administrator" }).click();
  await page.waitForURL(/manage/);
  const made = await page.evaluate(async () => {
    const headers = { "content-type": "application/json" };
    const names = Array.from({ length: 80 }, (_, at) => ({ name: `Player ${at + 1}`, team: `Club ${at % 9}` }));
    const event = JSON.stringify({ name: "Hall", slug: "hall", rounds: 5 });
    const one = await fetch("/api/v1/events", { method: "POST", headers, body: event });
    const two = await fetch("/api/v1/events/hall/entries", { method: "POST", headers, body: JSON.stringify(names) });
    return [one.status, two.status];
  });
  assert.deepEqual(made, [201, 201]);
  await api("POST", "/rounds");
  await api("POST", "/rounds/1/publish");
  reader = await chrome.newContext({ locale: "en-GB", viewport: { width: 1280, height: 720 } });
});

after(async () => {
  await chrome?.close();
  await server?.stop();
});

test("a result comes to an open pairing table, and what is looked at and typed stays", async () => {
  const open = await opened(reader, "/e/hall/rounds/1");
  await open.evaluate(() => document.getElementById("board-30").scrollIntoView({ block: "center" }));
  const place = () => open.evaluate(() => document.getElementById("board-30").getBoundingClientRect().top);
  const was = await place();
  await enter(1, 30, "black");
  await open.locator("#board-30 .result").filter({ hasText: /\S/ }).waitFor(SOON);
  assert.ok(Math.abs((await place()) - was) < 2, "the line that was looked at stays where it is");
  const field = open.locator("form[data-find] input[name=q]");
  await field.fill("Player 7");
  const shown = () => open.locator("#rows tbody tr:visible").count();
  const few = await shown();
  assert.ok(few > 0 && few < 40, `${few} rows`);
  await enter(1, 31, "white");
  await open.locator("#board-31 .result").filter({ hasText: /\S/ }).waitFor({ ...SOON, state: "attached" });
  assert.equal(await field.inputValue(), "Player 7");
  assert.equal(await shown(), few);
  assert.ok(await field.evaluate((one) => one === document.activeElement));
  await open.close();
});

test("a new round is announced on the page of another, the screen shows it, and a draft is told to nobody", async () => {
  const open = await opened(reader, "/e/hall/standings");
  const screen = await opened(reader, "/e/hall/screen?show=board");
  const heard = [];
  open.on("request", (request) => heard.push(request.url()));
  for (let board = 1; board <= 40; board += 1) if (![30, 31].includes(board)) await enter(1, board, "black");
  await open.waitForTimeout(1500);
  heard.length = 0;
  await api("POST", "/rounds");
  await api("PATCH", "/rounds/2", { swap: [1, 2] });
  await open.waitForTimeout(1500);
  assert.deepEqual(heard, []);
  await api("POST", "/rounds/2/publish");
  await open.getByText("Round 2 has been published.").waitFor(SOON);
  await screen.getByRole("heading", { name: /round 2/i }).waitFor(SOON);
  await open.getByRole("link", { name: "Show it" }).click();
  await open.waitForURL(/rounds\/2$/);
  await open.close();
  await screen.close();
});

test("without a connection a page says since when, and shows what was missed when it is back", async () => {
  const away = await chrome.newContext({ locale: "en-GB" });
  const open = await opened(away, "/e/hall/rounds/2");
  await away.setOffline(true);
  await open.getByText(/No connection since/).waitFor({ timeout: 15_000 });
  await enter(2, 3, "black");
  await away.setOffline(false);
  await open.locator("#board-3 .result").filter({ hasText: /\S/ }).waitFor({ timeout: 15_000 });
  await open.getByText(/No connection since/).waitFor({ state: "hidden", timeout: 15_000 });
  await away.close();
});

test("who enters results sees what others enter, and keeps what is not saved", async () => {
  const other = await opened(context, "/manage/e/hall/rounds/2/results");
  await other.locator("#reason").fill("as the players say");
  await enter(2, 7, "white");
  await other.waitForFunction(() => document.querySelector("#board-7 input[value=white]").checked, null, SOON);
  assert.equal(await other.locator("#reason").inputValue(), "as the players say");
  // What was seen so is changed without a conflict.
  await other.locator("#board-7 input[value=black]").check();
  await other.locator('#board-7 [data-words]:text-is("saved")').waitFor(SOON);
  await other.goto(`${server.base}/manage/e/hall`);
  const before = await other.locator(".next").innerText();
  await enter(2, 8, "white");
  await other.waitForFunction((was) => document.querySelector(".next").innerText !== was, before, SOON);
  await other.close();
});

test("a link that is followed right after a change says what was seen, for some seconds and for the event alone", async () => {
  const own = await chrome.newContext({ locale: "en-GB" });
  const seen = async () => (await own.cookies(`${server.base}/e/hall/standings`)).filter(({ name }) => name === "seen");
  const open = await opened(own, "/e/hall/rounds/2");
  await enter(2, 9, "black");
  await open.locator("#board-9 .result").filter({ hasText: /\S/ }).waitFor(SOON);
  assert.deepEqual(await seen(), []);
  const asked = open.waitForRequest((request) => request.isNavigationRequest());
  await open.locator('a[href="/e/hall/standings"]:visible').first().click();
  const cookie = (await (await asked).allHeaders()).cookie;
  assert.match(cookie, /^seen=[1-9][0-9]*$/);
  await open.waitForURL(/standings$/);
  assert.deepEqual(await own.cookies(`${server.base}/e/other`), []);
  for (const end = Date.now() + 15_000; (await seen()).length > 0; ) {
    assert.ok(Date.now() < end, "the cookie stays");
    await open.waitForTimeout(250);
  }
  await own.close();
});

test("nothing went wrong on the way", () => {
  const real = faults.filter((fault) => !/ERR_INTERNET_DISCONNECTED/.test(fault));
  assert.deepEqual(real, []);
});
