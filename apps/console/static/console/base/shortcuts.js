/** The keys of the page: one list, which `?` shows and which is followed. */

import { deedsOf } from "../chat/chat_buttons.js";
import { turnOriginals } from "../chat/translation_loader.js";
import { toggleNote } from "../composer/composer.js";
import { askSummary } from "../help/help_loader.js";
import * as inbox from "../inbox/chat_list.js";

/** @import {Actions} from "../actions.js" */
/** @import {Store} from "../store.js" */
/** @import {TextKey} from "./texts.js" */

/**
 * `keys` as KeyboardEvent.key has it. In a text field only those with `isInFields` are heard.
 *
 * @typedef {{
 *   keys: string, text: TextKey, isInFields?: boolean,
 *   does: (store: Store, actions: Actions) => void, when?: (store: Store) => boolean,
 * }} Shortcut
 */

/** @param {Store} store */
const hasChat = ({ state }) => state.open !== null;

/** @param {Store} store */
const isTranslated = ({ state }) => Boolean(state.open?.messages.some(({ translations }) => translations?.length));

/** Does what the open chat's button of that name does, where it has one. @param {string} name @returns {Shortcut["does"]} */
const deed = (name) => ({ state }, actions) => {
  const row = state.open && state.rows.get(state.open.chatId);
  if (row) void deedsOf(row, state, actions).find((each) => each.name === name)?.does();
};

/** @type {Shortcut[]} */
export const SHORTCUTS = [
  { keys: "j", text: "key_next", does: (store, actions) => inbox.step(store, actions, 1) },
  { keys: "k", text: "key_previous", does: (store, actions) => inbox.step(store, actions, -1) },
  { keys: "u", text: "key_unanswered", does: (store, actions) => void inbox.openFirst(store, actions) },
  { keys: "q", text: "key_queue", does: (_, actions) => void actions.inbox.showView("queue") },
  { keys: "w", text: "key_due", does: (_, actions) => void actions.inbox.showView("due") },
  { keys: "y", text: "key_take", does: () => press(".offer .primary"), when: () => document.querySelector(".offer") !== null },
  { keys: "x", text: "key_pass", does: () => press(".offer .quiet"), when: () => document.querySelector(".offer") !== null },
  { keys: "/", text: "key_search", does: () => inbox.focusSearch() },
  { keys: "r", text: "key_reply", does: () => focusOn(".composer textarea"), when: hasChat },
  { keys: "a", text: "key_accept", does: deed("accept"), when: hasChat },
  { keys: "t", text: "key_transfer", does: deed("transfer"), when: hasChat },
  { keys: "e", text: "key_close", does: deed("close"), when: hasChat },
  { keys: "n", text: "key_note", does: ({ state }, actions) => toggleNote(state, actions), when: hasChat },
  { keys: "c", text: "key_card", does: (_, actions) => showCard(actions), when: hasChat },
  { keys: "g", text: "key_summary", does: ({ state }, actions) => askSummary(state, actions), when: hasChat },
  { keys: "o", text: "key_original", does: (_, actions) => turnOriginals(actions), when: isTranslated },
  { keys: "z", text: "key_snooze", does: deed("snooze"), when: hasChat },
  { keys: "p", text: "key_priority", does: deed("priority"), when: hasChat },
  { keys: "d", text: "key_dealt_with", does: deed("dealt-with"), when: hasChat },
  { keys: "?", text: "key_shortcuts", does: (_, actions) => actions.showDialog({ name: "shortcuts" }) },
  { keys: "Escape", text: "key_back", isInFields: true, does: (store, actions) => back(store, actions) },
];

/** @param {Store} store @param {Actions} actions */
export function listenForKeys(store, actions) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const isInField = event.target instanceof HTMLElement && event.target.matches("input, textarea, select, [contenteditable]");
    const key = keyOf(event);
    if (store.state.dialog && key !== "Escape") return;
    const shortcut = SHORTCUTS.find(({ keys, isInFields }) => keys === key && (!isInField || isInFields));
    if (!shortcut || shortcut.when?.(store) === false) return;
    event.preventDefault();
    shortcut.does(store, actions);
  });
}

/** The key as a Latin keyboard has it: a Cyrillic one types other letters with the same keys. @param {KeyboardEvent} event */
function keyOf({ key, code, shiftKey, target }) {
  const isInList = !(target instanceof Element) || target === document.body || target.closest(".inbox") !== null;
  if (isInList && key === "ArrowDown") return "j";
  if (isInList && key === "ArrowUp") return "k";
  if (code === "Slash" && !"/?".includes(key)) return shiftKey ? "?" : "/";
  return /^[\u0400-\u04ff]$/.test(key) && code.startsWith("Key") && !shiftKey ? code.slice(3).toLowerCase() : key;
}

/** @param {Actions} actions */
function showCard(actions) {
  actions.showPane("card");
  actions.afterDrawing(() => focusOn(".card input"));
}

/** @param {string} selector */
function press(selector) {
  const found = document.querySelector(selector);
  if (found instanceof HTMLElement) found.click();
}

/** @param {string} selector */
function focusOn(selector) {
  const found = document.querySelector(selector);
  if (found instanceof HTMLElement) found.focus();
}

/**
 * One step out: of a menu, of a dialog, of a field, of a search, of the card, of the chat. The search's own field is left after it.
 *
 * @param {Store} store
 * @param {Actions} actions
 */
function back({ state }, actions) {
  const { activeElement } = document;
  const menu = document.querySelector(":popover-open");
  const isInField = activeElement instanceof HTMLElement && activeElement.matches("input, textarea, select");
  if (menu instanceof HTMLElement) menu.hidePopover();
  else if (state.dialog) actions.showDialog(null);
  else if (isInField && !(state.search && inbox.isSearchField(activeElement))) activeElement.blur();
  else if (state.search) actions.inbox.search(null);
  else if (state.pane === "card") actions.showPane("thread");
  else if (state.open) {
    const { chatId } = state.open;
    actions.chat.leave();
    actions.afterDrawing(() => focusOn(`#chat-${chatId}`));
  }
}
