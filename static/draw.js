// Checks a draw in the reader's browser: what the draw file says against what the page says, and
// every lot against the seed. The rules are those of docs/draw.md; nothing is asked of the server
// but the file and what it says of the log now.
"use strict";

(() => {
  const box = document.querySelector("[data-check]");
  if (!box) return;
  const bytesOf = (text) => new TextEncoder().encode(text);
  const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const bytesOfHex = (hex) => Uint8Array.from(hex.match(/../g) || [], (pair) => parseInt(pair, 16));

  // SHA-256 (FIPS 180-4), for pages that come over plain http, where browsers give no subtle.
  function sha256ByHand(message) {
    const primes = [];
    for (let n = 2; primes.length < 64; n += 1) if (primes.every((p) => n % p)) primes.push(n);
    const bits = (root) => Math.floor((root - Math.floor(root)) * 2 ** 32) >>> 0;
    const k = primes.map((p) => bits(Math.cbrt(p)));
    const h = primes.slice(0, 8).map((p) => bits(Math.sqrt(p)));
    const length = message.length;
    const padded = new Uint8Array(((length + 72) >> 6) << 6);
    padded.set(message);
    padded[length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, Math.floor(length / 2 ** 29));
    view.setUint32(padded.length - 4, (length << 3) >>> 0);
    const turn = (x, n) => (x >>> n) | (x << (32 - n));
    const w = new Uint32Array(64);
    for (let at = 0; at < padded.length; at += 64) {
      for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(at + 4 * i);
      for (let i = 16; i < 64; i += 1) {
        const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
        const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
        w[i] = (w[i - 16] + s0 + w[i - 7] + s1) >>> 0;
      }
      let [a, b, c, d, e, f, g, last] = h;
      for (let i = 0; i < 64; i += 1) {
        const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
        const one = (last + s1 + ((e & f) ^ (~e & g)) + k[i] + w[i]) >>> 0;
        const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
        const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
        [last, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
      }
      [a, b, c, d, e, f, g, last].forEach((word, i) => { h[i] = (h[i] + word) >>> 0; });
    }
    const out = new DataView(new ArrayBuffer(32));
    h.forEach((word, i) => out.setUint32(4 * i, word));
    return new Uint8Array(out.buffer);
  }

  async function sha256(text) {
    const bytes = bytesOf(text);
    if (window.crypto && crypto.subtle) return hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
    return hexOf(sha256ByHand(bytes));
  }

  // ChaCha20 (RFC 8439): key, twelve bytes of nonce, counter from 0; read as 64-bit numbers, least byte first.
  function* words(key, label) {
    const start = new Uint32Array(16);
    start.set([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]);
    const keyView = new DataView(key.buffer, key.byteOffset);
    for (let i = 0; i < 8; i += 1) start[4 + i] = keyView.getUint32(4 * i, true);
    const nonce = new Uint8Array(12);
    nonce.set(bytesOf(label));
    const nonceView = new DataView(nonce.buffer);
    for (let i = 0; i < 3; i += 1) start[13 + i] = nonceView.getUint32(4 * i, true);
    for (let counter = 0; ; counter += 1) {
      start[12] = counter;
      const x = start.slice();
      const turn = (at, n) => { x[at] = (x[at] << n) | (x[at] >>> (32 - n)); };
      const quarter = (a, b, c, d) => {
        x[a] += x[b]; x[d] ^= x[a]; turn(d, 16);
        x[c] += x[d]; x[b] ^= x[c]; turn(b, 12);
        x[a] += x[b]; x[d] ^= x[a]; turn(d, 8);
        x[c] += x[d]; x[b] ^= x[c]; turn(b, 7);
      };
      for (let round = 0; round < 10; round += 1) {
        quarter(0, 4, 8, 12); quarter(1, 5, 9, 13); quarter(2, 6, 10, 14); quarter(3, 7, 11, 15);
        quarter(0, 5, 10, 15); quarter(1, 6, 11, 12); quarter(2, 7, 8, 13); quarter(3, 4, 9, 14);
      }
      for (let i = 0; i < 16; i += 1) x[i] += start[i];
      for (let i = 0; i < 16; i += 2) yield (BigInt(x[i + 1]) << 32n) | BigInt(x[i]);
    }
  }

  // A number below so many, each as likely as the others; then Fisher and Yates from the last place down.
  function shuffle(list, stream) {
    for (let place = list.length - 1; place > 0; place -= 1) {
      const sides = BigInt(place + 1);
      const fair = 2n ** 64n - (2n ** 64n % sides);
      let word = stream.next().value;
      while (word >= fair) word = stream.next().value;
      const other = Number(word % sides);
      [list[place], list[other]] = [list[other], list[place]];
    }
    return list;
  }

  function canonical(value, outermost) {
    if (Array.isArray(value)) return `[${value.map((item) => canonical(item, false)).join(",")}]`;
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    const names = Object.keys(value).filter((name) => !(outermost && name === "sum"));
    const points = (text) => Array.from(text, (c) => c.codePointAt(0));
    names.sort((one, other) => {
      const [a, b] = [points(one), points(other)];
      for (let i = 0; i < Math.min(a.length, b.length); i += 1) if (a[i] !== b[i]) return a[i] - b[i];
      return a.length - b.length;
    });
    return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name], false)}`).join(",")}}`;
  }

  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const firstUnlike = (one, other) => one.findIndex((item, i) => item !== other[i]) + 1;
  const short = (text) => (typeof text === "string" && text.length > 16 ? `${text.slice(0, 12)}…` : String(text));

  function numbersOf(file) {
    const stream = words(bytesOfHex(file.seed), "numbers");
    const places = file.entries.map((_, i) => i);
    const free = places.map((i) => i + 1).filter((number) => !file.slots.includes(number));
    const numbers = [];
    const give = (some, to) => shuffle(some, stream).forEach((place, i) => { numbers[place] = to[i]; });
    give(places.filter((i) => file.entries[i].seeded), file.slots);
    give(places.filter((i) => !file.entries[i].seeded), free);
    return numbers;
  }

  function groupsOf(file) {
    const stream = words(bytesOfHex(file.seed), "groups");
    const order = file.entries.map((_, i) => i);
    const layer = file.split === "snake" ? file.layer : Math.max(order.length, 1);
    const letters = [];
    let dealt = [];
    for (let at = 0; at < order.length; at += layer) dealt = dealt.concat(shuffle(order.slice(at, at + layer), stream));
    dealt.forEach((entry, place) => {
      const [row, column] = [Math.floor(place / file.groups), place % file.groups];
      const back = file.split === "snake" && row % 2 === 1;
      letters[entry] = String.fromCharCode(65 + (back ? file.groups - 1 - column : column));
    });
    return letters;
  }

  // Each step: its name and what does not hold, or nothing.
  async function* steps(file) {
    const unlike = (found, expected) => (found === expected ? null : [short(found), short(expected)]);
    yield ["sum", unlike(await sha256(canonical(file, true)), file.sum)];
    const said = (id) => { const at = document.getElementById(id); return at ? at.textContent.trim() : undefined; };
    const spoken = Array.from(document.querySelectorAll("[data-word]"), (at) => at.textContent);
    const page = [box.dataset.event, box.dataset.draw, said("commitment"), said("secret"), said("seed")];
    const ours = [file.event, file.draw, file.commitment, file.secret, file.seed];
    const other = page.findIndex((part, i) => part !== ours[i]);
    if (other >= 0) yield ["page", [short(ours[other]), short(page[other])]];
    else yield ["page", same(spoken, file.words || []) ? null : [(file.words || []).join(" "), spoken.join(" ")]];
    const lines = (first, more) => `${[first, file.event, file.draw, file.secret, ...more].join("\n")}\n`;
    if (file.secret) {
      yield ["commitment", unlike(await sha256(lines("tianyuan commitment 1", [])), file.commitment)];
      yield ["seed", unlike(await sha256(lines("tianyuan seed 1", file.words)), file.seed)];
    }
    if (file.players) {
      const active = file.players.map((player) => player.number);
      for (const label of ["order", "colours"]) {
        if (file[label]) {
          const drawn = shuffle(active.slice(), words(bytesOfHex(file.seed), label));
          const at = firstUnlike(drawn, file[label]) || firstUnlike(file[label], drawn);
          yield [label, at ? [file[label][at - 1], drawn[at - 1]] : null];
        }
      }
      const seated = file.table.boards.flatMap((board) => [board.black, board.white]).concat(file.table.byes);
      seated.sort((a, b) => a - b);
      const at = firstUnlike(active, seated) || firstUnlike(seated, active);
      yield ["players", at ? [seated[at - 1], active[at - 1]] : null];
    }
    if (file.draw === "numbers") {
      const [drawn, said] = [numbersOf(file), file.entries.map((entry) => entry.number)];
      const at = firstUnlike(drawn, said);
      yield ["numbers", at ? [said[at - 1], drawn[at - 1]] : null];
    }
    if (file.draw === "groups") {
      const [drawn, said] = [groupsOf(file), file.entries.map((entry) => entry.group)];
      const at = firstUnlike(drawn, said);
      yield ["groups", at ? [said[at - 1], drawn[at - 1]] : null];
    }
    const state = await fetch(box.dataset.state).then((answer) => answer.json());
    const foot = document.querySelector(".log-head code");
    const printed = box.querySelector("[data-check-head]").value.replace(/[^0-9a-f]/gi, "").toLowerCase();
    if (state.log_head && foot) {
      const expected = printed || foot.textContent;
      // The file of a round was kept with the table: it knows the log as the page's foot says it.
      const known = [state.log_head.hash];
      if (file.log && file.table) known.push(file.log.split(":")[1]);
      const other = known.find((hash) => !hash.startsWith(expected));
      yield ["head", other ? [short(other), short(expected)] : null];
    }
  }

  const verdict = box.querySelector("[data-verdict]");
  const list = box.querySelector("[data-steps]");

  async function check(read) {
    verdict.hidden = false;
    verdict.textContent = box.dataset.running;
    list.hidden = false;
    list.querySelectorAll("[data-step]").forEach((step) => { step.hidden = true; });
    let fine = true;
    try {
      const file = await read();
      for await (const [name, wrong] of steps(file)) {
        const step = list.querySelector(`[data-step="${name}"]`);
        step.hidden = false;
        step.classList.toggle("wrong", Boolean(wrong));
        step.querySelector(".verdict").textContent = wrong ? "✗" : "✓";
        const told = wrong ? box.dataset.expected.replace("{found}", () => wrong[0]).replace("{expected}", () => wrong[1]) : "";
        step.querySelector("small").textContent = told;
        fine = fine && !wrong;
      }
      verdict.textContent = fine ? `✓ ${box.dataset.fine}` : `✗ ${box.dataset.wrong}`;
    } catch (error) {
      fine = false;
      verdict.textContent = `✗ ${box.dataset.unreadable}`;
    }
    verdict.classList.toggle("wrong", !fine);
  }

  const fromServer = () => fetch(box.dataset.file, { cache: "no-cache" }).then((answer) => answer.json());
  box.querySelectorAll("[data-needs-script]").forEach((part) => { part.hidden = false; });
  box.querySelector("[data-check-now]").addEventListener("click", () => check(fromServer));
  box.querySelector("[data-check-head]").addEventListener("change", () => check(fromServer));
  box.querySelector("[data-check-file]").addEventListener("change", (event) => {
    const [file] = event.target.files;
    if (file) check(async () => JSON.parse(await file.text()));
  });
})();
