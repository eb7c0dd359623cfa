/** Dialogs of translation: a chat's switch with its visitor's language, and the languages that an operator reads. */

import { call, CallRefused } from "../base/api.js";
import { footer, submitting, toldOf } from "../base/dialog_forms.js";
import { languageOf } from "../base/formats.js";
import { t } from "../base/texts.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Actions} from "../actions.js" */
/** @import {Room} from "../base/dialogs.js" */

const CODES =
  "ar az be bg bn cs da de el en es et fa fi fr he hi hr hu hy id it ja ka kk ko ky lt lv ms nl no pl pt ro ru sk sl sr sv tg th tr uk ur uz vi zh";

/** The languages by their names. @param {string[]} more */
function languages(more) {
  const codes = [...new Set([...CODES.split(" "), ...more])];
  return codes.map((code) => ({ code, name: languageOf(code) })).sort((one, other) => one.name.localeCompare(other.name));
}

/** @param {number} chatId @param {object} body @param {Actions} actions @returns {Promise<boolean>} */
async function change(chatId, body, actions) {
  try {
    const { data } = await call("PUT", `chats/${chatId}/translation`, body);
    const { open } = actions.store.state;
    if (open?.card && open.chatId === chatId) actions.store.chat.putCard(chatId, { ...open.card, translation: data });
    return true;
  } catch (error) {
    actions.say(error instanceof CallRefused ? error.refusal : { code: "offline", detail: "" });
    return false;
  }
}

/** The switch of any chat, and the visitor's language where the operator knows better. @type {Room} */
export function translationDialog(dialog, { open }, actions) {
  const { chatId } = dialog;
  const translation = open?.chatId === chatId ? open?.card?.translation : undefined;
  if (!translation) return html`<p class="edge">${t("loading")}</p>`;
  const { on, visitor_language: language, from } = translation;
  const isUnknown = from === "default";
  const submit = submitting(dialog, actions, (given) => {
    const chosen = String(given.get("language") ?? "");
    const byHand = chosen && (isUnknown || chosen !== language) ? { visitor_language: chosen } : {};
    return change(chatId, { on: true, earlier: true, ...byHand }, actions);
  });
  const off = async () => {
    if (await change(chatId, { on: false }, actions)) actions.showDialog(null);
  };
  return html`<form @submit=${submit}>
    <label>${t("visitor_writes_in")}
      <select name="language" autofocus>
        ${isUnknown ? html`<option value="" selected>${t("language_unknown")}</option>` : nothing}
        ${languages(isUnknown ? [] : [language]).map(({ code, name }) => html`<option value=${code} ?selected=${!isUnknown && code === language}>${name}</option>`)}
      </select></label>
    <p class="edge">${t("language_by_hand")}</p>
    ${on ? html`<p><button type="button" @click=${() => void off()}>${t("translation_off")}</button></p>` : nothing}
    ${footer(actions, t(on ? "save" : "translation_on"), toldOf(dialog).isBusy)}
  </form>`;
}

// As many languages as somebody may name.
const MAX_READS = 10;

/** What the operator reads, and whether they check a translation before it goes. @type {Room} */
export function readsDialog(dialog, { choices }, actions) {
  const submit = submitting(dialog, actions, async (given) => {
    const ticked = given.getAll("reads").map(String);
    // The first of them is the one that is translated to: it stays the first.
    const reads = [...choices.reads.filter((code) => ticked.includes(code)), ...ticked.filter((code) => !choices.reads.includes(code))];
    if (!reads.length || reads.length > MAX_READS) {
      actions.say({ code: "reads", detail: t("reads_between", { n: MAX_READS }) });
      return false;
    }
    return actions.settings.choose({ reads, show_translation: given.has("shown") });
  });
  return html`<form @submit=${submit}>
    <p class="edge">${t("reads_hint")}</p>
    <div class="choices">
      ${languages(choices.reads).map(
        ({ code, name }) => html`<label class="choice"><input type="checkbox" name="reads" value=${code} ?checked=${choices.reads.includes(code)} /> ${name}</label>`,
      )}
    </div>
    <label class="choice"><input type="checkbox" name="shown" ?checked=${choices.show_translation} /> ${t("translation_shown")}</label>
    ${footer(actions, t("save"), toldOf(dialog).isBusy)}
  </form>`;
}
