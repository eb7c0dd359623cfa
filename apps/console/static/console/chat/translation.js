/** The translation of a chat: its switch, an operator's words before they go, and messages in both languages. */

import { call, CallRefused, newId } from "../base/api.js";
import { ofBrowser } from "../base/browser_storage.js";
import { languageOf, wordsOf } from "../base/formats.js";
import { icon } from "../base/icons.js";
import { spoken, t } from "../base/texts.js";
import { approvedFor } from "../composer/canned_reply_loader.js";
import { draftOf, keepDraft } from "../composer/drafts.js";
import { canBeMarked } from "../composer/formatting_tools.js";
import { canTakeBack } from "./message_changes.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Actions} from "../actions.js" */
/** @import {Place} from "../composer/composer.js" */
/** @import {FactDifference, OperatorMessage, OperatorTranslation} from "../base/server_types.js" */
/** @import {Refusal, State} from "../base/types.js" */

// Milliseconds: how often it is asked whether a translation is there, and how long it may take.
const ASK_EVERY = 250;
const LONGEST = 25_000;

/**
 * Words that are being translated, by chat: waiting for a connection, asked for, to be checked, on their way, or not to be had.
 *
 * @typedef {{
 *   phase: "queued" | "asked" | "check" | "sent" | "failed", agentId: number, body: string, lang: string, text: string,
 *   differs: FactDifference[], clientId: string | null, why: string, isClosing: boolean,
 * }} Job
 */

/** @type {Map<number, Job>} */
const jobs = new Map();

/** What was refused, by chat: the offer is made once. @type {Set<number>} */
const refused = new Set(ofBrowser.get("untranslated") ?? []);

/** Messages of which the original stands first. @type {Set<number>} */
const turned = new Set();

// Whether all messages stand the other way round.
let areAllTurned = false;

/** Turns all messages, those that were turned by hand, too. */
export function turnAll() {
  areAllTurned = !areAllTurned;
  turned.clear();
}

/** What the operator reads, and whether they check each translation. @param {State} state @returns {Promise<{reads: string[], show_translation: boolean}>} */
const myChoices = async ({ choices }) => (choices.reads.length ? choices : (await call("GET", "me")).data);

/** @param {unknown} error @returns {Refusal} */
const refusalOf = (error) => (error instanceof CallRefused ? error.refusal : { code: "offline", detail: "" });

/** @param {number} chatId @param {object} body @param {Actions} actions */
async function change(chatId, body, actions) {
  try {
    await call("PUT", `chats/${chatId}/translation`, body);
  } catch (error) {
    actions.say(refusalOf(error));
  }
}

/**
 * Has words translated that are to be sent; they stay in the composer until they are. `isClosing`: the chat is closed
 * with them.
 *
 * @param {State} state @param {Place} place @param {string} body @param {Actions} actions @param {boolean} isClosing
 */
export function begin(state, { agentId, chatId }, body, actions, isClosing) {
  const before = jobs.get(chatId);
  if (before?.phase === "queued" || before?.phase === "asked" || before?.phase === "sent") return;
  const isOffline = state.connection !== "online";
  /** @type {Job} */
  const job = { phase: isOffline ? "queued" : "asked", agentId, body, lang: "", text: "", differs: [], clientId: null, why: "", isClosing };
  jobs.set(chatId, job);
  actions.redraw();
  if (!isOffline) void translate(state, chatId, job, actions);
}

/** Words that waited for the connection are translated once it is back. @param {State} state @param {Actions} actions */
function resume(state, actions) {
  if (state.connection !== "online") return;
  for (const [chatId, job] of jobs) {
    if (job.phase !== "queued") continue;
    job.phase = "asked";
    void translate(state, chatId, job, actions);
  }
}

/** @param {State} state @param {number} chatId @param {Job} job @param {Actions} actions */
async function translate(state, chatId, job, actions) {
  try {
    const { reads, show_translation: isShown } = await myChoices(drawn ?? state);
    job.lang = reads[0] ?? "en";
    const { visitor_language: theirs, from } = state.open?.card?.translation ?? {};
    // Where nothing names the visitor's language, the server looks at their words.
    const to = from === "default" ? undefined : theirs;
    const known = approvedFor(job.body);
    if (known) {
      Object.assign(job, { text: known, phase: "check" });
      if (!isShown) send(chatId, job, actions);
      return actions.redraw();
    }
    const made = await asked(chatId, { kind: "translation", client_id: newId(), text: job.body, ...(to ? { to } : {}) });
    if (jobs.get(chatId) !== job) return;
    if (made.state !== "done") Object.assign(job, { phase: "failed", why: t("translation_failed") });
    else {
      Object.assign(job, { text: made.text, differs: made.differs, phase: "check" });
      if (!made.differs.length && !isShown) send(chatId, job, actions);
    }
  } catch (error) {
    const refusal = refusalOf(error);
    const why = refusal.code === "budget_exhausted" ? t("budget_exhausted") : wordsOf(refusal);
    if (jobs.get(chatId) === job) Object.assign(job, { phase: "failed", why });
  }
  actions.redraw();
}

/** The assist once it is over. @param {number} chatId @param {object} wish @returns {Promise<any>} */
async function asked(chatId, wish) {
  const { data: begun } = await call("POST", `chats/${chatId}/assists`, wish);
  const until = Date.now() + LONGEST;
  let made = begun;
  while (made.state === "queued" || made.state === "running") {
    if (Date.now() > until) return { state: "failed" };
    await new Promise((go) => setTimeout(go, ASK_EVERY));
    made = (await call("GET", `assists/${begun.id}`)).data;
  }
  return made;
}

/** The state that was drawn last. @type {State | undefined} */
let drawn;

/** From here on the outbox keeps the words, over a reload, too. @param {number} chatId @param {Job} job @param {Actions} actions */
function send(chatId, job, actions) {
  job.clientId = leave(chatId, job, job.text.trim(), { source: { text: job.body, lang: job.lang } }, actions);
  job.phase = "sent";
  clear(chatId, job);
}

/**
 * The words leave as any others of the composer do: with their marks, taken back by one key, or closing the chat.
 *
 * @param {number} chatId @param {Job} job @param {string} body @param {{source?: {text: string, lang: string}}} more @param {Actions} actions
 * @returns {string | null} under which name they are acknowledged
 */
function leave(chatId, job, body, more, actions) {
  const marked = drawn?.choices.formatting && canBeMarked(body) ? { markdown: body } : {};
  const content = { type: /** @type {const} */ ("text"), body, ...marked, is_note: false, ...more };
  const known = new Set(drawn?.outbox.map(({ client_id }) => client_id));
  if (job.isClosing) {
    void actions.composer.sendAndClose(content, chatId);
    return drawn?.outbox.find(({ client_id }) => !known.has(client_id))?.client_id ?? null;
  }
  const clientId = actions.composer.send(content, chatId);
  if (canTakeBack(drawn?.rows.get(chatId))) actions.composer.offerUndo(clientId, () => giveBack(chatId, job, actions));
  return clientId;
}

/** The operator's own words are written again, unless something else is by now. @param {number} chatId @param {Job} job @param {Actions} actions */
function giveBack(chatId, { agentId, body }, actions) {
  if (draftOf(agentId, chatId).text.trim()) return;
  keepDraft(agentId, chatId, { text: body, isNote: false });
  actions.redraw();
  actions.afterDrawing(() => document.querySelector(/** @type {"textarea"} */ (".composer textarea"))?.focus());
}

/** The composer is empty, unless something else is written there by now. @param {number} chatId @param {Job} job */
function clear(chatId, job) {
  if (draftOf(job.agentId, chatId).text.trim() === job.body) keepDraft(job.agentId, chatId, { text: "", isNote: false });
}

/** Words that the server has refused come back, to be checked. @param {number} chatId @param {Job} job @param {State} state @param {Actions} actions */
function watch(chatId, job, { outbox }, actions) {
  if (job.phase !== "sent") return;
  const unsent = outbox.find(({ client_id }) => client_id === job.clientId);
  if (!unsent) jobs.delete(chatId);
  else if (unsent.refusal?.code === "translation_differs") {
    Object.assign(job, { phase: "check", differs: /** @type {any} */ (unsent.refusal).differs ?? [] });
    if (!draftOf(job.agentId, chatId).text) keepDraft(job.agentId, chatId, { text: job.body, isNote: false });
    queueMicrotask(() => actions.composer.dropUnsent(unsent.client_id));
  }
}

/** @param {State} state @param {Actions} actions */
export function view(state, actions) {
  drawn = state;
  resume(state, actions);
  const { open } = state;
  const translation = open?.card?.translation;
  if (!open || !translation) return nothing;
  const job = jobs.get(open.chatId);
  if (job) watch(open.chatId, job, state, actions);
  if (job && job.phase !== "sent") return strip(open.chatId, job, actions);
  if (translation.on) return isOn(open.chatId, translation, actions);
  return translation.is_offered ? offer(open.chatId, translation, actions) : nothing;
}

/** A language as one writes in it: Russian has an adverb. @param {string} name */
function inWords(name) {
  if (!spoken().startsWith("ru")) return name;
  return name.endsWith("ий") ? `по-${name.slice(0, -1)}` : `на языке ${name}`;
}

/** @param {number} chatId @param {{visitor_language: string}} translation @param {Actions} actions */
function offer(chatId, { visitor_language: language }, actions) {
  if (refused.has(chatId)) return nothing;
  const refuse = () => {
    refused.add(chatId);
    ofBrowser.set("untranslated", [...refused].slice(-200));
    actions.redraw();
  };
  return html`<div class="strip" role="region" aria-label=${t("translation")}>
    <p>${t("translation_offer", { language: inWords(languageOf(language)) })}</p>
    <div class="strip-deeds">
      <button type="button" @click=${() => void change(chatId, { on: true, earlier: true }, actions)}>${t("translation_on")}</button>
      <button type="button" class="quiet" aria-label=${t("dismiss")} title=${t("dismiss")} @click=${refuse}>${icon("close")}</button>
    </div>
  </div>`;
}

/** @param {number} chatId @param {{visitor_language: string, to: string[]}} translation @param {Actions} actions */
function isOn(chatId, { visitor_language: from, to }, actions) {
  const pair = [languageOf(from), to.map(languageOf).join(", ")].filter(Boolean).join(" ⇄ ");
  return html`<div class="strip small" role="region" aria-label=${t("translation")}>
    <p>${t("translation_is_on", { pair })}</p>
    <div class="strip-deeds">
      <button type="button" class="quiet" @click=${() => void change(chatId, { on: true, earlier: true }, actions)}>${t("translate_earlier")}</button>
      <button type="button" class="quiet" @click=${() => void change(chatId, { on: false }, actions)}>${t("translation_off")}</button>
    </div>
  </div>`;
}

/** @param {number} chatId @param {Job} job @param {Actions} actions */
function strip(chatId, job, actions) {
  const give = () => {
    jobs.delete(chatId);
    actions.redraw();
  };
  const asWritten = () => {
    leave(chatId, job, job.body, {}, actions);
    clear(chatId, job);
    give();
  };
  const again = () => {
    Object.assign(job, { phase: "asked", differs: [] });
    actions.redraw();
    if (drawn) void translate(drawn, chatId, job, actions);
  };
  /** @param {Event} event */
  const typed = ({ currentTarget }) => {
    job.text = /** @type {HTMLTextAreaElement} */ (currentTarget).value;
    actions.redraw();
  };
  const written = html`<button type="button" @click=${asWritten}>${t("send_as_written")}</button>
    <button type="button" class="quiet" @click=${give}>${t("back_to_writing")}</button>`;
  if (job.phase === "asked" || job.phase === "queued") {
    return html`<div class="strip" role="region" aria-label=${t("translation")}><p role="status">${t(job.phase === "queued" ? "translation_queued" : "translation_comes")}</p><div class="strip-deeds">${written}</div></div>`;
  }
  if (job.phase === "failed") {
    return html`<div class="strip" role="region" aria-label=${t("translation")}>
      <p role="alert">${job.why}</p>
      <div class="strip-deeds"><button type="button" @click=${again}>${t("try_again")}</button>${written}</div>
    </div>`;
  }
  return html`<div class="strip" role="region" aria-label=${t("translation")}>
    ${job.differs.length ? html`<p class="differs" role="alert">${t("translation_differs")} ${job.differs.map(place)}</p>` : nothing}
    <p class="own-words"><bdi>${job.body}</bdi></p>
    <textarea rows="3" dir="auto" aria-label=${t("translation")} .value=${live(job.text)} @input=${typed}></textarea>
    <div class="strip-deeds">
      <button type="button" ?disabled=${!job.text.trim()} @click=${() => {
        send(chatId, job, actions);
        actions.redraw();
      }}>${t("send")}</button>${written}
    </div>
  </div>`;
}

/** @param {FactDifference} difference */
const place = ({ source, text }) => html`<mark>${source ?? "—"} → ${text ?? "—"}</mark> `;

/** @param {OperatorTranslation[]} translations */
function best(translations) {
  const shown = translations.filter(({ is_source: isSource }) => !isSource);
  return shown.find(({ state }) => state === "done") ?? shown[0];
}

/**
 * A message in both languages: what its reader reads is large, the other small.
 *
 * @param {OperatorMessage} message @param {(text: string) => unknown} linked @param {() => void} redraw
 */
export function inBoth({ id, body, translations = [] }, linked, redraw) {
  const source = translations.find(({ is_source: isSource }) => isSource);
  const made = source ?? best(translations);
  if (!made) return null;
  const original = html`<span class="text" dir="auto">${linked(body)}</span>`;
  if (made.state === "pending") return html`${original}<small class="other">${t("translation_comes")}</small>`;
  if (made.state === "failed") return html`${original}<small class="other">${t("translation_failed")}</small>`;
  const isTurned = turned.has(id) !== areAllTurned;
  const turn = () => {
    if (!turned.delete(id)) turned.add(id);
    redraw();
  };
  const [large, small] = isTurned ? [body, made.text] : [made.text, body];
  return html`<span class="text" dir="auto">${linked(large)}</span>
    ${made.differs.length ? html`<small class="differs">${t("check_place")} ${made.differs.map(place)}</small>` : nothing}
    <small class="other"><bdi>${small}</bdi> <button type="button" aria-pressed=${isTurned ? "true" : "false"} @click=${turn}>${t("original")}</button></small>`;
}
