// The director's day, from a new event to the archive: 160 players out of a GB18030 file, check-in at
// the door, numbers drawn on the screen, five rounds with a correction, a withdrawal and a late entry,
// standings, promotion, prizes, paper. What comes out is compared with an account kept here, of the
// results that were given and of nothing else.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { gb18030 } from "./gb18030.mjs";
import { csvRows, printed, printedWhole, workbook } from "./paper.mjs";
import { browser, serve, watched } from "./server.mjs";

const ROUNDS = 5;
const TITLE = "金秋公开赛 “天元杯” <2027>";
// With PAGES_OUT the sheets stay there, to be looked at.
const kept = process.env.PAGES_OUT;
const folder = kept ?? mkdtempSync(path.join(tmpdir(), "tianyuan-day-"));

// Names that lists, papers and pages are known to break, and three people of one name.
const SPECIAL = [
  ["阿依努·云岭", "=东湖队"],
  ["巴图·苏和·青原", "@西山棋院"],
  ["欧阳小满", "=东湖队"],
  ["陈晓溪", "=东湖队"],
  ["陈晓溪", "=东湖队"],
  ["陈晓溪", "南城小学, 二队"],
  ["灣䶮𠮷", "北港队"],
  ["㛃喆堃", "南城小学, 二队"],
  ["Aoife O'Neil-Łuczak", "北港队"],
  ['"Bo" & <b>Flo</b>', "@西山棋院"],
  ["김별하", "北港队"],
  ["+远方", ""],
];
const SURNAMES = [..."赵钱孙李周吴郑王冯卫"];
const GIVEN = "青山 晓舟 望岳 清泉 听雨 长风 归舟 若水 观棋 问津 鸣珂 怀谷 停云 照野 拂石".split(" ");
const TEAMS = ["=东湖队", "@西山棋院", "南城小学, 二队", "北港队", ""];
const GRADES = ["1段", "2段", "3段", "4段", "2级", ""];

const PEOPLE = [
  ...SPECIAL.map(([name, team]) => ({ name, team })),
  ...Array.from({ length: 148 }, (_, at) => ({
    name: SURNAMES[at % 10] + GIVEN[Math.floor(at / 10)],
    team: TEAMS[(at * 7) % 5],
  })),
].map((person, at) => ({ ...person, grade: GRADES[(at * 5) % 6], category: at % 4 === 0 ? "女子" : "公开" }));

let server, chrome, context, page;
const faults = [];
const base = () => `${server.base}/manage/e/autumn`;
const open = (where) => `${server.base}/e/autumn${where}`;
const button = (name) => page.getByRole("button", { name, exact: true });
const see = (text, where = page) => where.getByText(text).first().waitFor();

// The account: number → { name, team, grade, category, rounds: [{ round, opponent, points }] }.
const account = new Map();
const games = [];
// Lots drawn between those whom nothing else tells apart.
const lots = new Map();

function play(round, board, black, white, result) {
  games.push({ round, board, black, white, result });
}

const POINTS = {
  black: [2, 0],
  white: [0, 2],
  draw: [1, 1],
  black_forfeit: [0, 2],
  white_forfeit: [2, 0],
  both_lose: [0, 0],
  both_forfeit: [0, 0],
  bye: [2],
};

// Score, opponents' sum, and the sum over those beaten with half of those drawn with, as of a round.
function tally(after) {
  const seen = games.filter((game) => game.round <= after);
  const score = new Map([...account.keys()].map((number) => [number, 0]));
  for (const game of seen) {
    const [black, white] = POINTS[game.result];
    score.set(game.black, score.get(game.black) + black);
    if (game.white) score.set(game.white, score.get(game.white) + white);
  }
  const rows = [...account.keys()].map((number) => {
    const row = { number, score: score.get(number), sum: 0, beaten: 0, wins: 0 };
    for (const game of seen) {
      if (!game.white || (game.black !== number && game.white !== number)) continue;
      const [mine, other] = game.black === number ? [0, game.white] : [1, game.black];
      const points = POINTS[game.result][mine];
      row.sum += score.get(other);
      row.beaten += (points / 2) * score.get(other);
      if (points === 2) row.wins += 1;
    }
    return row;
  });
  const order = (one, other) =>
    other.score - one.score || other.sum - one.sum || other.beaten - one.beaten ||
    (lots.get(one.number) ?? 0) - (lots.get(other.number) ?? 0);
  rows.sort((one, other) => order(one, other) || one.number - other.number);
  for (const row of rows) {
    row.place = rows.filter((other) => order(other, row) < 0).length + 1;
    row.shared = rows.filter((other) => order(other, row) === 0).length > 1;
  }
  return rows;
}

before(async () => {
  mkdirSync(folder, { recursive: true });
  server = await serve();
  chrome = await browser();
  context = await chrome.newContext({ locale: "zh-CN", viewport: { width: 1280, height: 900 } });
  page = await watched(context, faults);
  await page.goto(server.setup);
  await page.getByLabel("用户名").fill("裁判长");
  await page.getByLabel("密码").fill("一句容易记住的话 2027");
  await button("设立管理员").click();
});

after(async () => {
  await chrome?.close();
  await server?.stop();
  if (!kept) rmSync(folder, { recursive: true, force: true });
});

// One step of the day. Each stands on those before it: after one that failed the others say so at once.
// What only looks leaves nothing for others to stand on.
let failed;
function step(name, act, { looks = false } = {}) {
  test(name, async () => {
    if (looks) return act();
    if (failed) throw new Error(`not reached: “${failed}” failed`);
    failed = name;
    try {
      await act();
      failed = undefined;
    } finally {
      if (failed && kept) await page.screenshot({ path: path.join(folder, "failed.png"), fullPage: true });
    }
  });
}

// Somebody who has not signed in.
async function visitor(options = {}) {
  const own = await chrome.newContext({ locale: "zh-CN", ...options });
  return { own, page: await watched(own, faults) };
}

step("an event of five rounds is made from a kind of event", async () => {
  await page.goto(`${server.base}/manage/new`);
  await page.getByRole("link", { name: "升段赛，7轮" }).click();
  await page.getByLabel("赛事名称").fill(TITLE);
  await page.getByLabel("网址中的名称").fill("autumn");
  await page.getByLabel("轮数", { exact: true }).fill(String(ROUNDS));
  await button("新建赛事").click();
  await see(`已新建“${TITLE}”。`);
});

step("160 entries come out of a GB18030 file, and what is wrong in it is put right first", async () => {
  const wrong = new Map([[20, "半段"], [77, "99段"]]);
  const quoted = (cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const lines = PEOPLE.map((person, at) =>
    [person.team, wrong.get(at) ?? person.grade, person.name, person.category].map(quoted).join(","),
  );
  await page.goto(`${base()}/entries/import`);
  await page.getByLabel("或选择文件").setInputFiles({
    name: "名单.csv",
    mimeType: "text/csv",
    buffer: gb18030(["单位,段位,姓名,组别", ...lines, ""].join("\r\n")),
  });
  await button("预览").click();
  await see("按 gb18030 读取");
  // Two grades that are none, and somebody who is called like another of the same team.
  await see("有3行不能加入");
  for (const grade of wrong.values()) await see(`B列：“${grade}”不是段位`);
  assert.equal(await page.locator(".field-problem", { hasText: "同名" }).count(), 1);
  const list = page.getByLabel("名单", { exact: true });
  let text = await list.inputValue();
  for (const [at, grade] of wrong) text = text.replace(grade, PEOPLE[at].grade || "1级");
  for (const at of wrong.keys()) PEOPLE[at].grade ||= "1级";
  await list.fill(text);
  await page.getByLabel("名单中同名者是不同的人").check();
  await button("预览").click();
  await button("加入这160人").click();
  await see("名单已导入：新增160人，更改0人。");
});

step("at the door a phone takes in all but two, and these two are left out of round 1", async () => {
  const state = await context.storageState();
  const phone = await visitor({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, storageState: state });
  await phone.page.goto(`${base()}/check-in`);
  const missing = ["钱晓舟", "孙望岳"];
  await phone.page.locator("#q").fill("qxz");
  await phone.page.locator("#rows tbody tr:visible", { hasText: "钱晓舟" }).waitFor();
  await phone.page.locator("#q").fill("");
  for (const row of await phone.page.locator("#rows tbody tr").all()) {
    if (missing.includes(await row.locator("bdi").first().textContent())) continue;
    await row.getByRole("button").tap();
  }
  // Whoever taps faster than a busy machine answers waits for it.
  await phone.page.waitForFunction(() => document.querySelector("[data-here]").textContent === "158", undefined, { timeout: 120_000 });
  await phone.page.reload();
  await phone.page.getByText("158 / 160").waitFor();
  await phone.page.getByText("未到2人：不编入……").tap();
  for (const name of missing) await phone.page.locator("details p", { hasText: name }).waitFor();
  await phone.page.getByRole("button", { name: "未到的2人第1轮不参赛" }).tap();
  await phone.page.getByText("已设2人首轮不参赛。").waitFor();
  await phone.own.close();
});

step("numbers are drawn by lot, and the screen shows them as they come", async () => {
  const screen = await visitor();
  await screen.page.goto(open("/screen?show=draw"));
  await page.goto(`${base()}/draws`);
  await page.getByLabel("公开词").first().fill("秋水共长天一色");
  await page.getByLabel("谁说的").first().fill("一位家长");
  await button("加上这个词").first().click();
  await see("秋水共长天一色");
  await button("抽签定编号").click();
  await see("已为160人抽签定编号。");
  const shown = () => screen.page.locator(".drawn li:not(.unrolled)").count();
  await screen.page.locator(".drawn li:not(.unrolled)").first().waitFor({ timeout: 15_000 });
  assert.ok((await shown()) < 20, "the numbers come one by one");
  await screen.own.close();
  await page.goto(`${base()}/entries`);
  const drawn = await page.$$eval("#rows tbody tr", (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim())));
  for (const [number, name, team, grade, , category] of drawn) {
    account.set(number, { name, team, grade, category });
  }
  assert.deepEqual(drawn.map(([number]) => number), PEOPLE.map((_, at) => String(at + 1)));
  const said = ({ name, team, grade, category }) => [name, team, grade, category].join("|");
  assert.deepEqual([...account.values()].map(said).sort(), PEOPLE.map(said).sort());
});

// The table of a round as everybody sees it: boards, and those without one.
async function table(round) {
  await page.goto(open(`/rounds/${round}`));
  return page.$$eval("#rows tbody tr", (rows) =>
    rows.map((row) => ({
      board: row.querySelector(".p-no").textContent.trim(),
      black: row.querySelector(".p-bn").textContent.trim(),
      white: row.querySelector(".p-wn")?.textContent.trim() ?? "",
      words: row.querySelector(".p-res").textContent.trim(),
    })),
  );
}

async function pair(round) {
  await page.goto(base());
  await button(`编排第${round}轮`).click();
  await see("编排指标");
}

async function publish(round) {
  await pair(round);
  await button(`发布第${round}轮`).click();
  await see(`第${round}轮已发布`);
}

step("the draft of round 1 is nowhere for the public, and is published at its moment", async () => {
  await pair(1);
  const anybody = await visitor();
  const answer = async (where) => {
    const got = await anybody.own.request.get(`${server.base}${where}`);
    return [got.status(), await got.text()];
  };
  for (const where of ["/e/autumn/rounds/N", "/api/v1/events/autumn/rounds/N", "/e/autumn/rounds/N/boards/1", "/e/autumn/screen?show=board&round=N"]) {
    const [draft, missing] = [await answer(where.replace("N", "1")), await answer(where.replace("N", "99"))];
    assert.equal(draft[0], missing[0], where);
    // Apart from the number of the round and the request, both answers are one.
    const told = ([, text], round) => text.replace(/"(instance|request_id)":"[^"]*"/g, "").replaceAll(round, "N");
    if (draft[0] === 404) assert.equal(told(draft, "1").length, told(["", missing[1].replaceAll("99", "1")], "1").length, where);
  }
  for (const where of ["/e/autumn", "/e/autumn/players/1", "/e/autumn/find?q=1", "/api/v1/events/autumn", "/e/autumn/standings"]) {
    assert.ok(!/第1台|第1轮对阵|"board"/.test((await answer(where))[1]), where);
  }
  // As directors do it: an hour from now, on the page.
  const later = new Date(Date.now() + 3_600_000 + 8 * 3_600_000).toISOString().slice(0, 16);
  await page.locator("#publish-at summary").click();
  await page.locator("#at").fill(later);
  await button("定时发布第1轮").click();
  await see("第1轮将于");
  await anybody.page.goto(open("/screen?show=board"));
  await anybody.page.locator("time[data-until]").filter({ hasText: /^(59|58):\d\d$|^1:00:00$|^60:00$/ }).waitFor({ timeout: 15_000 });
  assert.equal(await anybody.page.locator(".boards li").count(), 0);
  // And brought forward, so that the test need not wait.
  const at = new Date(Date.now() + 6000).toISOString();
  const set = await context.request.post(`${server.base}/api/v1/events/autumn/rounds/1/publish`, {
    data: { at },
    headers: { "if-match": "*" },
  });
  assert.ok(set.ok(), await set.text());
  assert.equal((await anybody.own.request.get(open("/rounds/1"))).status(), 404);
  await anybody.page.locator("time[data-until]").filter({ hasText: /^00:0\d$/ }).waitFor({ timeout: 15_000 });
  await anybody.page.getByRole("heading", { name: "第1轮对阵表" }).waitFor({ timeout: 20_000 });
  assert.ok(Date.now() >= Date.parse(at) - 1000, "not before its moment");
  assert.equal((await anybody.own.request.get(open("/rounds/1"))).status(), 200);
  await anybody.own.close();
  const rows = await table(1);
  assert.equal(rows.filter((row) => row.board).length, 79);
  const absent = rows.filter((row) => !row.board).map((row) => account.get(row.black).name);
  assert.deepEqual(absent.sort(), ["孙望岳", "钱晓舟"].sort());
});

// What is played on a board: one in eight is something else than a win on the board.
function outcome(round, board) {
  const chance = (board * 37 + round * 101) % 64;
  if (chance < 3) return ["0", "draw"];
  if (chance === 3) return ["f1", "black_forfeit"];
  if (chance === 4) return ["f2", "white_forfeit"];
  if (chance === 5) return ["x", "both_lose"];
  return (board * board + round * 3) % 5 < 3 ? ["1", "black"] : ["2", "white"];
}

async function saved(where, boards) {
  await where.waitForFunction(
    (boards) =>
      boards.every((board) => document.querySelector(`#board-${board} [data-words]`)?.textContent === "已保存"),
    boards,
  );
}

// Somebody with a page of boards, who types the results of some of them.
async function type(where, boards, round) {
  await where.locator(`#board-${boards[0]}`).focus();
  for (const board of boards) {
    for (const key of outcome(round, board)[0]) await where.keyboard.press(key);
  }
  await saved(where, boards);
}

// Three arbiters, each with a link for the boards of a room and no account.
const rooms = [
  { name: "一号赛场", first: 1, last: 27 },
  { name: "二号赛场", first: 28, last: 54 },
  { name: "三号赛场", first: 55, last: 80 },
];

step("three arbiters get links for the boards of their rooms", async () => {
  for (const room of rooms) {
    await page.goto(`${base()}/result-links`);
    await page.getByLabel("名称").fill(room.name);
    await page.getByLabel("起始台").fill(String(room.first));
    await page.getByLabel("末尾台").fill(String(room.last));
    await button("生成链接").click();
    room.href = await page.locator(".code-link a").getAttribute("href");
    Object.assign(room, await visitor({ viewport: { width: 390, height: 844 } }));
  }
});

async function enter(round) {
  const rows = await table(round);
  const boards = rows.filter((row) => row.board).map((row) => Number(row.board));
  await Promise.all(
    rooms.map(async (room) => {
      await room.page.goto(room.href);
      await type(room.page, boards.filter((board) => room.first <= board && board <= room.last), round);
    }),
  );
  await page.goto(`${base()}/rounds/${round}/results`);
  await see("成绩齐全");
  for (const row of rows) {
    if (row.board) play(round, row.board, row.black, row.white, outcome(round, Number(row.board))[1]);
    else if (row.words.includes("轮空")) play(round, "", row.black, "", "bye");
  }
  return rows;
}

// The standings page against the account.
async function standings(round) {
  await page.goto(open(`/standings?after=${round}`));
  const heads = await page.$$eval(".standings thead th", (cells) =>
    cells.map((cell) => cell.querySelector("abbr")?.title ?? cell.textContent.trim()),
  );
  const lines = await page.$$eval(".standings tbody tr", (rows) =>
    rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim().replace(/\s+/g, " "))),
  );
  const shown = lines.map((line) => {
    const of = (head) => line[heads.indexOf(head)];
    return [of("名次"), of("编号"), Number(of("积分")), Number(of("对手分")), Number(of("胜者小分"))];
  });
  const counted = tally(round).map((row) => [
    row.place + (row.shared ? "=" : ""), row.number, row.score, row.sum, row.beaten,
  ]);
  const byPlace = (one, other) => Number.parseInt(one[0], 10) - Number.parseInt(other[0], 10) || one[1] - other[1];
  assert.deepEqual(shown.toSorted(byPlace), counted.toSorted(byPlace));
  assert.deepEqual(shown.map(([place]) => Number.parseInt(place, 10)), counted.map(([place]) => Number.parseInt(place, 10)), "in order of places");
  for (const line of lines) {
    const { name } = account.get(line[heads.indexOf("编号")]);
    assert.ok(line[heads.indexOf("姓名")].startsWith(name.replace(/\s+/g, " ")), `${name} in ${line}`);
  }
}

step("round 1 is entered, and somebody comes late", async () => {
  await enter(1);
  await standings(1);
  await page.goto(`${base()}/entries`);
  await page.getByText("加入参赛者").first().click();
  await page.getByLabel("姓名", { exact: true }).fill("迟来·远山");
  await page.getByLabel("单位", { exact: true }).fill("北港队");
  await page.getByLabel("段位").fill("2段");
  await page.locator("details").getByRole("button", { name: "加入参赛者" }).click();
  await see("已加入：161号迟来·远山。");
  account.set("161", { name: "迟来·远山", team: "北港队", grade: "2段", category: "" });
});

step("round 2 has the bye of an odd field, the late entry and the two who were missing", async () => {
  await publish(2);
  const rows = await enter(2);
  assert.equal(rows.filter((row) => row.board).length, 80);
  assert.equal(rows.filter((row) => !row.board).length, 1);
  const seated = new Set(rows.flatMap((row) => [row.black, row.white]));
  for (const [number, { name }] of account) assert.ok(seated.has(number), `${number} ${name} plays`);
  await standings(2);
});

step("a result of round 1 was wrong: corrected, told in the log, taken back, and corrected again", async () => {
  const game = games.find((one) => one.round === 1 && ["black", "white"].includes(one.result));
  const words = { black: "黑胜", white: "白胜" };
  const other = game.result === "black" ? "white" : "black";
  const correct = async () => {
    await page.goto(`${base()}/rounds/1/boards/${game.board}`);
    await see("第2轮已按第1轮现有的成绩编排");
    await page.getByRole("radio", { name: words[other], exact: true }).check();
    await page.getByLabel("原因").fill("比分条看反了");
    await button(`更正第${game.board}台`).click();
    // The places that change are shown before it is kept.
    await see("尚未保存。成绩将成为");
    await page.locator("#preview tbody tr").first().waitFor();
    await button(`更正第${game.board}台`).click();
    await see(`第${game.board}台已更正：${words[game.result]} → ${words[other]}。`);
  };
  await correct();
  const before = game.result;
  game.result = other;
  await standings(2);
  await page.goto(`${base()}/log?round=1&board=${game.board}`);
  const line = page.locator("tbody tr", { hasText: "比分条看反了" });
  for (const said of [account.get(game.black).name, account.get(game.white).name, `${words[before]} → ${words[other]}`]) {
    await line.getByText(said).first().waitFor();
  }
  await line.getByRole("button", { name: /^撤销/ }).click();
  await see("已撤销第");
  game.result = before;
  await standings(2);
  await correct();
  game.result = other;
  await standings(2);
  await page.goto(open("/rounds/2"));
  await see("本轮对阵按更正前的成绩编排");
});

let gone;

step("somebody leaves after round 2 and is paired no more", async () => {
  gone = tally(2)[40].number;
  await page.goto(`${base()}/entries/${gone}`);
  await page.getByLabel("下完第几轮后退赛").fill("2");
  await page.getByLabel("原因").fill("身体不适");
  await button("办理退赛").click();
  await see("已退赛，从第3轮起不再编排。");
});

// A parent at the wall: the first letters of a name, and the board is there.
async function findsBoard(round) {
  const here = (name) => [...account].find(([number, person]) => person.name === name && number !== gone)?.[0];
  const [name, letters] = here("阿依努·云岭") ? ["阿依努·云岭", "ayn"] : ["欧阳小满", "oyxm"];
  const number = here(name);
  const { board } = (await table(round)).find((row) => row.black === number || row.white === number);
  const phone = await visitor({ viewport: { width: 390, height: 844 } });
  await phone.page.goto(open("/find"));
  await phone.page.getByLabel("姓名或编号").pressSequentially(letters);
  await phone.page.locator("#answers li", { hasText: name }).getByText(`第${board}台`, { exact: true }).waitFor();
  await phone.own.close();
}

step("rounds 3 to 5 are paired and played; nobody meets twice, and who has left stays away", async () => {
  for (const round of [3, 4, 5]) {
    await publish(round);
    if (round === 3) await findsBoard(round);
    const rows = await enter(round);
    assert.equal(rows.filter((row) => row.board).length, 80);
    assert.ok(!rows.some((row) => row.board && (row.black === gone || row.white === gone)));
  }
  const met = games.filter((game) => game.white).map((game) => [game.black, game.white].sort().join("–"));
  assert.equal(new Set(met).size, met.length);
  await standings(5);
});

step("each value opens into what it is made of, and two players are told apart", async () => {
  const rows = tally(ROUNDS);
  const { number, sum } = rows[0];
  await page.goto(open(`/standings/${number}?after=${ROUNDS}&of=opponents_score`));
  const parts = await page.$$eval("#opponents_score table.parts tbody tr", (rows) =>
    rows.map((row) => [row.cells[0].textContent.trim().replace(/\D/g, ""), row.cells[1].textContent.trim(), Number(row.cells[4].textContent)]),
  );
  const own = games.filter((game) => game.white && [game.black, game.white].includes(number));
  assert.equal(parts.reduce((total, [, , amount]) => total + amount, 0), sum);
  for (const game of own) {
    const other = game.black === number ? game.white : game.black;
    const part = parts.find(([round]) => round === String(game.round));
    assert.ok(part[1].includes(account.get(other).name), `${part} is ${other}`);
    assert.equal(part[2], rows.find((row) => row.number === other).score);
  }
  // Two of one score, told apart by their opponents.
  const at = rows.findIndex((row, at) => rows[at + 1] && row.score === rows[at + 1].score && row.sum > rows[at + 1].sum);
  const [first, second] = [rows[at], rows[at + 1]];
  await page.goto(open(`/standings?after=${ROUNDS}`));
  for (const row of [first, second]) await page.locator(`#player-${row.number} input[name=p]`).check();
  await button("为何如此排名？").click();
  await see(`积分相同，对手分${first.sum}对${second.sum}（多者在前）`);
  await page.locator(".next", { hasText: account.get(first.number).name }).waitFor();
});

step("who goes up and who wins a prize follows from the results", async () => {
  const rows = tally(ROUNDS);
  await page.goto(`${base()}/promotion`);
  for (const [at, grade] of [1, 2, 3].entries()) {
    for (const [field, value] of Object.entries({ from: `${grade}段`, wins: "3", games: String(ROUNDS), to: `${grade + 1}段` })) {
      await page.locator(`input[name=${field}]`).nth(at).fill(value);
    }
  }
  await button("保存升段标准").click();
  await see("升段标准已保存。");
  const expected = rows
    .filter(({ number, wins }) => ["1段", "2段", "3段"].includes(account.get(number).grade) && wins >= 3)
    .map(({ number, wins }) => {
      const grade = Number.parseInt(account.get(number).grade, 10);
      return [number, `${grade}段`, `${grade + 1}段`, String(wins)];
    });
  const shown = await page
    .locator("table", { has: page.locator("caption", { hasText: "升段名单" }) })
    .locator("tbody tr")
    .evaluateAll((rows) =>
      rows.map((row) => {
        const cells = [...row.cells].map((cell) => cell.textContent.trim());
        return [cells[0], cells[3], cells[4].replace(/^→\s*/, ""), cells[5].match(/局(\d+)胜/)[1]];
      }),
    );
  const byNumber = (one, other) => one[0] - other[0];
  assert.ok(expected.length > 20, "somebody goes up");
  assert.deepEqual(shown.toSorted(byNumber), expected.toSorted(byNumber));

  await page.goto(`${base()}/prizes`);
  for (const [at, [name, category]] of [["冠军", ""], ["亚军", ""], ["女子第一名", "女子"]].entries()) {
    await page.locator("input[name=name]").nth(at).fill(name);
    await page.locator("input[name=category]").nth(at).fill(category);
  }
  await button("保存奖项").click();
  await see("奖项已保存。");
  for (const [prize, winner] of [["冠军", rows[0]], ["亚军", rows[1]]]) {
    if (rows[0].shared || winner.shared) await page.locator("tr", { hasText: prize }).getByText("未定").first().waitFor();
  }
  // Whoever is tied for a prize draws lots.
  const girl = ({ number }) => account.get(number).category === "女子";
  const third = rows.filter(girl)[2].place;
  const tied = rows.filter((row) => row.shared && row.place <= third);
  tied.forEach((row, at) => lots.set(row.number, at + 1));
  await page.goto(`${base()}/settings`);
  await page.getByLabel("抽签结果").fill([...lots].map(([number, lot]) => `${number}:${lot}`).join(" "));
  await button("保存设置").click();
  await see("设置已保存。");
  await standings(ROUNDS);
  await page.goto(`${base()}/prizes`);
  const best = rows.slice(2).find(girl);
  for (const [prize, { number }] of [["冠军", rows[0]], ["亚军", rows[1]], ["女子第一名", best]]) {
    await page.locator("tr", { hasText: prize }).getByText(account.get(number).name).first().waitFor();
  }
});

const PAPER = [
  "programme", "sign-in", "pairing", "pairing-by-name", "results", "standings", "categories", "crosstable",
  "promotion", "prizes", "report",
];

for (const sheet of PAPER) {
  step(`on paper no line of the sheet ${sheet} is cut, and its spreadsheets say the same`, async () => {
    await page.goto(`${base()}/print/${sheet}`);
    const count = await printed(page, path.join(folder, `${sheet}.pdf`), sheet);
    if (!["promotion", "prizes", "report"].includes(sheet)) assert.ok(count > 1, `${sheet} takes more than one sheet of paper`);
    const shown = await page.$$eval(".sheet-table", (tables) =>
      tables.flatMap((table) => [...table.tHead.rows, ...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim()))),
    );
    const [csv, xlsx] = await Promise.all(
      ["CSV", "XLSX"].map(async (kind) => {
        const href = await page.getByRole("link", { name: kind, exact: true }).getAttribute("href");
        const got = await context.request.get(new URL(href, server.base).href);
        assert.equal(got.status(), 200, `${kind} of ${sheet}`);
        return got.body();
      }),
    );
    const file = path.join(folder, `${sheet}.xlsx`);
    writeFileSync(file, xlsx);
    const book = workbook(file);
    assert.ok(!book.formulas, "nothing in a workbook is a formula");
    const lines = csvRows(csv.toString());
    for (const cell of lines.flat()) assert.ok(!/^[=+@]/.test(cell), `${cell} would be a formula`);
    const said = (rows) => rows.map((row) => row.map((cell) => cell.trim().replace(/^'(?=[=+@-])/, "")).join("|").replace(/\|+$/, ""));
    const [onPage, inCsv, inBook] = [shown, lines, book.rows].map(said);
    for (const line of onPage) {
      assert.ok(inCsv.includes(line), `“${line}” is in the CSV of ${sheet}`);
      assert.ok(inBook.includes(line), `“${line}” is in the workbook of ${sheet}`);
    }
  }, { looks: true });
}

step("four result slips lie on a sheet of paper, and none is cut", async () => {
  await page.goto(`${base()}/print`);
  await page.getByRole("link", { name: "比分条" }).click();
  const count = await printedWhole(page, path.join(folder, "slips.pdf"), ".slips", "slips");
  assert.equal(count, 20);
}, { looks: true });

step("the public pages are cut no worse", async () => {
  const pages = { round: "/rounds/5", "round-by-name": "/rounds/5?by=name", standings: "/standings", crosstable: "/crosstable" };
  for (const [name, where] of Object.entries(pages)) {
    await page.goto(open(where));
    await printed(page, path.join(folder, `public-${name}.pdf`), where);
  }
}, { looks: true });

step("the event is declared final, and nothing of it changes any more", async () => {
  // A form that was opened before is refused; the page has none any more.
  const earlier = await context.newPage();
  await earlier.goto(`${base()}/rounds/5/boards/1`);
  await page.goto(`${base()}/finish`);
  await button("定稿").click();
  await see("赛事已定稿。");
  await earlier.getByLabel("原因").fill("再看一次");
  await earlier.getByRole("radio", { name: "和棋", exact: true }).check();
  await earlier.getByRole("button", { name: /第1台$/ }).click();
  await earlier.getByText("本赛事已由裁判长于").waitFor();
  await earlier.close();
  await page.goto(`${base()}/rounds/5/boards/1`);
  await see("本赛事已由裁判长于");
  assert.equal(await page.getByRole("radio").count(), 0);
  await standings(ROUNDS);
  await page.locator(".top .mark", { hasText: "已定稿" }).waitFor();
});

step("the archive finds a player of the event, and the file of the event brings it back", async () => {
  const anybody = await visitor();
  await anybody.page.goto(`${server.base}/archive`);
  await anybody.page.getByLabel("姓名或其中一部分").fill("迟来");
  await anybody.page.getByRole("button", { name: "查找" }).click();
  await anybody.page.getByRole("link", { name: "迟来·远山" }).click();
  assert.equal(new URL(anybody.page.url()).pathname, "/e/autumn/players/161");
  await anybody.own.close();
  const file = await (await context.request.get(`${server.base}/api/v1/events/autumn/export`)).body();
  await page.goto(`${server.base}/manage/import`);
  await page.getByLabel("选择文件").setInputFiles({ name: "event.json", mimeType: "application/json", buffer: file });
  await button("导入").click();
  await see(`已导入“${TITLE}”。`);
  const slug = new URL(page.url()).pathname.split("/")[3];
  const table = async (event) =>
    (await (await context.request.get(`${server.base}/api/v1/events/${event}/standings`)).json()).rows;
  assert.deepEqual(await table(slug), await table("autumn"));
});

test("nothing went wrong in the browser or on the server", () => assert.deepEqual(faults, []));
