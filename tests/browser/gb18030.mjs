// Text as bytes in GB18030, which the platform reads and does not write: the table of its decoder,
// turned round.
const decoder = new TextDecoder("gb18030");
const table = new Map();

function learn(bytes) {
  const text = decoder.decode(Uint8Array.from(bytes));
  if ([...text].length === 1 && text !== "\ufffd" && !table.has(text)) table.set(text, bytes);
}

const four = (at) => [0x81 + Math.floor(at / 12600), 0x30 + (Math.floor(at / 1260) % 10), 0x81 + (Math.floor(at / 10) % 126), 0x30 + (at % 10)];

for (let first = 0x81; first <= 0xfe; first += 1) {
  for (let second = 0x40; second <= 0xfe; second += 1) if (second !== 0x7f) learn([first, second]);
}
for (let at = 0; at < 39420; at += 1) learn(four(at));

// Throws where a character has no place in the encoding.
export function gb18030(text) {
  const bytes = [];
  for (const character of text) {
    const code = character.codePointAt(0);
    if (code < 0x80) bytes.push(code);
    else if (code > 0xffff) bytes.push(...four(189000 + code - 0x10000));
    else bytes.push(...table.get(character));
  }
  return Buffer.from(bytes);
}
