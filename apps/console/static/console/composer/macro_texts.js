/** The words of macros, in both languages of the console: fetched with them. */

import { spoken } from "../base/texts.js";

/** @type {Record<string, string>} */
const en = {
  macro: "Macro “{name}”",
  will: "It will: {acts}",
  run: "Run",
  go_on: "Next",
  ran: "“{name}” is done.",
  ran_partly: "“{name}” is done, except: {acts}.",
  undone: "Taken back.",
  undone_partly: "Taken back. These stay: {acts}.",
  mark: "macro",
  own: "yours only",
  do_assign: "operator",
  do_unassign: "operator",
  do_send_to: "department",
  do_priority: "priority",
  do_snooze: "snooze",
  do_close: "closing",
  do_tag: "tag",
  do_untag: "tag",
  do_attribute: "attribute",
  do_note: "note",
  do_reply: "reply",
  do_to_ai: "AI",
  do_to_person: "call of a person",
  do_ask_rating: "ask for a rating",
  do_notify: "notice",
  do_webhook: "event",
};

/** @type {Record<string, string>} */
const ru = {
  macro: "Макрос «{name}»",
  will: "Будет сделано: {acts}",
  run: "Выполнить",
  go_on: "Далее",
  ran: "«{name}»: готово.",
  ran_partly: "«{name}»: готово, кроме: {acts}.",
  undone: "Отменено.",
  undone_partly: "Отменено. Остаётся: {acts}.",
  mark: "макрос",
  own: "только ваш",
  do_assign: "оператор",
  do_unassign: "оператор",
  do_send_to: "отдел",
  do_priority: "приоритет",
  do_snooze: "откладывание",
  do_close: "закрытие",
  do_tag: "метка",
  do_untag: "метка",
  do_attribute: "атрибут",
  do_note: "заметка",
  do_reply: "ответ",
  do_to_ai: "ИИ",
  do_to_person: "вызов человека",
  do_ask_rating: "просьба об оценке",
  do_notify: "уведомление",
  do_webhook: "событие",
};

/** @param {string} key @param {Record<string, string>} [params] */
export function say(key, params = {}) {
  const text = (spoken().startsWith("ru") ? ru : en)[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? "");
}
