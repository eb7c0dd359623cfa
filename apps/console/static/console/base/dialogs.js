/** What asks something before it is done, over the rest of the page: `state.dialog` says which. */

import { call, limits } from "./api.js";
import { repliesDialog } from "../composer/canned_reply_dialog.js";
import { buttonsDialog } from "../composer/link_buttons.js";
import { footer, submitting, toldOf } from "./dialog_forms.js";
import { icon } from "./icons.js";
import { SHORTCUTS } from "./shortcuts.js";
import { t } from "./texts.js";
import { directive, Directive } from "../vendor/lit-html/directive.js";
import { keyed } from "../vendor/lit-html/directives/keyed.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { html, noChange, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Actions} from "../actions.js" */
/** @import {TextKey} from "./texts.js" */
/** @import {Agent, Dialog, State} from "./types.js" */

/** Shows the dialog over the page, which is inert meanwhile; once it is gone, the focus is where it was. */
class Modal extends Directive {
  /** @type {Element | null} */
  element = null;

  /** @returns {unknown} */
  render() {
    return noChange;
  }

  /** @param {import("../vendor/lit-html/directive.js").ElementPart} part @returns {unknown} @override */
  update({ element }) {
    if (this.element === element) return noChange;
    this.element = element;
    const before = document.activeElement;
    queueMicrotask(() => {
      if (!(element instanceof HTMLDialogElement)) return;
      element.showModal();
      new MutationObserver((_, observer) => {
        if (element.isConnected) return;
        observer.disconnect();
        if (before instanceof HTMLElement && before.isConnected) before.focus();
      }).observe(document.body, { childList: true, subtree: true });
    });
    return noChange;
  }
}

const modal = directive(Modal);

/** @typedef {(dialog: Dialog, state: State, actions: Actions) => unknown} Room */

/** Dialogs that few ask for, once they are loaded. @type {typeof import("../chat/chat_dialogs.js") | undefined} */
let rare;

/** Those of letters, once they are loaded. @type {typeof import("../chat/email_dialogs.js") | undefined} */
let ofLetters;

/** @param {"copiesDialog" | "quietDialog"} name @returns {Room} */
function laterOfLetters(name) {
  return (dialog, state, actions) => {
    if (ofLetters) return ofLetters[name](dialog, state, actions);
    void import("../chat/email_dialogs.js").then((loaded) => {
      ofLetters = loaded;
      actions.redraw();
    });
    return html`<p class="edge">${t("loading")}</p>`;
  };
}

/** Those of translation, once they are loaded. @type {typeof import("../chat/translation_dialogs.js") | undefined} */
let ofTranslation;

/** @param {"translationDialog" | "readsDialog"} name @returns {Room} */
function laterOfTranslation(name) {
  return (dialog, state, actions) => {
    if (ofTranslation) return ofTranslation[name](dialog, state, actions);
    void import("../chat/translation_dialogs.js").then((loaded) => {
      ofTranslation = loaded;
      actions.redraw();
    });
    return html`<p class="edge">${t("loading")}</p>`;
  };
}

/** Those of the queue, once they are loaded. @type {typeof import("../chat/queue_dialogs.js") | undefined} */
let ofQueue;

/** @param {"priorityDialog" | "breakDialog"} name @returns {Room} */
function laterOfQueue(name) {
  return (dialog, state, actions) => {
    if (ofQueue) return ofQueue[name](dialog, state, actions);
    void import("../chat/queue_dialogs.js").then((loaded) => {
      ofQueue = loaded;
      actions.redraw();
    });
    return html`<p class="edge">${t("loading")}</p>`;
  };
}

/** @param {"snoozeDialog" | "editDialog" | "formerDialog"} name @returns {Room} */
function later(name) {
  return (dialog, state, actions) => {
    if (rare) return rare[name](dialog, state, actions);
    void import("../chat/chat_dialogs.js").then((loaded) => {
      rare = loaded;
      actions.redraw();
    });
    return html`<p class="edge">${t("loading")}</p>`;
  };
}

/** @type {Record<string, {title: TextKey, room: Room}>} */
const DIALOGS = {
  shortcuts: { title: "shortcuts", room: shortcutList },
  transfer: { title: "transfer_title", room: transferDialog },
  assign: { title: "assign_title", room: assignDialog },
  close: { title: "close_title", room: closeDialog },
  spam: { title: "spam_title", room: spamDialog },
  block: { title: "block_title", room: blockDialog },
  wish: { title: "wish_title", room: wishDialog },
  buttons: { title: "buttons_title", room: buttonsDialog },
  snooze: { title: "snooze_title", room: later("snoozeDialog") },
  priority: { title: "priority_title", room: laterOfQueue("priorityDialog") },
  break: { title: "break_title", room: laterOfQueue("breakDialog") },
  edit: { title: "edit_title", room: later("editDialog") },
  former: { title: "former_title", room: later("formerDialog") },
  copies: { title: "copies_title", room: laterOfLetters("copiesDialog") },
  quiet: { title: "quiet_title", room: laterOfLetters("quietDialog") },
  replies: { title: "replies_title", room: repliesDialog },
  translation: { title: "translation", room: laterOfTranslation("translationDialog") },
  reads: { title: "reads_title", room: laterOfTranslation("readsDialog") },
};

/** @param {State} state @param {Actions} actions */
export function view(state, actions) {
  const { dialog } = state;
  const shown = dialog && DIALOGS[dialog.name];
  if (!dialog || !shown) return nothing;
  const close = () => {
    actions.showDialog(null);
    actions.dismissNotice();
  };
  /** @param {MouseEvent} event A click beside it. */
  const beside = ({ target, currentTarget }) => target === currentTarget && close();
  return keyed(
    dialog,
    html`<dialog class="dialog is-${dialog.name}" aria-labelledby="dialog-title" @close=${close} @mousedown=${beside} ${modal()}>
      <div class="sheet">
        <header>
          <h2 id="dialog-title">${t(shown.title)}</h2>
          <button type="button" class="quiet" aria-label=${t("close_dialog")} title=${t("close_dialog")} @click=${close}>
            ${icon("close")}
          </button>
        </header>
        ${state.notice ? html`<p class="refusal" role="alert">${state.notice}</p>` : nothing}
        ${shown.room(dialog, state, actions)}
      </div>
    </dialog>`,
  );
}

/** @type {{keys: string, text: TextKey}[]} */
const IN_COMPOSER = [
  { keys: "/", text: "key_replies" },
  { keys: "Alt+1…9", text: "key_macros" },
  { keys: "Ctrl+Shift+Enter", text: "key_send_close" },
  { keys: "↑", text: "key_edit_last" },
  { keys: "Ctrl+Z", text: "key_undo" },
];

/** @type {Room} */
function shortcutList() {
  const rows = [...SHORTCUTS, ...IN_COMPOSER];
  return html`<dl class="shortcuts">
    ${rows.map(({ keys, text }) => html`<div><dt><kbd>${keys}</kbd></dt><dd>${t(text)}</dd></div>`)}
  </dl>`;
}

/** @type {Room} */
function transferDialog(dialog, state, actions) {
  const comment = html`<label class="comment">
    ${t("transfer_comment")}
    <textarea name="comment" rows="2" maxlength=${limits.comment}></textarea>
  </label>`;
  const does = (/** @type {string} */ kind, /** @type {number} */ id, /** @type {FormData} */ given) => {
    const said = { comment: String(given.get("comment") ?? "").trim() };
    return actions.chat.transfer(dialog.chatId, kind === "agent" ? { agent_id: id, ...said } : { department_id: id, ...said });
  };
  return pickDialog(dialog, state, actions, state.departments, "transfer", does, comment);
}

/** @type {Room} */
function assignDialog(dialog, state, actions) {
  return pickDialog(dialog, state, actions, [], "assign", (_, id) => actions.chat.assign(dialog.chatId, id));
}

/**
 * Picks a person, or a department.
 *
 * @param {Dialog} dialog
 * @param {State} state
 * @param {Actions} actions
 * @param {State["departments"]} departments
 * @param {TextKey} verb
 * @param {(kind: string, id: number, given: FormData) => Promise<boolean>} does
 * @param {unknown} [more] What is asked besides.
 */
function pickDialog(dialog, state, actions, departments, verb, does, more = nothing) {
  const said = toldOf(dialog);
  const wanted = said.filter.trim().toLocaleLowerCase();
  const fits = (/** @type {{name: string}} */ { name }) => name.toLocaleLowerCase().includes(wanted);
  const owner = state.rows.get(dialog.chatId)?.agent_id;
  const people = [...state.agents.values()].filter((agent) => agent.id !== owner && fits(agent)).sort(byPresence);
  const chosen = departments.filter(fits);
  const submit = submitting(dialog, actions, async (given) => {
    const [kind = "", id] = String(given.get("to") ?? "").split(":");
    return id ? does(kind, Number(id), given) : false;
  });
  /** @param {Event} event */
  const filter = ({ currentTarget }) => {
    said.filter = /** @type {HTMLInputElement} */ (currentTarget).value;
    actions.redraw();
  };
  return html`<form @submit=${submit}>
    <input type="search" autofocus autocomplete="off" placeholder=${t("filter")} aria-label=${t("filter")} @input=${filter} />
    <div class="picks">
      ${chosen.length
        ? html`<fieldset>
            <legend>${t("departments")}</legend>
            ${repeat(chosen, ({ id }) => id, ({ id, name }) => choice(`department:${id}`, name, whoIsIn(id, state)))}
          </fieldset>`
        : nothing}
      ${people.length
        ? html`<fieldset>
            <legend>${t("people")}</legend>
            ${repeat(people, ({ id }) => id, (agent) => choice(`agent:${agent.id}`, agent.name, presenceOf(agent), agent))}
          </fieldset>`
        : nothing}
      ${people.length || chosen.length ? nothing : html`<p class="edge">${t("nobody_fits")}</p>`}
    </div>
    ${more} ${footer(actions, t(verb), said.isBusy)}
  </form>`;
}

/** @type {Room} */
function spamDialog(dialog, _state, actions) {
  const submit = submitting(dialog, actions, () => actions.chat.setState(dialog.chatId, "spam"));
  return html`<form @submit=${submit}>
    <p>${t("spam_hint")}</p>
    ${footer(actions, t("spam_mark"), toldOf(dialog).isBusy)}
  </form>`;
}

/** Hours of a block; "" is until it is lifted. @type {[hours: string, text: TextKey][]} */
const BLOCKED_FOR = [
  ["1", "block_hour"],
  ["24", "block_day"],
  ["168", "block_week"],
  ["720", "block_month"],
  ["", "block_lasting"],
];

/** @type {Room} */
function blockDialog(dialog, state, actions) {
  const address = state.open?.card?.visitor?.address;
  const submit = submitting(dialog, actions, (given) =>
    actions.chat.block(dialog.chatId, {
      what: String(given.get("to")),
      reason: String(given.get("reason")).trim(),
      hours: Number(given.get("hours")) || null,
    }),
  );
  return html`<form @submit=${submit}>
    <p>${t("block_hint")}</p>
    <fieldset>
      <legend>${t("block_what")}</legend>
      ${choice("contact", t("block_contact"), "")}
      ${address ? [choice("address", t("block_address"), address), choice("network", t("block_network"), t("block_network_hint"))] : nothing}
    </fieldset>
    <label>
      ${t("block_reason")}
      <input name="reason" maxlength=${limits.reason} autocomplete="off" />
    </label>
    <label>
      ${t("block_for")}
      <select name="hours">
        ${BLOCKED_FOR.map(([hours, text]) => html`<option value=${hours} ?selected=${hours === "24"}>${t(text)}</option>`)}
      </select>
    </label>
    ${footer(actions, t("block"), toldOf(dialog).isBusy)}
  </form>`;
}

/** @type {Room} */
function wishDialog(dialog, _state, actions) {
  const submit = submitting(dialog, actions, (given) => actions.chat.wish(dialog.chatId, String(given.get("text") ?? "").trim(), dialog.messageId));
  const asCase = () => makeCase(dialog, actions);
  return html`<form @submit=${submit}>
    <label>
      ${t("wish_text")}
      <textarea name="text" rows="4" required minlength=${limits.wish_min} maxlength=${limits.wish} autofocus></textarea>
    </label>
    <p class="edge">${t("wish_hint")}</p>
    <p><button type="button" class="quiet" @click=${asCase}>${t("case_make")}</button></p>
    ${footer(actions, t("wish_send"), toldOf(dialog).isBusy)}
  </form>`;
}

/** Makes a test question of what the message answers. @param {Dialog} dialog @param {Actions} actions */
async function makeCase({ messageId }, actions) {
  const made = await actions.tried(() => call("POST", `messages/${messageId}/evaluation-case`));
  if (made === undefined) return;
  actions.showDialog(null);
  actions.echo(t("echo_case"));
}

/** Who is there comes first. @param {Agent} a @param {Agent} b */
const byPresence = (a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name);

/** @param {Agent} agent */
const rank = ({ online, status }) => (online ? (status === "active" ? 0 : 1) : 2);

/** @param {Agent} agent */
const presenceOf = (agent) => [presenceWord(agent), agent.break?.note].filter(Boolean).join(" · ");

/** @param {Agent} agent */
const presenceWord = (agent) => t(/** @type {TextKey[]} */ (["presence_online", "presence_break", "presence_offline"])[rank(agent)] ?? "presence_offline");

/** @param {number} id @param {State} state */
function whoIsIn(id, { agents }) {
  const there = [...agents.values()].filter((agent) => agent.department_ids.includes(id) && rank(agent) === 0).length;
  return there ? t("department_online", { n: there }) : t("department_empty");
}

/** @param {string} value @param {string} name @param {string} about @param {Agent} [agent] */
function choice(value, name, about, agent) {
  const dot = agent ? html`<span class="there is-${["online", "break", "offline"][rank(agent)]}" aria-hidden="true"></span>` : nothing;
  return html`<label class="pick">
    <input type="radio" name="to" required value=${value} /> ${dot}<bdi>${name}</bdi> <small>${about}</small>
  </label>`;
}

/** @type {Room} */
function closeDialog(dialog, _state, actions) {
  const submit = submitting(dialog, actions, (given) => actions.chat.close(dialog.chatId, String(given.get("reason")).trim()));
  const reasons = [t("reason_solved"), t("reason_silent"), t("reason_elsewhere")];
  return html`<form @submit=${submit}>
    <label>
      ${t("close_reason")}
      <input name="reason" list="close-reasons" maxlength=${limits.reason} autocomplete="off" autofocus />
    </label>
    <datalist id="close-reasons">${reasons.map((reason) => html`<option value=${reason}></option>`)}</datalist>
    <p class="edge">${t("close_hint")}</p>
    ${footer(actions, t("close_chat"), toldOf(dialog).isBusy)}
  </form>`;
}
