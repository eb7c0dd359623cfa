/** The scores of a review: a group of buttons for each criterion, with the suggestion of a model beside it. */

import { limits } from "../base/api.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { jumpTo } from "./review_chat.js";
import { words } from "./review_texts.js";

/**
 * @typedef {{ key: string, title: string, about: string, scale: "yes_no" | "five", weight: number, is_critical: boolean, applies: string }} Criterion
 * @typedef {{ key: string, value: number | null, note: string }} Score
 * @typedef {{ key: string, value: number | null, reason: string, quotes: { message_id: number, text: string }[] }} Suggested
 * @typedef {Map<string, { value?: number | null, note: string }>} Given the scores so far; without a `value`, none was chosen
 */

/** The values of a criterion, in the order of the buttons. @param {Criterion} criterion @returns {(number | null)[]} */
export const valuesOf = ({ scale }) => (scale === "yes_no" ? [1, 0, null] : [1, 2, 3, 4, 5, null]);

/** @param {Criterion} criterion @param {number | null} value */
export function valueName({ scale }, value) {
  if (value === null) return words().na;
  return scale === "five" ? String(value) : value ? words().yes : words().no;
}

/** The scores that stand in the form. @param {Criterion[]} criteria @param {Score[]} scores @returns {Given} */
export function givenOf(criteria, scores) {
  const found = new Map(scores.map((score) => [score.key, score]));
  return new Map(criteria.map(({ key }) => [key, { value: found.get(key)?.value, note: found.get(key)?.note ?? "" }]));
}

/**
 * @param {Criterion[]} criteria @param {Given} given @param {Suggested[]} suggested @param {boolean} isReadOnly @param {() => void} changed
 */
export const scoresPart = (criteria, given, suggested, isReadOnly, changed) =>
  repeat(
    criteria,
    ({ key }) => key,
    (criterion) => {
      const suggestion = suggested.find(({ key }) => key === criterion.key);
      return html`<fieldset data-criterion=${criterion.key} ?disabled=${isReadOnly}>
        <legend><bdi>${criterion.title}</bdi>${criterion.is_critical ? html` <small>${words().critical}</small>` : nothing}</legend>
        ${criterion.about ? html`<p class="soft">${criterion.about}</p>` : nothing} ${radios(criterion, given, changed)}
        ${suggestion ? suggestionPart(criterion, suggestion, given, isReadOnly, changed) : nothing} ${notePart(criterion, given, isReadOnly)}
      </fieldset>`;
    },
  );

/** @param {Criterion} criterion @param {Given} given @param {() => void} changed */
function radios(criterion, given, changed) {
  const { key } = criterion;
  const chosen = given.get(key)?.value;
  const choose = (/** @type {number | null} */ value) => {
    put(given, key, value);
    changed();
  };
  return html`<p class="values">
    ${valuesOf(criterion).map(
      (value) => html`<label>
        <input type="radio" name="score-${key}" .checked=${chosen === value} @change=${() => choose(value)} />
        <span>${valueName(criterion, value)}</span>
      </label>`,
    )}
  </p>`;
}

/** @param {Criterion} criterion @param {Given} given @param {boolean} isReadOnly */
function notePart({ key, title }, given, isReadOnly) {
  const note = given.get(key)?.note ?? "";
  if (isReadOnly) return note ? html`<p class="note" dir="auto">${note}</p>` : nothing;
  const keep = (/** @type {Event} */ { target }) => {
    const score = given.get(key);
    if (score) score.note = /** @type {HTMLInputElement} */ (target).value;
  };
  return html`<input class="note" maxlength=${limits.review_note} dir="auto" .value=${note} placeholder=${words().note} aria-label="${words().note}: ${title}" @input=${keep} />`;
}

/** @param {Criterion} criterion @param {Suggested} suggestion @param {Given} given @param {boolean} isReadOnly @param {() => void} changed */
function suggestionPart(criterion, { key, value, reason, quotes }, given, isReadOnly, changed) {
  const take = () => {
    put(given, key, value);
    changed();
  };
  return html`<div class="suggestion">
    <p>
      <strong>${words().suggests(value === null ? words().nothing : valueName(criterion, value))}</strong>
      ${isReadOnly || value === null ? nothing : html`<button type="button" class="quiet" @click=${take}>${words().take}</button>`}
    </p>
    ${reason ? html`<p dir="auto">${reason}</p>` : nothing}
    ${quotes.map(({ message_id: id, text }) => html`<p><button type="button" class="quote" title=${words().quote} dir="auto" @click=${() => jumpTo(id)}>“${text}”</button></p>`)}
  </div>`;
}

/** @param {Given} given @param {string} key @param {number | null} value */
export function put(given, key, value) {
  given.set(key, { value, note: given.get(key)?.note ?? "" });
}
