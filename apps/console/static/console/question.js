/** What a person is asked once: whether the page may tell them that a visitor writes. */

import { icon } from "./icons.js";
import { t } from "./texts.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";

/** @import {Actions} from "./actions.js" */
/** @import {State} from "./types.js" */

/** Asked once, at the first sign-in in this browser: a person who hears nothing loses visitors. @param {State} state @param {Actions} actions */
export function question({ habits, connection }, actions) {
  if (habits.isAsked || connection !== "online") return nothing;
  return html`<div class="question" role="region" aria-label=${t("notify")}>
    ${icon("bell")}
    <p>${t("ask_notices")}</p>
    <button class="primary" @click=${() => void actions.answerAboutNotices(true)}>${t("ask_yes")}</button>
    <button class="quiet" @click=${() => void actions.answerAboutNotices(false)}>${t("ask_no")}</button>
  </div>`;
}
