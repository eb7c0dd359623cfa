/** Marks in what is written: they stand in the text, and the visitor sees what they mean. */

import { t } from "./texts.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";

/** @import {Actions} from "./actions.js" */
/** @import {State} from "./types.js" */

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

/** @param {Event} event */
const inputOf = ({ currentTarget }) => /** @type {HTMLElement} */ (currentTarget).closest("form")?.querySelector("textarea");

/**
 * @param {State} state
 * @param {Actions} actions
 * @param {(picture: unknown, label: string, does: (event: Event) => void, isOff?: boolean, held?: (event: Event) => void) => unknown} tool
 * @param {(event: Event) => void} hold
 */
export function markTools({ choices }, actions, tool, hold) {
  const { formatting: isOn } = choices;
  const by = (/** @type {string} */ code) => (/** @type {Event} */ event) => {
    const [mark, input] = [MARKS[code], inputOf(event)];
    if (mark && input) put(mark, input);
  };
  return html`<button
      type="button"
      class="quiet tool"
      aria-pressed=${isOn ? "true" : "false"}
      aria-label=${t("formatting")}
      title=${t(isOn ? "formatting_on" : "formatting_off")}
      @click=${() => void actions.choose({ formatting: !isOn })}
    >
      <span aria-hidden="true">Aa</span>
    </button>
    ${
      isOn
        ? html`<span class="mark-tools">${tool(html`<b>B</b>`, t("mark_bold"), by("KeyB"), false, hold)} ${tool(html`<i>I</i>`, t("mark_italic"), by("KeyI"), false, hold)}</span>`
        : nothing
    }`;
}
