// Filters the rows of a table while a name is typed, or brings the server's answer to two
// characters of a name. The server answers the same question to ?q= by the same rule, so nothing is
// lost without this script.
"use strict";

// Letters that Unicode does not decompose, as they are typed on a plain keyboard.
const LETTERS = {
  ł: "l", ø: "o", đ: "d", ð: "d", ħ: "h", ı: "i", ŧ: "t", þ: "th", æ: "ae", œ: "oe", ß: "ss",
  "’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'", "‐": "-", "‑": "-", "–": "-",
};

const folded = (text) =>
  [...text.normalize("NFKD").toLowerCase().normalize("NFKD").replace(/\p{M}|\s/gu, "")]
    .map((letter) => LETTERS[letter] ?? letter)
    .join("");

const fits = (query, text) => {
  const digits = /^[0-9]+$/.test(query);
  return text.split("\n").some((entry) =>
    entry.split("|").some((part, index) => {
      if (index === 0) return digits && part.startsWith(query);
      return index === 1 || index === 4 ? part.includes(query) : part.startsWith(query);
    }),
  );
};

for (const form of document.querySelectorAll("form[data-find]")) {
  const table = () => document.getElementById(form.dataset.find);
  const field = form.querySelector("input[name=q]");
  // A table that the server has filtered already cannot be widened here.
  if (!table() || !field || field.value.trim() !== "") continue;
  // Looked for each time: rows of a page that is kept up to date come and go.
  const rows = () => [...(table()?.querySelectorAll("tbody tr[data-search]") ?? [])];
  const filter = () => {
    const query = folded(field.value);
    const none = document.querySelector("[data-find-none]");
    let shown = 0;
    for (const row of rows()) {
      const show = query === "" || fits(query, row.dataset.search);
      row.hidden = !show;
      if (show) shown += 1;
    }
    if (none) none.hidden = shown > 0;
  };
  field.addEventListener("input", filter);
  document.addEventListener("live-shown", filter);
  form.addEventListener("submit", (event) => {
    const first = rows().find((row) => !row.hidden);
    if (!first || folded(field.value) === "") return;
    event.preventDefault();
    first.scrollIntoView({ block: "center" });
  });
}

for (const form of document.querySelectorAll("form[data-answers]")) {
  const field = form.querySelector("input[name=q]");
  if (!document.getElementById(form.dataset.answers) || !field) continue;
  let asked = field.value.trim();
  let waiting;
  // One Chinese character may be a whole surname; of other letters one fits too many.
  const enough = (query) => query === "" || [...query].length >= 2 || /\d|\p{Script=Han}/u.test(query);
  const ask = async () => {
    const query = field.value.trim();
    if (query === asked || !enough(query)) return;
    asked = query;
    const address = `${location.pathname}?q=${encodeURIComponent(query)}`;
    try {
      const html = await (await fetch(address, { signal: AbortSignal.timeout(8000) })).text();
      const found = new DOMParser().parseFromString(html, "text/html").getElementById(form.dataset.answers);
      // The answer to what was typed meanwhile is on its way.
      if (found && query === asked) {
        document.getElementById(form.dataset.answers).replaceChildren(...document.adoptNode(found).childNodes);
        history.replaceState(null, "", query === "" ? location.pathname : address);
      }
    } catch {
      // The button still asks, and then the browser says what is wrong.
      asked = null;
    }
  };
  field.addEventListener("input", (event) => {
    if (event.isComposing) return;
    clearTimeout(waiting);
    waiting = setTimeout(ask, 150);
  });
  field.addEventListener("compositionend", () => ask());
}
