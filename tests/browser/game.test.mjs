// A board's page with its game: brought by a director and by a player, stepped through with keys and
// slider, counted with dead stones, on a phone and on paper, with scripts and without.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { browser, serve, watched } from "./server.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let server, chrome, context, page, session;
const faults = [];
// Each side builds a wall; White captures a stone in the corner; a chain of each side is dead at the end.
const walls = Array.from("abcdefghi", (row) => `;B[d${row}];W[e${row}]`).join("");
const game = (names, result, more = "") =>
  `(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[7.5]RU[Chinese]${names}RE[${result}]${more}${walls}` +
  ";B[ia];W[ib];B[hg]C[<b>深入</b>];W[ha];B[hf];W[bb];B[];W[bc];B[];W[])";
let boards;

before(async () => {
  server = await serve();
  chrome = await browser();
  context = await chrome.newContext({ locale: "zh-CN", viewport: { width: 1280, height: 900 } });
  page = await watched(context, faults);
  await page.goto(server.setup);
  await page.getByLabel("用户名").fill("director");
  await page.getByLabel("密码").fill("a sentence to remember");
  await page.getByRole("button", { name: "设立管理员" }).click();
  session = await context.storageState();
  boards = await page.evaluate(async () => {
    const send = async (method, path, body) => {
      const answer = await fetch(`/api/v1${path}`, {
        method,
        headers: { "Content-Type": "application/json" },
        body: body && JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
      return answer.json();
    };
    await send("POST", "/events", { name: "九路赛", slug: "nine", rounds: 3, records: { board_size: 9, from_players: true } });
    await send("POST", "/events/nine/entries", ["甲", "乙", "丙", "丁", "戊", "己"].map((name) => ({ name })));
    await send("POST", "/events/nine/rounds", {});
    await send("POST", "/events/nine/rounds/1/publish", {});
    return (await send("GET", "/events/nine/rounds/1")).boards;
  });
});

after(async () => {
  await chrome?.close();
  await server?.stop();
});

const NAMES = ["", "甲", "乙", "丙", "丁", "戊", "己"];
const namesOf = (number) => {
  const board = boards.find((one) => one.board === number);
  const of = (side) => NAMES[board[side].number ?? board[side]];
  return `PB[${of("black")}]PW[${of("white")}]`;
};
const boardPage = (number) => `${server.base}/e/nine/rounds/1/boards/${number}`;
const file = (text, name = "game.sgf") => ({ name, mimeType: "application/x-go-sgf", buffer: Buffer.from(text) });
const at = (on = page) => on.locator("[data-at]").textContent();

async function bring(on, number, text, code) {
  await on.goto(`${boardPage(number)}/record${code ? `?code=${code}` : ""}`);
  await on.getByLabel("棋谱文件（SGF）").setInputFiles(file(text));
  await on.getByRole("button", { name: `提交第${number}台的棋谱` }).click();
}

test("a director brings a record, which changes no result and is told where it contradicts one", async () => {
  await page.goto(`${server.base}/manage/e/nine/rounds/1/boards/1`);
  await page.getByLabel("黑胜", { exact: true }).check();
  await page.getByRole("button", { name: "保存第1台" }).click();
  await page.goto(boardPage(1));
  await page.getByText("这一台还没有棋谱。").waitFor();
  await bring(page, 1, game(namesOf(1), "W+R"));
  await page.getByText("第1台的棋谱已收下").waitFor();
  await page.getByText("棋谱与录入的成绩不一致。").waitFor();
  const results = await page.locator(".game-results").first().textContent();
  assert.match(results, /录入成绩\s*黑胜/);
  assert.match(results, /棋谱所记\s*白中盘胜/);
  await page.goto(`${server.base}/e/nine/rounds/1`);
  const row = page.locator("#board-1 .p-res");
  assert.match(await row.textContent(), /黑胜/);
  assert.equal(await row.getByRole("link", { name: "棋谱" }).getAttribute("href"), "/e/nine/rounds/1/boards/1");
  await page.goto(`${server.base}/manage/e/nine`);
  await page.getByText("有1台的棋谱需要看一看：第1轮第1台。").waitFor();
  await page.getByRole("link", { name: "查看这些棋谱" }).click();
  await page.getByText("成绩不一致", { exact: true }).waitFor();
  await page.goto(`${server.base}/manage/e/nine/log`);
  await page.locator("tbody").getByText("提交棋谱").first().waitFor();
});

test("what cannot be taken is refused with its place and the way out", async () => {
  await bring(page, 2, "no game at all");
  await page.getByText("文件中没有棋谱。").waitFor();
  await bring(page, 2, "(;GM[1]FF[4]SZ[19];B[pd])");
  await page.getByText("19×19").first().waitFor();
  await page.goto(`${boardPage(2)}/record`);
  await page.getByRole("button", { name: "提交第2台的棋谱" }).click();
  await page.getByText("没有选择文件。").waitFor();
  await bring(page, 2, `(;C[${"x".repeat(1100000)}])`);
  await page.getByText("棋谱文件超过 1 MiB。").waitFor();
  assert.equal((await page.request.get(`${boardPage(2)}/record.sgf`)).status(), 404);
});

test("of a file with several games one is chosen", async () => {
  await bring(page, 2, game("PB[某]PW[某]", "B+R") + game(namesOf(2), "W+8.25"));
  await page.getByText("文件里有2局棋。").waitFor();
  await page.getByRole("radio").nth(1).check();
  await page.getByRole("button", { name: "提交第2台的棋谱" }).click();
  await page.getByText("第2台的棋谱已收下").waitFor();
});

test("the game is stepped through with keys, slider, links and findings", async () => {
  await page.goto(boardPage(2));
  assert.match(await at(), /第28手 白 虚着/);
  const board = page.locator("[data-board]");
  await board.focus();
  await page.keyboard.press("Home");
  assert.equal(await at(), "开局之前");
  await page.keyboard.press("ArrowRight");
  assert.equal((await at()).trim(), "第1手 黑 D9");
  await page.keyboard.press("PageDown");
  assert.match(await at(), /第11手 /);
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  assert.match(await at(), /第27手 黑 虚着/);
  // What a move took is gone, and the captures are counted.
  await page.locator('[data-moves] [data-move="21"]').click();
  assert.match(await page.locator("[data-comment-here]").textContent(), /<b>深入<\/b>/);
  const black = () => page.locator(".goban .stones:not(.dead) .b").getAttribute("d");
  assert.ok((await black()).includes("M80 0h0"));
  await page.keyboard.press("ArrowRight");
  assert.match(await at(), /第22手 白 H9 提1子/);
  assert.ok(!(await black()).includes("M80 0h0"));
  assert.match(await page.locator("[data-captures]").textContent(), /白1/);
  const slider = page.getByLabel("第几手");
  await slider.fill("5");
  assert.match(await at(), /第5手 黑 D7/);
  assert.match(page.url(), /move=5/);
  await page.getByLabel("手数", { exact: true }).selectOption("all");
  assert.deepEqual(await page.locator(".goban .numbers text").allTextContents(), ["1", "2", "3", "4", "5"]);
  await page.getByLabel("坐标", { exact: true }).uncheck();
  assert.equal(await page.locator(".goban .coordinates").isVisible(), false);
});

test("a finding leads to its move", async () => {
  await bring(page, 3, game(namesOf(3), "W+R").replace(";B[ia]", ";B[da]"));
  await page.locator(".game-findings a").first().click();
  assert.match(await at(), /第19手 黑 D9/);
});

test("dead stones are marked chain by chain, and the server counts", async () => {
  await page.goto(boardPage(2));
  const counted = () => page.locator("[data-counted]").textContent();
  const dead = page.getByLabel("死子", { exact: true });
  await dead.fill("");
  await page.getByRole("button", { name: "重新数棋" }).click();
  await page.waitForFunction(() => document.querySelector("[data-counted]").textContent.includes("没有死子"));
  const before = await counted();
  await page.getByRole("button", { name: "标死子" }).click();
  // By tapping: H4 stands for its chain of two.
  const point = async (column, row) => {
    await page.locator("[data-board]").scrollIntoViewIfNeeded();
    const box = await page.locator(".goban").boundingBox();
    const step = (box.width * 10) / 108;
    return page.mouse.click(box.x + (14 / 10 + column) * step, box.y + (14 / 10 + row) * step);
  };
  await point(7, 5);
  await page.waitForFunction((old) => document.querySelector("[data-counted]").textContent !== old, before);
  // Some dead stones without the others would count wrong, so there is no count yet.
  assert.match(await counted(), /还不能数棋/);
  assert.equal(await dead.inputValue(), "H4");
  // By keys: from the centre to B8.
  await point(1, 0);
  for (const key of ["ArrowDown", "Enter"]) await page.keyboard.press(key);
  await page.waitForFunction(() => document.querySelector("[data-counted]").textContent.includes("4个死子"));
  assert.match(await counted(), /白胜8又1\/4子/);
  assert.match(await page.locator("[data-live]").textContent(), /白胜8又1\/4子/);
  assert.equal(await dead.inputValue(), "B8 H4");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("[data-counted]").textContent.includes("还不能数棋"));
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("[data-counted]").textContent.includes("4个死子"));
  await page.getByRole("button", { name: "把这些死子存入棋谱" }).click();
  await page.getByText("死子已存入棋谱。").waitFor();
  await page.reload();
  assert.match(await counted(), /白胜8又1\/4子，按指明的4个死子/);
});

test("everything is there without scripts, on a phone", async () => {
  const plain = await chrome.newContext({
    locale: "zh-CN",
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  const phone = await watched(plain, faults);
  await phone.goto(boardPage(2));
  assert.match(await at(phone), /第28手/);
  assert.match(await phone.locator("[data-counted]").textContent(), /白胜8又1\/4子/);
  await phone.getByRole("link", { name: "上一手" }).click();
  assert.match(phone.url(), /move=27#game$/);
  assert.match(await at(phone), /第27手/);
  await phone.getByRole("link", { name: "开局", exact: true }).click();
  assert.match(await at(phone), /开局之前/);
  await phone.getByRole("button", { name: "给最后10手标手数" }).waitFor();
  await phone.goto(`${boardPage(2)}?move=22&numbers=3`);
  assert.deepEqual(await phone.locator(".goban .numbers text").allTextContents(), ["22", "20", "21"]);
  await phone.goto(boardPage(2));
  await phone.getByLabel("死子", { exact: true }).fill("H4 c1");
  await phone.getByLabel("死子", { exact: true }).press("Enter");
  await phone.getByText("C1处没有棋子。", { exact: false }).or(phone.getByText("c1处没有棋子。")).waitFor();
  assert.match(await phone.locator("[data-counted]").textContent(), /还不能数棋/);
  assert.equal(await phone.getByLabel("死子", { exact: true }).inputValue(), "H4");
  await phone.getByLabel("死子", { exact: true }).fill("H4 B8");
  await phone.getByLabel("死子", { exact: true }).press("Enter");
  await phone.getByText("4个死子").first().waitFor();
  await plain.close();
});

test("a player brings the record with the link of the board, and not without it", async () => {
  await page.goto(`${server.base}/manage/e/nine/rounds/1/codes`);
  const link = await page.locator("tr", { has: page.getByRole("rowheader", { name: "3", exact: true }) }).getByRole("link").getAttribute("href");
  assert.ok(link.startsWith(`${boardPage(3)}/record?code=`), link);
  const outside = await chrome.newContext({ locale: "zh-CN", viewport: { width: 390, height: 844 } });
  const phone = await watched(outside, faults);
  // Board 3 has a director's record: a player's does not take its place.
  await phone.goto(link);
  await phone.getByLabel("棋谱文件（SGF）").setInputFiles(file(game(namesOf(3), "W+R")));
  await phone.getByRole("button", { name: "提交第3台的棋谱" }).click();
  await phone.getByText("已由裁判提交").waitFor();
  await page.goto(`${server.base}/manage/e/nine/rounds/1/boards/3`);
  await page.getByRole("button", { name: "撤下" }).click();
  await page.getByText("第3台的棋谱已撤下").waitFor();
  await phone.goto(link.replace(/code=.*/, "code=abcd-efgh-ijkm"));
  await phone.getByLabel("棋谱文件（SGF）").setInputFiles(file(game(namesOf(3), "W+R")));
  await phone.getByRole("button", { name: "提交第3台的棋谱" }).click();
  await phone.getByText("提交码与这一台不符。").waitFor();
  await phone.goto(link);
  assert.notEqual(await phone.getByLabel("本台的提交码").inputValue(), "");
  await phone.getByLabel("棋谱文件（SGF）").setInputFiles(file(game(namesOf(3), "W+R")));
  await phone.getByRole("button", { name: "提交第3台的棋谱" }).click();
  await phone.getByText("第3台的棋谱已收下").waitFor();
  await phone.getByText("合法：每一手都符合规则。").waitFor();
  // Guessing comes to an end.
  let status = 0;
  for (let tries = 0; tries < 12 && status !== 429; tries += 1) {
    const answer = await outside.request.post(`${boardPage(3)}/record`, { multipart: { code: `wrong-${tries}`, file: file("(;)") } });
    status = answer.status();
  }
  assert.equal(status, 429);
  await outside.close();
});

test("the page can be read by everybody, as wide as a phone and on paper", async () => {
  for (const [width, colorScheme, locale] of [[1280, "light", "zh-CN"], [390, "dark", "en-GB"]]) {
    const other = await chrome.newContext({ storageState: session, locale, colorScheme, viewport: { width, height: 844 } });
    const tab = await watched(other, faults);
    for (const path of [boardPage(1), boardPage(2), `${boardPage(2)}?move=22&numbers=10`, `${server.base}/manage/e/nine/records`, `${server.base}/manage/e/nine/rounds/1/boards/3`]) {
      await tab.goto(path);
      await tab.evaluate(axe);
      const found = await tab.evaluate(async () => {
        const result = await globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] });
        return result.violations.map(({ id, nodes }) => `${id} ×${nodes.length}: ${nodes[0].html.slice(0, 160)}`);
      });
      assert.deepEqual(found, [], path);
      const over = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${path} is ${over} too wide`);
    }
    if (width === 390) {
      await tab.goto(boardPage(2));
      assert.equal(Math.round((await tab.locator(".goban").boundingBox()).width), 390);
    }
    await tab.emulateMedia({ media: "print" });
    await tab.goto(boardPage(2));
    assert.ok(await tab.locator(".goban").isVisible());
    assert.equal(await tab.locator(".game-steps").isVisible(), false);
    await other.close();
  }
});

test("nothing went wrong in any page", () => {
  assert.deepEqual(faults, []);
});
