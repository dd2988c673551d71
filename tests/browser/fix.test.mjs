// What a director fixes before a round is paired: kept, refused when it contradicts itself, and its
// cost shown with the draft; on a phone.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browser, serve, watched } from "./server.mjs";

let server, chrome, page;
const faults = [];

before(async () => {
  server = await serve();
  chrome = await browser();
  const context = await chrome.newContext({ locale: "en-GB", viewport: { width: 390, height: 844 } });
  page = await watched(context, faults);
  await page.goto(server.setup);
  await page.getByLabel("User name").fill("director");
  await page.getByLabel("Password").fill("a sentence to remember");
  await page.getByRole("button", { name: "Become the administrator" }).click();
  const made = await page.evaluate(async () => {
    const post = (path, body) =>
      fetch(`/api/v1${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
    await post("/events", { name: "Fixed", slug: "fixed", rounds: 5 });
    const names = ["Anna", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida"];
    return (await post("/events/fixed/entries", names.map((name) => ({ name })))).status;
  });
  assert.equal(made, 201);
});

after(async () => {
  await chrome?.close();
  await server?.stop();
});

async function fill(fields) {
  await page.goto(`${server.base}/manage/e/fixed/rounds`);
  const details = page.locator("#fix");
  if ((await details.getAttribute("open")) === null) await details.locator("summary").click();
  for (const [label, value] of Object.entries(fields)) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
  await page.getByRole("button", { name: "Pair round 1" }).click();
}

test("who cannot be found and what contradicts itself is named, and what was typed stays", async () => {
  await fill({ "These two meet": "Anna / Zoe", "Sits out": "Bo" });
  await page.getByText("nobody has the number or the name “Zoe”").waitFor();
  assert.equal(await page.getByLabel("These two meet", { exact: true }).inputValue(), "Anna / Zoe");
  await fill({ "These two meet": "Anna / Bo\n1-3", "Has the bye": "Bo, 5" });
  const problem = page.locator(".problem");
  await problem.getByText("1 Anna is to meet both 2 Bo and 3 Cy.").waitFor();
  await problem.getByText(/2 Bo has .*bye/).waitFor();
  assert.equal(await page.getByLabel("Has the bye", { exact: true }).inputValue(), "Bo, 5");
});

test("the rest is paired around what is fixed, and the draft says what that costs", async () => {
  await fill({
    "These two meet": "Anna / Ida",
    "These two do not meet": "2 3",
    "Has the bye": "Cy",
    Reason: "asked for by the sponsor",
  });
  await page.waitForURL(/\/rounds\/1$/);
  const fixed = page.locator("#fixed");
  for (const said of ["1 Anna and 9 Ida meet", "2 Bo and 3 Cy do not meet", "3 Cy has the bye"]) {
    await fixed.getByText(said).waitFor();
  }
  await fixed.getByText("It costs nothing").waitFor();
  const round = await page.evaluate(async () => (await fetch("/api/v1/events/fixed/rounds/1")).json());
  assert.deepEqual(round.byes, [3]);
  assert.ok(round.boards.some(({ black, white }) => [black, white].sort().join() === "1,9"));
  const wide = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.ok(wide <= 0, `the page is ${wide} px too wide`);
  await page.goto(`${server.base}/manage/e/fixed/log`);
  await page.getByText("asked for by the sponsor").waitFor();
  assert.deepEqual(faults, []);
});
