const rules = `
.text pre { overflow-x: auto; padding: var(--p-2) var(--p-3); border-radius: var(--p-r-m); background: color-mix(in srgb, currentColor 10%, transparent); font: var(--p-s)/var(--p-s-line) ui-monospace, monospace; white-space: pre; }
.text code { font-family: ui-monospace, monospace; }
.text i { font-style: italic; }
.text blockquote { padding-inline-start: var(--p-3); border-inline-start: 3px solid color-mix(in srgb, currentColor 50%, transparent); }
.text ul, .text ol { padding-inline-start: var(--p-5); white-space: normal; }
.text li { white-space: pre-wrap; }
.text hr { margin: var(--p-3) 0; border: 0; border-top: 1px solid var(--line); }
`;
// Code, bold, strike, italic, a link or a picture, whose address stands as its number, an escaped sign, a line's end. No
// part is longer: a hostile text must not take seconds.
const MARKS =
  /(`+)(.{1,1000}?)\1(?!`)|(\*\*|__)(?=\S)(.{0,1000}?\S)\3|~~(?=\S)(.{0,1000}?\S)~~|([*_])(?=[^\s*_])(.{0,1000}?[^\s*_])\6|(!?)\[([^\[\]]{0,1000})\]\(\ue000(\d+)\ue000(?: "[^"]{0,300}")?\)|\\([!-/:-@[-`{-~])|(?: {2,9}|\\)\n/su;
const NUMBERS = /\ue000(\d+)\ue000/;
// A letter or digit of a script that parts its words: within one, `_` and `*` are no marks.
const WORD = /(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}])[\p{L}\p{N}_]/u;
/** @type {[string, RegExp][]} */
const BLOCKS = [
  ["hr", /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/],
  ["blockquote", /^> ?/],
  ["ul", /^\s*[-*+] +/],
  ["ol", /^\s*\d{1,9}[.)] +/],
  ["b", /^#{1,6} +/],
  ["p", /^\s*\|/],
];
/** A cell of a table that is not its rule. */
const CELLS = /[^\s:|-]/;
const DEEPEST = 6;
const COLUMNS = 99;

const indent = (line) => line.search(/\S|$/);

/** Gives the nodes within a line, and its text without marks, by the addresses that were `cut` out. */
const linesOf = (cut, { h, link, picture }) => {
  const put = (text, make) => text.split(NUMBERS).map((part, index) => (index % 2 ? make(cut[part]) : part));
  const linked = (text) => put(text, (address) => link(address, null, address));
  const plain = (text) => put(text, (address) => address).join("");
  const isMark = (mark, before, after) => (mark === "**" ? !/\d/.test(before + after) : !WORD.test(before) && !WORD.test(after));
  const inline = (text, depth = 0) => {
    const nodes = [];
    // One text of several that meet: a call takes so many arguments.
    const add = (node) => nodes.push(typeof node === "string" && typeof nodes.at(-1) === "string" ? nodes.pop() + node : node);
    for (let rest = text, before = ""; rest; ) {
      const found = depth < DEEPEST ? MARKS.exec(rest) : null;
      const start = found?.index ?? rest.length;
      linked(rest.slice(0, start)).forEach(add);
      if (!found) break;
      const [all, , code, double, bold, strike, single, italic, isPicture, label, number, escaped] = found;
      const within = (part) => inline(part, depth + 1);
      const mark = double ?? single;
      let end = start + all.length;
      if (mark && !isMark(mark, rest[start - 1] ?? before, rest[end] ?? "")) {
        end = start + mark.length;
        add(mark);
      } else if (code) add(h("code", null, plain(code)));
      else if (number) add((isPicture && picture?.(cut[number], plain(label))) || link(cut[number], null, plain(label) || cut[number]));
      else if (escaped) add(escaped);
      else if (mark || strike) add(h(bold ? "b" : strike ? "s" : "i", null, ...within(bold ?? strike ?? italic)));
      else add(h("br"));
      before = rest[end - 1];
      rest = rest.slice(end);
    }
    return nodes;
  };
  return { inline, plain };
};

/** Gives the nodes of a table, and of a list, whose items `blocks` draws. */
const rowsOf = ({ h }, inline, blocks) => {
  const cells = (line) => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).slice(0, COLUMNS);
  const table = (lines) => {
    const row = (tag) => (line) => h("tr", null, ...cells(line).map((cell) => h(tag, null, ...inline(cell.trim()))));
    const [first, ...rest] = lines.filter((line) => CELLS.test(line));
    const isHead = lines[1] && !CELLS.test(lines[1]);
    return h("div", { class: "wide", tabindex: 0 }, h("table", null, first && row(isHead ? "th" : "td")(first), ...rest.map(row("td"))));
  };
  /** The items of a list: what is further in is the last one's. */
  const items = (lines, mark, depth) => {
    /** @type {any[]} */
    const found = [];
    const out = indent(lines[0]);
    for (const line of lines) {
      const [begun] = (indent(line) < out + 2 && mark.exec(line)) || [];
      if (begun) found.push({ lines: [line.slice(begun.length)], width: begun.length });
      else found.at(-1).lines.push(line.slice(Math.min(indent(line), found.at(-1).width)));
    }
    return found.map(({ lines }) => h("li", null, ...(lines[1] == null ? inline(lines[0]) : blocks(lines, depth + 1))));
  };
  return { cells, items, table };
};

/** Gives the nodes of lines. */
const blocksOf = (chat, { inline, plain }) => {
  const { h, picture } = chat;
  const blocks = (lines, depth = 0) => {
    const nodes = [];
    for (let at = 0; at < lines.length; ) {
      const begins = (line) => (depth < DEEPEST && BLOCKS.find(([, mark]) => mark.test(line))) || [];
      const isFence = lines[at].startsWith("```");
      /** @type {any} */
      const [tag, mark] = begins(lines[at]);
      const out = indent(lines[at]) + 2;
      const isOfList = (line = "") => (begins(line)[0] === tag && indent(line) < out) || (line.trim() && indent(line) >= out);
      const goesOn = (line, index) =>
        isFence ? !line.startsWith("```")
        : /^.l$/.test(tag) ? isOfList(line) || (!line.trim() && isOfList(lines[index + 1]))
        : tag ? !/^b$|hr/.test(tag) && mark.test(line)
        : (!picture || line.trim()) && !line.startsWith("```") && !begins(line)[0];
      let end = at + 1;
      while (end < lines.length && goesOn(lines[end], end)) end++;
      const part = lines.slice(at, end);
      at = end + isFence;
      const inner = part.map((line) => line.replace(mark, ""));
      const text = part.join("\n").trim();
      if (isFence) nodes.push(h("pre", { tabindex: 0 }, h("code", null, plain(part.slice(1).join("\n")))));
      else if (tag === "hr") nodes.push(h(tag));
      else if (tag === "blockquote") nodes.push(h(tag, null, ...blocks(inner, depth + 1)));
      else if (tag === "b") {
        const level = Math.min(6, Math.max(2, part[0].indexOf(" ")) + 2);
        nodes.push(picture ? h(`h${level}`, null, ...inline(inner[0])) : h("div", null, h(tag, null, ...inline(inner[0]))));
      } else if (tag === "p" && picture) nodes.push(table(part));
      else if (tag === "p") nodes.push(h("div", null, h(tag, null, ...inline(inner.filter((line) => CELLS.test(line)).map((line) => cells(line).join("·")).join("\n")))));
      else if (tag) nodes.push(h(tag, { start: tag === "ol" && parseInt(text) > 1 ? parseInt(text) : null }, ...items(part, mark, depth)));
      else if (text) nodes.push(h(picture ? "p" : "div", null, ...inline(text)));
    }
    return nodes;
  };
  const { cells, items, table } = rowsOf(chat, inline, blocks);
  return blocks;
};

/**
 * A text's nodes. What is no mark stays as it was typed, and so does HTML. With `picture`, which gives the node of one or
 * nothing, it is a page: paragraphs, headings, tables; else a message, where a picture is a link.
 */
export const render = (text, chat) => {
  chat.style(rules);
  // Taken out first: a mark in an address is none.
  const cut = chat.parts(text.replaceAll("\ue000", ""));
  const numbered = cut.map((part, index) => (index % 2 ? `\ue000${index}\ue000` : part)).join("");
  return blocksOf(chat, linesOf(cut, chat))(numbered.split("\n"));
};
