/** The middle of the page: who is talked to and what can be done with the chat, the thread, and where one writes. */

import { wordsOf } from "../base/formats.js";
import { t } from "../base/texts.js";
import { composer, dropping } from "../composer/composer.js";
import { helpSummary } from "../help/help_loader.js";
import { head, isMissing } from "./chat_header.js";
import { log } from "./message_log.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {OpenChat, State} from "../base/types.js" */
/** @import {Actions} from "../actions.js" */

/** @param {State} state @param {Actions} actions */
export function view(state, actions) {
  const { open } = state;
  if (!open) {
    return html`<p class="empty">${t("choose_chat")}</p>`;
  }
  const row = state.rows.get(open.chatId);
  if (isMissing(open)) return html`<div class="chat">${head(state, row, actions)} ${refused(open, actions)}</div>`;
  const drop = dropping(state, actions);
  return html`<div class="chat" @dragover=${drop} @dragleave=${drop} @drop=${drop}>
    ${head(state, row, actions)} ${refused(open, actions)} ${helpSummary(state, actions)} ${log(state, actions)} ${composer(state, actions)}
  </div>`;
}

/** @param {OpenChat} open @param {Actions} actions */
function refused({ refusal }, actions) {
  if (!refusal) return nothing;
  return html`<p class="refused" role="alert">
    ${wordsOf(refusal)}
    <button type="button" class="quiet" @click=${() => void actions.chat.loadHistory()}>${t("try_again")}</button>
  </p>`;
}
