/** A review beside its chat: scores by hand, with a model's suggestion; the operator's reply; its end. */

import { call, limits } from "../base/api.js";
import { icon } from "../base/icons.js";
import { t } from "../base/texts.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { chatPart, messagesFrom } from "./review_chat.js";
import { focusOn, pressed } from "./review_keys.js";
import { flagsOf, subjectOf } from "./review_list.js";
import { words } from "./review_texts.js";
import { givenOf, scoresPart } from "./scores_form.js";

/** @import {Actions} from "../actions.js" */
/** @import {OperatorMessage} from "../base/server_types.js" */
/** @import {State} from "../base/types.js" */
/** @import {Review} from "./review_list.js" */
/** @import {Criterion, Given} from "./scores_form.js" */

// Milliseconds between two looks at a suggestion that is made.
const LOOK_EVERY = 2_000;

/** @typedef {{ review: Review, criteria: Criterion[], given: Given, comment: string, reply: string, messages: OperatorMessage[] | null }} OpenReview */
/** @type {OpenReview | null} */
let open = null;
const opened = () => /** @type {OpenReview | null} */ (open);
let problem = "";
let isBusy = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let looking;
/** @type {Actions} */
let page;

/** Reads a review with its scorecard and its chat; null closes it. @param {number | null} id @param {Actions} actions */
export async function openReview(id, actions) {
  page = actions;
  if (id === (open?.review.id ?? null)) return;
  clearTimeout(looking);
  open = null;
  problem = "";
  if (id === null) return;
  const answer = await actions.tried(() => call("GET", `reviews/${id}`));
  if (!answer || location.hash !== `#/reviews/${id}`) return;
  const card = await actions.tried(() => call("GET", `scorecard?version=${answer.data.scorecard_version}`));
  if (!card) return;
  begin(answer.data, card.data.criteria);
  page.afterDrawing(() => open && focusOn(open.criteria, 0));
  const messages = await actions.tried(() => messagesFrom(answer.data.chat_id, answer.data.episode_id));
  const shown = opened();
  if (shown?.review.id !== id) return;
  shown.messages = messages ?? [];
  page.redraw();
}

/** @param {Review} review @param {Criterion[]} all */
function begin(review, all) {
  const criteria = all.filter(({ applies }) => applies === "both" || applies === review.subject.kind);
  const messages = open?.review.id === review.id ? open.messages : null;
  open = { review, criteria, given: givenOf(criteria, review.scores), comment: review.comment, reply: "", messages };
  page.redraw();
  look();
}

/** Looks again while a model works. */
function look() {
  clearTimeout(looking);
  if (open?.review.prefill.state !== "pending") return;
  looking = setTimeout(async () => {
    const id = opened()?.review.id;
    const answer = await page.tried(() => call("GET", `reviews/${id}`));
    const shown = opened();
    if (!answer || !shown || shown.review.id !== id) return;
    shown.review = { ...shown.review, prefill: answer.data.prefill };
    page.redraw();
    look();
  }, LOOK_EVERY);
}

/** @param {State} state @param {boolean} isManager */
const rights = ({ me }, isManager) => {
  const { state = "open", subject } = open?.review ?? {};
  const isOwn = subject?.kind === "person" && subject.agent_id === me?.id;
  return {
    isOwn,
    mayScore: isManager && !isOwn && (state === "open" || state === "done"),
    maySettle: isManager && !isOwn && (state === "done" || state === "answered"),
    mayReply: isOwn && state === "done",
  };
};

/** Sends something, and shows the review as it is then. @param {"PUT" | "POST"} method @param {string} path @param {object} [body] */
async function send(method, path, body) {
  if (!open || isBusy) return null;
  isBusy = true;
  problem = "";
  page.redraw();
  const { criteria, review } = open;
  const answer = await page.tried(() => call(method, `reviews/${review.id}/${path}`, body));
  isBusy = false;
  if (answer && open?.review.id === review.id) begin(answer.data, criteria);
  page.redraw();
  return answer ? /** @type {Review} */ (answer.data) : null;
}

/** Saves the scores, all of which must be there; then `next` is called, but a blind review stays beside the model's. */
async function save(/** @type {(review: Review) => void} */ next) {
  const scores = scoresGiven();
  if (!open || !scores) return;
  const saved = await send("PUT", "scores", { version: open.review.version, scores, comment: open.comment });
  if (!saved) return;
  page.echo(`${words().saved}: ${saved.score === null ? words().no_score : words().score(saved.score)}`);
  if (!(saved.is_blind && saved.prefill.scores.length)) next(saved);
}

/** The scores as the server takes them; null where one is missing, which is told. */
function scoresGiven() {
  if (!open) return null;
  const missing = open.criteria.findIndex(({ key }) => open?.given.get(key)?.value === undefined);
  if (missing >= 0) {
    problem = words().missing;
    focusOn(open.criteria, missing);
    page.redraw();
    return null;
  }
  return [...open.given].map(([key, { value, note }]) => ({ key, value, note }));
}

async function settle() {
  const scores = open?.review.state === "done" || open?.review.state === "answered" ? scoresGiven() : null;
  if (!open || !scores) return;
  await send("POST", "settle", { version: open.review.version, scores, comment: open.comment });
}

/** @param {KeyboardEvent} event @param {State} state @param {boolean} isManager @param {(review: Review) => void} next @param {() => void} leave */
export function reviewKey(event, state, isManager, next, leave) {
  if (!open) return false;
  const { mayScore, maySettle } = rights(state, isManager);
  const { criteria, given, review } = open;
  const form = { criteria, given, suggested: review.prefill.scores, isReadOnly: !mayScore && !maySettle, changed: page.redraw, leave };
  return pressed(event, { ...form, save: () => void (mayScore ? save(next) : nothing) });
}

/** @param {State} state @param {boolean} isManager @param {(review: Review) => void} next */
export function reviewPart(state, isManager, next) {
  if (!open) return html`<p role="status">${t("loading")}</p>`;
  const { review, messages } = open;
  return html`<div class="review">
    <section class="beside" aria-label=${words().chat}>
      <h2>${words().chat} <a href="#/chats/${review.chat_id}">${words().open_chat}</a></h2>
      ${messages ? chatPart(messages, state) : html`<p role="status">${t("loading")}</p>`}
    </section>
    <section class="scores" aria-label=${words().scorecard}>${headPart(review, state)} ${formPart(review, state, isManager, next)}</section>
  </div>`;
}

/** @param {Review} review @param {State} state */
const headPart = (review, state) => html`<h2><bdi>${subjectOf(review, state)}</bdi></h2>
  <p class="soft">
    ${words().states[review.state]} · ${words().origins[review.origin]}${review.flags.length ? html` · ${flagsOf(review)}` : nothing}
    ${review.score === null ? nothing : html` · <strong>${words().score(review.score)}</strong>`} ${review.reviewer ? html` · ${words().by(review.reviewer.name)}` : nothing}
  </p>`;

/** @param {Review} review @param {State} state @param {boolean} isManager @param {(review: Review) => void} next */
function formPart(review, state, isManager, next) {
  if (!open) return nothing;
  const { isOwn, mayScore, maySettle, mayReply } = rights(state, isManager);
  const isReadOnly = !mayScore && !maySettle;
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    void save(next);
  };
  return html`<form @submit=${submit}>
    ${isOwn && isManager && review.state === "open" ? html`<p role="status">${words().own}</p>` : nothing} ${isManager ? prefillPart(review, mayScore) : nothing}
    ${scoresPart(open.criteria, open.given, review.prefill.scores, isReadOnly, page.redraw)} ${commentPart(isReadOnly)}
    ${review.reply ? html`<h3>${words().reply_of}</h3><p class="reply" dir="auto">${review.reply.text}</p>` : nothing}
    ${problem ? html`<p class="refused" role="alert">${problem}</p>` : nothing}
    <p class="buttons">
      ${mayScore ? html`<button class="primary" ?disabled=${isBusy}>${words().save}</button>` : nothing}
      ${maySettle ? html`<button type="button" ?disabled=${isBusy} @click=${() => void settle()}>${words().settle}</button>` : nothing}
    </p>
    ${mayScore ? html`<p class="soft keys">${words().keys}</p>` : nothing}
  </form>
  ${mayReply ? replyPart() : nothing}`;
}

/** @param {boolean} isReadOnly */
function commentPart(isReadOnly) {
  const comment = open?.comment ?? "";
  if (isReadOnly) return comment ? html`<h3>${words().comment}</h3><p class="reply" dir="auto">${comment}</p>` : nothing;
  const keep = (/** @type {Event} */ { target }) => {
    if (open) open.comment = /** @type {HTMLTextAreaElement} */ (target).value;
  };
  return html`<label class="comment">${words().comment}<textarea rows="3" maxlength=${limits.review_text} dir="auto" .value=${comment} @input=${keep}></textarea></label>`;
}

/** The way to a model's suggestion, and how far it is. @param {Review} review @param {boolean} mayScore */
function prefillPart({ prefill, is_blind, state }, mayScore) {
  const isHidden = is_blind && state === "open";
  if (prefill.state === "pending") return html`<p role="status">${words().pending}</p>`;
  if (prefill.state === "ready") return isHidden ? html`<p class="soft">${words().blind}</p>` : nothing;
  if (!mayScore) return nothing;
  return html`${isHidden ? html`<p class="soft">${words().blind}</p>` : nothing} ${prefill.state === "failed" ? html`<p role="status">${words().failed}</p>` : nothing}
    <p><button type="button" ?disabled=${isBusy} @click=${() => void send("POST", "prefill")}>${icon("spark")} ${words().ask}</button></p>`;
}

function replyPart() {
  const keep = (/** @type {Event} */ { target }) => {
    if (open) open.reply = /** @type {HTMLTextAreaElement} */ (target).value;
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (open?.reply.trim()) void send("POST", "reply", { text: open.reply });
  };
  return html`<form class="own-reply" @submit=${submit}>
    <label class="comment">${words().reply}<textarea rows="3" maxlength=${limits.review_text} required dir="auto" .value=${open?.reply ?? ""} @input=${keep}></textarea></label>
    <p class="buttons"><button class="primary" ?disabled=${isBusy}>${words().send_reply}</button></p>
  </form>`;
}
