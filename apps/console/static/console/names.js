/** How the page calls what has no name of its own. */

import { t } from "./texts.js";

/** @import {Row} from "./types.js" */

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

/** A chat's visitor. @param {Row} row */
export const nameOf = (row) => visitorName(row.contact);

/** Messengers' own names. @type {Record<string, string>} */
const MESSENGERS = {
  tg: "Telegram",
  vk: "VK",
  wa: "WhatsApp",
  vb: "Viber",
  fb: "Messenger",
  ok: "OK",
  mx: "MAX",
  cian: "Циан",
  ali: "AliExpress",
  apple: "Apple Messages",
  av: "Avito",
};

/** @param {string} code */
export function channelName(code) {
  if (code === "widget") return t("channel_widget");
  const [kind = code] = code.split("__"); // av__7 is one of several ad cabinets
  return MESSENGERS[kind] ?? code.charAt(0).toUpperCase() + code.slice(1);
}
