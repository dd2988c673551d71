// Turns the pages of the screen, looks for what has changed every few seconds, counts down, and
// lets the names of a draw come one by one. Without this script the pages turn all the same.
"use strict";

const LOOK = 4000;
const ROLL = 1400;

const by = (id) => document.getElementById(id);
const hold = by("hold");
const offline = by("offline");
let here = location.pathname + location.search;
let turnAt = Date.now() + 1000 * Number(by("sheet").dataset.turn);
let held = false;
let busy = false;
let seen = Date.now();
// What the server's clock is ahead of this machine's: projectors are often wrong by minutes.
let ahead = 0;
// What lets the names of a draw come one by one, while it does.
let rolling = null;
let text = null;

const clock = (seconds) => {
  const two = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
};

function tick() {
  for (const time of document.querySelectorAll("time[data-until]")) {
    const left = Math.ceil((Date.parse(time.dateTime) - Date.now() - ahead) / 1000);
    time.hidden = left < 0;
    if (left >= 0) time.textContent = clock(left);
  }
  if (Date.now() - seen > 3 * LOOK) {
    const at = new Date(seen).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
    offline.textContent = offline.dataset.words.replace("{at}", at);
  } else {
    offline.textContent = "";
  }
  // Whoever has scrolled down on a phone is reading.
  if (!held && !rolling && scrollY === 0 && Date.now() >= turnAt) go(by("sheet").dataset.next, true);
}

async function go(href, turning) {
  if (busy) return;
  busy = true;
  try {
    const stop = AbortSignal.timeout(10000);
    // The browser asks with the tag of what it has, and gets the same page back while nothing changed.
    const answer = await fetch(href, { cache: "no-cache", signal: stop, credentials: "same-origin" });
    if (!answer.ok) throw new Error(String(answer.status));
    const told = Date.parse(answer.headers.get("date") ?? "");
    if (!Number.isNaN(told)) ahead = told - Date.now();
    const html = await answer.text();
    seen = Date.now();
    if (turning || html !== text) show(html, href, turning);
  } catch {
    // The page stays as it is; the foot says since when.
    if (turning) turnAt = Date.now() + LOOK;
  } finally {
    busy = false;
  }
}

function show(html, href, turning) {
  // What was drawn does not change; a page that comes meanwhile must not stop the names.
  if (rolling && !turning) return;
  const next = new DOMParser().parseFromString(html, "text/html");
  const first = text === null && !turning;
  text = html;
  if (first && next.getElementById("sheet").innerHTML === by("sheet").innerHTML) return;
  document.title = next.title;
  // Numbers drawn while the hall is looking come one by one, as those on a page that is opened.
  const names = (page) => page.querySelector("[data-roll]")?.textContent;
  const drawn = names(next) !== undefined && names(next) !== names(document);
  for (const id of ["sheet", "where", "back", "next"]) by(id).replaceWith(document.adoptNode(next.getElementById(id)));
  if (turning) {
    here = href;
    history.replaceState(null, "", href);
    turnAt = Date.now() + 1000 * Number(by("sheet").dataset.turn);
  }
  if (turning || drawn) roll();
  tick();
}

function stopRolling() {
  clearInterval(rolling);
  rolling = null;
  for (const row of document.querySelectorAll("[data-roll] li")) row.classList.remove("unrolled", "rolling");
  by("skip").hidden = true;
  turnAt = Date.now() + 1000 * Number(by("sheet").dataset.turn);
}

function roll() {
  clearInterval(rolling);
  rolling = null;
  const list = document.querySelector("[data-roll]");
  by("again").hidden = !list;
  by("skip").hidden = !list;
  if (!list) return;
  const rows = [...list.querySelectorAll("li")];
  for (const row of rows) row.classList.add("unrolled");
  let at = 0;
  const step = () => {
    rows[at - 1]?.classList.remove("rolling");
    if (at === rows.length) return stopRolling();
    rows[at].classList.remove("unrolled");
    rows[at].classList.add("rolling");
    at += 1;
  };
  step();
  rolling = setInterval(step, ROLL);
}

hold.hidden = false;
hold.addEventListener("click", () => {
  held = !held;
  hold.setAttribute("aria-pressed", String(held));
  turnAt = Date.now() + 1000 * Number(by("sheet").dataset.turn);
});
by("again").addEventListener("click", () => go(by("sheet").dataset.first, true));
by("skip").addEventListener("click", stopRolling);
document.addEventListener("click", (event) => {
  const link = event.target.closest("#back, #next");
  if (!link) return;
  event.preventDefault();
  go(link.getAttribute("href"), true);
});
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "ArrowRight" || event.key === "PageDown") go(by("sheet").dataset.next, true);
  else if (event.key === "ArrowLeft" || event.key === "PageUp") go(by("sheet").dataset.back, true);
  else if (event.key === " " && event.target === document.body) hold.click();
  else if (event.key === "f" && document.fullscreenElement === null) document.documentElement.requestFullscreen?.();
  else if (event.key === "Escape" && rolling) stopRolling();
  else return;
  event.preventDefault();
});
setInterval(tick, 250);
setInterval(() => {
  if (!rolling) go(here, false);
}, LOOK);
// What is published, or entered, is on the wall at once; asking goes on, for what is not heard.
if ("EventSource" in window) {
  const stream = new EventSource(by("sheet").dataset.stream);
  let soon = null;
  const look = () => {
    soon ??= setTimeout(() => {
      soon = null;
      if (!rolling) go(here, false);
    }, 100 + Math.random() * 200);
  };
  for (const name of ["reset", "round-published", "round-withdrawn", "round-changed", "round-announced",
    "result-entered", "entries-changed", "draw-changed", "event-changed"]) stream.addEventListener(name, look);
}
go(here, false);
roll();
tick();
