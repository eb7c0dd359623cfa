/** Canned replies and macros: chosen by "/" in the composer. */

import { t } from "../base/texts.js";
import * as macros from "./macros.js";
import { say } from "./macro_texts.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Macro, Reply} from "../base/server_types.js" */
/** @import {State} from "../base/types.js" */
/** @import {Actions} from "../actions.js" */

const MOST_SHOWN = 50;

/** The "/" that the caret stands behind, and what was typed after it. */
const CALL = /(?:^|\s)\/(\S*)$/;

/** What is open: where the "/" stands in the text, what follows it, and which reply would be inserted. */
const menu = {
  isOpen: false,
  start: 0,
  query: "",
  /** @type {string | null} the chosen entry's key; null: the first */
  chosen: null,
};

/** An offer of the menu: a canned reply, or a macro. @typedef {{key: string, reply: Reply, macro?: undefined} | {key: string, macro: Macro, reply?: undefined}} Entry */

export { macros };

/**
 * Those whose shortcut or text has the words, by how well they do.
 *
 * @param {Reply[]} replies
 * @param {string} query
 */
export function matching(replies, query) {
  const wanted = query.toLocaleLowerCase();
  const rank = (/** @type {Reply} */ { shortcut, body }) => {
    const name = shortcut.toLocaleLowerCase();
    if (name.startsWith(wanted)) return 0;
    if (name.includes(wanted)) return 1;
    return body.toLocaleLowerCase().includes(wanted) ? 2 : 3;
  };
  return replies
    .map((reply) => ({ reply, rank: rank(reply) }))
    .filter((each) => each.rank < 3)
    .sort((a, b) => a.rank - b.rank || a.reply.shortcut.localeCompare(b.reply.shortcut))
    .map(({ reply }) => reply)
    .slice(0, MOST_SHOWN);
}

/**
 * Follows what is typed: a "/" at the beginning of a word opens the menu.
 *
 * @param {HTMLTextAreaElement} input
 * @param {Actions} actions
 */
export function followTyping(input, actions) {
  const caret = input.selectionStart;
  const call = caret === input.selectionEnd ? CALL.exec(input.value.slice(0, caret)) : null;
  if (call) {
    const query = call[1] ?? "";
    if (!menu.isOpen) {
      void actions.composer.loadReplies();
      void macros.load(actions);
    }
    Object.assign(menu, { isOpen: true, start: caret - query.length - 1, query, chosen: null });
  } else menu.isOpen = false;
}

export const isMenuOpen = () => menu.isOpen;

export function closeMenu() {
  menu.isOpen = false;
}

/** The offers in the menu; null while it is closed. @param {State} state @returns {Entry[] | null} */
function shown({ replies }) {
  if (!menu.isOpen) return null;
  const found = matching(replies ?? [], menu.query);
  return [...macros.matching(menu.query).map((macro) => ({ key: `macro-${macro.id}`, macro })), ...found.map((reply) => ({ key: `${reply.id}`, reply }))];
}

/** @param {Entry[]} entries */
const chosenOf = (entries) => entries.find(({ key }) => key === menu.chosen) ?? entries[0];

/**
 * The id of the chosen option's element, for a screen reader.
 *
 * @param {State} state
 */
export function activeOption(state) {
  const chosen = chosenOf(shown(state) ?? []);
  return chosen && `canned-reply-${chosen.key}`;
}

/**
 * Puts a reply in place of the "/" and what follows it; of a macro what it says.
 *
 * @param {HTMLTextAreaElement} input
 * @param {Entry} entry
 * @param {State} state
 * @param {Actions} actions
 */
async function insert(input, { reply, macro }, state, actions) {
  const { start } = menu;
  const end = start + 1 + menu.query.length;
  menu.isOpen = false;
  input.focus();
  const before = input.value;
  if (macro) {
    input.setRangeText("", start, end, "end");
    input.dispatchEvent(new Event("input", { bubbles: true }));
    return macros.choose(macro, state, actions);
  }
  const text = await textOf(reply, state, actions);
  // What was typed meanwhile stays.
  if (input.value === before) input.setRangeText(text, start, end, "end");
  else input.setRangeText(text, input.selectionStart, input.selectionEnd, "end");
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/** What is put into the text, and what a translated chat's visitor is sent for it. @type {Map<string, string>} */
const approved = new Map();

/** The approved translation of a text that was put in and not changed. @param {string} text */
export const approvedFor = (text) => approved.get(text.trim());

/**
 * A reply for the open chat: in the visitor's language where it has that, but where the chat is translated: then its
 * translation goes in place of the operator's words.
 *
 * @param {Reply} reply @param {State} state @param {Actions} actions
 */
async function textOf({ id, body, translations }, { open }, actions) {
  const translation = open?.card?.translation;
  const holds = translations.some(({ lang, state }) => lang === translation?.visitor_language && state !== "stale");
  if (!holds) return body.includes("{") ? ((await actions.composer.fillReply(id)) ?? body) : body;
  const theirs = await actions.composer.fillReply(id);
  if (!translation?.on) return theirs ?? body;
  const own = translation.to[0];
  const mine = own && own !== translation.visitor_language ? await actions.composer.fillReply(id, own) : undefined;
  if (mine && theirs) approved.set(mine.trim(), theirs);
  return mine ?? body;
}

/**
 * The keys of the menu while it is open.
 *
 * @param {KeyboardEvent} event
 * @param {State} state
 * @param {Actions} actions
 * @returns {boolean} whether the key was the menu's
 */
export function menuKey(event, state, actions) {
  const replies = shown(state);
  if (replies === null) return false;
  const input = /** @type {HTMLTextAreaElement} */ (event.currentTarget);
  const chosen = chosenOf(replies);
  const at = chosen ? replies.indexOf(chosen) : -1;
  if (event.key === "Escape") menu.isOpen = false;
  else if (!chosen) return false;
  else if (event.key === "ArrowDown") menu.chosen = replies[(at + 1) % replies.length]?.key ?? null;
  else if (event.key === "ArrowUp") menu.chosen = replies.at(at - 1)?.key ?? null;
  else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey) void insert(input, chosen, state, actions);
  else return false;
  event.preventDefault();
  event.stopPropagation();
  actions.redraw();
  return true;
}

/** @param {Reply} reply */
const ofReply = ({ shortcut, body, is_shared }) => html`<kbd>/${shortcut}</kbd><span>${body}</span>${is_shared ? nothing : html`<small>${t("reply_own")}</small>`}`;

/** @param {Macro} macro */
const ofMacro = ({ name, key, agent_id }) => html`<kbd>${key ? `Alt+${key}` : say("mark")}</kbd><span>${name}</span>${agent_id === null ? nothing : html`<small>${say("own")}</small>`}`;

/** @param {string} id The list's, for the field. @param {State} state @param {Actions} actions */
export function replyMenu(id, state, actions) {
  const replies = shown(state);
  if (replies === null) return nothing;
  const chosen = chosenOf(replies);
  const inputOf = (/** @type {Event} */ event) =>
    /** @type {HTMLElement} */ (event.currentTarget).closest("form")?.querySelector("textarea");
  const option = (/** @type {Entry} */ entry) => html`<li
    id="canned-reply-${entry.key}"
    role="option"
    aria-selected=${entry === chosen ? "true" : "false"}
    @mousedown=${(/** @type {Event} */ event) => {
      event.preventDefault(); // the caret stays in the text
      const input = inputOf(event);
      if (input) void insert(input, entry, state, actions);
    }}
  >
    ${entry.macro ? ofMacro(entry.macro) : ofReply(entry.reply)}
  </li>`;
  const empty = state.replies === null ? t("loading") : t(state.replies.length ? "replies_none_match" : "replies_none");
  return html`<div class="replies">
    <ul role="listbox" id=${id} aria-label=${t("replies")}>
      ${repeat(replies, ({ key }) => key, option)}
    </ul>
    <p role="status">${replies.length ? t("replies_hint") : empty}
      <button
        type="button"
        class="quiet"
        @mousedown=${(/** @type {Event} */ event) => event.preventDefault()}
        @click=${() => actions.showDialog({ name: "replies" })}
      >${t("replies_manage")}</button>
    </p>
  </div>`;
}
