/**
 * Macros: several acts at once. The text of one stands in the field first, to be read and changed, with its acts in words
 * beside it; then it is run. Its questions are asked before.
 */

import { call, newId, withQuery } from "../base/api.js";
import { icon } from "../base/icons.js";
import { t } from "../base/texts.js";
import { draftOf, keepDraft } from "./drafts.js";
import { say } from "./macro_texts.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Macro, MacroQuestion} from "../base/server_types.js" */
/** @import {State} from "../base/types.js" */
/** @import {Actions} from "../actions.js" */

/** @typedef {{macro: Macro, chatId: number, clientId: string, given: Record<string, string>, does: string[], isShown: boolean, isBusy: boolean}} Pending */

/** @type {Macro[] | null} */
let known = null;
/** The macro that is about to be run, in which chat. @type {Pending | null} */
let pending = null;
/** Runs that were taken back here. @type {Set<number>} */
const undone = new Set();

/** @param {number} runId */
export const isUndone = (runId) => undone.has(runId);

/** Reads them anew: a colleague may have changed the shared ones. @param {Actions} actions */
export async function load(actions) {
  const answer = await actions.tried(() => call("GET", "macros"), () => {});
  if (answer) known = answer.data;
  actions.redraw();
}

/** Those whose name has the words. @param {string} query @returns {Macro[]} */
export function matching(query) {
  const wanted = query.toLocaleLowerCase();
  return (known ?? []).filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
}

/** Its key was pressed. @param {number} key @param {State} state @param {Actions} actions */
export async function pressed(key, state, actions) {
  if (!known) await load(actions);
  // One's own comes before the shared one.
  const found = (known ?? []).filter((each) => each.key === key).sort((a, b) => Number(b.agent_id !== null) - Number(a.agent_id !== null));
  if (found[0]) await choose(found[0], state, actions);
}

/** Shows the questions of a macro, else its acts. @param {Macro} macro @param {State} state @param {Actions} actions */
export async function choose(macro, state, actions) {
  const chatId = state.open?.chatId;
  if (chatId === undefined) return;
  pending = { macro, chatId, clientId: newId(), given: {}, does: [], isShown: false, isBusy: false };
  if (macro.inputs.length) {
    actions.redraw();
    actions.afterDrawing(() => document.querySelector(/** @type {"input"} */ (".macro input"))?.focus());
  } else await preview(pending, state, actions);
}

/** Puts its text into the field, in place of nothing that was typed. @param {Pending} wanted @param {State} state @param {Actions} actions */
async function preview(wanted, state, actions) {
  const query = Object.fromEntries(Object.entries(wanted.given).map(([key, value]) => [`input.${key}`, value]));
  wanted.isBusy = true;
  actions.redraw();
  const answer = await actions.tried(() => call("GET", withQuery(`chats/${wanted.chatId}/macros/${wanted.macro.id}`, query)));
  wanted.isBusy = false;
  if (!answer) pending = null;
  if (answer && pending === wanted) {
    Object.assign(wanted, { does: answer.data.does, isShown: true });
    if (answer.data.text !== null) putText(wanted, answer.data.text, state);
  }
  actions.redraw();
  actions.afterDrawing(() => document.querySelector(/** @type {"textarea"} */ (".composer textarea"))?.focus());
}

/** @param {Pending} wanted @param {string} text @param {State} state */
function putText({ chatId }, text, { me }) {
  if (!me) return;
  const typed = draftOf(me.id, chatId).text.trimEnd();
  keepDraft(me.id, chatId, { text: typed ? `${typed}\n${text}` : text, isNote: false });
}

/** Whether it has words for the visitor. @param {Pending} wanted */
const speaks = ({ macro }) => macro.then.some((each) => each.do === "reply");

/** The one that waits in the open chat. @param {State} state */
const waitingIn = ({ open }) => (pending && pending.chatId === open?.chatId ? pending : null);

/** Runs the macro that waits, if one does. @param {State} state @param {Actions} actions */
export function runs(state, actions) {
  const wanted = waitingIn(state);
  if (!wanted?.isShown) return false;
  void run(wanted, state, actions);
  return true;
}

/** @param {Pending} wanted @param {State} state @param {Actions} actions */
async function run(wanted, { me }, actions) {
  if (!me || wanted.isBusy) return;
  const body = draftOf(me.id, wanted.chatId).text.trim();
  wanted.isBusy = true;
  actions.redraw();
  actions.notices.expect(wanted.chatId);
  const sent = { client_id: wanted.clientId, inputs: wanted.given, ...(speaks(wanted) && body ? { body } : {}) };
  const answer = await actions.tried(() => call("POST", `chats/${wanted.chatId}/macros/${wanted.macro.id}`, sent));
  wanted.isBusy = false;
  if (answer) {
    pending = null;
    if (speaks(wanted)) keepDraft(me.id, wanted.chatId, { text: "", isNote: false });
    tell(answer.data.run, wanted, actions);
  }
  actions.redraw();
}

/** @param {{id: number, did: {do: string, result: string, why: string | null}[]}} ran @param {Pending} wanted @param {Actions} actions */
function tell(ran, { macro }, actions) {
  const left = ran.did.filter(({ result }) => result !== "done").map(({ do: act }) => say(`do_${act}`));
  const words = left.length ? say("ran_partly", { name: macro.name, acts: left.join(", ") }) : say("ran", { name: macro.name });
  actions.echo(words, { undo: () => void undo(ran.id, actions) });
}

/** @param {number} runId @param {Actions} actions */
export async function undo(runId, actions) {
  const answer = await actions.tried(() => call("POST", `runs/${runId}/undo`));
  if (!answer) return;
  undone.add(runId);
  const kept = answer.data.kept.map((/** @type {{do: string}} */ { do: act }) => say(`do_${act}`));
  actions.echo(kept.length ? say("undone_partly", { acts: kept.join(", ") }) : say("undone"));
  actions.redraw();
}

/** @param {Actions} actions */
function drop(actions) {
  pending = null;
  actions.redraw();
}

/** The keys while a macro waits; whether the key was its. @param {KeyboardEvent} event @param {State} state @param {Actions} actions */
export function key(event, state, actions) {
  if (event.key !== "Escape" || !waitingIn(state)) return false;
  drop(actions);
  event.preventDefault();
  event.stopPropagation();
  return true;
}

/** @param {State} state @param {Actions} actions */
export function strip(state, actions) {
  const wanted = waitingIn(state);
  if (!wanted) return nothing;
  const { macro, does, isShown, isBusy } = wanted;
  const asks = macro.inputs.length > 0 && !isShown;
  const cancel = html`<button type="button" class="quiet" @click=${() => drop(actions)}>${t("cancel")}</button>`;
  const words = does.length ? say("will", { acts: does.join(", ") }) : "";
  const goesOn = asks ? () => answered(wanted, state, actions) : () => void run(wanted, state, actions);
  return html`<div class="strip macro" role="group" aria-label=${say("macro", { name: macro.name })}>
    <div>
      <p role="status">${icon("canned")} <strong><bdi>${macro.name}</bdi></strong> ${isShown ? words : nothing}</p>
      ${asks ? html`<div class="macro-inputs">${macro.inputs.map((input) => question(input, wanted, goesOn))}</div>` : nothing}
    </div>
    <div class="strip-deeds">
      ${cancel}
      <button type="button" ?disabled=${isBusy} aria-busy=${isBusy ? "true" : nothing} @click=${goesOn}>${asks ? say("go_on") : say("run")}</button>
    </div>
  </div>`;
}

/** @param {MacroQuestion} input @param {Pending} wanted @param {() => void} goesOn */
function question({ key: name, label, is_required }, wanted, goesOn) {
  const typed = (/** @type {Event} */ { currentTarget }) => {
    wanted.given[name] = /** @type {HTMLInputElement} */ (currentTarget).value;
  };
  const entered = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    goesOn();
  };
  return html`<label>${label} <input autocomplete="off" ?required=${is_required} .value=${wanted.given[name] ?? ""} @input=${typed} @keydown=${entered} /></label>`;
}

/** @param {Pending} wanted @param {State} state @param {Actions} actions */
function answered(wanted, state, actions) {
  const lacks = wanted.macro.inputs.find(({ key: name, is_required }) => is_required && !wanted.given[name]?.trim());
  if (lacks) actions.say({ code: "missing_words", detail: t("fill_in", { names: lacks.label }) });
  else void preview(wanted, state, actions);
}
