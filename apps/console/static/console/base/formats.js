/** Times, sizes and languages, in the words of the page's language. */

import { spoken, t } from "./texts.js";

/** @import {Refusal} from "./types.js" */

/** @template {object} T @param {(locale: string) => T} make @returns {() => T} Made at first use: by then the page's language is known. */
function once(make) {
  /** @type {T | undefined} */
  let made;
  return () => (made ??= make(spoken()));
}

const time = once((locale) => new Intl.DateTimeFormat(locale, { timeStyle: "short" }));
const day = once((locale) => new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long" }));
const dayOfAnotherYear = once((locale) => new Intl.DateTimeFormat(locale, { dateStyle: "long" }));
const moment = once((locale) => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }));
const number = once((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }));
const languages = once((locale) => new Intl.DisplayNames(locale, { type: "language" }));

const KILO = 1024;
// Milliseconds.
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The page's own words for refusals that people meet, by code. @type {Record<string, import("./texts.js").TextKey>} */
const REFUSALS = {
  chat_is_spam: "refused_spam",
  chat_is_empty: "refused_empty",
  chat_is_taken: "refused_taken",
  message_not_failed: "refused_not_failed",
  not_found: "refused_not_found",
  rate_limited: "refused_rate",
  typing_too_often: "refused_rate",
  outbound_busy: "refused_rate",
  storage_failed: "refused_storage",
  offline: "refused_offline",
};

/** Why a message has not reached its messenger, by code. @type {Record<string, import("./texts.js").TextKey>} */
const FAILURES = {
  provider_unavailable: "failed_unavailable",
  credential_rejected: "failed_credential",
  blocked_by_user: "failed_blocked",
  recipient_unavailable: "failed_recipient",
  window_closed: "failed_window",
  rejected_by_provider: "failed_rejected",
  file_unavailable: "failed_file",
  subscription_needed: "failed_not_paid",
  channel_not_connected: "failed_not_connected",
  channel_disabled: "failed_disabled",
  edit_refused: "edit_refused",
  mail_unavailable: "failed_mail_unavailable",
  sender_refused: "failed_sender_refused",
  login_refused: "failed_login_refused",
  address_rejected: "failed_address_rejected",
  bounced: "failed_bounced",
  mailbox_full: "failed_mailbox_full",
};

/** What the page calls the fields that people fill in. @type {Record<string, import("./texts.js").TextKey>} */
const FIELDS = {
  name: "contact_name",
  email: "contact_email",
  phone: "contact_phone",
  tags: "tags",
  attributes: "attributes",
};

/** @param {string} iso */
export function timeOf(iso) {
  return time().format(new Date(iso));
}

/** @param {string} iso */
export function momentOf(iso) {
  return moment().format(new Date(iso));
}

/** Short, for a list: "now", "5 min", "17:23", "Yesterday", "28 Nov", "28 Nov 2025". @param {string} moment @param {Date} [now] */
export function shortTime(moment, now = new Date()) {
  const date = new Date(moment);
  const ago = now.getTime() - date.getTime();
  if (ago >= 0 && ago < HOUR) return ago < MINUTE ? t("now") : waitSince(moment, now);
  if (date.toDateString() === now.toDateString()) return timeOf(moment);
  const before = new Date(now);
  before.setDate(now.getDate() - 1);
  if (date.toDateString() === before.toDateString()) return t("yesterday");
  const year = date.getFullYear() === now.getFullYear() ? undefined : /** @type {const} */ ("numeric");
  return date.toLocaleDateString(spoken(), { day: "numeric", month: "short", year });
}

/** How long ago, in one unit: `5 min`, `3 h`, `2 d`. @param {string} moment @param {Date} [now] */
export function waitSince(moment, now = new Date()) {
  const minutes = Math.max(0, Math.floor((now.getTime() - Date.parse(moment)) / 60_000));
  if (minutes < 60) return t("minutes", { count: Math.max(1, minutes) });
  if (minutes < 24 * 60) return t("hours", { count: Math.floor(minutes / 60) });
  return t("days", { count: Math.floor(minutes / 60 / 24) });
}

/** @param {string} moment */
export const whole = (moment) => new Date(moment).toLocaleString(spoken(), { dateStyle: "long", timeStyle: "short" });

/** The time of day where a browser says it is, with the zone; null for a zone that does not exist. @param {string} timeZone */
export function localTimeIn(timeZone) {
  try {
    return `${new Intl.DateTimeFormat(spoken(), { timeStyle: "short", timeZone }).format(new Date())} (${timeZone})`;
  } catch {
    return null;
  }
}

/** @param {string} iso Gives "Today", "Yesterday" or the date. */
export function dayOf(iso) {
  const then = new Date(iso);
  const today = new Date();
  if (then.toDateString() === today.toDateString()) return t("today");
  today.setDate(today.getDate() - 1);
  if (then.toDateString() === today.toDateString()) return t("yesterday");
  return (then.getFullYear() === new Date().getFullYear() ? day() : dayOfAnotherYear()).format(then);
}

/** @param {number} bytes */
export function sizeOf(bytes) {
  const kilobytes = bytes / KILO;
  if (kilobytes < KILO) return t("kilobytes", { n: number().format(Math.max(kilobytes, 0.1)) });
  return t("megabytes", { n: number().format(kilobytes / KILO) });
}

/** @param {string} code The name of a language; the code itself where nobody knows one. */
export function languageOf(code) {
  try {
    return languages().of(code) ?? code;
  } catch {
    return code;
  }
}

/**
 * Why something was refused: the page's own words where it has some, else the server's.
 *
 * @param {Refusal} refusal
 */
export function wordsOf({ code, detail, errors }) {
  const known = REFUSALS[code];
  if (known) return t(known);
  const named = Object.entries(errors ?? {}).map(([field, reasons]) => {
    const name = FIELDS[field] ? t(FIELDS[field]) : field.replaceAll("_", " ");
    return `${name}: ${reasons.join(" ")}`;
  });
  return named.join(" ") || detail || code;
}

/** Why a message has not reached its messenger. @param {string | null} code */
export function whyNot(code) {
  const known = code ? FAILURES[code] : undefined;
  return known ? t(known) : (code ?? "");
}
