/** The invitation and the answers with which the open chat began, and consents. Loaded where there are any. */

import { momentOf } from "../base/formats.js";
import { spoken } from "../base/texts.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Card} from "../base/types.js" */
/** @typedef {Record<string, string>} Texts By language. */
/** @typedef {{label: Texts, values: Record<string, Texts>}} QuestionWords */

const TEXTS = {
  en: { began: "How the chat began", invitation: "Invitation", answers: "Answers before the chat", consents: "Consents", yes: "yes", no: "no", refused: "refused" },
  ru: { began: "Как начался чат", invitation: "Приглашение", answers: "Ответы перед чатом", consents: "Согласия", yes: "да", no: "нет", refused: "отказ" },
};
// A consent's label is Markdown: its links are shown as their words.
const LINK = /\[([^\]]*)\]\([^)]*\)/g;

/** The text in the operator's language, else the first. @param {Texts | undefined} texts */
const textOf = (texts) => texts && (texts[spoken().replace(/-.*/, "")] ?? Object.values(texts)[0]);

/** @param {Record<string, unknown>} answers @param {Card} card @param {{name: string} | null} [invitation] That the chat began with. */
export function view(answers, { contact, questions }, invitation) {
  const own = TEXTS[spoken().startsWith("ru") ? "ru" : "en"];
  const words = /** @type {Record<string, QuestionWords>} */ (questions);
  const labelOf = (/** @type {string} */ key) => (textOf(words[key]?.label) ?? key).replace(LINK, "$1");
  const inWords = (/** @type {unknown} */ value) => (typeof value === "boolean" ? own[value ? "yes" : "no"] : String(value));
  const valueOf = (/** @type {string} */ key) => textOf(words[key]?.values[String(answers[key])]) ?? inWords(answers[key]);
  const keys = [...new Set([...Object.keys(words), ...Object.keys(answers)])].filter((key) => key in answers);
  return html`${invitation ? section(own.began, [[own.invitation, invitation.name]]) : nothing}
  ${keys.length ? section(own.answers, keys.map((key) => [labelOf(key), valueOf(key)])) : nothing}
  ${contact.consents?.length
    ? section(own.consents, contact.consents.map(({ key, given, at }) => [labelOf(key), given ? momentOf(at) : `${own.refused}, ${momentOf(at)}`]))
    : nothing}`;
}

/** @param {string} title @param {string[][]} rows */
const section = (title, rows) => html`<section aria-label=${title}>
  <h3>${title}</h3>
  <dl>
    ${rows.map(([label, value]) => html`<div>
      <dt><bdi>${label}</bdi></dt>
      <dd><bdi>${value}</bdi></dd>
    </div>`)}
  </dl>
</section>`;
