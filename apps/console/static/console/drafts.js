/** What was written and not sent yet, by operator and chat. It outlives the page, the tab and the session. */

import { ofBrowser } from "./memory.js";

/** @typedef {{text: string, isNote: boolean}} Draft */

/** What a browser that keeps nothing has of them. @type {Map<string, Draft>} */
const here = new Map();

/** @param {number} agentId @param {number} chatId */
const nameOf = (agentId, chatId) => `draft:${agentId}:${chatId}`;

/** @param {number} agentId @param {number} chatId @returns {Readonly<Draft>} */
export function draftOf(agentId, chatId) {
  const name = nameOf(agentId, chatId);
  const kept = ofBrowser.get(name) ?? here.get(name);
  return { text: typeof kept?.text === "string" ? kept.text : "", isNote: kept?.isNote === true };
}

/** An empty draft is forgotten. @param {number} agentId @param {number} chatId @param {Draft} draft */
export function keepDraft(agentId, chatId, draft) {
  const name = nameOf(agentId, chatId);
  const kept = draft.text || draft.isNote ? draft : null;
  ofBrowser.set(name, kept);
  if (kept && !ofBrowser.get(name)) here.set(name, kept);
  else here.delete(name);
}

/** Calls back when another tab has changed a draft. @param {() => void} changed */
export function watchDrafts(changed) {
  addEventListener("storage", ({ key }) => {
    if (key === null || key.includes("draft:")) changed();
  });
}
