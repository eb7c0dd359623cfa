const rules = `
.text pre { overflow-x: auto; padding: var(--p-2) var(--p-3); border-radius: var(--p-r-m); background: color-mix(in srgb, currentColor 10%, transparent); font: var(--p-s)/var(--p-s-line) ui-monospace, monospace; white-space: pre; }
.text code { font-family: ui-monospace, monospace; }
.text i { font-style: italic; }
.text blockquote { padding-inline-start: var(--p-3); border-inline-start: 3px solid color-mix(in srgb, currentColor 50%, transparent); }
.text ul, .text ol { padding-inline-start: var(--p-5); white-space: normal; }
.text li { white-space: pre-wrap; }
`;
// Code, bold, strike, italic, a link, whose address stands as its number. No part is longer: a hostile text must not
// take seconds.
const MARKS =
  /(`+)(.{1,1000}?)\1(?!`)|(\*\*|__)(?=\S)(.{0,1000}?\S)\3|~~(?=\S)(.{0,1000}?\S)~~|([*_])(?=[^\s*_])(.{0,1000}?[^\s*_])\6|\[([^\[\]]{1,1000})\]\(\ue000(\d+)\ue000\)/su;
const NUMBERS = /\ue000(\d+)\ue000/;
// A letter or digit of a script that parts its words: within one, `_` and `*` are no marks.
const WORD = /(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}])[\p{L}\p{N}_]/u;
/** @type {[string, RegExp][]} */
const BLOCKS = [
  ["blockquote", /^> ?/],
  ["ul", /^\s*[-*+] +/],
  ["ol", /^\s*\d{1,9}[.)] +/],
  ["b", /^#{1,6} +/],
  ["p", /^\s*\|/],
];
/** A cell of a table that is not its rule. */
const CELLS = /[^\s:|-]/;
const DEEPEST = 6;

/** A text's nodes. What is no mark stays as it was typed, and so do HTML and pictures. */
export const render = (text, { h, link, parts, style }) => {
  style(rules);
  // Taken out first: a mark in an address is none.
  const cut = parts(text.replaceAll("\ue000", ""));
  const numbered = cut.map((part, index) => (index % 2 ? `\ue000${index}\ue000` : part)).join("");
  const put = (text, make) => text.split(NUMBERS).map((part, index) => (index % 2 ? make(cut[part]) : part));
  const linked = (text) => put(text, (address) => link(address, null, address));
  const plain = (text) => put(text, (address) => address).join("");
  const isMark = (mark, before, after) => (mark === "**" ? !/\d/.test(before + after) : !WORD.test(before) && !WORD.test(after));
  const inline = (text, depth = 0) => {
    const nodes = [];
    for (let rest = text, before = ""; rest; ) {
      const found = depth < DEEPEST ? MARKS.exec(rest) : null;
      const start = found?.index ?? rest.length;
      nodes.push(...linked(rest.slice(0, start)));
      if (!found) break;
      const [all, , code, double, bold, strike, single, italic, label, number] = found;
      const within = (part) => inline(part, depth + 1);
      const mark = double ?? single;
      let end = start + all.length;
      if (mark && !isMark(mark, rest[start - 1] ?? before, rest[end] ?? "")) {
        end = start + mark.length;
        nodes.push(mark);
      } else if (code) nodes.push(h("code", null, plain(code)));
      else if (number) nodes.push(link(cut[number], null, plain(label)));
      else nodes.push(h(bold ? "b" : strike ? "s" : "i", null, ...within(bold ?? strike ?? italic)));
      before = rest[end - 1];
      rest = rest.slice(end);
    }
    return nodes;
  };
  const blocks = (lines, depth = 0) => {
    const nodes = [];
    for (let at = 0; at < lines.length; ) {
      const [tag, mark] = (depth < DEEPEST && BLOCKS.find(([, mark]) => mark.test(lines[at]))) || [];
      const isFence = lines[at].startsWith("```");
      const goesOn = (line) =>
        tag ? /** @type {RegExp} */ (mark).test(line) : !line.startsWith("```") && !BLOCKS.some(([, mark]) => depth < DEEPEST && mark.test(line));
      let end = at + 1;
      while (end < lines.length && (isFence ? !lines[end].startsWith("```") : goesOn(lines[end]))) end++;
      const part = lines.slice(at, end);
      if (isFence) nodes.push(h("pre", { tabindex: 0 }, h("code", null, plain(part.slice(1).join("\n")))));
      else if (tag) {
        const inner = part.map((line) => line.replace(mark, ""));
        const items = () => inner.map((line) => h("li", null, ...inline(line)));
        const cells = (line) => line.replace(/\|\s*$/, "").replaceAll("|", "·");
        const text = tag === "p" ? inner.filter((line) => CELLS.test(line)).map(cells) : inner;
        if (tag === "b" || tag === "p") nodes.push(h("div", null, h(tag, null, ...inline(text.join("\n")))));
        else nodes.push(h(tag, null, ...(tag === "blockquote" ? blocks(inner, depth + 1) : items())));
      } else nodes.push(h("div", null, ...inline(part.join("\n").trim())));
      at = end + isFence;
    }
    return nodes;
  };
  return blocks(numbered.split("\n"));
};
