/** The list of reviews: the queue of managers, and those of an operator's own chats. */

import { call, withQuery } from "../base/api.js";
import { whole } from "../base/formats.js";
import { t } from "../base/texts.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { words } from "./review_texts.js";

/** @import {Actions} from "../actions.js" */
/** @import {State} from "../base/types.js" */
/** @import {Score, Suggested} from "./scores_form.js" */

/**
 * @typedef {"open" | "done" | "answered" | "settled"} ReviewState
 * @typedef {{
 *   id: number, chat_id: number, episode_id: number, subject: { kind: "person" | "ai", agent_id: number | null, assistant_id: number | null },
 *   origin: "sample" | "flag" | "person", flags: string[], state: ReviewState, version: number, scorecard_version: number, scores: Score[],
 *   score: number | null, comment: string, reviewer: { id: number, name: string } | null, is_blind: boolean,
 *   prefill: { state: "none" | "pending" | "ready" | "failed", scores: Suggested[] }, reply: { text: string, at: string } | null,
 *   created_at: string, done_at: string | null,
 * }} Review
 */

const A_PAGE = 50;
const STATES = /** @type {const} */ (["open", "done", "answered", "settled"]);

/** @type {{ state: ReviewState | "", rows: Review[] | null, cursor: string }} */
const list = { state: "open", rows: null, cursor: "" };

/** Reads the list from its begin, or goes on. @param {Actions} actions @param {boolean} isManager */
export async function readList(actions, isManager, goesOn = false) {
  const state = isManager ? list.state : "";
  const answer = await actions.tried(() => call("GET", withQuery("reviews", { state, limit: A_PAGE, cursor: goesOn ? list.cursor : "" })));
  if (answer) {
    list.rows = [...((goesOn && list.rows) || []), ...answer.data];
    list.cursor = answer.next_cursor ?? "";
  }
  actions.redraw();
}

/** The open review that follows one in the list; undefined after the last. @param {number} id */
export function nextOpen(id) {
  const rows = (list.rows ?? []).filter((row) => row.state === "open" || row.id === id);
  const place = rows.findIndex((row) => row.id === id);
  return rows[place + 1] ?? rows.find((row) => row.id !== id);
}

/** A review was changed. @param {Review} review */
export function putReview(review) {
  list.rows = list.rows?.map((row) => (row.id === review.id ? review : row)) ?? null;
}

/** Whose work it is about. @param {Review} review @param {State} state */
export const subjectOf = ({ subject }, { agents }) => {
  const name = subject.agent_id && agents.get(subject.agent_id)?.name;
  return subject.kind === "ai" ? [words().ai, name].filter(Boolean).join(" · ") : name || words().gone;
};

/** @param {Review} review */
export const flagsOf = ({ flags }) => flags.map((flag) => words().flags[/** @type {keyof ReturnType<typeof words>["flags"]} */ (flag)] ?? flag).join(", ");

/** @param {State} state @param {boolean} isManager @param {Actions} actions */
export function listPart(state, isManager, actions) {
  const choose = (/** @type {Event} */ { target }) => {
    list.state = /** @type {ReviewState | ""} */ (/** @type {HTMLSelectElement} */ (target).value);
    list.rows = null;
    void readList(actions, isManager);
  };
  return html`${isManager
    ? html`<label class="filter">${words().show}
        <select @change=${choose}>
          ${STATES.map((each) => html`<option value=${each} ?selected=${each === list.state}>${words().states[each]}</option>`)}
          <option value="" ?selected=${!list.state}>${words().all}</option>
        </select></label>`
    : nothing}
  ${list.rows ? rowsPart(list.rows, state, isManager) : html`<p role="status">${t("loading")}</p>`}
  ${list.cursor ? html`<p><button type="button" @click=${() => void readList(actions, isManager, true)}>${words().more}</button></p>` : nothing}`;
}

/** @param {Review[]} rows @param {State} state @param {boolean} isManager */
function rowsPart(rows, state, isManager) {
  if (!rows.length) return html`<p>${isManager ? words().empty : words().empty_own}</p>`;
  return html`<ul class="review-list">
    ${repeat(
      rows,
      ({ id }) => id,
      (row) => html`<li>
        <a href="#/reviews/${row.id}" data-review=${row.id}>
          <strong><bdi>${subjectOf(row, state)}</bdi></strong>
          <span>${words().states[row.state]}${row.score === null ? nothing : html` · ${words().score(row.score)}`}</span>
          <span class="soft">${words().origins[row.origin]}${row.flags.length ? html`: ${flagsOf(row)}` : nothing} · ${whole(row.created_at)}</span>
        </a>
      </li>`,
    )}
  </ul>`;
}
