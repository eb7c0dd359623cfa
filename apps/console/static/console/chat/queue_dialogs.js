/** Dialogs that are loaded when they are asked for: how urgent a chat is, and a break with a note. */

import { limits } from "../base/api.js";
import { footer, submitting, toldOf } from "../base/dialog_forms.js";
import { t } from "../base/texts.js";
import { html } from "../vendor/lit-html/lit-html.js";

/** @import {Room} from "../base/dialogs.js" */
/** @import {InboxChat} from "../base/server_types.js" */

/** @type {InboxChat["priority"][]} */
const PRIORITIES = ["urgent", "high", "normal", "low"];

/** @type {Room} */
export function priorityDialog(dialog, state, actions) {
  const now = state.rows.get(dialog.chatId)?.priority;
  const set = async (/** @type {InboxChat["priority"]} */ priority) => {
    actions.showDialog(null);
    await actions.chat.setPriority(dialog.chatId, priority);
  };
  return html`<div class="choices">
    ${PRIORITIES.map(
      (each) => html`<button type="button" class="item" aria-pressed=${each === now} ?autofocus=${each === now} @click=${() => void set(each)}>
        ${t(`priority_${each}`)}
      </button>`,
    )}
  </div>`;
}

/** @type {Room} */
export function breakDialog(dialog, state, actions) {
  const now = state.me?.break;
  const submit = submitting(dialog, actions, (given) =>
    actions.settings.takeBreak(String(given.get("note") ?? "").trim(), given.get("pass_on") !== null),
  );
  return html`<form @submit=${submit}>
    <label>${t("break_note")} <input name="note" maxlength=${limits.break_note} autofocus autocomplete="off" .value=${now?.note ?? ""} /></label>
    <label class="choice"><input type="checkbox" name="pass_on" .checked=${now?.pass_on ?? false} /> ${t("break_pass_on")}</label>
    ${footer(actions, t("break_begin"), toldOf(dialog).isBusy)}
  </form>`;
}
