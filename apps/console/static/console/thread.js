/** The chat in the middle: who it is, what was said, and the composer. */

import { t } from "./texts.js";
import { html } from "./vendor/lit-html/lit-html.js";

/** @import {Actions} from "./actions.js" */
/** @import {State} from "./types.js" */

/** @param {State} state @param {Actions} actions */
export function view(state, actions) {
  if (!state.open) return html`<p class="empty">${t("choose_chat")}</p>`;
  return html`<button @click=${actions.closeChat}>${t("back")}</button>
    <ol>${state.open.messages.map((message) => html`<li>${message.body}</li>`)}</ol>`;
}
