/**
 * What was written and not sent yet, by operator and chat. It outlives the page, the tab and the session. And what a machine
 * has written of it.
 */

import { ofBrowser } from "../base/browser_storage.js";

/** @typedef {{text: string, isNote: boolean}} Draft */

/** Those of this tab: a browser may keep nothing, or, when it is full, only what it was told before. @type {Map<string, Draft>} */
const here = new Map();

/** @param {number} agentId @param {number} chatId */
const nameOf = (agentId, chatId) => `draft:${agentId}:${chatId}`;

/** @param {number} agentId @param {number} chatId @returns {Readonly<Draft>} */
export function draftOf(agentId, chatId) {
  const name = nameOf(agentId, chatId);
  const kept = here.get(name) ?? ofBrowser.get(name);
  return { text: typeof kept?.text === "string" ? kept.text : "", isNote: kept?.isNote === true };
}

/** The browser forgets an empty draft. @param {number} agentId @param {number} chatId @param {Draft} draft */
export function keepDraft(agentId, chatId, draft) {
  const name = nameOf(agentId, chatId);
  here.set(name, draft);
  ofBrowser.set(name, draft.text || draft.isNote ? draft : null);
}

/** Takes what another tab has changed of a draft, and calls back. @param {() => void} changed */
export function watchDrafts(changed) {
  addEventListener("storage", ({ key }) => {
    if (key !== null && !key.includes("draft:")) return;
    for (const name of here.keys()) if (key === null || key.endsWith(name)) here.delete(name);
    changed();
  });
}

/** @typedef {{assist_id?: number, from_message_id?: number}} Used  What the text in a composer was made from. */

/** @type {Map<number, Used>} by chat */
const used = new Map();

/** Puts a text into the composer at the caret, so that one Ctrl+Z takes it out; what was typed stays. @param {string} text @param {number} chatId @param {Used} from */
export function putIn(text, chatId, from) {
  const input = document.querySelector(/** @type {"textarea"} */ (".composer textarea"));
  if (!input) return;
  input.focus();
  const at = input.selectionEnd;
  input.setSelectionRange(at, at);
  const gap = at > 0 && !/\s$/.test(input.value.slice(0, at)) ? " " : "";
  if (!document.execCommand("insertText", false, gap + text)) {
    input.setRangeText(gap + text, at, at, "end");
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  used.set(chatId, from);
}

/** What a text that is being sent was made from; asked once. @param {number} chatId @returns {Used} */
export function takeUsed(chatId) {
  const from = used.get(chatId) ?? {};
  used.delete(chatId);
  return from;
}
