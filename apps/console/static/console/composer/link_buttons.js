/** Writes a message with link buttons. */

import { limits } from "../base/api.js";
import { t } from "../base/texts.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Actions} from "../actions.js" */
/** @import {Dialog, State} from "../base/types.js" */

/** @typedef {{key: number, label: string, url: string, style: "primary" | "secondary"}} Line */
/** @typedef {{body: string, lines: Line[], lastKey: number, refusals: Record<string, string>}} Writing */

/** @type {WeakMap<Dialog, Writing>} */
const writings = new WeakMap();

/** @param {Dialog} dialog @returns {Writing} */
function writingOf(dialog) {
  const known = writings.get(dialog);
  if (known) return known;
  /** @type {Writing} */
  const writing = { body: "", lines: [{ key: 1, label: "", url: "", style: "primary" }], lastKey: 1, refusals: {} };
  writings.set(dialog, writing);
  return writing;
}

/** Why a visitor's browser must not be led there; null when it may. @param {string} url */
export function urlRefusal(url) {
  if (!url) return t("required");
  if (url.length > limits.button_url) return t("too_long", { n: limits.button_url });
  if (!/^https:\/\//i.test(url)) return t("url_https");
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(url)) return t("url_wrong");
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed?.hostname) return t("url_wrong");
  return parsed.username || parsed.password || /^https:\/\/[^/?#]*@/i.test(url) ? t("url_credentials") : null;
}

/** What is wrong, by field. @param {Writing} writing */
function refusalsOf({ body, lines }) {
  /** @type {Record<string, string>} */
  const refusals = {};
  if (!body.trim()) refusals.body = t("required");
  for (const { key, label, url } of lines) {
    if (!label.trim()) refusals[`label${key}`] = t("required");
    else if ([...label].length > limits.button_label) refusals[`label${key}`] = t("too_long", { n: limits.button_label });
    const refusal = urlRefusal(url.trim());
    if (refusal) refusals[`url${key}`] = refusal;
  }
  return refusals;
}

/** @param {Dialog} dialog @param {State} _state @param {Actions} actions */
export function buttonsDialog(dialog, _state, actions) {
  const writing = writingOf(dialog);
  const { lines, refusals } = writing;
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    writing.refusals = refusalsOf(writing);
    actions.redraw();
    if (Object.keys(writing.refusals).length) {
      requestAnimationFrame(() => requestAnimationFrame(() => /** @type {HTMLElement | null} */ (form.querySelector("[aria-invalid]"))?.focus()));
      return;
    }
    const buttons = lines.map(({ label, url, style }) => ({ label: label.trim(), url: url.trim(), style }));
    actions.composer.send({ type: "keyboard", body: writing.body.trim(), keyboard: { buttons } }, dialog.chatId);
    actions.showDialog(null);
  };
  const add = () => {
    writing.lastKey += 1;
    lines.push({ key: writing.lastKey, label: "", url: "", style: lines.length ? "secondary" : "primary" });
    actions.redraw();
  };
  return html`<form novalidate @submit=${submit}>
    <label>
      ${t("buttons_text")}
      <textarea
        rows="2"
        maxlength=${limits.message}
        autofocus
        aria-invalid=${refusals.body ? "true" : nothing}
        @input=${(/** @type {Event} */ { currentTarget }) => (writing.body = /** @type {HTMLTextAreaElement} */ (currentTarget).value)}
      ></textarea>
    </label>
    ${refusal(refusals.body)}
    ${repeat(
      lines,
      ({ key }) => key,
      (line, index) => lineRow(writing, line, index + 1, actions),
    )}
    <p>
      <button type="button" ?disabled=${lines.length >= limits.buttons} @click=${add}>${t("button_add")}</button>
      <small>${t("buttons_most", { n: limits.buttons })}</small>
    </p>
    <footer>
      <button type="button" class="quiet" @click=${() => actions.showDialog(null)}>${t("cancel")}</button>
      <button class="primary">${t("send")}</button>
    </footer>
  </form>`;
}

/** @param {string | undefined} why */
const refusal = (why) => (why ? html`<p class="refusal" role="alert">${why}</p>` : nothing);

/** @param {Writing} writing @param {Line} line @param {number} number @param {Actions} actions */
function lineRow(writing, line, number, actions) {
  const { key, style } = line;
  const { refusals } = writing;
  /** @param {"label" | "url"} name @param {string} label */
  const input = (name, label) => html`<input
    type=${name === "url" ? "url" : "text"}
    autocomplete="off"
    placeholder=${label}
    aria-label=${`${label} ${number}`}
    maxlength=${name === "url" ? limits.button_url : limits.button_label}
    aria-invalid=${refusals[name + key] ? "true" : nothing}
    @input=${(/** @type {Event} */ { currentTarget }) => (line[name] = /** @type {HTMLInputElement} */ (currentTarget).value)}
  />`;
  const remove = () => {
    writing.lines.splice(writing.lines.indexOf(line), 1);
    actions.redraw();
  };
  const look = t(style === "primary" ? "button_primary" : "button_secondary");
  const turn = () => {
    line.style = style === "primary" ? "secondary" : "primary";
    actions.redraw();
  };
  return html`<div class="line">
    ${input("label", t("button_label"))} ${input("url", t("button_url"))}
    <button type="button" class="look" aria-pressed=${style === "primary" ? "true" : "false"} aria-label=${t("button_primary")} @click=${turn}>
      ${look}
    </button>
    <button
      type="button"
      class="quiet"
      ?disabled=${writing.lines.length === 1}
      aria-label=${t("button_remove", { n: number })}
      title=${t("button_remove", { n: number })}
      @click=${remove}
    >
      ✕
    </button>
    ${refusal(refusals[`label${key}`])} ${refusal(refusals[`url${key}`])}
  </div>`;
}
