/** A chat in the list. */

import { faceOf, letters } from "../base/avatars.js";
import { css } from "../base/css.js";
import { channelName, marksOf, nameOf } from "../base/display_names.js";
import { placeOf } from "../base/folding.js";
import { shortTime, waitSince, whole } from "../base/formats.js";
import { icon } from "../base/icons.js";
import { t } from "../base/texts.js";
import { reasonOf } from "../chat/history_steps.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {InboxChat} from "../base/server_types.js" */
/** @import {State} from "../base/types.js" */

// Pixels; the style sheet knows it as --row-height.
export const ROW_HEIGHT = 72;
// Milliseconds from which a waiting is long.
const LONG = 5 * 60_000;

/** @param {InboxChat} row @param {State} state @param {number} place @param {number} setSize */
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
      <span class="who"><bdi class="name" title=${name}>${name}</bdi>${row.waits_since === null ? html`<time datetime=${moment} title=${whole(moment)}>${shortTime(moment)}</time>` : waits(row, row.waits_since)}</span>
      <span class="said">
        <span class="preview">${preview(row, state)}</span>
        ${row.is_unread ? html`<span class="dot"><span class="hear">${t("unread")}</span></span>` : nothing}
      </span>
      <span class="facts">
        ${row.sla ? due(row.sla) : nothing}
        ${row.priority === "normal" ? nothing : html`<span class="priority is-${row.priority}">${t(`priority_${row.priority}`)}</span>`}
        <span class="channel" title=${channelName(row.channel)}>${channelName(row.channel)}</span>
        ${row.status === "spam" || row.status === "expired" || row.status === "ready" ? html`<span class="state" title=${t(`row_${row.status}`)}>${t(`row_${row.status}`)}</span>` : nothing}
        ${row.waits_since === null ? share(row) : row.handed_over_at ? html`<span class="in-hand" title=${row.handover_reason ? reasonOf(row.handover_reason) : nothing}>${t("waits_for_person")}</span>` : nothing}
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

/** What a search has found, or what was said last, and by whom where it was not the visitor. @param {InboxChat} row @param {State} state */
function preview({ id, last_message: last }, { me, search }) {
  const matched = search?.matches.get(id);
  if (matched) return html`<bdi>${emphasised(matched.excerpt, search?.query ?? "")}</bdi>`;
  if (!last) return html`<em>${t("nothing_said")}</em>`;
  const text = last.preview || t(`type_${/** @type {"text"} */ (last.type)}`);
  const { kind, agent_id, name } = last.sender;
  if (kind === "client" || kind === "system") return html`<bdi>${text}</bdi>`;
  return html`<span class="by"><bdi>${agent_id !== null && agent_id === me?.id ? t("me") : (name ?? t("operator"))}</bdi>: </span><bdi>${text}</bdi>`;
}

/** How long the visitor has waited, in the time's place. @param {InboxChat} row @param {string} since */
function waits({ handover_reason: reason }, since) {
  const when = t("waits_since", { when: whole(since) });
  const lasts = Date.now() - Date.parse(since);
  const says = lasts < 60_000 ? t("now") : t("waits_for", { wait: waitSince(since) });
  return html`<span class="waits ${lasts >= LONG ? "is-long" : ""}" title=${reason ? `${when}. ${reasonOf(reason)}` : when}>${says}</span>`;
}

/** When the answer is due, that it is soon, or since when it is late; the hint says which answer. @param {NonNullable<InboxChat["sla"]>} sla */
function due({ metric, due_at, warned_at, breached_at }) {
  const now = new Date();
  const missed = breached_at ?? (now > new Date(due_at) ? due_at : null);
  const wait = missed ? waitSince(missed, now) : waitSince(now.toISOString(), new Date(due_at));
  const state = missed ? "late" : warned_at ? "soon" : "in";
  return html`<span class="due is-${state}" title=${t(`due_${metric}`, { when: whole(due_at) })}>${t(`due_${state}`, { wait })}</span>`;
}

/** The part of AI in a chat. @param {InboxChat} row */
function share({ handling }) {
  if (handling === "human" || handling === "missed") return nothing;
  return html`<span class="ai">${icon("spark")}<span>${t(`handling_${handling}`)}</span></span>`;
}
