/** Emoji in the composer: a grid behind a button, and suggestions behind `:` and two letters. */

import { icon } from "../base/icons.js";
import { walked } from "../base/menus.js";
import { t } from "../base/texts.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Actions} from "../actions.js" */

const MOST = 8;
const BEGUN = /(?:^|\s):(\p{L}{2,20})$/u;

/** The names, once they are loaded. @type {typeof import("./emoji_names.js") | undefined} */
let names;
/** What is being named: where its `:` stands; null while nothing is. @type {{start: number, begin: string} | null} */
let begun = null;

/** @param {Actions} actions */
function load(actions) {
  if (names) return;
  void import("./emoji_names.js").then((loaded) => {
    names = loaded;
    actions.redraw();
  });
}

/** Follows what is typed. @param {HTMLTextAreaElement} input @param {Actions} actions */
export function followEmoji(input, actions) {
  const caret = input.selectionStart;
  const [, begin] = BEGUN.exec(input.value.slice(Math.max(0, caret - 24), caret)) ?? [];
  begun = begin === undefined ? null : { begin, start: caret - begin.length - 1 };
  if (begun) load(actions);
}

export function closeEmoji() {
  begun = null;
}

const found = () => (begun && names ? names.named(begun.begin, MOST) : []);

/** @param {HTMLTextAreaElement} input @param {string} sign @param {number} start */
function insert(input, sign, start) {
  input.focus();
  input.setRangeText(sign, start, input.selectionEnd, "end");
  begun = null;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Enter and Tab take the first one, Escape none. @param {KeyboardEvent} event @param {Actions} actions @returns {boolean} whether the key was for it */
export function emojiKey(event, actions) {
  const [first] = found();
  if (!first || !begun) return false;
  const input = /** @type {HTMLTextAreaElement} */ (event.currentTarget);
  if (event.key === "Escape") begun = null;
  else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey) insert(input, first.sign, begun.start);
  else return false;
  event.preventDefault();
  event.stopPropagation();
  actions.redraw();
  return true;
}

/** @param {Event} event */
const inputOf = ({ currentTarget }) => document.querySelector(/** @type {"textarea"} */ (".composer textarea")) ?? /** @type {HTMLTextAreaElement} */ (currentTarget);

/** What the word begun may mean. */
export function suggestions() {
  const emoji = found();
  if (!emoji.length) return nothing;
  const choose = (/** @type {string} */ sign) => (/** @type {Event} */ event) => {
    event.preventDefault(); // the caret stays in the text
    if (begun) insert(inputOf(event), sign, begun.start);
  };
  return html`<div class="emoji is-row" role="group" aria-label=${t("emoji")}>
    ${emoji.map(({ sign, words }, place) => html`<button type="button" class="quiet" tabindex="-1" title=${words.join(", ")} data-first=${place === 0} @mousedown=${choose(sign)}>${sign}</button>`)}
  </div>`;
}

/** Opens the grid, without its button. @param {Actions} actions */
export function openEmoji(actions) {
  load(actions);
  document.getElementById("emoji")?.showPopover();
}

/** The button and its grid. @param {Actions} actions */
export function emojiButton(actions) {
  const put = (/** @type {string} */ sign) => (/** @type {Event} */ event) => {
    const input = inputOf(event);
    document.getElementById("emoji")?.hidePopover();
    insert(input, sign, input.selectionStart);
  };
  return html`<button type="button" class="quiet tool" popovertarget="emoji" aria-haspopup="menu" aria-label=${t("emoji")} title=${t("emoji")} @click=${() => load(actions)}>
      ${icon("smile")}
    </button>
    <div class="menu emoji" id="emoji" role="menu" aria-label=${t("emoji")} popover @keydown=${walked}>
      ${names ? names.EMOJI.map(({ sign, words }) => html`<button type="button" class="quiet" role="menuitem" aria-label=${words.join(", ")} @click=${put(sign)}>${sign}</button>`) : t("loading")}
    </div>`;
}
