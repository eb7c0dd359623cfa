/** What the page says, in the language of its person. */

import en from "./texts/en.js";
import ru from "./texts/ru.js";

/** @typedef {keyof typeof en} TextKey */

/** @type {Record<string, Record<TextKey, string>>} */
const LANGUAGES = { en, ru };

let texts = LANGUAGES.en;
let language = "en";
let plurals = new Intl.PluralRules("en");

/** @param {string} wanted One that there are no texts in is English. */
export function speak(wanted) {
  language = wanted in LANGUAGES ? wanted : "en";
  texts = LANGUAGES[language];
  plurals = new Intl.PluralRules(language);
}

/** For dates and numbers: the language of the texts, as it is written where the person is (en-GB has a day of 24 hours). */
export const spoken = () => navigator.languages.find((each) => each.split("-")[0] === language) ?? language;

/**
 * The text of a key, with `{name}` replaced by the parameter of that name. Forms of a plural are parted by `|`, in the order
 * one, few, many, other (of English: one, other), and chosen by the parameter `n`.
 *
 * @param {TextKey} key
 * @param {Record<string, string | number>} [params]
 */
export function t(key, params = {}) {
  let text = texts?.[key] ?? key;
  if (text.includes("|")) {
    const forms = text.split("|");
    const names = forms.length === 2 ? ["one", "other"] : ["one", "few", "many", "other"];
    text = forms[names.indexOf(plurals.select(Number(params.n)))] ?? forms.at(-1) ?? "";
  }
  return text.replace(/\{(\w+)\}/g, (_, name) => String(params[name] ?? ""));
}
