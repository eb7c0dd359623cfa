/** The parts of canned replies and macros that stand before they are loaded: by the first "/", or by Alt and a digit. */

import { nothing } from "../vendor/lit-html/lit-html.js";

/** @import {State, Step} from "../base/types.js" */
/** @import {Actions} from "../actions.js" */
/** @typedef {typeof import("./canned_reply_menu.js")} Room */

/** @type {Room | undefined} */
let room;
/** @type {((there: Room) => void)[]} */
const waiting = [];
let isManager = false;

/** A variable of a canned reply that nothing is known for: it waits to be filled in. */
const MISSING = /\{((?:visitor|attr|operator|widget|chat|page|input)\.[\w.]+|today|weekday)\}/g;

/** The names that are still to be filled in. @param {string} text */
export const missingIn = (text) => [...text.matchAll(MISSING)].map(([, name = ""]) => name);

export const LIST_ID = "canned-replies";

/** Loads the room, unless it is there, and does something in it. @param {Actions} actions @param {(there: Room) => void} does */
export function withReplies(actions, does) {
  if (room) return does(room);
  waiting.push(does);
  if (waiting.length > 1) return;
  void import("./canned_reply_menu.js").then((loaded) => {
    room = loaded;
    for (const each of waiting.splice(0)) each(loaded);
    actions.redraw();
  });
}

/** Hears Alt and a digit, the keys of macros. @param {boolean} isOfManager @param {() => State} state @param {Actions} actions */
export function beginMacros(isOfManager, state, actions) {
  isManager = isOfManager;
  addEventListener("keydown", (event) => {
    const [, digit] = /^Digit([1-9])$/.exec(event.code) ?? [];
    if (!digit || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !state().open || state().dialog) return;
    event.preventDefault();
    withReplies(actions, ({ macros }) => void macros.pressed(Number(digit), state(), actions));
  });
}

/** Whether this person may undo the run of a step. @param {Step} step @param {State} state */
export const mayUndo = ({ run_id, agent_id }, { me }) => run_id !== null && (isManager || agent_id === me?.id) && !room?.macros.isUndone(run_id);

/** @param {Step} step @param {Actions} actions */
export const undoRun = ({ run_id }, actions) => withReplies(actions, ({ macros }) => void macros.undo(run_id ?? 0, actions));

/** Follows the typing: a "/" at the beginning of a word opens the menu. @param {HTMLTextAreaElement} input @param {Actions} actions */
export function followTyping(input, actions) {
  if (room) room.followTyping(input, actions);
  else if (input.value.includes("/")) withReplies(actions, (there) => there.followTyping(input, actions));
}

export const isMenuOpen = () => room?.isMenuOpen() ?? false;
export const closeMenu = () => room?.closeMenu();
/** The approved translation of a text that was put in and not changed. @param {string} text */
export const approvedFor = (text) => room?.approvedFor(text);
/** The id of the chosen option's element, for a screen reader. @param {State} state */
export const activeOption = (state) => room?.activeOption(state);
/** Whether a key was the menu's, or that of a macro that waits to be run. @param {KeyboardEvent} event @param {State} state @param {Actions} actions */
export const menuKey = (event, state, actions) => Boolean(room?.menuKey(event, state, actions) || room?.macros.key(event, state, actions));
/** @param {State} state @param {Actions} actions */
export const replyMenu = (state, actions) => room?.replyMenu(LIST_ID, state, actions) ?? nothing;
/** The macro that waits to be run, above the field. @param {State} state @param {Actions} actions */
export const macroStrip = (state, actions) => room?.macros.strip(state, actions) ?? nothing;
/** Whether sending is running a macro: then it is done. @param {State} state @param {Actions} actions */
export const isMacro = (state, actions) => room?.macros.runs(state, actions) ?? false;
