/** Messages of the page, at its lower left corner. A refusal stays until it is put away. */

import { css } from "./css.js";
import { icon } from "./icons.js";
import { t } from "./texts.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Actions} from "../actions.js" */
/** @import {State} from "./types.js" */

// Milliseconds. While the pointer or the focus is on it, it stays.
const STAYS = 5_000;
const STAYS_WITH_UNDO = 8_000;
// Pixels between a toast and the composer below it.
const GAP = 16;

/** What is counted down, of each kind. @type {Map<string, {what: unknown, timer: ReturnType<typeof setTimeout> | undefined}>} */
const leaving = new Map();

/** @param {string} kind @param {unknown} what @param {() => void} dismiss @param {number} [stays] */
function countDown(kind, what, dismiss, stays = STAYS) {
  const known = leaving.get(kind);
  if (known && known.what === what) return;
  clearTimeout(known?.timer);
  leaving.set(kind, { what, timer: what === null ? undefined : setTimeout(dismiss, stays) });
}

/** @param {string} kind @param {() => void} dismiss @param {number} [stays] */
function holding(kind, dismiss, stays = STAYS) {
  const hold = () => clearTimeout(leaving.get(kind)?.timer);
  const release = () => {
    const known = leaving.get(kind);
    clearTimeout(known?.timer);
    if (known && known.what !== null) known.timer = setTimeout(dismiss, stays);
  };
  return { hold, release };
}

/** @param {State} state @param {Actions} actions */
export function toasts({ notice, echo, dialog }, actions) {
  // A dialog says itself what was refused, and makes the rest of the page inert.
  const shown = dialog ? null : notice;
  const stays = echo?.stays ?? (echo?.undo ? STAYS_WITH_UNDO : STAYS);
  countDown("echo", echo, actions.dismissEcho, stays);
  return html`<div class="toasts" ${css({ "--toasts-up": `${shown || echo ? upOf() : GAP}px` })}>
    <div role="alert">${shown === null ? nothing : toast("notice", shown, actions.dismissNotice)}</div>
    <div role="status">${echo === null ? nothing : toast("echo", echo.text, actions.dismissEcho, echo, holding("echo", actions.dismissEcho, stays))}</div>
  </div>`;
}

/** How far up it stands: on a phone the composer takes the whole width. */
function upOf() {
  const composer = document.querySelector(".composer");
  if (!composer?.checkVisibility()) return GAP;
  const { left, top } = composer.getBoundingClientRect();
  return left < GAP ? innerHeight - top + GAP : GAP;
}

const STAYING = { hold: () => {}, release: () => {} };

/** @param {string} kind @param {string} text @param {() => void} dismiss @param {{undo?: () => void, undoLabel?: string}} [echo] @param {{hold: () => void, release: () => void}} [timer] */
function toast(kind, text, dismiss, echo = {}, { hold, release } = STAYING) {
  const { undo, undoLabel } = echo;
  const takeBack = () => {
    dismiss();
    undo?.();
  };
  return html`<div class="toast is-${kind}" @mouseenter=${hold} @mouseleave=${release} @focusin=${hold} @focusout=${release}>
    ${icon(kind === "notice" ? "caution" : "done")}
    <p>${text}</p>
    ${undo ? html`<button type="button" class="quiet" @click=${takeBack}>${undoLabel ?? t("undo")}</button>` : nothing}
    <button type="button" class="quiet" aria-label=${t("dismiss")} title=${t("dismiss")} @click=${dismiss}>${icon("close")}</button>
  </div>`;
}
