/** What the cards of offers say, in both languages of the console: fetched with them. */

import { spoken } from "../base/texts.js";

const en = {
  offers: "Chats for you",
  /** @param {string} name */
  offer: (name) => `A chat for you: ${name}`,
  take: "Take",
  pass: "Not now",
  /** @param {string} reasons */
  why: (reasons) => `Why you: ${reasons}`,
  /** The reasons, by code. @type {Record<string, (open: number, places: number) => string>} */
  reasons: {
    last_operator: () => "you talked last",
    language: () => "you read the language",
    fewest_open: (open, places) => `fewest open (${open} of ${places})`,
    longest_idle: () => "longest without a chat",
    only_one: () => "nobody else is available",
    passed: () => "another operator let it pass",
    owner_away: () => "its owner is away",
    owner_silent: () => "its owner has not answered",
    overflow: () => "its department has nobody available",
  },
};

/** @type {typeof en} */
const ru = {
  offers: "Чаты для вас",
  offer: (name) => `Чат для вас: ${name}`,
  take: "Взять",
  pass: "Не сейчас",
  why: (reasons) => `Почему вам: ${reasons}`,
  reasons: {
    last_operator: () => "вы говорили последними",
    language: () => "вы читаете на этом языке",
    fewest_open: (open, places) => `меньше всех открытых (${open} из ${places})`,
    longest_idle: () => "дольше всех без чата",
    only_one: () => "больше никто не свободен",
    passed: () => "другой оператор его пропустил",
    owner_away: () => "его оператор отошёл",
    owner_silent: () => "его оператор не отвечает",
    overflow: () => "в его отделе никто не свободен",
  },
};

/** The texts of offers in the console's language. */
export const words = () => (spoken().startsWith("ru") ? ru : en);
