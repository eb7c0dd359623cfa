/** A message with marks as the visitor sees it: bold, italic, strike, code, lists, quotes and links. Drawn of text alone. */

import { html } from "../vendor/lit-html/lit-html.js";

/** @import {TemplateResult} from "../vendor/lit-html/lit-html.js" */

// Addresses and code are taken first: what stands in them is no mark. Each quantifier is bounded or its class excludes
// what ends it, so that a long text is read in one pass.
const INLINE =
  /(`[^`\n]+`)|\[([^[\]\n]{1,500})\]\((https?:\/\/[^\s()]{1,2000})\)|(https?:\/\/[^\s<>()[\]]+[^\s<>()[\]*_~`.,;:!?'"])|(?<![\p{L}\p{N}*])\*\*(?=\S)([^*\n]{1,2000}?)(?<=\S)\*\*(?![\p{L}\p{N}])|(?<![\p{L}\p{N}_])__(?=\S)([^_\n]{1,2000}?)(?<=\S)__(?![\p{L}\p{N}])|(?<![\p{L}\p{N}*])\*(?=\S)([^*\n]{1,2000}?)(?<=\S)\*(?![\p{L}\p{N}*])|(?<![\p{L}\p{N}_])_(?=\S)([^_\n]{1,2000}?)(?<=\S)_(?![\p{L}\p{N}_])|~~(?=\S)([^~\n]{1,2000}?)(?<=\S)~~/gu;

/** @param {string} text @returns {unknown[]} */
function inline(text) {
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    const [all, code, label, href, bare, bold, bold2, italic, italic2, strike] = found;
    parts.push(text.slice(at, found.index));
    at = found.index + all.length;
    const address = href ?? bare;
    if (code) parts.push(html`<code>${code.slice(1, -1)}</code>`);
    else if (address) parts.push(html`<a href=${address} target="_blank" rel="noopener noreferrer">${label ? inline(label) : address}</a>`);
    else if (bold ?? bold2) parts.push(html`<strong>${inline(bold ?? bold2 ?? "")}</strong>`);
    else if (italic ?? italic2) parts.push(html`<em>${inline(italic ?? italic2 ?? "")}</em>`);
    else parts.push(html`<s>${inline(strike ?? "")}</s>`);
  }
  parts.push(text.slice(at));
  return parts;
}

/** @typedef {{kind: "p" | "ul" | "ol" | "quote" | "code", lines: string[], start: number}} Block */

/** @param {string} markdown @returns {Block[]} */
function blocksOf(markdown) {
  /** @type {Block[]} */
  const blocks = [];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    if (line.trimStart().startsWith("```")) {
      isCode = !isCode;
      if (isCode) blocks.push({ kind: "code", lines: [], start: 1 });
      continue;
    }
    if (isCode) {
      blocks.at(-1)?.lines.push(line);
      continue;
    }
    const [, number, item] = /^\s{0,9}(?:[-+*]|(\d{1,9})[.)])\s+(.*)$/.exec(line) ?? [];
    const [, quoted] = /^\s{0,3}>\s?(.*)$/.exec(line) ?? [];
    const kind = item !== undefined ? (number ? "ol" : "ul") : quoted !== undefined ? "quote" : "p";
    const last = blocks.at(-1);
    const text = item ?? quoted ?? line;
    if (last && last.kind === kind) last.lines.push(text);
    else blocks.push({ kind, lines: [text], start: Number(number ?? 1) });
  }
  return blocks;
}

/** @param {Block} block @returns {TemplateResult} */
function drawn({ kind, lines, start }) {
  if (kind === "code") return html`<pre><code>${lines.join("\n")}</code></pre>`;
  if (kind === "ul") return html`<ul>${lines.map((line) => html`<li>${inline(line)}</li>`)}</ul>`;
  if (kind === "ol") return html`<ol start=${start}>${lines.map((line) => html`<li>${inline(line)}</li>`)}</ol>`;
  if (kind === "quote") return html`<blockquote>${inline(lines.join("\n"))}</blockquote>`;
  return html`<span class="text">${inline(lines.join("\n"))}</span>`;
}

/** @param {string} markdown */
export const marked = (markdown) => html`<span class="marked">${blocksOf(markdown).map(drawn)}</span>`;
