// Takes the pictures in docs/pictures: `scripts/pictures`. The events are those of world.mjs, with
// invented names; the lots that are drawn and the clock differ from run to run.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { browser, serve } from "./server.mjs";
import { administrator, build } from "./world.mjs";

const folder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../docs/pictures");
const MOST = 150_000;
const phone = { width: 390, height: 780 };
const desk = { width: 1280, height: 800 };

// Name, address, language, size, what is done before the picture is taken, and light or dark.
const scrolled = (selector) => (page) =>
  page.locator(selector).first().evaluate((element) => scrollTo(0, element.getBoundingClientRect().top + scrollY - 90));
const PICTURES = [
  ["draft", "/manage/e/lake/rounds/5", "zh-CN", desk, scrolled("table.pairing")],
  ["results", "/manage/e/lake/rounds/4/results", "en", desk],
  ["results-phone", "/manage/e/lake/rounds/4/results", "zh-CN", phone, scrolled("#board-5")],
  ["standings", "/e/degree/standings", "zh-CN", desk],
  ["why-this-order", "/e/lake/standings/compare?CLOSE", "en", desk],
  ["screen", "/e/MANY/screen?show=board", "zh-CN", { width: 1120, height: 630 }, undefined, "dark"],
  ["find-phone", "/e/lake/find?q=zqs", "zh-CN", phone],
  ["check-in-phone", "/manage/e/weekend/check-in", "en", phone],
  ["game", "/e/lake/rounds/4/boards/2", "zh-CN", { width: 1280, height: 880 }],
];

const server = await serve();
const chrome = await browser();
const scratch = mkdtempSync(path.join(tmpdir(), "tianyuan-pictures-"));
try {
  const made = await administrator(chrome, server);
  const world = await build(made.agent, server.base);
  // Two who have the same score, so that the next criterion decides.
  const { rows } = await (await made.agent.get(`${server.base}/api/v1/events/lake/standings`)).json();
  const at = rows.findIndex((row, at) => at > 0 && row.score === rows[at - 1].score);
  const close = `p=${rows[at - 1].number}&p=${rows[at].number}`;
  const session = await made.context.storageState();
  mkdirSync(folder, { recursive: true });
  for (const [name, address, locale, viewport, before, colorScheme = "light"] of PICTURES) {
    const signedIn = address.startsWith("/manage");
    const context = await chrome.newContext({ locale, viewport, colorScheme, storageState: signedIn ? session : undefined });
    const page = await context.newPage();
    await page.goto(server.base + address.replace("MANY", world.many).replace("CLOSE", close));
    await before?.(page);
    await page.waitForTimeout(300);
    await page.screenshot({ path: path.join(folder, `${name}.png`) });
    await context.close();
  }
  const context = await chrome.newContext({ locale: "zh-CN", storageState: session });
  const page = await context.newPage();
  await page.goto(`${server.base}/manage/e/degree/print/crosstable`);
  const pdf = path.join(scratch, "sheet.pdf");
  writeFileSync(pdf, await page.pdf({ preferCSSPageSize: true }));
  execFileSync("pdftoppm", ["-png", "-r", "80", "-singlefile", pdf, path.join(folder, "sheet")]);
  for (const name of [...PICTURES.map(([name]) => name), "sheet"]) {
    const { size } = statSync(path.join(folder, `${name}.png`));
    console.log(`${name}.png ${Math.round(size / 1000)} kB`);
    if (size > MOST) throw new Error(`${name}.png is larger than ${MOST / 1000} kB`);
  }
} finally {
  await chrome.close();
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
}
