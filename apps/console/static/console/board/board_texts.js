/** The words of the wallboard, in both languages of the console: fetched with it. */

import { spoken } from "../base/texts.js";

const en = {
  rest: "Without a department",
  closed: "closed",
  waiting: "waiting",
  /** @param {string} wait */
  longest: (wait) => `Longest: ${wait}`,
  /** @param {number} soon @param {number} late */
  due: (soon, late) => `Due soon: ${soon}. Overdue: ${late}`,
  /** @param {number} online @param {number} away @param {number} places */
  team: (online, away, places) => `${online} here, ${away} away, ${places} places free`,
  /** @param {number} n @param {string} half @param {string} most */
  answered: (n, half, most) => `Last hour: ${n} answered, half within ${half}, most within ${most}`,
};

/** @type {typeof en} */
const ru = {
  rest: "Без отдела",
  closed: "закрыто",
  waiting: "ждут",
  longest: (wait) => `Дольше всех: ${wait}`,
  due: (soon, late) => `Скоро срок: ${soon}. Просрочено: ${late}`,
  team: (online, away, places) => `На месте ${online}, отошли ${away}, свободных мест ${places}`,
  answered: (n, half, most) => `За час отвечено ${n}: половина — за ${half}, почти все — за ${most}`,
};

/** The wallboard's texts in the console's language. */
export const words = () => (spoken().startsWith("ru") ? ru : en);
