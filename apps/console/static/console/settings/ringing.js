/**
 * Which of many tabs and devices rings: one tab of a browser, none while any tab has the chat in sight, and of a person's
 * devices those that were used of late.
 */

import { ofBrowser } from "../base/browser_storage.js";

// Milliseconds.
const USED_EVERY = 60_000;
const USED_LATELY = 120_000;

/** Whether this is the tab that rings. A browser without locks rings in each. */
let isRinger = !globalThis.navigator?.locks;
let device = "";
let usedHere = 0;
let toldAt = 0;
/** When the person's other devices were used, as far as this tab has heard. @type {Map<string, number>} */
const others = new Map();
/** The chats that other tabs have in sight, by tab. @type {Map<string, number>} */
const seen = new Map();

const isLooked = () => document.visibilityState === "visible" && document.hasFocus();

/** Whether the chat is open here, and looked at. @param {number | undefined} openId @param {number} id */
export const isInSight = (openId, id) => openId === id && isLooked();

/** Whether another tab of this browser has the chat of a notification in sight. @param {string} tag */
export const isSeenElsewhere = (tag) => [...seen.values()].some((id) => tag === `parley-${id}`);

/** Whether this tab rings: no other does so here, and the person is not at another device. @param {number} [now] */
export function mayRing(now = Date.now()) {
  if (!isRinger) return false;
  const isUsed = now - usedHere < USED_LATELY;
  return isUsed || ![...others.values()].some((at) => now - at < USED_LATELY);
}

/** Another device of the person's is used just now. @param {{device: string}} data */
export function hearOfDevice({ device: id }) {
  if (id !== device) others.set(id, Date.now());
}

/** @param {() => number | null} openChat @param {(device: string) => void} tellUsed */
export function startRinging(openChat, tellUsed) {
  device = ofBrowser.get("device") ?? newName();
  ofBrowser.set("device", device);
  void globalThis.navigator?.locks?.request("parley-console-rings", () => {
    isRinger = true;
    // Held until the tab ends, which hands it over.
    return new Promise(() => {});
  });
  const used = () => {
    usedHere = Date.now();
    if (usedHere - toldAt < USED_EVERY) return;
    toldAt = usedHere;
    tellUsed(device);
  };
  for (const type of ["pointerdown", "keydown", "focus"]) addEventListener(type, used);
  shareSight(openChat);
}

const newName = () => Math.random().toString(36).slice(2, 14).padEnd(8, "0");

/** Tells the other tabs which chat this one has in sight, and hears of theirs. @param {() => number | null} openChat */
function shareSight(openChat) {
  if (!("BroadcastChannel" in globalThis)) return;
  const channel = new BroadcastChannel("parley-console-sight");
  const tab = newName();
  const tell = () => channel.postMessage({ tab, chatId: isLooked() ? openChat() : null });
  channel.onmessage = ({ data }) => {
    if (data.asks) return tell();
    return data.chatId === null ? void seen.delete(data.tab) : void seen.set(data.tab, data.chatId);
  };
  for (const type of ["focus", "blur", "hashchange", "visibilitychange"]) addEventListener(type, tell);
  document.addEventListener("visibilitychange", tell);
  addEventListener("pagehide", () => channel.postMessage({ tab, chatId: null }));
  channel.postMessage({ asks: true });
  tell();
}
