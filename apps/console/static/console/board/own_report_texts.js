/** The words of one's own report, in both languages of the console: fetched with it. */

import { spoken } from "../base/texts.js";

const en = {
  days: "Days",
  /** @param {number} n */
  last: (n) => `the last ${n}`,
  counts: "Chats that you answered",
  times: "Times: half within / nine of ten within",
  mine: "You",
  team: "Everybody",
  empty: "You answered no visitor in these days.",
  note: "An episode begins when a visitor writes, and counts on that day.",
  /** @param {string} day */
  moves: (day) => `Since ${day} figures may still move.`,
  /** @param {string} rate @param {number} of */
  share: (rate, of) => `${rate} of ${of}`,
  /** @param {number} n */
  seconds: (n) => `${n} s`,
  /** @param {number} h @param {number} m */
  hours: (h, m) => `${h} h ${m} min`,
  figures: {
    episodes: "Episodes",
    by_person: "Over, with a person's answer",
    open: "Still open",
    durable: "Without a return within 7 days",
    reopened: "Came back within 7 days",
    rated: "Rated",
    good: "Good ratings",
    low: "Low ratings",
    first_reply: "First answer",
    person_reply: "Answer after a handover or a wait",
    longest_wait: "Longest wait",
    duration: "From question to end",
  },
};

/** @type {typeof en} */
const ru = {
  days: "Дни",
  last: (n) => `последние ${n}`,
  counts: "Чаты, в которых вы отвечали",
  times: "Время: половина за / девять из десяти за",
  mine: "Вы",
  team: "Все",
  empty: "В эти дни вы никому не отвечали.",
  note: "Обращение начинается, когда посетитель пишет, и считается в этот день.",
  moves: (day) => `Числа с ${day} ещё могут измениться.`,
  share: (rate, of) => `${rate} из ${of}`,
  seconds: (n) => `${n} с`,
  hours: (h, m) => `${h} ч ${m} мин`,
  figures: {
    episodes: "Обращения",
    by_person: "Кончились, ответил человек",
    open: "Ещё открыты",
    durable: "Без возврата за 7 дней",
    reopened: "Вернулись за 7 дней",
    rated: "С оценкой",
    good: "Хорошие оценки",
    low: "Низкие оценки",
    first_reply: "Первый ответ",
    person_reply: "Ответ после передачи или ожидания",
    longest_wait: "Самое долгое ожидание",
    duration: "От вопроса до конца",
  },
};

/** The report's texts in the console's language. */
export const words = () => (spoken().startsWith("ru") ? ru : en);
