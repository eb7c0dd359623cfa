/** A canned reply in other languages: what it says there is written, approved and removed. */

import { limits } from "../base/api.js";
import { languageOf, wordsOf } from "../base/formats.js";
import { t } from "../base/texts.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Actions} from "../actions.js" */
/** @import {Reply} from "../base/server_types.js" */
/** @import {Refusal} from "../base/types.js" */

// Codes that are offered; any other can be typed.
const OFFERED = ["ar", "de", "en", "es", "fr", "hy", "it", "ka", "kk", "pl", "pt", "ro", "ru", "sr", "tr", "uk", "uz", "zh"];

/** Why the last change of a reply's translations was refused, by the reply's id. @type {Map<number, Refusal>} */
const refusals = new Map();

/** @param {Reply} reply @param {Actions} actions */
export function replyTranslations({ id, translations }, actions) {
  /** @param {string} lang @param {string | null} text */
  const change = async (lang, text) => {
    const refusal = await actions.composer.translateReply(id, lang, text);
    if (refusal) refusals.set(id, refusal);
    else refusals.delete(id);
    actions.redraw();
    return !refusal;
  };
  /** @param {SubmitEvent} event */
  const submit = async (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    const given = new FormData(form);
    if (await change(String(given.get("lang")).trim().toLowerCase(), String(given.get("text")).trim())) form.reset();
  };
  const refusal = refusals.get(id);
  const why = refusal ? html`<p class="refusal" role="alert">${refusal.errors?.text?.join(" ") ?? wordsOf(refusal)} ${differing(refusal)}</p>` : nothing;
  return html`<details class="reply-translations">
    <summary>${t("reply_translations")}${translations.length ? ` · ${translations.map(({ lang }) => lang).join(", ")}` : nothing}</summary>
    <ul>
      ${translations.map(
        ({ lang, text, state }) => html`<li>
          <p><strong>${languageOf(lang)}</strong>${state === "approved" ? nothing : html` <small>${t(state === "stale" ? "reply_stale" : "reply_machine")}</small>`}
          <button type="button" class="quiet" aria-label=${t("reply_translation_remove", { lang: languageOf(lang) })} @click=${() => void change(lang, null)}>✕</button></p>
          <p class="text" lang=${lang} dir="auto">${text}</p>
        </li>`,
      )}
    </ul>
    <form class="reply-form" @submit=${submit}>
      <label>${t("reply_language")} <input name="lang" required autocomplete="off" pattern="[A-Za-z]{2,3}" maxlength="3" list="reply-languages" /></label>
      <datalist id="reply-languages">${OFFERED.map((code) => html`<option value=${code}>${languageOf(code)}</option>`)}</datalist>
      <label>${t("reply_body")} <textarea name="text" required rows="2" dir="auto" maxlength=${limits.reply}></textarea></label>
      ${why}
      <footer><button>${t("reply_approve")}</button></footer>
    </form>
  </details>`;
}

/** What one of the two texts lacks. @param {Refusal} refusal */
function differing(refusal) {
  const { differs } = /** @type {{differs?: {source: string | null, text: string | null}[]}} */ (refusal);
  return differs?.map(({ source, text }) => source ?? text).join(", ") ?? "";
}
