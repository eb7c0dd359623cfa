/** What was written and not sent yet, by operator and chat. It outlives the page, the tab and the session. */

import { ofBrowser } from "./memory.js";

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
