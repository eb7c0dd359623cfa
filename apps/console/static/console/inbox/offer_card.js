/** A chat that is offered to this operator: who waits, why they before others, and how long it stays theirs to take. */

import { letters } from "../base/avatars.js";
import { css } from "../base/css.js";
import { nameOf } from "../base/display_names.js";
import { waitSince } from "../base/formats.js";
import { t } from "../base/texts.js";
import { words } from "./offer_texts.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Actions} from "../actions.js" */
/** @import {InboxChat, Why} from "../base/server_types.js" */
/** @import {State} from "../base/types.js" */

const SECOND = 1_000;

/** Offers that were answered just now: they are gone before the server says so. @type {Map<number, string>} */
const answered = new Map();

/** The offers of this operator that stand, the one that ends first before the others. @param {State} state @param {number} [now] */
export function offersOf({ rows, me }, now = Date.now()) {
  const mine = [...rows.values()].filter(({ id, offer }) => offer && offer.agent_id === me?.id && Date.parse(offer.until) > now && answered.get(id) !== offer.since);
  return mine.sort((a, b) => (a.offer?.until ?? "").localeCompare(b.offer?.until ?? ""));
}

/** The reasons in words: "fewest open (1 of 5), reads the visitor's language". @param {Why} why */
export function reasonsOf({ reasons, load, capacity }) {
  return reasons.map((each) => words().reasons[each]?.(load, capacity) ?? each).join(", ");
}

/** @param {State} state @param {Actions} actions */
export function offers(state, actions) {
  const shown = offersOf(state);
  if (!shown.length) return nothing;
  return html`<section class="offers" role="region" aria-label=${words().offers}>
    ${repeat(
      shown,
      ({ id, offer }) => `${id} ${offer?.since}`,
      (row) => card(row, actions),
    )}
  </section>`;
}

/** @param {InboxChat} row @param {Actions} actions */
function card(row, actions) {
  const { id, offer, waits_since: since } = row;
  if (!offer) return nothing;
  const left = Math.max(0, Math.ceil((Date.parse(offer.until) - Date.now()) / SECOND));
  const whole = Math.max(1, (Date.parse(offer.until) - Date.parse(offer.since)) / SECOND);
  const name = nameOf(row);
  const answer = async (/** @type {() => Promise<boolean>} */ work, /** @type {boolean} */ opens) => {
    answered.set(id, offer.since);
    actions.redraw();
    const isDone = await work();
    if (!isDone) answered.delete(id);
    else if (opens) actions.chat.open(id);
    actions.redraw();
  };
  return html`<article class="offer" aria-label=${words().offer(name)}>
    ${letters(name, row.contact_id)}
    <div class="about">
      <p><strong><bdi>${name}</bdi></strong>${row.priority === "normal" ? nothing : html` <span class="priority is-${row.priority}">${t(`priority_${row.priority}`)}</span>`}
        ${since ? html`<span class="soft">${t("waits_for", { wait: waitSince(since) })}</span>` : nothing}</p>
      ${row.last_message?.preview ? html`<p class="preview"><bdi>${row.last_message.preview}</bdi></p>` : nothing}
      ${offer.why?.reasons.length ? html`<p class="soft why">${words().why(reasonsOf(offer.why))}</p>` : nothing}
    </div>
    <div class="answers">
      <button type="button" class="primary" @click=${() => void answer(() => actions.chat.accept(id, true), true)}>${words().take} <span aria-hidden="true">${left}</span></button>
      <button type="button" class="quiet" @click=${() => void answer(() => actions.chat.decline(id), false)}>${words().pass}</button>
    </div>
    <span class="left" aria-hidden="true" ${css({ "--left": `${Math.min(1, left / whole)}` })}></span>
  </article>`;
}
