/** Marks in what is written: they stand in the text, and the visitor sees what they mean. */

import { icon } from "../base/icons.js";
import { t } from "../base/texts.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Actions} from "../actions.js" */
/** @import {IconName} from "../base/icons.js" */
/** @import {State} from "../base/types.js" */

/** Signs that may be marks; whether they are, the server says. */
const SIGNS = /[*_~`[]|^\s*(?:[-+>]|\d+[.)])\s/m;

/** @param {string} text */
export const canBeMarked = (text) => SIGNS.test(text);

/** By the key, as a Latin keyboard has it. @type {Record<string, {before: string, after: string}>} */
const MARKS = {
  KeyB: { before: "**", after: "**" },
  KeyI: { before: "*", after: "*" },
  KeyK: { before: "[", after: "](https://)" },
};

/** Marks what is selected; whether the keys are those of a mark. @param {KeyboardEvent} event @param {HTMLTextAreaElement} input */
export function markBy({ code, shiftKey }, input) {
  const mark = shiftKey ? undefined : MARKS[code];
  if (mark) put(mark, input);
  return mark !== undefined;
}

/** @param {{before: string, after: string}} mark @param {HTMLTextAreaElement} input */
function put({ before, after }, input) {
  const { selectionStart: start, selectionEnd: end, value } = input;
  const selected = value.slice(start, end);
  input.focus();
  input.setRangeText(`${before}${selected}${after}`, start, end, "end");
  const isLink = before === "[";
  if (!selected) input.setSelectionRange(start + before.length, start + before.length);
  else if (isLink) input.setSelectionRange(end + 3, end + 3 + "https://".length);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Items of the menu "+": whether marks become formatting, and two of the marks.
 *
 * @param {State} state
 * @param {Actions} actions
 * @param {(picture: IconName, label: string, does: (event: Event) => void) => unknown} item
 */
export function markTools({ choices }, actions, item) {
  const { formatting: isOn } = choices;
  const by = (/** @type {string} */ code) => () => {
    const [mark, input] = [MARKS[code], document.querySelector(/** @type {"textarea"} */ (".composer textarea"))];
    if (mark && input) put(mark, input);
  };
  return html`<hr />
    <button
      type="button"
      role="menuitemcheckbox"
      class="item"
      aria-checked=${isOn ? "true" : "false"}
      title=${t(isOn ? "formatting_on" : "formatting_off")}
      @click=${() => void actions.settings.choose({ formatting: !isOn })}
    >
      ${icon("format")} ${t("formatting")}${isOn ? icon("done") : nothing}
    </button>
    ${isOn ? html`${item("bold", t("mark_bold"), by("KeyB"))} ${item("italic", t("mark_italic"), by("KeyI"))}` : nothing}`;
}
