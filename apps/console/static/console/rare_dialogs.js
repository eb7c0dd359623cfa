/** Dialogs that are loaded when they are asked for: putting a chat aside, editing a message, its former texts. */

import { call } from "./api.js";
import { footer, submitting, toldOf } from "./forms.js";
import { canBeMarked } from "./marking.js";
import { t } from "./texts.js";
import { whole } from "./times.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";

/** @import {Room} from "./dialogs.js" */
/** @import {Dialog} from "./types.js" */
/** @import {TextKey} from "./texts.js" */

const HOUR = 3_600_000;
const EVENING = 19;
const MORNING = 9;
const MONDAY = 1;
const DAYS = 7;

/** That day's hour of the clock. @param {number} days from today @param {number} hour */
function at(days, hour) {
  const moment = new Date();
  moment.setDate(moment.getDate() + days);
  moment.setHours(hour, 0, 0, 0);
  return moment;
}

/** @returns {[TextKey, Date | null][]} */
function moments() {
  const now = new Date();
  const toMonday = (MONDAY + DAYS - now.getDay()) % DAYS || DAYS;
  /** @type {[TextKey, Date | null][]} */
  const all = [
    ["snooze_hour", new Date(now.getTime() + HOUR)],
    ["snooze_evening", at(0, EVENING)],
    ["snooze_tomorrow", at(1, MORNING)],
    ["snooze_monday", at(toMonday, MORNING)],
    ["snooze_visitor", null],
  ];
  return all.filter(([, moment]) => moment === null || moment > now);
}

/** @type {Room} */
export function snoozeDialog(dialog, _state, actions) {
  const until = async (/** @type {Date | null} */ moment) => {
    actions.showDialog(null);
    await actions.snooze(dialog.chatId, moment?.toISOString() ?? null);
  };
  const submit = submitting(dialog, actions, async (given) => {
    const moment = new Date(String(given.get("until")));
    return Number.isNaN(moment.getTime()) ? false : actions.snooze(dialog.chatId, moment.toISOString());
  });
  return html`<div class="choices">
      ${moments().map(
        ([text, moment], place) => html`<button type="button" class="item" ?autofocus=${place === 0} @click=${() => void until(moment)}>
          ${t(text)} ${moment ? html`<small class="soft">${whole(moment.toISOString())}</small>` : nothing}
        </button>`,
      )}
    </div>
    <form @submit=${submit}>
      <label>${t("snooze_at")} <input type="datetime-local" name="until" required /></label>
      ${footer(actions, t("snooze_title"), toldOf(dialog).isBusy)}
    </form>`;
}

/** @type {Room} */
export function editDialog(dialog, state, actions) {
  const { id, body, markdown } = dialog.message;
  const submit = submitting(dialog, actions, (given) => {
    const text = String(given.get("text") ?? "").trim();
    return actions.editMessage(id, state.choices.formatting && canBeMarked(text) ? { markdown: text } : { body: text });
  });
  return html`<form @submit=${submit}>
    <label>
      ${t("reply_body")}
      <textarea name="text" rows="6" required maxlength="10000" autofocus .value=${markdown ?? body}></textarea>
    </label>
    <p class="edge">${t("edit_hint")}</p>
    ${footer(actions, t("save"), toldOf(dialog).isBusy)}
  </form>`;
}

/** @typedef {{change: "edited" | "deleted", body: string, at: string}} Former */

/** What was read for a dialog; null while it is on its way. @type {WeakMap<Dialog, Former[] | null>} */
const read = new WeakMap();

/** @type {Room} */
export function formerDialog(dialog, _state, actions) {
  if (!read.has(dialog)) {
    read.set(dialog, null);
    void actions
      .tried(
        () => call("GET", `messages/${dialog.messageId}/edits`),
        (refusal) => actions.say(refusal),
      )
      .then((answer) => {
        read.set(dialog, answer?.data ?? []);
        actions.redraw();
      });
  }
  const former = read.get(dialog);
  if (!former) return html`<p class="edge">${t("loading")}</p>`;
  if (!former.length) return html`<p>${t("former_none")}</p>`;
  return html`<ol class="former">
    ${former.map(({ body, at: moment }) => html`<li><time datetime=${moment} class="soft">${whole(moment)}</time><p class="text">${body || t("type_file")}</p></li>`)}
  </ol>`;
}
