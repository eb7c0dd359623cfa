/** Texts as the server's searches compare them (rules/folding.py of chats). */

/** @type {Record<string, string>} */
const LETTERS = { "æ": "ae", "œ": "oe", "ß": "ss", "ς": "σ", "ı": "i", "ł": "l", "ø": "o", "đ": "d" };
const OTHERS = /[æœßςıłøđ]/gu;
const DASHES = /[֊־‐‑‒–—―−⸺⸻]/gu;
const PIECES = /[\p{Mn}\p{Me}\p{Cf}]+|[\s\u0085]+|.[\p{Mn}\p{Me}\p{Cf}]*/gsu;

/** @param {string} text */
export function folded(text) {
  return text
    .replaceAll("´", "'")
    .normalize("NFKD")
    .replaceAll("и\u0306", "й")
    .replaceAll("И\u0306", "Й")
    .replace(/[\p{Mn}\p{Me}\p{Cf}]+/gu, "")
    .replace(/[’‘ʼ`]/gu, "'")
    .replace(DASHES, "-")
    .replace(/[\s\u0085]+/gu, " ")
    .normalize("NFC")
    .toLowerCase()
    .replace(OTHERS, (letter) => LETTERS[letter] ?? letter);
}

/** Where a term stands in a text: the first character, and the one after the last. @param {string} text @param {string} term */
export function placeOf(text, term) {
  const asked = folded(term);
  if (!asked) return null;
  let whole = "";
  /** @type {{ at: number; start: number; end: number }[]} */
  const pieces = [];
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    pieces.push({ at: whole.length, start: index, end: index + piece.length });
    whole += folded(piece);
  }
  const place = whole.indexOf(asked);
  if (place < 0) return null;
  const first = pieces.findLast(({ at }) => at <= place);
  const last = pieces.findLast(({ at }) => at < place + asked.length);
  return first && last ? { start: first.start, end: last.end } : null;
}
