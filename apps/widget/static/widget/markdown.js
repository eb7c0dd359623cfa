const rules = `
.text pre { overflow-x: auto; padding: 8px 10px; border-radius: 8px; background: #8883; font: 13px/1.4 ui-monospace, monospace; white-space: pre; }
.text code { font-family: ui-monospace, monospace; font-size: .92em; }
.text b { font-weight: 600; }
.text i { font-style: italic; }
.text blockquote { padding-inline-start: 10px; border-inline-start: 3px solid #8888; }
.text ul, .text ol { padding-inline-start: 22px; white-space: normal; }
.text li { white-space: pre-wrap; }
`;
// Code, bold, strike, italic, a link. No part is longer: a hostile text must not take seconds.
const MARKS =
  /(`+)(.{1,1000}?)\1(?!`)|(\*\*|__)(?=\S)(.{0,1000}?\S)\3|~~(?=\S)(.{0,1000}?\S)~~|([*_])(?=[^\s*_])(.{0,1000}?[^\s*_])\6(?!\w)|\[([^\[\]]{1,1000})\]\((https?:\/\/(?:\([^\s()]*\)|[^\s()]){1,2000})\)/s;
/** @type {[string, RegExp][]} */
const BLOCKS = [
  ["blockquote", /^> ?/],
  ["ul", /^\s*[-*+] +/],
  ["ol", /^\s*\d{1,9}[.)] +/],
];
const DEEPEST = 6;

/** A text's nodes. What is no mark stays as it was typed, and so do HTML and pictures. */
export const render = (text, { h, link, linked, style }) => {
  style(rules);
  const inline = (text, depth = 0) => {
    const nodes = [];
    for (let rest = text; rest; ) {
      const found = depth < DEEPEST ? MARKS.exec(rest) : null;
      const start = found?.index ?? rest.length;
      nodes.push(...linked(rest.slice(0, start)));
      if (!found) break;
      const [all, , code, , bold, strike, , italic, label, url] = found;
      const within = (part) => inline(part, depth + 1);
      if (code) nodes.push(h("code", null, code));
      else if (url) nodes.push(link(url, null, label));
      else if (rest[start - 1]?.match(/\w/) && all[0] === "_") nodes.push(all);
      else nodes.push(h(bold ? "b" : strike ? "s" : "i", null, ...within(bold ?? strike ?? italic)));
      rest = rest.slice(start + all.length);
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
      if (isFence) nodes.push(h("pre", { tabindex: 0 }, h("code", null, part.slice(1).join("\n"))));
      else if (tag) {
        const inner = part.map((line) => line.replace(mark, ""));
        const items = () => inner.map((line) => h("li", null, ...inline(line)));
        nodes.push(h(tag, null, ...(tag === "blockquote" ? blocks(inner, depth + 1) : items())));
      } else nodes.push(h("div", null, ...inline(part.join("\n").trim())));
      at = end + isFence;
    }
    return nodes;
  };
  return blocks(text.split("\n"));
};
