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
  channel_not_connected: "failed_not_connected",
  channel_disabled: "failed_disabled",
  edit_refused: "edit_refused",
  mail_unavailable: "failed_mail_unavailable",
  sender_refused: "failed_sender_refused",
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
