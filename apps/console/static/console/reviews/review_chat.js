/** The chat of a review: the messages from the begin of its episode on. A quote leads to its message. */

import { call, withQuery } from "../base/api.js";
import { dayOf, timeOf } from "../base/formats.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { words } from "./review_texts.js";

/** @import {OperatorMessage} from "../base/server_types.js" */
/** @import {State} from "../base/types.js" */

const A_PAGE = 100;
// An episode that is longer begins with its newest pages.
const MOST_PAGES = 10;

/**
 * The messages of a chat from the one that its episode begins with, the oldest first. Throws CallRefused.
 *
 * @param {number} chatId @param {number} episodeId
 * @returns {Promise<OperatorMessage[]>}
 */
export async function messagesFrom(chatId, episodeId) {
  /** @type {OperatorMessage[]} */
  const found = [];
  let cursor = "";
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await call("GET", withQuery(`chats/${chatId}/messages`, { limit: A_PAGE, cursor }));
    found.push(...answer.data);
    cursor = answer.next_cursor ?? "";
    if (!cursor || found.some(({ id }) => id <= episodeId)) break;
  }
  return found.filter(({ id }) => id >= episodeId).reverse();
}

/** @param {OperatorMessage[]} messages @param {State} state */
export const chatPart = (messages, state) => html`<ol class="review-chat" aria-label=${words().chat} tabindex="0">
  ${repeat(messages, ({ id }) => id, (message) => line(message, state))}
</ol>`;

/** @param {OperatorMessage} message @param {State} state */
function line(message, { agents }) {
  const { id, sender, ai, agent_id, is_note, created_at, body, deleted_at, name } = message;
  const isVisitor = sender.kind === "client";
  const who = isVisitor ? words().visitor : ((agent_id && agents.get(agent_id)?.name) ?? (ai ? words().ai : words().gone));
  const side = is_note ? "is-note" : isVisitor ? "is-visitor" : "is-ours";
  return html`<li id="review-message-${id}" class=${side} tabindex="-1">
    <p class="soft"><bdi>${who}</bdi>${ai ? html` · ${words().ai}` : nothing}${is_note ? html` · ${words().note_of}` : nothing} · ${dayOf(created_at)} ${timeOf(created_at)}</p>
    <p class="said" dir="auto">${deleted_at && !body ? html`<em>${words().deleted}</em>` : body || `${words().file}: ${name ?? message.type}`}</p>
  </li>`;
}

/** Shows the message of a quote, and lets it stand out. @param {number} id */
export function jumpTo(id) {
  const found = document.getElementById(`review-message-${id}`);
  if (!found) return;
  for (const each of document.querySelectorAll(".review-chat .is-quoted")) each.classList.remove("is-quoted");
  found.classList.add("is-quoted");
  found.scrollIntoView({ block: "center" });
  found.focus({ preventScroll: true });
}
