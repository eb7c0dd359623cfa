/** Machines' words put into the composer, and what a text that is sent was made from. */

import { t } from "./texts.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";

/** @typedef {{assist_id?: number, from_message_id?: number}} Used  What the text in a composer was made from. */

/** @type {Map<number, Used>} by chat */
const used = new Map();

/** Puts a text into the composer at the caret, so that one Ctrl+Z takes it out; what was typed stays. @param {string} text @param {number} chatId @param {Used} from */
export function putIn(text, chatId, from) {
  const input = document.querySelector(/** @type {"textarea"} */ (".composer textarea"));
  if (!input) return;
  input.focus();
  const at = input.selectionEnd;
  input.setSelectionRange(at, at);
  const gap = at > 0 && !/\s$/.test(input.value.slice(0, at)) ? " " : "";
  if (!document.execCommand("insertText", false, gap + text)) {
    input.setRangeText(gap + text, at, at, "end");
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  used.set(chatId, from);
}

/** What a text that is being sent was made from; asked once. @param {number} chatId @returns {Used} */
export function takeUsed(chatId) {
  const from = used.get(chatId) ?? {};
  used.delete(chatId);
  return from;
}

/** A machine's note, to be taken for an answer. @param {{id: number, chat_id: number, body: string, is_note: boolean, origin: string | null}} message */
export function useNote({ id, chat_id, body, is_note, origin }) {
  if (!is_note || origin !== "ai_shadow" || !id) return nothing;
  return html`<button type="button" class="wish" @click=${() => putIn(body, chat_id, { from_message_id: id })}>${t("help_use_note")}</button>`;
}
