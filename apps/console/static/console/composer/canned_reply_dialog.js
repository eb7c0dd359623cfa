/** Canned replies are written, changed and removed. */

import { limits } from "../base/api.js";
import { wordsOf } from "../base/formats.js";
import { t } from "../base/texts.js";
import { keyed } from "../vendor/lit-html/directives/keyed.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Actions} from "../actions.js" */
/** @import {Reply} from "../base/server_types.js" */
/** @import {Dialog, Refusal, State} from "../base/types.js" */

/**
 * What is being written: a reply's id, or "new".
 *
 * @typedef {{at: number | "new" | null, refusal: Refusal | null, isBusy: boolean}} Writing
 */

/** What draws a reply's translations, once it is loaded. @type {typeof import("./canned_reply_translations.js").replyTranslations | undefined} */
let drawTranslations;

/** @type {WeakMap<Dialog, Writing>} */
const writings = new WeakMap();

/** @param {Dialog} dialog @param {State} state @param {Actions} actions */
export function repliesDialog(dialog, { replies }, actions) {
  const known = writings.get(dialog);
  const writing = known ?? { at: null, refusal: null, isBusy: false };
  if (!known) {
    writings.set(dialog, writing);
    void run(writing, () => actions.composer.loadReplies(), actions);
    void import("./canned_reply_translations.js").then(({ replyTranslations }) => {
      drawTranslations = replyTranslations;
      actions.redraw();
    });
  }
  const write = (/** @type {Writing["at"]} */ at) => {
    Object.assign(writing, { at, refusal: null });
    actions.redraw();
  };
  const begin = () => write("new");
  const row = (/** @type {Reply} */ reply) =>
    writing.at === reply.id ? html`<li>${form(writing, reply, write, actions)}</li>` : replyRow(writing, reply, write, actions);
  return html`<p class="edge">${t("replies_about")}</p>
    ${replies === null ? html`<p class="edge">${t("loading")}</p>` : nothing}
    <ul class="reply-list">
      ${repeat(replies ?? [], ({ id }) => id, row)}
    </ul>
    ${writing.at === null && writing.refusal ? html`<p class="refusal" role="alert">${wordsOf(writing.refusal)}</p>` : nothing}
    ${writing.at === "new"
      ? form(writing, null, write, actions)
      : html`<p><button type="button" autofocus @click=${begin}>${t("reply_new")}</button></p>`}`;
}

/** Answers whether it was done. @param {Writing} writing @param {() => Promise<Refusal | null>} work @param {Actions} actions */
async function run(writing, work, actions) {
  writing.isBusy = true;
  actions.redraw();
  writing.refusal = await work();
  writing.isBusy = false;
  actions.redraw();
  return !writing.refusal;
}

/** @param {Writing} writing @param {Reply} reply @param {(at: Writing["at"]) => void} write @param {Actions} actions */
function replyRow(writing, reply, write, actions) {
  const { id, shortcut, body, is_shared } = reply;
  const remove = () => void run(writing, () => actions.composer.removeReply(id), actions);
  return html`<li>
    <div class="reply">
      <p><kbd>/${shortcut}</kbd> <small>${t(is_shared ? "reply_shared" : "reply_own")}</small></p>
      <p class="text">${body}</p>
      ${drawTranslations?.(reply, actions) ?? nothing}
    </div>
    <button type="button" class="quiet" aria-label=${t("reply_change", { shortcut })} @click=${() => write(id)}>${t("change")}</button>
    <button
      type="button"
      class="quiet"
      ?disabled=${writing.isBusy}
      aria-label=${t("reply_remove", { shortcut })}
      title=${t("reply_remove", { shortcut })}
      @click=${remove}
    >
      ✕
    </button>
  </li>`;
}

/** @param {Writing} writing @param {Reply | null} reply @param {(at: Writing["at"]) => void} write @param {Actions} actions */
function form(writing, reply, write, actions) {
  /** @param {SubmitEvent} event */
  const submit = async (event) => {
    event.preventDefault();
    const given = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    const content = {
      shortcut: String(given.get("shortcut")).trim().replace(/^\//, ""),
      body: String(given.get("body")).trim(),
      is_shared: given.get("is_shared") === "on",
    };
    const { at } = writing;
    const isDone = await run(writing, () => (reply ? actions.composer.changeReply(reply.id, content) : actions.composer.createReply(content)), actions);
    if (isDone && writing.at === at) write(null);
  };
  /** @param {KeyboardEvent} event Gives up the form, not the dialog. */
  const pressed = (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    write(null);
  };
  const errors = writing.refusal?.errors ?? {};
  const said = (/** @type {string} */ name) =>
    errors[name] ? html`<p class="refusal" role="alert">${errors[name].join(" ")}</p>` : nothing;
  const isOfNone = writing.refusal && !errors.shortcut && !errors.body;
  return keyed(
    reply?.id ?? "new",
    html`<form class="reply-form" @submit=${submit} @keydown=${pressed}>
      <label>
        ${t("reply_shortcut")}
        <input name="shortcut" required autofocus autocomplete="off" maxlength=${limits.shortcut} value=${reply?.shortcut ?? ""} aria-invalid=${errors.shortcut ? "true" : nothing} />
      </label>
      ${said("shortcut")}
      <label>
        ${t("reply_body")}
        <textarea name="body" required rows="3" maxlength=${limits.reply} .value=${reply?.body ?? ""} aria-invalid=${errors.body ? "true" : nothing}></textarea>
      </label>
      ${said("body")}
      <label class="check"><input type="checkbox" name="is_shared" ?checked=${reply?.is_shared ?? false} /> ${t("reply_share")}</label>
      ${isOfNone && writing.refusal ? html`<p class="refusal" role="alert">${wordsOf(writing.refusal)}</p>` : nothing}
      <footer>
        <button type="button" class="quiet" @click=${() => write(null)}>${t("cancel")}</button>
        <button class="primary" ?disabled=${writing.isBusy}>${t("save")}</button>
      </footer>
    </form>`,
  );
}
