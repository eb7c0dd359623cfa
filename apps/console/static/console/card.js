/** Whom the open chat is with. */

import { html } from "./vendor/lit-html/lit-html.js";

/** @import {Actions} from "./actions.js" */
/** @import {State} from "./types.js" */

/** @param {State} state @param {Actions} actions */
export function view(state, actions) {
  return html`${state.open?.card?.contact.name}`;
}
