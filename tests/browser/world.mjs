// Events with everything in them that a page can show, made over HTTP by an administrator. The names
// are invented; `NAMES` are those that no language translates.
import { execFileSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const target = process.env.CARGO_TARGET_DIR ?? path.join(root, "target");
const binary = process.env.TIANYUAN ?? path.join(target, "debug", "tianyuan");

const PLAYERS = [
  ["赵青山", "东湖棋社", "5d"], ["钱晓舟", "西山棋院", "5d"], ["孙望岳", "南城少年宫", "4d"], ["李听雨", "东湖棋社", "4d"],
  ["周长风", "北桥学校", "4d"], ["吴归舟", "西山棋院", "3d"], ["郑若水", "南城少年宫", "3d"], ["王一鸣", "东湖棋社", "3d"],
  ["冯观棋", "北桥学校", "2d"], ["陈问津", "西山棋院", "2d"], ["欧阳小满", "南城少年宫", "2d"], ["曾子墨", "东湖棋社", "2d"],
  ["Bartholomew Featherstonehaugh", "Riverside Go Club", "1d"], ["司徒远山", "北桥学校", "1d"], ["沈知秋", "西山棋院", "1d"],
  ["韩松", "南城少年宫", "1k"], ["Zoë Łuczak", "", "2k"],
];
const EVENTS = ["东湖杯围棋公开赛", "秋季定段赛", "周末对局", "新赛事", "春季大赛", "双组赛"];
const OTHERS = [
  "东湖文体中心", "湖滨棋馆", "棋院二楼", "公开组", "少年组", "女子组", "冠军", "亚军", "少年第一名", "张老师", "许远山", "何小川",
  "春风又绿江南岸", "请带身份证，家长可在二楼休息。", "二号厅", "记分台", "第3台坐错了座位，重新编排", "家里有事", "director",
  "arbiter", "13900000000", "xu@example.org", "希望与弟弟分开", "报到时更正", "lake", "degree", "weekend", "fresh", "many", "two",
];
export const NAMES = [...PLAYERS.flat().filter((word) => word && !/^\d/.test(word)), ...EVENTS, ...OTHERS];

// A game on nine lines: a chain of each side is dead at the end.
const walls = Array.from("abcdefghi", (row) => `;B[d${row}];W[e${row}]`).join("");
const sgf = (black, white, result) =>
  `(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[7.5]RU[Chinese]PB[${black}]PW[${white}]RE[${result}]${walls}` +
  ";B[ia];W[ib];B[hg];W[ha];B[hf];W[bb];B[];W[bc];B[];W[])";

// Answers with an agent that is signed in as the administrator `director`.
export async function administrator(chrome, server, locale = "zh-CN") {
  const context = await chrome.newContext({ locale });
  const agent = context.request;
  await form(agent, server.setup, { name: "director", password: "a sentence to remember" });
  return { context, agent };
}

async function form(agent, url, fields) {
  const answer = await agent.post(url, { form: fields });
  if (!answer.ok()) throw new Error(`${url}: ${answer.status()} ${await answer.text()}`);
  return answer.text();
}

// Makes the events and answers with the addresses that only their making knows.
export async function build(agent, base) {
  const api = async (method, path, data, headers = { "If-Match": "*" }) => {
    const answer = await agent.fetch(`${base}/api/v1${path}`, { method, data, headers });
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
    const text = await answer.text();
    return text && JSON.parse(text);
  };
  const send = (path, fields) => form(agent, base + path, fields);
  const entries = PLAYERS.map(([name, team, grade], at) => ({
    name, team: team || null, grade, rating: 2400 - 40 * at, category: at % 3 === 2 ? "少年组" : "公开组", name_withheld: at === 6,
  }));
  // Results that differ from board to board.
  const results = async (event, round, boards) => {
    const kinds = [
      { result: "black", by: "resignation" }, { result: "white", by: "count", margin: "2.5" }, { result: "black" },
      { result: "draw" }, { result: "white_forfeit" }, { result: "black", warnings: { black: 1, white: 0 } },
      { result: "both_lose" }, { result: "white" },
    ];
    const list = boards.map(({ board }, at) => ({ board, ...kinds[(at * 3 + round) % kinds.length] }));
    await api("PUT", `/events/${event}/rounds/${round}/results`, { results: list });
  };
  const play = async (event, round, most = Infinity) => {
    await api("POST", `/events/${event}/rounds`, { confirm: { repeats: true } });
    await api("POST", `/events/${event}/rounds/${round}/publish`);
    const { boards } = await api("GET", `/events/${event}/rounds/${round}`);
    await results(event, round, boards.slice(0, most));
    return boards;
  };

  // In its fourth round, with a draft of the fifth: lots, records, a withdrawn table, a withdrawal, a bye.
  await api("POST", "/events", {
    name: EVENTS[0], slug: "lake", rounds: 6, place: "东湖文体中心", starts_on: "2027-04-03", time_zone: "Asia/Shanghai",
    pairing: { order: "random", colours: "lots" }, records: { board_size: 9, from_players: true },
    round_starts: [{ round: 1, local: "2027-04-03T09:00" }, { round: 2, local: "2027-04-03T14:00" }],
  });
  await api("POST", "/events/lake/entries", entries);
  await api("POST", "/events/lake/draws/numbers/words", { word: "春风又绿江南岸", said_by: "张老师" });
  await api("POST", "/events/lake/numbers/draw", { seeded: [1, 2] });
  await api("POST", "/events/lake/groups/draw", { groups: 2, split: "snake", again: true });
  await play("lake", 1);
  await api("POST", "/events/lake/rounds", {});
  await api("POST", "/events/lake/rounds/2/publish");
  await api("DELETE", `/events/lake/rounds/2/publish?reason=${encodeURIComponent("第3台坐错了座位，重新编排")}`);
  await api("DELETE", "/events/lake/rounds/2");
  await play("lake", 2);
  await api("PATCH", "/events/lake/entries/5", { withdrawn_after: 2, reason: "家里有事" });
  await play("lake", 3);
  const boards = await play("lake", 4, 5);
  const people = Object.fromEntries(
    (await api("GET", "/events/lake/entries?limit=100")).items.map((entry) => [entry.number, entry.name]),
  );
  const first = boards[0];
  const bring = (board, text) =>
    agent.put(`${base}/api/v1/events/lake/rounds/4/boards/${board}/record`, {
      data: text, headers: { "Content-Type": "application/x-go-sgf" },
    });
  await bring(1, sgf(people[first.black], people[first.white], "W+R"));
  await bring(2, sgf(people[boards[1].black], people[boards[1].white], "B+R"));
  await api("POST", "/events/lake/draws/5/words", { word: "春风又绿江南岸", said_by: "张老师" });
  await api("POST", "/events/lake/rounds", { confirm: { provisional: true, repeats: true } });
  await send("/manage/e/lake/people/invite", { role: "arbiter", note: "二号厅" });
  const invited = await send("/manage/e/lake/people/invite", { role: "viewer", note: "记分台" });
  const invitation = invited.match(/\/invitation\/[^"\s<]+/)[0];

  const linked = await send("/manage/e/lake/result-links", { name: "二号厅", first: "1", last: "20", hours: "12" });
  const link = linked.match(/\/r\/[^"\s<]+/)[0];
  await send("/manage/e/lake/result-links/ask", { from_players: "1" });
  const cards = await (await agent.get(`${base}/manage/e/lake/result-links/cards`)).text();
  const codes = [...cards.matchAll(/<code>([^<]+)<\/code>/g)].map(([, code]) => code);
  const handIn = `/e/lake/hand-in?number=1&code=${encodeURIComponent(codes[0])}`;

  // Over and final, with prizes and promotions.
  await api("POST", "/events", { name: EVENTS[1], slug: "degree", rounds: 3, place: "湖滨棋馆", starts_on: "2026-10-02" });
  await api("POST", "/events/degree/entries", entries.slice(0, 11));
  for (const round of [1, 2, 3]) await play("degree", round);
  await api("PATCH", "/events/degree", {
    promotion: { by_wins: ["5d", "4d", "3d", "2d", "1d"].map((from) => ({ from, wins: 2, games: 3, to: `${+from[0] + 1}d` })) },
    prizes: { list: [{ name: "冠军" }, { name: "亚军" }, { name: "少年第一名", category: "少年组" }] },
  });
  await api("PUT", "/events/degree/final", {});

  // Before its first round: people sign up, and come to the door.
  await api("POST", "/events", { name: EVENTS[2], slug: "weekend", rounds: 4, place: "棋院二楼" });
  await api("POST", "/events/weekend/entries", entries.slice(0, 9));
  await send("/manage/e/weekend/sign-ups/settings", { open: "1", closes_at: "", places: "20", notice: "请带身份证，家长可在二楼休息。" });
  const keys = [];
  for (const [name, contact, note] of [["许远山", "13900000000", ""], ["何小川", "xu@example.org", "希望与弟弟分开"]]) {
    const page = await (await agent.get(`${base}/e/weekend/sign-up`)).text();
    const key = page.match(/name="key" value="([^"]*)"/)[1];
    const told = await agent.post(`${base}/e/weekend/sign-up`, {
      form: { key, name, team: "东湖棋社", grade: "1d", category: "", contact, note, website: "" },
    });
    keys.push(new URL(told.url()).pathname);
  }
  await send("/manage/e/weekend/check-in", { here: "1" });
  await send("/manage/e/weekend/check-in", { here: "3" });

  await api("POST", "/events", { name: EVENTS[3], slug: "fresh", rounds: 5, visibility: "hidden" });

  // Two groups of one tournament, in their first round.
  await api("POST", "/events", { name: EVENTS[5], slug: "two", rounds: 4, place: "棋院二楼", starts_on: "2027-04-05" });
  await api("POST", "/events/two/entries", entries.slice(0, 12));
  const { slug: family } = await api("POST", "/events/two/split", { one_hall: true });
  await api("POST", `/families/${family}/rounds`, {});
  await api("POST", `/families/${family}/publish`, {});

  // As large as events get.
  const file = JSON.parse(
    execFileSync(binary, ["simulate", "--players", "160", "--rounds", "9", "--seed", "7"], { maxBuffer: 1 << 26 }),
  );
  file.event.name = EVENTS[4];
  for (const entry of file.entries) {
    entry.name = "赵钱孙李周吴郑王冯陈"[entry.number % 10] + "青晓望听长归若一观问"[Math.floor(entry.number / 10) % 10] + "山舟岳雨风".at(entry.number % 5);
    entry.team = PLAYERS[entry.number % 12][1];
    entry.grade = `${(entry.number % 5) + 1}d`;
    NAMES.push(entry.name);
  }
  const taken = await agent.post(`${base}/api/v1/events/import`, { data: file });
  if (!taken.ok()) throw new Error(await taken.text());
  const many = (await taken.json()).slug;

  const listed = await (await agent.get(`${base}/manage/e/degree/print`)).text();
  const sheets = [...new Set([...listed.matchAll(/\/print\/([a-z-]+)(?=[?"])/g)].map(([, sheet]) => sheet))];

  return { invitation, link, handIn, signUp: keys[1], many, sheets, family: encodeURIComponent(family) };
}
