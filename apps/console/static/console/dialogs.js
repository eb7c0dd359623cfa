/** What asks something before it is done, over the rest of the page: `state.dialog` says which. */

import { SHORTCUTS } from "./shortcuts.js";
import { t } from "./texts.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";

/** @import {Actions} from "./actions.js" */
/** @import {State} from "./types.js" */

/** @param {State} state @param {Actions} actions */
export function view(state, actions) {
  if (state.dialog?.name !== "shortcuts") return nothing;
  return html`<dialog open aria-label=${t("shortcuts")}>
    <dl>${SHORTCUTS.map(({ keys, text }) => html`<dt><kbd>${keys}</kbd></dt><dd>${t(text)}</dd>`)}</dl>
    <button @click=${() => actions.showDialog(null)}>${t("close_dialog")}</button>
  </dialog>`;
}
