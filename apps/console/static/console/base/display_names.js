/** How the page calls what has no name of its own. */

import { t } from "./texts.js";

/** @import {InboxChat} from "./server_types.js" */
/** @import {Config} from "./types.js" */

/** @type {[string[], string[]]} */
let words = [[], []];

/** Says of which words aliases are made. @param {[string[], string[]]} aliasWords */
export function callVisitorsBy(aliasWords) {
  words = aliasWords;
}

/** What colleagues call a contact without a name: as the server counts it (chats/rules/aliases.py). @param {string} contactId */
function aliasOf(contactId) {
  const number = parseInt(contactId.slice(0, 4), 16);
  const [first, second] = words;
  return `${first[number % first.length]} ${second[Math.floor(number / first.length) % second.length]}`;
}

/** A visitor, by the name or the alias of their contact. @param {{id: string, name: string | null}} contact */
export const visitorName = ({ id, name }) => name || (words[0].length ? aliasOf(id) : t("visitor", { id }));

/** A chat's visitor. @param {InboxChat} row */
export const nameOf = (row) => visitorName(row.contact);

/** The messengers that the server knows, by the code of their channel. @type {Config["channels"]} */
let channels = {};

/** Of mailboxes. @type {Config["channel_names"]} */
let names = {};

/** @param {Config["channels"]} given @param {Config["channel_names"]} named */
export function knowChannels(given, named) {
  channels = given;
  names = named;
}

/** The messenger of a channel; undefined for the widget, mailboxes and custom channels. @param {string} code */
export const channelOf = (code) => channels[kindOf(code)];

/** @param {string} code `av__7` is one of several ad cabinets. */
const kindOf = (code) => code.split("__")[0] ?? code;

/** @param {string} code */
export function channelName(code) {
  if (code === "widget") return t("channel_widget");
  return names[code] ?? names[kindOf(code)] ?? channelOf(code)?.name ?? code.charAt(0).toUpperCase() + code.slice(1);
}

/** The tickets and leases that support agents have of a chat, in words. A lease that has run out by itself is none, whether the server has said so or not. @param {InboxChat} row */
export const marksOf = ({ marks }) =>
  marks.filter(({ until }) => until === null || Date.parse(until) > Date.now()).map(({ kind, about }) => t(`mark_${kind}`, { about }));
