// Entering results by keyboard and by touch: every choice is saved at once and the row says in
// words how that went. Without this script the page is a form with one button.
"use strict";

const form = document.querySelector("form[data-results]");
if (form) begin(form);

function begin(form) {
  const say = form.dataset;
  const boards = [...form.querySelectorAll("[data-board]")].map(boardOf);
  const byNumber = new Map(boards.map((board) => [board.number, board]));
  const count = form.querySelector("[data-count]");
  const next = form.querySelector("[data-next]");
  const spoken = form.querySelector("[data-say]");
  const line = form.querySelector("[data-connection]");
  const reason = form.querySelector("input[name=reason]");
  const undone = [];
  let forfeit = false;
  // A board number begins like a result: 12 and Enter is board 12, but 1 alone is Black and 2
  // White. So the results of one run of digits wait a moment before they are saved; Enter, or a
  // digit that is no result, turns the run into a board number and takes them back.
  const RUN = 700;
  let digits = "";
  let taken = [];
  let runEnds = 0;

  // What was typed is kept in this browser until the server has it: a lost connection, a closed page
  // or an empty battery loses nothing. The version goes along, so what somebody else has entered
  // meanwhile is never written over unseen.
  const KEPT = `results ${say.results}`;
  function kept() {
    try {
      return JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    } catch {
      return {};
    }
  }
  function keep(board) {
    try {
      const all = kept();
      if (same(board)) delete all[board.number];
      else all[board.number] = { wanted: board.wanted, black: board.wantedBlack, version: board.version };
      if (Object.keys(all).length === 0) localStorage.removeItem(KEPT);
      else localStorage.setItem(KEPT, JSON.stringify(all));
      return true;
    } catch {
      return false;
    }
  }

  const withScript = () => {
    for (const hidden of document.querySelectorAll("[data-with-script]")) hidden.hidden = false;
  };
  withScript();
  for (const button of form.querySelectorAll("[data-submit]")) button.hidden = true;

  function boardOf(row) {
    return {
      row,
      number: Number(row.dataset.board),
      version: row.dataset.version,
      stored: row.dataset.result,
      wanted: row.dataset.result,
      // A warning was given whoever won.
      warnings: { black: Number(row.dataset.warningsBlack), white: Number(row.dataset.warningsWhite) },
      busy: false,
      timer: 0,
      tries: 0,
      words: row.querySelector("[data-words]"),
      // What the page said of it last.
      told: row.querySelector("[data-words]").textContent,
      state: row.querySelector("[data-state]"),
      // What somebody else has entered meanwhile.
      theirs: null,
      // A correction of an earlier round that is kept only when what it changes has been seen.
      seen: false,
      waits: false,
      radios: [...row.querySelectorAll("input[type=radio]")],
      select: row.querySelector(".other select"),
      // Where colours come from nigiri, results go by who is named first; `served` has Black in
      // what the server keeps, `black` is who is said to have had it, nobody while that is unknown.
      first: row.dataset.first,
      served: row.dataset.first,
      black: row.dataset.black ?? "",
      wantedBlack: row.dataset.black ?? "",
      hadBlack: row.querySelector(".had-black select"),
    };
  }

  // ------------------------------------------------------------ what is shown

  function show(board) {
    for (const radio of board.radios) radio.checked = radio.value === board.wanted;
    const other = board.wanted !== "" && !board.radios.some((radio) => radio.checked);
    board.select.value = other ? board.wanted : "";
  }

  function tell(board, words, failed) {
    board.words.textContent = words;
    board.state.classList.toggle("failed", failed === true);
  }

  function tally() {
    const missing = boards.filter((board) => board.stored === "").length;
    count.textContent = missing === 0 ? say.allIn : say.missing.replace("{n}", String(missing));
    if (next) next.hidden = missing > 0;
  }

  // How many results wait for the connection, said once for the page.
  function connection() {
    const waiting = boards.filter((board) => !same(board) && board.tries > 0).length;
    if (waiting > 0) {
      line.hidden = false;
      line.textContent = say.offline.replace("{n}", String(waiting));
    } else if (!line.hidden && line.textContent !== say.online) {
      line.textContent = say.online;
      setTimeout(() => (line.hidden = line.textContent === say.online), 6000);
    }
  }

  function aloud(words) {
    spoken.textContent = words;
  }

  // ------------------------------------------------------------ the cursor

  function cursor() {
    return boards.find((board) => board.row.classList.contains("cursor"));
  }

  function mark(board) {
    for (const other of boards) other.row.classList.toggle("cursor", other === board);
  }

  function moveTo(board, focus) {
    if (!board) return;
    mark(board);
    const box = board.row.getBoundingClientRect();
    if (box.top < 90 || box.bottom > window.innerHeight - 90) {
      board.row.scrollIntoView({ block: "center" });
    }
    if (focus) board.row.focus({ preventScroll: true });
  }

  function step(by) {
    const at = boards.indexOf(cursor());
    const next = boards[Math.min(boards.length - 1, Math.max(0, at + by))];
    moveTo(next, true);
  }

  function toNextMissing(after) {
    const at = boards.indexOf(after);
    const round = [...boards.slice(at + 1), ...boards.slice(0, at)];
    moveTo(round.find((board) => board.wanted === "") ?? boards[at + 1] ?? after, true);
  }

  // ------------------------------------------------------------ saving

  function choose(board, wanted, wait) {
    undone.push({ board, before: board.wanted });
    take(board, wanted, wait);
  }

  function take(board, wanted, wait) {
    clearTimeout(board.timer);
    forget(board);
    board.wanted = wanted;
    board.tries = 0;
    settle(board);
    show(board);
    keep(board);
    if (wait) {
      tell(board, say.saving);
      board.timer = setTimeout(() => save(board), RUN);
    } else {
      save(board);
    }
  }

  function same(board) {
    return board.wanted === board.stored && board.wantedBlack === board.black;
  }

  const TURNED = {
    black: "white",
    white: "black",
    black_forfeit: "white_forfeit",
    white_forfeit: "black_forfeit",
  };

  // A result as the server keeps it: by who has Black there, not by who is named first here.
  function asKept(board, result, black) {
    const { warnings } = board;
    if (black === board.first) return { result: result === "" ? null : result, warnings };
    return {
      result: result === "" ? null : TURNED[result] ?? result,
      warnings: { black: warnings.white, white: warnings.black },
    };
  }

  async function save(board) {
    if (board.busy || board.theirs || board.waits) return;
    if (same(board)) {
      tell(board, board.stored === "" ? say.open : say.saved);
      keep(board);
      connection();
      return;
    }
    board.busy = true;
    const sent = board.wanted;
    const sentBlack = board.wantedBlack;
    const look = say.past !== undefined && board.stored !== "" && !board.seen;
    tell(board, say.saving);
    try {
      const has = sentBlack === "" ? board.served : sentBlack;
      const body = asKept(board, sent, has);
      if (sentBlack !== "") body.black = Number(sentBlack);
      const why = reason?.value.trim();
      if (why) body.reason = why;
      const answer = await fetch(`${say.results}${board.number}/result${look ? "?dry_run=true" : ""}`, {
        method: "PUT",
        credentials: "same-origin",
        headers: {
          "Content-Type": "application/json",
          Accept: "application/json",
          "If-Match": `"${board.version}"`,
        },
        body: JSON.stringify(body),
      });
      board.busy = false;
      if (answer.ok && look) {
        const { standings } = await answer.json();
        if (sent !== board.wanted || sentBlack !== board.wantedBlack) save(board);
        else if (standings && (standings.moved.length > 0 || standings.values_only > 0)) ask(board, standings);
        else keepSeen(board);
        return;
      }
      if (answer.ok) {
        board.seen = false;
        board.version = (answer.headers.get("ETag") ?? "").replace(/^W\//, "").replaceAll('"', "") || board.version;
        board.stored = sent;
        board.served = has;
        board.black = sentBlack;
        board.row.dataset.version = board.version;
        form.elements[`v${board.number}`].value = board.version;
        form.elements[`w${board.number}`].value = sent;
        board.tries = 0;
        keep(board);
        connection();
        let waits = null;
        try {
          waits = (await answer.json()).waits_for ?? null;
        } catch {
          waits = null;
        }
        const counted = sent === "" ? say.open : say.saved;
        tell(board, waits === "director" ? say.disputed : waits ? say.unconfirmed : counted, waits === "director");
        board.row.classList.remove("faded-in");
        void board.row.offsetWidth;
        board.row.classList.add("faded-in");
        tally();
        if (!same(board)) save(board);
        return;
      }
      let problem = {};
      try {
        problem = await answer.json();
      } catch {
        problem = {};
      }
      const detail = problem.detail ?? "";
      if ((answer.status === 412 || answer.status === 428) && problem.current) {
        conflict(board, problem);
      } else if (answer.status === 412 || answer.status === 409) {
        tell(board, say.changed, true);
        aloud(detail || say.changed);
      } else if (answer.status >= 500) {
        later(board);
      } else {
        tell(board, say.failed, true);
        aloud(detail || say.failed);
      }
    } catch {
      board.busy = false;
      later(board);
    }
  }

  // What a correction changes in the standings, to be kept or left.
  function ask(board, standings) {
    board.waits = true;
    tell(board, say.previewFirst);
    const seen = document.createElement("div");
    seen.className = "conflict preview";
    const words = document.createElement("p");
    words.textContent = standings.sentence;
    const list = document.createElement("ul");
    for (const one of standings.moved) {
      const line = document.createElement("li");
      const name = document.createElement("bdi");
      name.textContent = one.name;
      const place = one.place_now === one.place_then ? one.place_now : `${one.place_now} → ${one.place_then}`;
      const score = one.score_now === one.score_then ? one.score_now : `${one.score_now} → ${one.score_then}`;
      line.append(`${one.number} `, name, ` · ${say.place} ${place} · ${say.score} ${score}`);
      list.append(line);
    }
    if (standings.more > 0) {
      const line = document.createElement("li");
      line.textContent = `+ ${standings.more}`;
      list.append(line);
    }
    seen.append(words, list);
    for (const [label, act] of [[say.keep, keepSeen], [say.leave, leave]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button small";
      button.textContent = label;
      button.addEventListener("click", () => act(board));
      seen.append(button);
    }
    board.row.append(seen);
    connection();
    aloud(`${board.number}: ${standings.sentence} ${say.previewFirst}`);
  }

  function forget(board) {
    board.seen = false;
    board.waits = false;
    board.row.querySelector(".preview")?.remove();
  }

  function keepSeen(board) {
    forget(board);
    board.seen = true;
    aloud("");
    save(board);
  }

  function leave(board) {
    board.wantedBlack = board.black;
    if (board.hadBlack) board.hadBlack.value = board.black;
    take(board, board.stored);
    moveTo(board, true);
    aloud("");
  }

  function named(board, result) {
    if (result === "") return say.open;
    const radio = board.radios.find((one) => one.value === result);
    if (radio) return radio.parentElement.textContent.trim();
    return [...board.select.options].find((one) => one.value === result)?.textContent ?? result;
  }

  // Somebody else has entered another result meanwhile: both are said, and one of them is chosen.
  function conflict(board, { version, current }) {
    let result = current.result ?? "";
    if (board.first && String(current.black) !== board.first) result = TURNED[result] ?? result;
    // Who has Black matters only where it may be another than the pairing says.
    const black = board.first === undefined ? board.served : String(current.black);
    board.theirs = { version: String(version), result, black };
    board.tries = 0;
    if (result === board.wanted && board.wantedBlack === board.black) {
      takeTheirs(board);
      return;
    }
    const words = say.conflict.replace("{theirs}", named(board, result)).replace("{yours}", named(board, board.wanted));
    tell(board, words, true);
    const buttons = document.createElement("span");
    buttons.className = "conflict";
    for (const [label, act] of [[say.keepMine, keepMine], [say.takeTheirs, takeTheirs]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button small";
      button.textContent = label;
      button.addEventListener("click", () => act(board));
      buttons.append(button);
    }
    board.words.after(buttons);
    connection();
    aloud(`${board.number}: ${words}`);
  }

  // The buttons of a conflict go away; the version is the one that was shown.
  function settle(board) {
    if (!board.theirs) return;
    board.version = board.theirs.version;
    board.stored = board.theirs.result;
    board.served = board.theirs.black;
    board.theirs = null;
    board.row.querySelector(".conflict")?.remove();
    tally();
  }

  function keepMine(board) {
    settle(board);
    keep(board);
    save(board);
  }

  function takeTheirs(board) {
    settle(board);
    board.wanted = board.stored;
    form.elements[`v${board.number}`].value = board.version;
    form.elements[`w${board.number}`].value = board.stored;
    show(board);
    keep(board);
    tell(board, board.stored === "" ? say.open : say.saved);
    connection();
  }

  // A lost connection is no reason to lose a result: it waits, and says so.
  function later(board) {
    board.tries += 1;
    tell(board, say.waiting, true);
    keep(board);
    connection();
    setTimeout(() => save(board), Math.min(30000, 1000 * 2 ** board.tries));
  }

  // What others have entered meanwhile, as the page has it now. A board where something was typed that
  // is not saved yet stays as it is: the server says whether somebody else was quicker.
  document.addEventListener("live-shown", ({ detail: now }) => {
    withScript();
    for (const board of boards) {
      const row = now?.querySelector(`[data-board="${board.number}"]`);
      if (!row || board.busy || board.theirs || !same(board) || row.dataset.first !== board.first) continue;
      const state = row.querySelector("[data-words]").textContent;
      const newer = Number.parseInt(row.dataset.version, 10) > Number.parseInt(board.version, 10);
      if (!newer && state === board.told) continue;
      board.told = state;
      if (newer) {
        board.version = row.dataset.version;
        board.stored = board.wanted = row.dataset.result;
        board.served = board.first;
        board.black = board.wantedBlack = row.dataset.black ?? "";
        if (board.hadBlack) board.hadBlack.value = board.black;
        board.row.dataset.version = board.version;
        form.elements[`v${board.number}`].value = board.version;
        form.elements[`w${board.number}`].value = board.stored;
        show(board);
      }
      tell(board, state);
    }
    tally();
  });

  window.addEventListener("online", () => {
    for (const board of boards) if (!same(board)) save(board);
  });
  window.addEventListener("beforeunload", (event) => {
    if (boards.some((board) => !same(board) && !keep(board))) event.preventDefault();
  });

  // ------------------------------------------------------------ touch and mouse

  for (const board of boards) {
    for (const radio of board.radios) {
      radio.addEventListener("change", () => choose(board, radio.value));
      // A second tap on what is chosen takes it back.
      radio.addEventListener("click", () => {
        if (radio.value === board.wanted && radio.dataset.again === "1") choose(board, "");
        for (const other of board.radios) other.dataset.again = "";
        radio.dataset.again = board.wanted === radio.value ? "1" : "";
      });
      radio.dataset.again = radio.checked ? "1" : "";
    }
    board.select.addEventListener("change", () => {
      const value = board.select.value;
      choose(board, value === "none" ? "" : value === "" ? board.stored : value);
    });
    board.hadBlack?.addEventListener("change", () => {
      forget(board);
      board.wantedBlack = board.hadBlack.value;
      const stones = board.row.querySelectorAll("[data-stone]");
      stones.forEach((stone, at) => {
        stone.hidden = board.wantedBlack === "";
        stone.classList.toggle("black", (board.wantedBlack === board.first) === (at === 0));
      });
      board.tries = 0;
      save(board);
    });
    // Nothing moves under a finger: a row that scrolled away between press and release would lose the tap.
    board.row.addEventListener("focusin", () => mark(board));
    board.row.addEventListener("pointerdown", () => mark(board));
  }
  form.addEventListener("submit", (event) => event.preventDefault());

  // ------------------------------------------------------------ keys

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    // Keys mean results only here: not in a field, not in a list, not while a dialog is open, and
    // not when a key is held down.
    const target = event.target;
    const typing = target.closest("input:not([type=radio]), select, textarea, [contenteditable]");
    if (typing || document.querySelector("dialog[open]")) return;
    // Nor while something outside the boards has the focus: a link in the rail, the language.
    if (target !== document.body && target.id !== "content" && !form.contains(target)) return;
    if (event.repeat && !["ArrowDown", "ArrowUp"].includes(event.key)) {
      event.preventDefault();
      return;
    }
    const board = cursor();
    if (board?.waits && digits === "" && !target.closest("button") && ["Enter", "Escape"].includes(event.key)) {
      event.preventDefault();
      if (event.key === "Enter") keepSeen(board);
      else leave(board);
      return;
    }
    if (event.key === "Enter" && digits === "") return;
    const handled = key(event.key, board);
    if (handled) event.preventDefault();
  });

  function key(pressed, board) {
    const key = pressed.length === 1 ? pressed.toLowerCase() : pressed;
    if (key === "ArrowDown" || key === "j") return step(1), true;
    if (key === "ArrowUp" || key === "k") return step(-1), true;
    if (key === "u") return undo(), true;
    if (key === "Enter" && digits !== "") return jump(), true;
    if (key === "Escape") {
      const was = forfeit || digits !== "";
      forfeit = false;
      if (taken.length === 0) endRun();
      aloud("");
      return was;
    }
    if (/^[0-9]$/.test(key)) return digit(key), true;
    // A board number and then a letter: 57b is Black at board 57, in three presses.
    const named = digits !== "" && (key === "b" || key === "w" || taken.length === 0);
    if (named && /^[bwxf=]$/.test(key)) {
      if (!jump()) return true;
      board = cursor();
    }
    endRun();
    if (!board) return false;
    switch (key) {
      case "f":
        forfeit = true;
        aloud(say.forfeit);
        return true;
      case "b":
        return result("black"), true;
      case "w":
        return result("white"), true;
      case "=":
        return result("draw"), true;
      case "x":
        return result("both_lose"), true;
      case "Backspace":
      case "Delete":
        choose(board, "");
        return true;
      default:
        return false;
    }
  }

  function result(value, wait) {
    const board = cursor();
    if (!board) return;
    if (forfeit) {
      forfeit = false;
      aloud("");
      // f, then the side that is absent.
      if (value === "black") value = "black_forfeit";
      else if (value === "white") value = "white_forfeit";
    }
    if (wait) taken.push({ board, before: board.wanted });
    // What a correction of an earlier round changes is shown where the cursor stays.
    const corrects = say.past !== undefined && board.stored !== "" && board.stored !== value;
    choose(board, value, wait);
    if (!corrects) toNextMissing(board);
  }

  const RESULTS = { 1: "black", 2: "white", 0: "draw" };

  function digit(key) {
    if (forfeit) {
      if (key === "1" || key === "2") result(RESULTS[key]);
      return;
    }
    clearTimeout(runEnds);
    const numberAlready = digits !== "" && taken.length === 0;
    if (numberAlready || !(key in RESULTS)) {
      takeBack();
      digits += key;
      aloud(say.jump.replace("{n}", digits));
      runEnds = setTimeout(endRun, 4 * RUN);
      return;
    }
    // No board has a number this long: results are being entered quickly.
    if (digits.length >= 4) endRun();
    digits += key;
    result(RESULTS[key], true);
    runEnds = setTimeout(endRun, RUN);
  }

  // What was typed was results, or nothing came of it.
  function endRun() {
    clearTimeout(runEnds);
    if (taken.length === 0 && digits !== "") aloud("");
    digits = "";
    taken = [];
  }

  function takeBack() {
    if (taken.length === 0) return;
    undone.length -= taken.length;
    // Each board goes back at once to what it was before the run, and nothing in between is sent.
    const first = new Map();
    for (const { board, before } of taken) if (!first.has(board)) first.set(board, before);
    for (const [board, before] of first) take(board, before);
    moveTo(taken[0].board, true);
    taken = [];
  }

  function jump() {
    const board = byNumber.get(Number(digits));
    const typed = digits;
    takeBack();
    if (board) moveTo(board, true);
    endRun();
    aloud(board ? "" : say.noBoard.replace("{n}", typed));
    return board !== undefined;
  }

  function undo() {
    const last = undone.pop();
    if (!last) return;
    take(last.board, last.before);
    moveTo(last.board, true);
    aloud(say.undone.replace("{n}", String(last.board.number)));
  }

  const first = boards.find((board) => board.stored === "") ?? boards[0];
  if (location.hash.startsWith("#board-")) {
    moveTo(byNumber.get(Number(location.hash.slice(7))) ?? first);
  } else {
    moveTo(first);
  }
  tally();
  for (const [number, waiting] of Object.entries(kept())) {
    const board = byNumber.get(Number(number));
    if (!board) continue;
    board.wanted = waiting.wanted;
    board.wantedBlack = waiting.black || board.black;
    board.version = waiting.version;
    if (same(board)) {
      board.version = board.row.dataset.version;
      keep(board);
      continue;
    }
    show(board);
    save(board);
  }
  leftovers();

  // What was typed in another round and never got through is not lost from sight: its own page sends it,
  // or whoever typed it hands it in on paper.
  function leftovers() {
    const rounds = KEPT.replace(/[0-9]+\/boards\/$/, "");
    let keys = [];
    try {
      keys = Object.keys(localStorage).filter((key) => key.startsWith(rounds) && key !== KEPT);
    } catch {
      return;
    }
    for (const key of keys) {
      const round = key.slice(rounds.length).match(/^[0-9]+/)?.[0];
      if (!round) continue;
      let boards = [];
      try {
        boards = Object.keys(JSON.parse(localStorage.getItem(key)));
      } catch {
        boards = [];
      }
      if (boards.length === 0) continue;
      const notice = document.createElement("div");
      notice.className = "notice now";
      const words = document.createElement("p");
      words.textContent = say.leftover.replace("{round}", round).replace("{boards}", boards.join(", "));
      const forget = document.createElement("button");
      forget.type = "button";
      forget.className = "button small";
      forget.textContent = say.forget;
      forget.addEventListener("click", () => {
        localStorage.removeItem(key);
        notice.remove();
      });
      notice.append(words, forget);
      line.after(notice);
    }
  }
}
