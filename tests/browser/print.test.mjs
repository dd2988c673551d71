// Every sheet of an event of 160 players on paper: nobody is missing, no line is cut, the head of
// each table comes again on every page, and each page says which one it is.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { browser, serve, watched } from "./server.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const target = process.env.CARGO_TARGET_DIR ?? path.join(root, "target");
const binary = process.env.TIANYUAN ?? path.join(target, "debug", "tianyuan");
// With PAGES_OUT the sheets stay there, to be looked at.
const kept = process.env.PAGES_OUT;
const folder = kept ?? mkdtempSync(path.join(tmpdir(), "tianyuan-print-"));

const PLAYERS = 160;
const ROUNDS = 9;
const faults = [];
let server, chrome, page, manage, event;

// A name that is found again, and a team so long that it takes more than one line; its last word is one
// that no line breaks.
const name = (number) => `棋手${String(number).padStart(3, "0")}`;
const start = (number) => `起${String(number).padStart(3, "0")}`;
const end = (number) => `Z${String(number).padStart(3, "0")}`;
const team = (number) =>
  `${start(number)}中国人民大学附属中学实验学校围棋协会青少年第一代表队甲组乙组丙组${end(number)}`;

before(async () => {
  mkdirSync(folder, { recursive: true });
  const made = execFileSync(binary, ["simulate", "--players", PLAYERS, "--rounds", ROUNDS, "--seed", "7"].map(String), {
    maxBuffer: 64 * 1024 * 1024,
  });
  const file = JSON.parse(made);
  file.event.name = "春季公开赛 \"天元杯\" <2027>";
  for (const entry of file.entries) {
    entry.name = name(entry.number);
    if (entry.number % 10 === 1) entry.team = team(entry.number);
    entry.category = entry.number % 4 === 0 ? "女子" : "公开";
    entry.grade = `${(entry.number % 5) + 1}d`;
  }
  // Characters that fonts often lack.
  file.entries[1].name = "灣䶮𠮷";
  file.entries[2].name = "김철수 Łuczak";
  file.event.promotion = {
    by_wins: [1, 2, 3, 4].map((step) => ({ from: `${step}d`, wins: 5, games: ROUNDS, to: `${step + 1}d` })),
  };
  file.event.prizes = { list: [{ name: "冠军" }, { name: "亚军" }, { name: "女子前三名", category: "女子", count: 3 }] };
  writeFileSync(path.join(folder, "event.json"), JSON.stringify(file));
  server = await serve();
  chrome = await browser();
  const context = await chrome.newContext({ locale: "zh-CN" });
  page = await watched(context, faults);
  await page.goto(server.setup);
  await page.getByLabel("用户名").fill("director");
  await page.getByLabel("密码").fill("a sentence to remember");
  await page.getByRole("button", { name: "设立管理员" }).click();
  await page.goto(`${server.base}/manage/import`);
  await page.getByLabel("选择文件").setInputFiles(path.join(folder, "event.json"));
  await page.getByRole("button", { name: "导入", exact: true }).click();
  await page.waitForURL(/\/manage\/e\//);
  manage = new URL(page.url()).pathname.split("/").slice(0, 4).join("/");
  event = manage.replace("/manage", "");
});

after(async () => {
  await chrome?.close();
  await server?.stop();
  if (!kept) rmSync(folder, { recursive: true, force: true });
});

// The pages of a sheet as text, in the order in which they lie.
async function printed(sheet) {
  await page.goto(`${server.base}${manage}/print/${sheet}`);
  const pdf = path.join(folder, `${sheet}.pdf`);
  writeFileSync(pdf, await page.pdf({ preferCSSPageSize: true, printBackground: false }));
  const text = execFileSync("pdftotext", ["-layout", pdf, "-"], { maxBuffer: 64 * 1024 * 1024 }).toString();
  return text.split("\f").filter((one) => one.trim());
}

const everybody = Array.from({ length: PLAYERS }, (_, at) => at + 1);
const wide = new Set(["standings", "categories", "crosstable", "report"]);
// The sheet, the words of its table's head, and how often everybody stands on it at least.
const sheets = {
  programme: [["编号", "姓名", "单位"], 1],
  "sign-in": [["编号", "姓名", "签名"], 1],
  pairing: [["台次", "结果"], 1],
  "pairing-by-name": [["姓名", "台次", "对手"], 2],
  results: [["台次", "结果"], 1],
  standings: [["名次", "编号", "姓名", "积分"], 1],
  categories: [["名次", "编号", "姓名"], 1],
  crosstable: [["编号", "姓名", "积分", "名次"], 1],
  promotion: [["编号", "姓名", "升至", "理由"], 0],
  prizes: [["奖项", "姓名"], 0],
  report: [[], 0],
};

for (const [sheet, [heads, times]] of Object.entries(sheets)) {
  test(`nobody is missing and no line is cut on the sheet ${sheet}`, async () => {
    const pages = await printed(sheet);
    const all = pages.join("\n");
    pages.forEach((text, at) => {
      assert.match(text, new RegExp(`(?<!\\d)${at + 1}\\s*/\\s*${pages.length}(?!\\d)`), `page ${at + 1} of ${sheet} has its number`);
      assert.match(text, /打印于/, `page ${at + 1} of ${sheet} says when it was printed`);
      assert.match(text, /日志至第/, `page ${at + 1} of ${sheet} has the end of the log`);
    });
    const texts = sheet === "programme" ? pages.slice(1) : pages;
    texts.forEach((text, at) => {
      for (const head of heads) assert.ok(text.includes(head), `${head} on page ${at + 1} of ${sheet}`);
    });
    if (times > 0) {
      for (const number of everybody.filter((number) => number !== 2 && number !== 3)) {
        const found = all.split(name(number)).length - 1;
        assert.ok(found >= times, `${name(number)} stands ${found} times on ${sheet}`);
      }
      for (const rare of ["灣", "䶮", "𠮷", "김철수", "Łuczak"]) assert.ok(all.includes(rare), `${rare} on ${sheet}`);
    }
    // A long team begins and ends on the page of its player.
    pages.forEach((text) => {
      const flat = text.replace(/\s/g, "");
      for (const number of everybody.filter((number) => number % 10 === 1)) {
        const begins = flat.split(start(number)).length;
        assert.equal(begins, flat.split(end(number)).length, `the team of ${number} is cut on ${sheet}`);
      }
    });
    const sizes = execFileSync("pdfinfo", [path.join(folder, `${sheet}.pdf`)]).toString();
    assert.match(sizes, wide.has(sheet) ? /841\.\d+ x 59\d/ : /59\d(\.\d+)? x 841/, sheet);
    assert.deepEqual(faults, []);
  });
}

test("no column is lost at the right edge", async () => {
  await page.emulateMedia({ media: "print" });
  for (const sheet of Object.keys(sheets)) {
    // The width between the margins of A4 at 96 dots an inch.
    const width = wide.has(sheet) ? Math.floor((277 / 25.4) * 96) : Math.floor((186 / 25.4) * 96);
    await page.setViewportSize({ width, height: 1000 });
    await page.goto(`${server.base}${manage}/print/${sheet}`);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(over <= 0, `${sheet} is ${over} dots too wide`);
  }
  await page.emulateMedia({ media: "screen" });
});

test("the list has every sheet, with a button each and both spreadsheets", async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${server.base}${manage}/print`);
  const rows = page.locator(".print-list tbody tr");
  assert.equal(await rows.count(), Object.keys(sheets).length);
  for (let at = 0; at < (await rows.count()); at++) {
    assert.equal(await rows.nth(at).getByRole("link").count(), 3);
  }
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "XLSX 名次表", exact: true }).click(),
  ]);
  const book = path.join(folder, "standings.xlsx");
  await download.saveAs(book);
  const inside = execFileSync("unzip", ["-p", book, "xl/sharedStrings.xml"], { maxBuffer: 64 * 1024 * 1024 }).toString();
  for (const number of everybody.filter((number) => number !== 2 && number !== 3)) assert.ok(inside.includes(name(number)));
});

test("after the last round an event is declared final, says so everywhere, and is opened again with a reason", async () => {
  await page.goto(`${server.base}${manage}/finish`);
  await page.getByRole("button", { name: "定稿" }).click();
  await page.getByText("赛事已定稿。").waitFor();
  await page.goto(`${server.base}${event}/standings`);
  await page.locator(".top .mark", { hasText: "已定稿" }).waitFor();
  // What the page tells a director is not on paper: before a wide sheet it would take a page of its own.
  assert.ok((await printed("crosstable"))[0].includes("姓名"));
  await page.goto(`${server.base}${manage}/finish`);
  await page.getByLabel("重新打开的理由").fill("第3台成绩有误");
  await page.getByRole("button", { name: "重新打开" }).click();
  await page.getByText("赛事已重新打开").waitFor();
  await page.goto(`${server.base}${manage}/log`);
  await page.getByText("第3台成绩有误").waitFor();
  assert.deepEqual(faults, []);
});
