// A page on paper: what a PDF of it holds, sheet by sheet, against what the page shows. Nothing may be
// missing, no line of a table may begin on one sheet and end on the next, and each sheet on which a
// table goes on has its head again.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";

// Fonts write some characters with the code points of radicals; they mean the same.
const plain = (text) => text.normalize("NFKC").replace(/[\s\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, "");

function counted(text) {
  const counts = new Map();
  for (const character of plain(text)) counts.set(character, (counts.get(character) ?? 0) + 1);
  return counts;
}

function holds(whole, part) {
  for (const [character, count] of part) if ((whole.get(character) ?? 0) < count) return false;
  return true;
}

function take(whole, part) {
  for (const [character, count] of part) {
    const left = whole.get(character) - count;
    if (left === 0) whole.delete(character);
    else whole.set(character, left);
  }
}

// What will be printed of a page, block by block: a heading, a sentence, a line of a table. Lines of a
// table carry its head.
function blocksOf(page) {
  return page.evaluate(() => {
    const blocks = [];
    const shown = (element) => {
      const style = getComputedStyle(element);
      return style.display !== "none" && style.visibility !== "hidden" && !element.closest(".unseen");
    };
    const text = (node) => {
      if (node.nodeType === Node.TEXT_NODE) return node.textContent;
      if (node.nodeType !== Node.ELEMENT_NODE || !shown(node)) return "";
      if (node instanceof HTMLInputElement) return "";
      return [...node.childNodes].map(text).join(" ");
    };
    const walk = (element) => {
      if (!shown(element)) return;
      if (element instanceof HTMLTableElement) {
        const head = element.tHead ? text(element.tHead) : "";
        const rows = [...element.tBodies].flatMap((body) => [...body.rows]).filter(shown);
        rows.forEach((row, at) => blocks.push({ text: text(row), head, first: at === 0 }));
        return;
      }
      const inside = element.querySelector("table, h1, h2, h3, p, section, dl, li, dt, dd");
      if (!inside) {
        if (text(element).trim()) blocks.push({ text: text(element) });
        return;
      }
      for (const child of element.children) walk(child);
    };
    walk(document.querySelector("main"));
    return blocks;
  });
}

// The words of a PDF, sheet by sheet, each with its place on the paper.
function sheetsOf(pdf) {
  const xml = execFileSync("pdftotext", ["-bbox", pdf, "-"], { maxBuffer: 256 * 1024 * 1024 }).toString();
  const said = (text) =>
    text.replace(/&(lt|gt|amp|quot|apos|#39);/g, (whole, name) => ({ lt: "<", gt: ">", amp: "&", quot: '"' })[name] ?? "'");
  return [...xml.matchAll(/<page width="([\d.]+)" height="([\d.]+)">([\s\S]*?)<\/page>/g)].map(([, width, height, inside]) => ({
    width: Number(width),
    height: Number(height),
    words: [...inside.matchAll(/<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)<\/word>/g)].map(
      ([, left, top, right, bottom, text]) => ({
        left: Number(left),
        top: Number(top),
        right: Number(right),
        bottom: Number(bottom),
        text: said(text),
      }),
    ),
  }));
}

// Prints what the page shows, and holds the PDF to it. Answers how many sheets there are.
export async function printed(page, file, name) {
  await page.emulateMedia({ media: "print" });
  const blocks = await blocksOf(page);
  await page.emulateMedia({ media: null });
  writeFileSync(file, await page.pdf({ preferCSSPageSize: true, printBackground: false }));
  const sheets = sheetsOf(file);
  let next = 0;
  sheets.forEach((sheet, at) => {
    const here = `${name}, sheet ${at + 1} of ${sheets.length}`;
    // What stands in the margin below: page number, event, time, end of the log.
    const margin = sheet.height - 16 * (72 / 25.4);
    const foot = sheet.words.filter((word) => word.top >= margin).map((word) => word.text).join(" ");
    assert.match(foot, new RegExp(`(?<!\\d)${at + 1} / ${sheets.length}$`), `${here} has its number: ${foot}`);
    for (const word of sheet.words) {
      assert.ok(word.left >= 0 && word.right <= sheet.width, `${here}: “${word.text}” runs over the edge`);
    }
    const left = counted(sheet.words.filter((word) => word.top < margin).map((word) => word.text).join(" "));
    const first = next;
    const goesOn = next < blocks.length && blocks[next].head && !blocks[next].first;
    if (goesOn) {
      const head = counted(blocks[next].head);
      assert.ok(holds(left, head), `${here} repeats the head “${plain(blocks[next].head)}”`);
      take(left, head);
    }
    for (; next < blocks.length; next += 1) {
      const block = counted((blocks[next].first ? blocks[next].head : "") + blocks[next].text);
      if (!holds(left, block)) break;
      take(left, block);
    }
    const rest = [...left].map(([character, count]) => character.repeat(count)).join("");
    assert.equal(rest, "", `${here}: after ${next - first} whole lines “${rest}” is left over; next comes “${blocks[next]?.text}”`);
  });
  assert.equal(next, blocks.length, `${name}: “${blocks[next]?.text}” is on no sheet`);
  return sheets.length;
}

// The same where each part of the page that fits a selector is one sheet of paper.
export async function printedWhole(page, file, selector, name) {
  await page.emulateMedia({ media: "print" });
  const texts = (selector) =>
    page.$$eval(selector, (parts) =>
      parts.map((part) => {
        const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
        let text = "";
        while (walker.nextNode()) if (!walker.currentNode.parentElement.closest(".unseen")) text += walker.currentNode.data;
        return text;
      }),
    );
  const parts = await texts(selector);
  // The end of the log stands below the last one.
  parts[parts.length - 1] += (await texts(".log-head")).join("");
  await page.emulateMedia({ media: null });
  writeFileSync(file, await page.pdf({ preferCSSPageSize: true, printBackground: false }));
  const sheets = sheetsOf(file);
  assert.equal(sheets.length, parts.length, `${name}: one sheet of paper each`);
  sheets.forEach((sheet, at) => {
    const margin = sheet.height - 16 * (72 / 25.4);
    const there = counted(sheet.words.filter((word) => word.top < margin).map((word) => word.text).join(" "));
    assert.deepEqual(there, counted(parts[at]), `${name}, sheet ${at + 1} of ${sheets.length}`);
  });
  return sheets.length;
}

// The lines of a CSV file, each a list of cells.
export function csvRows(text) {
  const rows = [[]];
  let cell = "";
  let quoted = false;
  const characters = [...text.replace(/^\ufeff/, "")];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at];
    if (quoted && character === '"' && characters[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"') {
      quoted = !quoted;
    } else if (!quoted && character === ",") {
      rows.at(-1).push(cell);
      cell = "";
    } else if (!quoted && character === "\n") {
      rows.at(-1).push(cell);
      cell = "";
      rows.push([]);
    } else if (quoted || character !== "\r") {
      cell += character;
    }
  }
  if (cell !== "" || rows.at(-1).length > 0) rows.at(-1).push(cell);
  return rows.filter((row) => row.length > 0);
}

// The cells of all worksheets of a workbook, and whether any of them is a formula.
export function workbook(file) {
  const part = (name) => execFileSync("unzip", ["-p", file, name], { maxBuffer: 64 * 1024 * 1024 }).toString();
  const said = (text) =>
    text.replace(/&(lt|gt|amp|quot|apos);/g, (whole, name) => ({ lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" })[name]);
  const shared = [...part("xl/sharedStrings.xml").matchAll(/<si>([\s\S]*?)<\/si>/g)].map(([, inside]) =>
    said([...inside.matchAll(/<t[^>]*>([^<]*)<\/t>/g)].map(([, text]) => text).join("")),
  );
  const names = execFileSync("unzip", ["-Z1", file]).toString().split("\n");
  const sheet = names.filter((name) => name.startsWith("xl/worksheets/sheet")).map(part).join("\n");
  const column = (letters) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  const rows = [...sheet.matchAll(/<row [^>]*?(?:\/>|>([\s\S]*?)<\/row>)/g)].map(([, inside]) => {
    const cells = [];
    for (const [, attributes, value] of (inside ?? "").matchAll(/<c ([^>]*?)(?:\/>|>([\s\S]*?)<\/c>)/g)) {
      const found = value?.match(/<v>([^<]*)<\/v>/)?.[1] ?? "";
      // Empty cells are not there: the address says which column it is.
      cells[column(attributes.match(/r="([A-Z]+)/)[1])] = attributes.includes('t="s"') ? shared[Number(found)] : found;
    }
    return Array.from(cells, (cell) => cell ?? "");
  });
  return { rows, formulas: /<f[ >]/.test(sheet) };
}
