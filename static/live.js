// Keeps a page that is open up to date: listens to the event's stream of changes and brings in what
// is new, without moving what is looked at and without touching what is being typed. Says since when
// it has had no connection. Without this script the page is as it was when it was opened.
"use strict";

(() => {
  const line = document.getElementById("live");
  if (!line) return;
  const words = line.dataset;

  // ------------------------------------------------------------ what is said

  const at = (time) =>
    new Date(time).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
  let offline = false;

  function say(text, href) {
    line.replaceChildren();
    if (text === "") return;
    const said = document.createElement("p");
    said.append(text);
    if (href) {
      const link = document.createElement("a");
      link.href = href;
      link.textContent = words.look;
      said.append(" ", link);
    }
    line.append(said);
  }

  function lost() {
    if (offline) return;
    offline = true;
    say(words.offline.replace("{at}", at(heard)));
  }

  function found() {
    if (!offline) return;
    offline = false;
    say("");
  }

  // ------------------------------------------------------------ what is new

  const main = document.getElementById("content");
  // The answer to a form that was refused is no page that can be asked for again.
  if (main.querySelector(".problem")) return;
  // The rows in which results are entered are their own script's business.
  const OWN = "form[data-results]";
  const plain = (page) => {
    const copy = page.cloneNode(true);
    for (const passing of copy.querySelectorAll(".notice.passing")) passing.remove();
    return copy;
  };
  const first = plain(main);
  let text = null;
  let pressed = false;
  let waiting = null;

  const changed = (field) =>
    field.type === "checkbox" || field.type === "radio"
      ? field.checked !== field.defaultChecked
      : "value" in field && "defaultValue" in field && field.value !== field.defaultValue;
  const FIELDS = "input, textarea, select";

  // What stays as it is: where the reader is, what was typed or chosen, and what has just been said.
  function holds(node) {
    if (node.nodeType !== Node.ELEMENT_NODE) return false;
    const focus = document.activeElement;
    if (focus && focus !== document.body && focus !== main && node.contains(focus)) return true;
    if (node.matches(".passing") || node.querySelector(".passing")) return true;
    if (node.matches("form[data-find], form[data-answers]")) return true;
    if (node.querySelector("form[data-find], form[data-answers]")) return true;
    if (node.matches("details[open]") || node.querySelector("details[open]")) return true;
    return [...(node.matches(FIELDS) ? [node] : node.querySelectorAll(FIELDS))].some(changed);
  }

  // What keeps itself meets itself again, wherever it stands now: two of it would be two lists of boards.
  const keepsItself = (node) =>
    node.nodeType === Node.ELEMENT_NODE && (node.matches(OWN) || node.querySelector(OWN) !== null);
  const key = (node) => {
    if (node.id) return `#${node.id}`;
    return keepsItself(node) ? `${node.nodeName} of its own` : `${node.nodeName} ${node.className ?? ""}`;
  };

  // Brings one element to what it is in the new page, and returns what stands in its place.
  function merge(now, next) {
    if (now.isEqualNode(next) || now.matches(OWN)) return now;
    if (!holds(now) && !keepsItself(now)) {
      now.replaceWith(next);
      return next;
    }
    if (now.matches(FIELDS)) return now;
    children(now, next);
    return now;
  }

  function children(now, next) {
    const left = [...now.childNodes];
    const pairs = [...next.childNodes].map((child) => {
      const index = left.findIndex((one) => key(one) === key(child));
      return [index < 0 ? null : left.splice(index, 1)[0], child];
    });
    for (const gone of left) if (!holds(gone)) gone.remove();
    let after = null;
    for (const [match, child] of pairs) {
      if (!match) {
        now.insertBefore(child, after ? after.nextSibling : now.firstChild);
        after = child;
      } else if (match.nodeType === Node.ELEMENT_NODE) {
        after = merge(match, child);
      } else {
        if (match.nodeValue !== child.nodeValue) match.nodeValue = child.nodeValue;
        after = match;
      }
    }
  }

  // The line that stands at the top of the window stays where it is.
  function anchored(change) {
    const named = [...main.querySelectorAll("[id]")].find((one) => one.getBoundingClientRect().top >= 0);
    const was = named?.getBoundingClientRect().top;
    change();
    const is = named && document.getElementById(named.id)?.getBoundingClientRect().top;
    if (scrollY > 0 && is !== undefined && Math.abs(is - was) > 1) scrollBy(0, is - was);
  }

  function show(html) {
    if (html === text) return;
    const page = new DOMParser().parseFromString(html, "text/html");
    const next = page.getElementById("content");
    if (!next) return;
    const rows = next.querySelector(OWN)?.cloneNode(true);
    const before = text;
    text = html;
    if (before === null && plain(next).isEqualNode(first)) return;
    const focus = document.activeElement;
    anchored(() => {
      for (const part of ["header.top", "nav.bottom-bar"]) {
        const [now, then] = [document, page].map((one) => one.querySelector(part));
        if (now && then && !now.contains(focus)) merge(now, document.adoptNode(then));
      }
      children(main, document.adoptNode(next));
    });
    document.title = page.title;
    document.dispatchEvent(new CustomEvent("live-shown", { detail: rows }));
  }

  // ------------------------------------------------------------ what was seen

  // The next answer may be another server's, which must not show less than was seen here. Servers hear of a change
  // within moments, and ask for what they have missed within seconds: for so long, a link that is followed says it.
  const MISSED = 5000;
  let seen = 0;
  let since = 0;

  function saw(number) {
    if (!(number > seen)) return;
    seen = number;
    since = Date.now();
  }

  document.addEventListener(
    "click",
    () => {
      if (Date.now() - since > MISSED) return;
      const secure = location.protocol === "https:" ? "; secure" : "";
      document.cookie = `seen=${seen}; path=${words.event}; max-age=${MISSED / 1000}; samesite=lax${secure}`;
    },
    true,
  );

  async function look() {
    waiting = null;
    // Nothing moves under a finger.
    if (pressed) {
      soon(300);
      return;
    }
    try {
      const stop = AbortSignal.timeout(10000);
      const headers = seen ? { "tianyuan-number": String(seen) } : {};
      const how = { cache: "no-cache", credentials: "same-origin", headers, signal: stop };
      const answer = await fetch(location.href, how);
      heard = Date.now();
      saw(Number(answer.headers.get("tianyuan-number")));
      if (answer.ok && !answer.redirected) show(await answer.text());
      else if (answer.status === 404 || answer.status === 403 || answer.redirected) say(words.gone, words.event);
      if (answer.ok) found();
    } catch {
      lost();
    }
  }

  // Several changes in one moment are looked at once, and a whole hall does not ask at one instant.
  function soon(after) {
    waiting ??= setTimeout(look, after + Math.random() * 250);
  }

  document.addEventListener("pointerdown", () => (pressed = true));
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => (pressed = false));

  // ------------------------------------------------------------ the stream

  const NAMES = [
    "now", "beat", "reset", "round-published", "round-withdrawn", "round-changed", "round-announced", "result-entered",
    "record-changed", "entries-changed", "draw-changed", "event-changed", "act", "result-reported",
  ];
  // A stream gives a sign of life every fifteen seconds.
  const SILENT = 40000;
  // Where no stream is to be had, the page is asked for again and again.
  const POLL = 15000;
  let stream = null;
  let heard = Date.now();
  let last = null;
  let polled = Date.now();
  let opened = 0;

  function hear(event) {
    heard = Date.now();
    opened = heard;
    found();
    if (event.lastEventId) last = event.lastEventId;
    const name = event.type;
    if (name === "beat") return;
    let data = {};
    try {
      data = JSON.parse(event.data);
    } catch {
      data = {};
    }
    saw(data.number);
    if (name === "round-published" && !location.pathname.endsWith(`/rounds/${data.round}`)) {
      say(words.published.replace("{round}", data.round), `${words.event}/rounds/${data.round}`);
    }
    soon(0);
  }

  function open() {
    if (stream || document.visibilityState === "hidden" || !("EventSource" in window)) return;
    opened = Date.now();
    stream = new EventSource(last === null ? words.stream : `${words.stream}?since=${last}`);
    for (const name of NAMES) stream.addEventListener(name, hear);
  }

  function close() {
    stream?.close();
    stream = null;
  }

  setInterval(() => {
    if (document.visibilityState === "hidden") return;
    const now = Date.now();
    if (stream?.readyState === EventSource.OPEN && now - Math.max(heard, opened) > SILENT) close();
    if (stream?.readyState === EventSource.CLOSED && now - opened > POLL) close();
    open();
    const listens = stream?.readyState === EventSource.OPEN;
    if (!listens && now - heard > 6000 && now - polled > POLL / 3) {
      polled = now;
      look();
    }
  }, 1000);
  // A browser opens only a few connections to a server, and a page that nobody sees needs none.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") close();
    else {
      open();
      soon(0);
    }
  });
  window.addEventListener("pagehide", close);
  window.addEventListener("offline", lost);
  window.addEventListener("online", () => {
    close();
    open();
    soon(0);
  });
  open();
})();
