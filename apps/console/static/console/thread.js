/** The middle of the page: who is talked to and what can be done with the chat, the thread, and where one writes. */

import { html, nothing } from "./vendor/lit-html/lit-html.js";
import { composer, dropping } from "./composer.js";
import { icon } from "./icons.js";
import { repeat } from "./vendor/lit-html/directives/repeat.js";
import { t } from "./texts.js";
import { log } from "./log.js";
import { marksOf } from "./marks.js";
import { channelName, nameOf, visitorName } from "./names.js";
import { timeOf, wordsOf } from "./words.js";

/** @import {OpenChat, Row, State} from "./types.js" */
/** @import {Actions} from "./actions.js" */
/** @import {TextKey} from "./texts.js" */

/** What is under way in which chat: its buttons wait for the answer. @type {Map<number, string>} */
const underWay = new Map();

/**
 * What can be done with a chat: a button, and whether it stands above the thread, too.
 *
 * @typedef {{name: string, label: TextKey, isMain: boolean, does: () => Promise<unknown> | void}} Deed
 */

/** What can be done with the chat as it is now. @param {Row} row @param {State} state @param {Actions} actions @returns {Deed[]} */
export function deedsOf(row, { me, open }, actions) {
  const { id, status } = row;
  const dialog = (/** @type {string} */ name) => () => actions.showDialog({ name, chatId: id });
  const isMine = row.agent_id !== null && row.agent_id === me?.id;
  if (status === "spam") {
    return [
      { name: "not-spam", label: "not_spam", isMain: true, does: () => actions.setState(id, "active") },
      { name: "block", label: "block", isMain: false, does: dialog("block") },
    ];
  }
  /** @type {Deed | false} */
  const dealtWith = row.waits_since !== null && { name: "dealt-with", label: "dealt_with", isMain: true, does: () => actions.dealWith(id) };
  // Where AI answers, too, it is given back with one click.
  const isShared = open?.chatId === id && Boolean(open.card?.answering);
  /** @type {Deed | false} */
  const giveBack = isMine && { name: "return", label: "give_back", isMain: isShared, does: () => actions.giveBack(id) };
  /** @type {(Deed | false)[]} */
  const deeds = [
    !isMine && { name: "accept", label: row.agent_id === null ? "accept" : "take", isMain: true, does: () => actions.accept(id, row.agent_id !== null) },
    isShared && giveBack,
    status === "expired" && dealtWith,
    status === "expired"
      ? { name: "reopen", label: "reopen", isMain: true, does: () => actions.setState(id, "active") }
      : { name: "close", label: "close_chat", isMain: true, does: dialog("close") },
    status !== "expired" && dealtWith,
    { name: "transfer", label: "transfer", isMain: status !== "expired", does: dialog("transfer") },
    { name: "assign", label: "assign", isMain: false, does: dialog("assign") },
    { name: "rate-request", label: "rating_ask", isMain: false, does: () => actions.askRating(id) },
    !isShared && giveBack,
    { name: "spam", label: "spam", isMain: false, does: dialog("spam") },
    { name: "block", label: "block", isMain: false, does: dialog("block") },
  ];
  return deeds.filter((deed) => deed !== false);
}

/** Each stays the button that it is while others come and go beside it. @param {Row} row @param {Deed[]} deeds @param {Actions} actions */
export const deedButtons = (row, deeds, actions) =>
  repeat(
    deeds,
    ({ name }) => `${row.id} ${name}`,
    (deed) => deedButton(row, deed, actions),
  );

/** @param {Row} row @param {Deed} deed @param {Actions} actions */
function deedButton(row, deed, actions) {
  const run = async () => {
    const work = deed.does();
    if (!work) return;
    underWay.set(row.id, deed.name);
    actions.redraw();
    await work;
    underWay.delete(row.id);
    actions.redraw();
  };
  return html`<button
    type="button"
    class=${deed.name === "accept" ? "primary" : nothing}
    ?disabled=${underWay.has(row.id)}
    aria-busy=${underWay.get(row.id) === deed.name ? "true" : nothing}
    @click=${run}
  >
    ${t(deed.label)}
  </button>`;
}

/** Who handles it, and where it stands. @param {Row} row @param {State} state */
export function standing({ status, agent_id, department_id, channel }, { agents, departments, me }) {
  const owner = agent_id === null ? t("nobody") : agent_id === me?.id ? t("me") : (agents.get(agent_id)?.name ?? "");
  const department = departments.find(({ id }) => id === department_id)?.name;
  return [t(`chat_${status}`), owner, department, channelName(channel)].filter(Boolean).join(" · ");
}

/** Who has the word where AI answers, too; "" where it does not. @param {OpenChat} open */
export function whoAnswers({ card }) {
  const answering = card?.answering;
  if (!answering) return "";
  if (answering.waits_for) {
    const { name, since } = answering.waits_for;
    return t("answers_program", { name, seconds: String(Math.max(0, Math.round((Date.now() - Date.parse(since)) / 1000))) });
  }
  if (answering.is_shadow) return t("answers_shadow");
  const { mode, looks_at } = answering;
  const isTimed = looks_at !== null && (mode === "person" || mode === "waiting");
  return isTimed ? t("answers_at", { time: timeOf(looks_at) }) : t(`answers_${mode}`);
}

/** Whether there is no such chat, as an address may name one. @param {OpenChat} open */
export const isMissing = ({ refusal }) => refusal?.code === "not_found";

/** @param {State} state @param {Actions} actions */
export function view(state, actions) {
  const { open } = state;
  if (!open) {
    return html`<p class="empty">${t("choose_chat")}</p>`;
  }
  const row = state.rows.get(open.chatId);
  if (isMissing(open)) return html`<div class="chat">${header(state, row, actions)} ${refused(open, actions)}</div>`;
  const drop = dropping(state, actions);
  return html`<div class="chat" @dragover=${drop} @dragleave=${drop} @drop=${drop}>
    ${header(state, row, actions)} ${refused(open, actions)} ${log(state, actions)} ${composer(state, actions)}
  </div>`;
}

/** @param {OpenChat} open @param {Actions} actions */
function refused({ refusal }, actions) {
  if (!refusal) return nothing;
  return html`<p class="refused" role="alert">
    ${wordsOf(refusal)}
    <button type="button" class="quiet" @click=${() => void actions.loadHistory()}>${t("try_again")}</button>
  </p>`;
}

/** @param {State} state @param {Row | undefined} row @param {Actions} actions */
function header(state, row, actions) {
  const isComing = state.open && !isMissing(state.open);
  const name = state.open?.card ? visitorName(state.open.card.contact) : row ? nameOf(row) : "";
  const deeds = row ? deedsOf(row, state, actions).filter(({ isMain }) => isMain) : [];
  return html`<header class="chat-header">
    <button type="button" class="quiet back" aria-label=${t("back")} title=${t("back")} @click=${() => actions.closeChat()}>
      ${icon("back")}
    </button>
    <div class="chat-title">
      <h2><bdi>${name}</bdi></h2>
      <p>${row ? [standing(row, state), state.open ? whoAnswers(state.open) : "", ...marksOf(row)].filter(Boolean).join(" · ") : isComing ? t("loading") : nothing}</p>
    </div>
    <div class="deeds">${row ? deedButtons(row, deeds, actions) : nothing}</div>
    <button
      type="button"
      class="quiet details"
      aria-label=${t("details")}
      title=${t("details")}
      @click=${() => actions.showPane("card")}
    >
      ${icon("card")}
    </button>
  </header>`;
}
