/** What dialogs with a form share. */

import { t } from "./texts.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Actions} from "../actions.js" */
/** @import {Dialog} from "./types.js" */

/** What the dialog that is open has been told; forgotten with it. @type {WeakMap<Dialog, {filter: string, isBusy: boolean}>} */
const told = new WeakMap();

/** @param {Dialog} dialog */
export function toldOf(dialog) {
  const known = told.get(dialog) ?? { filter: "", isBusy: false };
  told.set(dialog, known);
  return known;
}

/**
 * Runs what a dialog is for, and closes it when that was done. A refusal is shown, and the dialog stays.
 *
 * @param {Dialog} dialog
 * @param {Actions} actions
 * @param {(given: FormData) => Promise<boolean>} work
 */
export function submitting(dialog, actions, work) {
  return async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    const said = toldOf(dialog);
    if (said.isBusy) return;
    said.isBusy = true;
    actions.redraw();
    const isDone = await work(new FormData(form));
    said.isBusy = false;
    if (isDone) actions.showDialog(null);
    actions.redraw();
  };
}

/** @param {Actions} actions @param {string} verb @param {boolean} isBusy */
export function footer(actions, verb, isBusy) {
  return html`<footer>
    <button type="button" class="quiet" @click=${() => actions.showDialog(null)}>${t("cancel")}</button>
    <button class="primary" ?disabled=${isBusy} aria-busy=${isBusy ? "true" : nothing}>${verb}</button>
  </footer>`;
}
