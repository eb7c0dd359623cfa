/** Dialogs that are loaded when they are asked for: putting a chat aside, editing a message, its former texts. */

import { call, limits } from "../base/api.js";
import { footer, submitting, toldOf } from "../base/dialog_forms.js";
import { whole } from "../base/formats.js";
import { spoken, t } from "../base/texts.js";
import { canBeMarked } from "../composer/formatting_tools.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Room} from "../base/dialogs.js" */
/** @import {Dialog} from "../base/types.js" */
/** @import {TextKey} from "../base/texts.js" */

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

// Days that a date is chosen of, and minutes between two times of a day.
const DAYS_AHEAD = 60;
const TIME_STEP = 30;

/** Choices of a date, in words. */
function dates() {
  const format = new Intl.DateTimeFormat(spoken(), { weekday: "short", day: "numeric", month: "short" });
  return Array.from({ length: DAYS_AHEAD }, (_, days) => {
    const named = ["today", "tomorrow"][days];
    return html`<option value=${days} ?selected=${days === 1}>${named ? t(/** @type {TextKey} */ (named)) : format.format(at(days, MORNING))}</option>`;
  });
}

/** Choices of a time of day. */
function times() {
  const format = new Intl.DateTimeFormat(spoken(), { timeStyle: "short" });
  return Array.from({ length: (24 * 60) / TIME_STEP }, (_, place) => {
    const [hour, minute] = [Math.floor((place * TIME_STEP) / 60), (place * TIME_STEP) % 60];
    return html`<option value=${`${hour}:${minute}`} ?selected=${hour === MORNING && minute === 0}>${format.format(new Date(2000, 0, 1, hour, minute))}</option>`;
  });
}

/** The moment that was chosen; null for one that is over. @param {FormData} given */
function chosenMoment(given) {
  const [hour = 0, minute = 0] = String(given.get("time")).split(":").map(Number);
  const moment = at(Number(given.get("date")), hour);
  moment.setMinutes(minute);
  return moment > new Date() ? moment : null;
}

/** Short: its day of the week and its time. @param {Date} moment */
const brief = (moment) => new Intl.DateTimeFormat(spoken(), { weekday: "short", hour: "2-digit", minute: "2-digit" }).format(moment);

/** @type {Room} */
export function snoozeDialog(dialog, _state, actions) {
  const until = async (/** @type {Date | null} */ moment) => {
    actions.showDialog(null);
    await actions.chat.snooze(dialog.chatId, moment?.toISOString() ?? null);
  };
  const submit = submitting(dialog, actions, async (given) => {
    const moment = chosenMoment(given);
    if (moment) return actions.chat.snooze(dialog.chatId, moment.toISOString());
    actions.say({ code: "past", detail: t("snooze_past") });
    return false;
  });
  return html`<div class="choices">
      ${moments().map(
        ([text, moment], place) => html`<button type="button" class="item" ?autofocus=${place === 0} @click=${() => void until(moment)}>
          ${t(text)} ${moment ? html`<small class="soft" title=${whole(moment.toISOString())}>${brief(moment)}</small>` : nothing}
        </button>`,
      )}
    </div>
    <form @submit=${submit}>
      <div class="pair">
        <label>${t("snooze_date")} <select name="date">${dates()}</select></label>
        <label>${t("snooze_time")} <select name="time">${times()}</select></label>
      </div>
      ${footer(actions, t("snooze_title"), toldOf(dialog).isBusy)}
    </form>`;
}

/** @type {Room} */
export function editDialog(dialog, state, actions) {
  const { id, body, markdown } = dialog.message;
  const submit = submitting(dialog, actions, (given) => {
    const text = String(given.get("text") ?? "").trim();
    return actions.chat.editMessage(id, state.choices.formatting && canBeMarked(text) ? { markdown: text } : { body: text });
  });
  return html`<form @submit=${submit}>
    <label>
      ${t("reply_body")}
      <textarea name="text" rows="6" required maxlength=${limits.message} autofocus .value=${markdown ?? body}></textarea>
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
