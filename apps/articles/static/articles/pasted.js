// A paste from a page or a document, as Markdown: headings, lists, links, tables; no colours, no pictures of others.

const BLOCKS = "address, article, aside, blockquote, div, dl, figure, footer, form, h1, h2, h3, h4, h5, h6, header, hr, li, main, nav, ol, p, pre, section, table, ul";
const LEFT_OUT = "script, style, template, head, title, noscript, svg, iframe, object";
// Nested deeper than any page that a person copies from.
const DEEPEST = 60;

/** Words as they are: signs that Markdown would read as its own are escaped. @param {string} text */
const escaped = (text) => text.replace(/[\\`*_[\]<>]/g, "\\$&");

/** @param {string} text @param {string} mark */
const marked = (text, mark) => {
  const words = text.trim();
  if (!words) return text;
  const [lead, tail] = [/^\s*/.exec(text)[0], /\s*$/.exec(text)[0]];
  return `${lead}${mark}${words}${mark}${tail}`;
};

/** @param {Element} node @param {number} depth */
const inline = (node, depth) => {
  let text = "";
  for (const child of node.childNodes) text += inlineOf(child, depth + 1);
  return text;
};

/** @param {Node} child @param {number} depth @returns {string} */
const inlineOf = (child, depth) => {
  if (child.nodeType === Node.TEXT_NODE) return escaped(child.data.replace(/[\s\u00a0]+/g, " "));
  if (!(child instanceof Element) || child.matches(LEFT_OUT) || depth > DEEPEST) return "";
  if (child.matches("br")) return "\n";
  if (child.matches("code, kbd, samp")) return marked(child.textContent.replace(/`/g, "'"), "`");
  const words = inline(child, depth);
  // Editors of documents write bold as a style, and put all of a text into a <b> that is none.
  const weight = child.style?.fontWeight ?? "";
  if (child.matches("strong, b") ? weight !== "normal" : /^(bold|[6-9]00)$/.test(weight)) return marked(words, "**");
  if (child.matches("em, i") ? child.style.fontStyle !== "normal" : child.style?.fontStyle === "italic") return marked(words, "*");
  if (child.matches("a[href]")) {
    const address = child.getAttribute("href").trim().replace(/[\s()<>]/g, encodeURIComponent);
    return words.trim() && /^(https?:|mailto:|tel:)/i.test(address) ? `[${words.trim()}](${address})` : words;
  }
  return words;
};

/** @param {Element} list @param {number} depth @returns {string} */
const listOf = (list, depth) => {
  const isNumbered = list.matches("ol");
  const items = [...list.children].filter((each) => each.matches("li, ul, ol"));
  return items
    .map((item, place) => {
      const sign = isNumbered ? `${place + 1}. ` : "- ";
      const text = (item.matches("li") ? blocksOf(item, depth + 1) : listOf(item, depth + 1)).replace(/\n{2,}(?=(?:[-\d]))/g, "\n");
      return sign + text.split("\n").join(`\n${" ".repeat(sign.length)}`);
    })
    .join("\n");
};

/** @param {Element} table */
const tableOf = (table) => {
  const rows = [...table.querySelectorAll("tr")].map((row) =>
    [...row.children].map((cell) => inline(cell, 0).replace(/\s+/g, " ").trim().replace(/\|/g, "\\|") || " "),
  );
  const width = Math.max(...rows.map((row) => row.length), 0);
  if (!width) return "";
  const lines = rows.map((row) => `| ${Array.from({ length: width }, (_, place) => row[place] ?? " ").join(" | ")} |`);
  return [lines[0], `|${" --- |".repeat(width)}`, ...lines.slice(1)].join("\n");
};

/** @param {Element} node @param {number} depth @returns {string} */
const blockOf = (node, depth) => {
  if (node.matches("hr")) return "---";
  if (node.matches("ul, ol")) return listOf(node, depth);
  if (node.matches("table")) return tableOf(node);
  if (node.matches("pre")) return `\`\`\`\n${node.textContent.replace(/\n$/, "")}\n\`\`\``;
  const heading = /^H([1-6])$/.exec(node.tagName);
  if (heading) {
    const words = inline(node, depth).replace(/\s+/g, " ").replaceAll("**", "").trim();
    return words && `${"#".repeat(Math.max(2, Number(heading[1])))} ${words}`;
  }
  const text = blocksOf(node, depth + 1);
  return node.matches("blockquote") ? text.replace(/^/gm, "> ") : text;
};

/** The blocks of an element, an empty line between. @param {Element} node @param {number} depth @returns {string} */
const blocksOf = (node, depth) => {
  if (depth > DEEPEST) return escaped(node.textContent);
  const blocks = [];
  let line = "";
  const end = () => {
    if (line.trim()) blocks.push(line.trim().replace(/ *\n */g, "  \n"));
    line = "";
  };
  for (const child of node.childNodes) {
    const isElement = child instanceof Element;
    if (isElement && (child.matches(BLOCKS) || child.querySelector(BLOCKS))) {
      end();
      const block = blockOf(child, depth);
      if (block) blocks.push(block);
    } else line += inlineOf(child, depth);
  }
  end();
  return blocks.join("\n\n");
};

/** The Markdown of pasted HTML; empty where it says no more than the plain text beside it. @param {string} html */
export const markdownOf = (html) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  const isFormatted = page.body.querySelector("h1, h2, h3, h4, h5, h6, ul, ol, table, a[href], strong, b, em, i, pre, blockquote, [style*=bold]");
  return isFormatted ? blocksOf(page.body, 0).trim() : "";
};
