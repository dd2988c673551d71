// A round of eighty boards: entered by keyboard alone, by three arbiters' links at once, without a
// connection for a while, by two people at the same board, and by the players themselves.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browser, serve, watched } from "./server.mjs";

let server, chrome, context, page;
const faults = [];
const BOARDS = 80;
const manage = () => `${server.base}/manage/e/hall`;
const see = (text, where = page) => where.getByText(text).first().waitFor();
const button = (name, where = page) => where.getByRole("button", { name, exact: true });
const look = async (name, where = page) => {
  if (!process.env.PAGES_OUT) return;
  const size = where.viewportSize();
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1280, 390]) {
      await where.emulateMedia({ colorScheme });
      await where.setViewportSize({ width, height: 900 });
      await where.screenshot({ path: `${process.env.PAGES_OUT}/${name}-${width}-${colorScheme}.png` });
    }
  }
  await where.emulateMedia({ colorScheme: "light" });
  if (size) await where.setViewportSize(size);
};

async function api(method, path, body) {
  const answer = await page.evaluate(
    async ([method, path, body]) => {
      const answer = await fetch(`/api/v1${path}`, {
        method,
        headers: body === undefined ? {} : { "Content-Type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      return { status: answer.status, body: await answer.json().catch(() => null) };
    },
    [method, path, body],
  );
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

// The results of a round as the public sees them, by board.
async function results(round, event = "hall") {
  const answer = await fetch(`${server.base}/api/v1/events/${event}/rounds/${round}`);
  return (await answer.json()).boards.map((board) => board.result ?? null);
}

async function round(number) {
  await api("POST", "/events/hall/rounds");
  await api("POST", `/events/hall/rounds/${number}/publish`);
}

const saved = (where) =>
  where.waitForFunction(() =>
    [...document.querySelectorAll("[data-words]")].every((words) => words.textContent === "saved"),
  );

before(async () => {
  server = await serve();
  chrome = await browser();
  context = await chrome.newContext({ locale: "en-GB", viewport: { width: 1280, height: 900 } });
  page = await watched(context, faults);
  await page.goto(server.setup);
  await page.getByLabel("User name").fill("director");
  await page.getByLabel("Password").fill("a sentence to remember");
  await button("Become the administrator").click();
  await api("POST", "/events", { name: "Hall", slug: "hall", rounds: 9 });
  const names = Array.from({ length: 2 * BOARDS }, (_, at) => ({ name: `Player ${at + 1}` }));
  await api("POST", "/events/hall/entries", names);
  await round(1);
});

after(async () => {
  await chrome?.close();
  await server?.stop();
});

test("eighty results in any order need three presses a board and no hand on the mouse", async () => {
  await page.goto(`${manage()}/rounds/1/results`);
  await page.locator(".board.cursor").waitFor();
  let presses = 0;
  const press = async (key) => {
    presses += 1;
    await page.keyboard.press(key);
  };
  // A pile of slips as it lies: the boards in an order of its own.
  const pile = Array.from({ length: BOARDS }, (_, at) => ((at * 37) % BOARDS) + 1);
  assert.equal(new Set(pile).size, BOARDS);
  const expected = [];
  for (const board of pile) {
    const white = board % 3 === 0;
    for (const key of `${board}${white ? "w" : "b"}`) await press(key);
    expected[board - 1] = white ? "white" : "black";
  }
  await see("All results are in");
  await saved(page);
  assert.ok(presses <= 3 * BOARDS, `${presses} presses`);
  assert.deepEqual(await results(1), expected);
  await look("results-full");
});

test("in the order of boards one press is enough, and the cursor goes along", async () => {
  await round(2);
  await page.goto(`${manage()}/rounds/2/results`);
  await page.locator("#board-1.cursor").waitFor();
  const keys = Array.from({ length: BOARDS }, (_, at) => (at % 4 === 3 ? "2" : "1"));
  for (const key of keys) await page.keyboard.press(key);
  await see("All results are in");
  await saved(page);
  assert.deepEqual(await results(2), keys.map((key) => (key === "1" ? "black" : "white")));
});

test("a number that no board has enters nothing and says so", async () => {
  const before = await results(2);
  for (const key of ["9", "1", "w"]) await page.keyboard.press(key);
  await see("There is no board 91 on this page");
  for (const key of ["1", "2", "1", "Enter"]) await page.keyboard.press(key);
  await see("There is no board 121 on this page");
  await page.waitForTimeout(1000);
  assert.deepEqual(await results(2), before);
});

const phones = [];

test("three arbiters enter a round by the links of their rooms, all at once", async () => {
  await round(3);
  const rooms = [["Room 1", 1, 27], ["Room 2", 28, 54], ["Room 3", 55, 80]];
  for (const [name, first, last] of rooms) {
    await page.goto(`${manage()}/result-links`);
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByLabel("First board").fill(String(first));
    await page.getByLabel("Last board").fill(String(last));
    await button("Make link").click();
    const href = await page.locator(".made-link .code-link a").getAttribute("href");
    const phone = await watched(
      await chrome.newContext({ locale: "en-GB", viewport: { width: 390, height: 844 }, hasTouch: true }),
      faults,
    );
    await phone.goto(href);
    phones.push({ phone, href, name, first, last });
  }
  await look("result-links");
  await look("link-page", phones[1].phone);
  await Promise.all(
    phones.map(async ({ phone, first, last }) => {
      assert.equal(await phone.locator("[data-board]").count(), last - first + 1);
      for (let board = first; board <= last; board += 1) {
        const side = board % 5 === 0 ? "white" : "black";
        await phone.locator(`#board-${board} input[value=${side}]`).check();
      }
      await saved(phone);
    }),
  );
  const expected = Array.from({ length: BOARDS }, (_, at) => ((at + 1) % 5 === 0 ? "white" : "black"));
  assert.deepEqual(await results(3), expected);
  await page.goto(`${manage()}/log?round=3&board=60`);
  await page.locator("tbody").getByText("Room 3").first().waitFor();
});

test("without a connection results are kept, also when the page is closed, and are sent when it is back", async () => {
  await round(4);
  const room = phones[1];
  await room.phone.reload();
  await room.phone.locator("#board-28 input[value=black]").check();
  await room.phone.locator('#board-28 [data-words]:text-is("saved")').waitFor();
  await room.phone.context().setOffline(true);
  for (const board of [29, 30, 31]) await room.phone.locator(`#board-${board} input[value=white]`).check();
  await see("Kept on this device: 3", room.phone);
  await see("waiting for the connection", room.phone);
  await look("link-offline", room.phone);
  assert.equal((await results(4)).filter((result) => result !== null).length, 1);
  await room.phone.context().setOffline(false);
  await see("The connection is back: everything is saved.", room.phone);
  assert.deepEqual((await results(4)).slice(27, 31), ["black", "white", "white", "white"]);

  // The phone goes off while it waits: the page that is opened next sends what was kept.
  await room.phone.context().setOffline(true);
  await room.phone.locator("#board-32 input[value=white]").check();
  await see("Kept on this device: 1", room.phone);
  const again = await watched(room.phone.context(), faults);
  await room.phone.close();
  await again.context().setOffline(false);
  await again.goto(room.href);
  await again.locator('#board-32 [data-words]:text-is("saved")').waitFor();
  assert.equal((await results(4))[31], "white");
  room.phone = again;
});

test("who was slower sees both results and chooses", async () => {
  const { phone } = phones[1];
  await phone.context().setOffline(true);
  await phone.locator("#board-33 input[value=black]").check();
  await phone.locator("#board-34 input[value=black]").check();
  await api("PUT", "/events/hall/rounds/4/boards/33/result", { result: "white" });
  await api("PUT", "/events/hall/rounds/4/boards/34/result", { result: "draw" });
  await phone.context().setOffline(false);
  await see("Somebody else has entered: White wins. You: Black wins.", phone);
  await see("Somebody else has entered: Draw. You: Black wins.", phone);
  await look("link-conflict", phone);
  assert.deepEqual((await results(4)).slice(32, 34), ["white", "draw"]);
  await phone.locator("#board-33").getByRole("button", { name: "Mine is right" }).click();
  await phone.locator('#board-33 [data-words]:text-is("saved")').waitFor();
  await phone.locator("#board-34").getByRole("button", { name: "Theirs is right" }).click();
  await phone.locator('#board-34 [data-words]:text-is("saved")').waitFor();
  assert.deepEqual((await results(4)).slice(32, 34), ["black", "draw"]);
});

test("keys enter results at the boards only, once for each press", async () => {
  await page.goto(`${manage()}/rounds/4/results`);
  await page.locator(".board.cursor").waitFor();
  const before = await results(4);
  await page.getByLabel("Reason (when a result is corrected)").pressSequentially("10");
  await page.locator(".top-right button[name=language]").focus();
  for (const key of ["1", "w", "x"]) await page.keyboard.press(key);
  await page.waitForTimeout(1000);
  assert.deepEqual(await results(4), before);
  // A key that is held down is one press.
  await page.locator("#board-70").focus();
  for (let at = 0; at < 20; at += 1) await page.keyboard.down("1");
  await page.keyboard.up("1");
  await page.locator('#board-70 [data-words]:text-is("saved")').waitFor();
  assert.deepEqual(await results(4), before.map((result, at) => (at === 69 ? "black" : result)));
});

test("in the list of open boards a row is its board, whatever is entered elsewhere meanwhile", async () => {
  for (const board of [1, 2, 5]) await api("PUT", `/events/hall/rounds/4/boards/${board}/result`, { result: "draw" });
  await page.goto(`${manage()}/rounds/4/results?open=1`);
  const third = page.locator("[data-board]").nth(2);
  assert.equal(await third.getAttribute("data-board"), "6");
  await api("PUT", "/events/hall/rounds/4/boards/3/result", { result: "black" });
  await third.locator("input[value=white]").check();
  await page.locator('#board-6 [data-words]:text-is("saved")').waitFor();
  assert.deepEqual((await results(4)).slice(0, 6), ["draw", "draw", "black", null, "draw", "white"]);
});

test("players hand in their own results; what both say counts, and what differs is the director's", async () => {
  await api("POST", "/events", { name: "Club", slug: "club", rounds: 3 });
  await api("POST", "/events/club/entries", Array.from({ length: 8 }, (_, at) => ({ name: `Member ${at + 1}` })));
  await api("POST", "/events/club/rounds");
  await api("POST", "/events/club/rounds/1/publish");
  const club = `${server.base}/manage/e/club`;
  await page.goto(`${club}/result-links`);
  await page.getByLabel("Players hand in the results of their own games").check();
  await button("Save the settings").click();
  await page.getByRole("link", { name: "Cards for the players" }).click();
  await look("cards");
  const boards = (await api("GET", "/events/club/rounds/1")).boards;
  const codes = new Map(
    await page.$$eval(".cards .slip", (cards) =>
      cards.map((card) => [
        Number(card.querySelector("h2").textContent.trim()),
        card.querySelector("code").textContent.trim(),
      ]),
    ),
  );
  assert.equal(codes.size, 8);
  const own = async (number) => {
    const phone = await watched(
      await chrome.newContext({ locale: "en-GB", viewport: { width: 390, height: 844 } }),
      faults,
    );
    await phone.goto(`${server.base}/e/club/hand-in?number=${number}&code=${codes.get(number)}`);
    return phone;
  };
  const [one, two] = [boards[1], boards[2]];
  const black = await own(one.black);
  await look("hand-in", black);
  await button("I won", black).click();
  await see("It counts as soon as your opponent hands in the same", black);
  assert.equal((await results(1, "club"))[1], null);
  const white = await own(one.white);
  await see("Your opponent has handed in: Black wins.", white);
  await button("I lost", white).click();
  await see("The result counts: Black wins", white);
  assert.equal((await results(1, "club"))[1], "black");

  for (const number of [two.black, two.white]) await button("I won", await own(number)).click();
  const again = await own(two.white);
  await see("These results differ", again);
  await look("hand-in-disputed", again);
  assert.equal((await results(1, "club"))[2], null);
  await page.goto(club);
  await see("One board of round 1 is disputed: board 3");
  await look("overview-disputed");
  await page.goto(`${club}/rounds/1/results`);
  await see(`disputed: Black wins (Member ${two.black}), White wins (Member ${two.white})`);
  await look("results-disputed");
  await page.locator("#board-3 input[value=white]").check();
  await page.locator('#board-3 [data-words]:text-is("saved")').waitFor();
  await again.reload();
  await see("The result counts: White wins", again);
  assert.equal((await results(1, "club"))[2], "white");
});

test("a ruling is one press, and the log has the article and the remark", async () => {
  await page.goto(`${manage()}/rounds/4/boards/50`);
  await look("board");
  await page.getByLabel("Remark").fill("phone rang");
  const name = (await page.locator('button[value="warning-black"]').textContent()).trim();
  await button(name).click();
  await page.goto(`${manage()}/rounds/4/boards/50`);
  await see("Warning (Art. 24): phone rang");
  await button(name).click();
  await see("Board 50: White wins");
  assert.equal((await results(4))[49], "white");
});

test("before a result of an earlier round is changed, the places that change are shown", async () => {
  const before = await results(1);
  await page.goto(`${manage()}/rounds/1/boards/1`);
  const other = before[0] === "black" ? "White wins" : "Black wins";
  await page.getByRole("radio", { name: other, exact: true }).check();
  await page.getByLabel("Reason").fill("misread");
  await button("Correct board 1").click();
  await see(`Not saved yet. The result would be: ${other}`);
  await see("The results of round 1 as they are went into the pairing of round 2, 3, 4.");
  assert.ok((await page.locator("#preview tbody tr").count()) >= 2);
  await look("preview");
  assert.deepEqual(await results(1), before);
  await button("Correct board 1").click();
  await see("Board 1 is corrected");
  assert.notEqual((await results(1))[0], before[0]);
});

test("on the results page of an earlier round a correction is seen first, and Enter keeps it or Esc leaves it", async () => {
  const before = await results(1);
  const at = before.indexOf("black", 1);
  const row = page.locator(`#board-${at + 1}`);
  await page.goto(`${manage()}/rounds/1/results`);
  for (const key of `${at + 1}w`) await page.keyboard.press(key);
  await see("press Enter to keep it, Esc to leave it", row);
  await see("In the standings after round", row);
  assert.ok((await row.locator(".preview li").count()) >= 2);
  await look("results-preview");
  assert.deepEqual(await results(1), before);
  await page.keyboard.press("Escape");
  await row.locator('[data-words]:text-is("saved")').waitFor();
  assert.equal(await row.locator(".preview").count(), 0);
  assert.equal(await row.locator("input[type=radio][value=black]").isChecked(), true);
  for (const key of `${at + 1}w`) await page.keyboard.press(key);
  await row.locator(".preview").waitFor();
  await page.keyboard.press("Enter");
  await row.locator('[data-words]:text-is("saved")').waitFor();
  assert.equal((await results(1))[at], "white");
  // By touch it has a button.
  await row.locator("input[type=radio][value=black]").check();
  await row.getByRole("button", { name: "Keep it" }).click();
  await row.locator('[data-words]:text-is("saved")').waitFor();
  assert.deepEqual(await results(1), before);
});

test("nothing went wrong in the browser or on the server", () => {
  // A page without a connection says so in its log.
  assert.deepEqual(faults.filter((fault) => !/ERR_INTERNET_DISCONNECTED/.test(fault)), []);
});
