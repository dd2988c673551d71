// A game on its board's page: steps through the moves as the verdict lists them, with what each took,
// and marks dead stones chain by chain. No rule of the game is in here: chains come with the page, and
// the count is asked of the server.
"use strict";

(() => {
  const root = document.querySelector("[data-game]");
  const source = document.getElementById("game-data");
  if (!root || !source) return;
  const game = JSON.parse(source.textContent);
  const { columns, rows, moves } = game;
  const svg = root.querySelector("[data-goban]");
  const board = root.querySelector("[data-board]");
  const find = (name) => root.querySelector(`[data-${name}]`);
  const [live, atWords, capturesWords, slider] = ["live", "at", "captures", "slider"].map(find);
  const commentHere = find("comment-here");
  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const index = (text) => letters.indexOf(text[0]) + columns * letters.indexOf(text[1]);
  const points = (text) => (text.match(/../g) || []).map(index);
  const columnNames = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
  const name = (point) => {
    const column = point % columns;
    return columnNames[column % 25].repeat(Math.floor(column / 25) + 1) + (rows - Math.floor(point / columns));
  };
  const path = (selector) => svg.querySelector(selector);
  const dots = (list) => list.map((point) => `M${(point % columns) * 10} ${Math.floor(point / columns) * 10}h0`).join("");

  const chains = game.chains.map(points);
  const chainOf = new Map(chains.flatMap((chain, number) => chain.map((point) => [point, number])));
  let count = game.count;
  let at = game.at;
  let numbered = 0;
  let marking = false;
  let cursor = index("aa") + Math.floor(columns / 2) + columns * Math.floor(rows / 2);

  // The board after so many moves.
  function after(number) {
    const stones = new Array(columns * rows).fill("");
    const numbers = new Array(columns * rows).fill(0);
    const captures = { b: 0, w: 0 };
    let last = -1;
    let next = 0;
    const setUp = (before) => {
      for (; next < game.setup.length && game.setup[next][0] <= before; next += 1) {
        const [, side, point] = game.setup[next];
        stones[index(point)] = side;
        numbers[index(point)] = 0;
      }
    };
    setUp(0);
    for (let move = 0; move < number; move += 1) {
      const [side, point, taken] = moves[move];
      setUp(move + 1);
      last = -1;
      if (point) {
        last = index(point);
        stones[last] = side;
        numbers[last] = move + 1;
      }
      for (const gone of points(taken)) {
        captures[stones[gone] === "b" ? "w" : "b"] += 1;
        stones[gone] = "";
        if (gone === last) last = -1;
      }
    }
    if (number === moves.length) setUp(Infinity);
    return { stones, numbers, captures, last };
  }

  function element(parent, kind, attributes, text) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", kind);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    if (text !== undefined) made.textContent = text;
    parent.append(made);
  }

  function draw() {
    const { stones, numbers, captures, last } = after(at);
    const ended = at === moves.length;
    const dead = new Set(ended && count ? points(count.dead) : []);
    const all = stones.map((_, point) => point);
    const set = (group, colour, list) => {
      path(`${group} .${colour}`).setAttribute("d", dots(list));
      if (colour === "w") path(`${group} .we`).setAttribute("d", dots(list));
    };
    for (const colour of ["b", "w"]) {
      set(".stones:not(.dead)", colour, all.filter((point) => stones[point] === colour && !dead.has(point)));
      set(".stones.dead", colour, all.filter((point) => stones[point] === colour && dead.has(point)));
      const owned = (point) => ended && count && count.owners[point] === colour && (!stones[point] || dead.has(point));
      set(".territory", colour, all.filter(owned));
    }
    const shared = all.filter((point) => ended && count && count.owners[point] === "s" && (!stones[point] || dead.has(point)));
    const diamond = (point) => `M${(point % columns) * 10 - 2} ${Math.floor(point / columns) * 10}l2 2 2-2-2-2z`;
    path(".territory .s").setAttribute("d", shared.map(diamond).join(""));
    const marks = path(".last");
    marks.replaceChildren();
    if (last >= 0 && !numbered) element(marks, "circle", { class: stones[last], cx: (last % columns) * 10, cy: Math.floor(last / columns) * 10, r: 2.4 });
    const texts = path(".numbers");
    texts.replaceChildren();
    for (const point of numbered ? all : []) {
      const number = numbers[point];
      if (stones[point] && number > at - numbered && !dead.has(point)) {
        const place = { x: (point % columns) * 10, y: Math.floor(point / columns) * 10 + 2 };
        element(texts, "text", { class: stones[point] + (number > 99 ? " l" : ""), ...place }, number);
      }
    }
    capturesWords.textContent = capturesWords.dataset.pattern.replace("{black}", captures.b).replace("{white}", captures.w);
    find("legend").hidden = !(ended && count && count.owners);
    drawCursor();
  }

  function drawCursor() {
    let mark = path(".cursor");
    if (!mark) {
      element(svg, "rect", { class: "cursor", width: 10, height: 10, rx: 2 });
      mark = path(".cursor");
    }
    mark.setAttribute("visibility", marking ? "visible" : "hidden");
    mark.setAttribute("x", (cursor % columns) * 10 - 5);
    mark.setAttribute("y", Math.floor(cursor / columns) * 10 - 5);
  }

  const line = (number) => root.querySelector(`[data-moves] [data-move="${number}"]`);

  function words(number) {
    if (number === 0) return atWords.dataset.start;
    const told = line(number);
    const text = told ? told.textContent.replace(/\s+/g, " ").trim() : String(number);
    const [, first, side, rest] = text.match(/^(\S+) ?(\S*) ?(.*)$/);
    return atWords.dataset.pattern.replace("{number}", first).replace("{side}", side).replace("{point}", rest);
  }

  function go(number, say = true) {
    number = Math.max(0, Math.min(moves.length, number));
    if (number !== at) {
      const old = line(at);
      if (old) old.removeAttribute("aria-current");
    }
    at = number;
    const told = line(at);
    if (told) {
      told.setAttribute("aria-current", "true");
      const list = told.closest("[data-moves]");
      if (list.offsetParent) list.scrollTop += told.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
    }
    draw();
    slider.value = at;
    slider.setAttribute("aria-valuetext", words(at));
    atWords.textContent = words(at);
    if (say) live.textContent = words(at);
    const comment = root.querySelector(`[data-comment="${at}"]`);
    commentHere.hidden = !comment;
    commentHere.firstElementChild.textContent = comment ? comment.textContent : "";
    const targets = { first: 0, back: at - 10, previous: at - 1, next: at + 1, on: at + 10, last: moves.length };
    root.querySelectorAll("[data-step]").forEach((step) => {
      const to = Math.max(0, Math.min(moves.length, targets[step.dataset.step]));
      if (to === at) {
        step.removeAttribute("href");
        step.setAttribute("role", "link");
        step.setAttribute("aria-disabled", "true");
      } else {
        step.removeAttribute("role");
        step.removeAttribute("aria-disabled");
        step.href = `${to === moves.length ? location.pathname : `?move=${to}`}#game`;
      }
    });
    const query = at === moves.length ? "" : `?move=${at}`;
    history.replaceState(null, "", `${location.pathname}${query}${location.hash}`);
  }

  // Dead stones

  const form = find("dead-form");
  const field = find("dead");
  const keep = find("keep-dead");
  let asked = 0;

  async function ask(dead) {
    asked += 1;
    const mine = asked;
    const answer = await fetch(`${form.dataset.countHref}?dead=${encodeURIComponent(dead)}`);
    if (mine !== asked) return;
    if (!answer.ok) {
      live.textContent = form.dataset.failed;
      return;
    }
    const told = await answer.json();
    if (mine !== asked) return;
    count = told.count;
    const box = find("count");
    const made = (kind, text, marks) => Object.assign(document.createElement(kind), { textContent: text, className: marks || "" });
    box.replaceChildren();
    if (told.problem) box.append(made("p", told.problem, "field-problem"));
    const sentence = made("p", told.sentence, "game-counted");
    sentence.dataset.counted = "";
    box.append(sentence);
    const sums = made("ul", "", "game-sums");
    told.sums.forEach((sum) => sums.append(made("li", sum)));
    box.append(sums);
    live.textContent = [told.problem, told.sentence].filter(Boolean).join(" ");
    field.value = told.dead;
    if (keep) {
      keep.hidden = false;
      find("dead-kept").value = told.dead;
    }
    if (at === moves.length) draw();
    else go(moves.length, false);
  }

  function toggle(point) {
    const chain = chains[chainOf.get(point)];
    if (!chain) {
      live.textContent = name(point);
      return;
    }
    const dead = new Set(count ? points(count.dead) : []);
    const falls = !dead.has(point);
    chain.forEach((stone) => (falls ? dead.add(stone) : dead.delete(stone)));
    const firsts = chains.filter((stones) => dead.has(stones[0])).map((stones) => name(stones[0]));
    ask(firsts.join(" "));
  }

  const mark = find("mark");
  function markDead(on) {
    marking = on;
    mark.setAttribute("aria-pressed", String(on));
    board.classList.toggle("marking", on);
    board.setAttribute("role", on ? "application" : "group");
    if (on) {
      if (at !== moves.length) go(moves.length, false);
      board.scrollIntoView({ block: "nearest" });
      live.textContent = mark.dataset.said;
    }
    drawCursor();
  }

  function pointAt(event) {
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const [column, row] = [Math.round(place.x / 10), Math.round(place.y / 10)];
    return column >= 0 && row >= 0 && column < columns && row < rows ? column + columns * row : -1;
  }

  board.addEventListener("click", (event) => {
    const point = pointAt(event);
    if (point < 0) return;
    if (marking) {
      cursor = point;
      toggle(point);
    } else {
      const half = board.getBoundingClientRect();
      go(at + (event.clientX < half.left + half.width / 2 ? -1 : 1));
    }
  });

  function sayPoint() {
    const chain = chainOf.get(cursor);
    const dead = count && points(count.dead).includes(cursor);
    const stone = chain === undefined ? "" : after(moves.length).stones[cursor];
    live.textContent = [name(cursor), stone && board.dataset[stone === "b" ? "black" : "white"], dead && board.dataset.deadWord].filter(Boolean).join(" ");
  }

  function moveCursor(key) {
    const [column, row] = [cursor % columns, Math.floor(cursor / columns)];
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    if (!by) return false;
    const next = [column + by[0], row + by[1]];
    if (next[0] >= 0 && next[1] >= 0 && next[0] < columns && next[1] < rows) cursor = next[0] + columns * next[1];
    drawCursor();
    sayPoint();
    return true;
  }

  const keys = {
    ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), ArrowUp: () => go(at - 1), ArrowDown: () => go(at + 1),
    Home: () => go(0), End: () => go(moves.length), PageUp: () => go(at - 10), PageDown: () => go(at + 10),
  };

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const inBoard = board.contains(event.target);
    if (marking && inBoard) {
      if (event.key === "Enter" || event.key === " ") toggle(cursor);
      else if (event.key === "Escape") markDead(false);
      else if (!moveCursor(event.key)) return;
      event.preventDefault();
      return;
    }
    // Elsewhere the keys that scroll a page go on scrolling it, and fields keep theirs.
    const plain = event.target === document.body || event.target.closest("[data-move], [data-step], main") === event.target;
    const sideways = event.key === "ArrowLeft" || event.key === "ArrowRight";
    const act = keys[event.key];
    if (act && (inBoard || (sideways && (plain || event.target.matches("a"))))) {
      event.preventDefault();
      act();
    }
  });

  root.addEventListener("click", (event) => {
    const link = event.target.closest("[data-move], [data-step]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const targets = { first: 0, back: at - 10, previous: at - 1, next: at + 1, on: at + 10, last: moves.length };
    if (link.dataset.step) {
      if (!link.hasAttribute("aria-disabled")) go(targets[link.dataset.step]);
    } else {
      go(Number(link.dataset.move));
      if (!link.closest("[data-moves]")) board.scrollIntoView({ block: "nearest" });
    }
  });
  slider.addEventListener("input", () => go(Number(slider.value)));
  find("numbers").addEventListener("change", (event) => {
    numbered = event.target.value === "all" ? moves.length : Number(event.target.value);
    draw();
  });
  const whole = svg.getAttribute("viewBox");
  find("coordinates").addEventListener("change", (event) => {
    svg.classList.toggle("bare", !event.target.checked);
    const bare = `-7 -7 ${columns * 10 + 4} ${rows * 10 + 4}`;
    svg.setAttribute("viewBox", event.target.checked ? whole : bare);
  });
  if (mark) {
    mark.addEventListener("click", () => {
      markDead(!marking);
      if (marking) board.focus({ preventScroll: true });
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      ask(field.value);
    });
  }

  board.tabIndex = 0;
  root.querySelectorAll("[data-needs-script]").forEach((part) => { part.hidden = false; });
  root.querySelectorAll("[data-without-script]").forEach((part) => { part.hidden = true; });
  if (window.matchMedia("(min-width: 60rem)").matches) root.querySelectorAll("[data-open-wide]").forEach((part) => { part.open = true; });
  const shown = new URLSearchParams(location.search).get("numbers");
  if (shown) {
    numbered = Number(shown) || 0;
    find("numbers").value = numbered >= 10 ? "10" : "0";
  }
  const here = line(at);
  if (here && here.closest("[data-moves]").offsetParent) {
    const list = here.closest("[data-moves]");
    list.scrollTop += here.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
  }
  drawCursor();
})();
