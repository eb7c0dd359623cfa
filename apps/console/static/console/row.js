/** A chat in the list. */

import { css } from "./css.js";
import { faceOf, letters } from "./faces.js";
import { placeOf } from "./folding.js";
import { icon } from "./icons.js";
import { marksOf } from "./marks.js";
import { channelName, nameOf } from "./names.js";
import { t } from "./texts.js";
import { shortTime, waitSince, whole } from "./times.js";
import { reasonOf } from "./steps.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";

/** @import {Row, State} from "./types.js" */

// Pixels; the style sheet knows it as --row-height.
export const ROW_HEIGHT = 80;

/** @param {Row} row @param {State} state @param {number} place @param {number} setSize */
export function row(row, state, place, setSize) {
  const { me, agents, selectedId, open } = state;
  // Of the question, not of what was done since.
  const moment = row.waits_since ?? row.last_message_at ?? row.created_at;
  const isOpen = open?.chatId === row.id;
  const name = nameOf(row);
  const owner = row.agent_id === null ? undefined : agents.get(row.agent_id);
  return html`<li aria-setsize=${setSize} aria-posinset=${place + 1} ${css({ transform: `translateY(${place * ROW_HEIGHT}px)` })}>
    <a
      id="chat-${row.id}"
      class="row ${row.is_unread ? "unread" : ""} ${selectedId === row.id ? "selected" : ""}"
      href="#/chats/${row.id}"
      aria-current=${isOpen ? "true" : nothing}
    >
      ${letters(name, row.contact_id)}
      <span class="who"><bdi class="name">${name}</bdi><time datetime=${moment} title=${whole(moment)}>${shortTime(moment)}</time></span>
      <span class="said">
        <span class="preview">${preview(row, state)}</span>
        ${row.is_unread ? html`<span class="dot"><span class="hear">${t("unread")}</span></span>` : nothing}
      </span>
      <span class="facts">
        <span>${channelName(row.channel)}</span>
        ${row.status === "spam" || row.status === "expired" || row.status === "ready" ? html`<span>${t(`row_${row.status}`)}</span>` : nothing}
        ${row.waits_since === null ? share(row) : waits(row, row.waits_since)}
        ${row.back_since ? html`<span class="in-hand">${t("snooze_back")}</span>` : nothing}
        ${row.snooze?.until ? html`<span class="in-hand" title=${whole(row.snooze.until)}>${t("snoozed_until", { when: shortTime(row.snooze.until) })}</span>` : nothing}
        ${marksOf(row).map((mark) => html`<span class="in-hand" title=${mark}>${mark}</span>`)}
        ${
          owner
            ? html`<span class="owner" title=${t("owned_by", { name: owner.name })}>
                ${faceOf(owner)}<span><bdi>${owner.id === me?.id ? t("me") : owner.name}</bdi></span>
              </span>`
            : nothing
        }
      </span>
    </a>
  </li>`;
}

/** A text with a term in it made to stand out. @param {string} text @param {string} term */
function emphasised(text, term) {
  const place = placeOf(text, term);
  if (!place) return text;
  return html`${text.slice(0, place.start)}<mark>${text.slice(place.start, place.end)}</mark>${text.slice(place.end)}`;
}

/** What a search has found, or what was said last, and by whom where it was not the visitor. @param {Row} row @param {State} state */
function preview({ id, last_message: last }, { me, search }) {
  const matched = search?.matches.get(id);
  if (matched) return html`<bdi>${emphasised(matched.excerpt, search?.query ?? "")}</bdi>`;
  if (!last) return html`<em>${t("nothing_said")}</em>`;
  const text = last.preview || t(`type_${/** @type {"text"} */ (last.type)}`);
  const { kind, agent_id, name } = last.sender;
  if (kind === "client" || kind === "system") return html`<bdi>${text}</bdi>`;
  return html`<span class="by"><bdi>${agent_id !== null && agent_id === me?.id ? t("me") : (name ?? t("operator"))}</bdi>: </span><bdi>${text}</bdi>`;
}

/** How long the visitor has waited, and whether a machine has handed the chat to people. @param {Row} row @param {string} since */
function waits({ handed_over_at, handover_reason: reason }, since) {
  const when = t("waits_since", { when: whole(since) });
  return html`<span class="waits" title=${reason ? `${when}. ${reasonOf(reason)}` : when}
    >${handed_over_at ? `${t("waits_for_person")}, ` : ""}${waitSince(since)}</span
  >`;
}

/** The part of AI in a chat. @param {Row} row */
function share({ handling }) {
  if (handling === "human" || handling === "missed") return nothing;
  return html`<span class="ai">${icon("spark")}<span>${t(`handling_${handling}`)}</span></span>`;
}
