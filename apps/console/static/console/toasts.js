/** What the page says for a moment, at its upper corner: what was refused, and what was done. */

import { icon } from "./icons.js";
import { t } from "./texts.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";

/** @import {Actions} from "./actions.js" */
/** @import {State} from "./types.js" */

// Milliseconds. While the pointer or the focus is on it, it stays.
const STAYS = 5_000;

/** What is counted down, of each kind. @type {Map<string, {what: unknown, timer: ReturnType<typeof setTimeout> | undefined}>} */
const leaving = new Map();

/** @param {string} kind @param {unknown} what @param {() => void} dismiss */
function countDown(kind, what, dismiss) {
  const known = leaving.get(kind);
  if (known && known.what === what) return;
  clearTimeout(known?.timer);
  leaving.set(kind, { what, timer: what === null ? undefined : setTimeout(dismiss, STAYS) });
}

/** @param {string} kind @param {() => void} dismiss */
function holding(kind, dismiss) {
  const hold = () => clearTimeout(leaving.get(kind)?.timer);
  const release = () => {
    const known = leaving.get(kind);
    clearTimeout(known?.timer);
    if (known && known.what !== null) known.timer = setTimeout(dismiss, STAYS);
  };
  return { hold, release };
}

/** @param {State} state @param {Actions} actions */
export function toasts({ notice, echo, dialog }, actions) {
  // A dialog says itself what was refused, and makes the rest of the page inert.
  const shown = dialog ? null : notice;
  countDown("notice", shown, actions.dismissNotice);
  countDown("echo", echo, actions.dismissEcho);
  return html`<div class="toasts">
    <div role="alert">${shown === null ? nothing : toast("notice", shown, actions.dismissNotice)}</div>
    <div role="status">${echo === null ? nothing : toast("echo", echo.text, actions.dismissEcho, echo)}</div>
  </div>`;
}

/** @param {string} kind @param {string} text @param {() => void} dismiss @param {{undo?: () => void, undoLabel?: string}} [echo] */
function toast(kind, text, dismiss, echo = {}) {
  const { hold, release } = holding(kind, dismiss);
  const { undo, undoLabel } = echo;
  const takeBack = () => {
    dismiss();
    undo?.();
  };
  return html`<div class="toast is-${kind}" @mouseenter=${hold} @mouseleave=${release} @focusin=${hold} @focusout=${release}>
    <p>${text}</p>
    ${undo ? html`<button type="button" class="quiet" @click=${takeBack}>${undoLabel ?? t("undo")}</button>` : nothing}
    <button type="button" class="quiet" aria-label=${t("dismiss")} title=${t("dismiss")} @click=${dismiss}>${icon("close")}</button>
  </div>`;
}
