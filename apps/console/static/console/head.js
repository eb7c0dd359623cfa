/**
 * Above the thread, in two lines: who is talked to, whether they are there, and what can be done first; then who has the
 * word, and where the chat stands.
 */

import { deedButtons, deedsOf } from "./deeds.js";
import { icon } from "./icons.js";
import { marksOf } from "./marks.js";
import { menuOf } from "./menus.js";
import { channelName, nameOf, visitorName } from "./names.js";
import { t } from "./texts.js";
import { waitSince, whole } from "./times.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";
import { timeOf } from "./words.js";

/** @import {Actions} from "./actions.js" */
/** @import {Deed} from "./deeds.js" */
/** @import {OpenChat, Row, State} from "./types.js" */

// Buttons beside the menu, at most.
const MAIN = 2;
const NARROW = "(max-width: 900px)";

/** Calls back when the head has another number of buttons. @param {() => void} changed */
export const watchWidth = (changed) => matchMedia(NARROW).addEventListener("change", changed);

/** Whether there is no such chat, as an address may name one. @param {OpenChat} open */
export const isMissing = ({ refusal }) => refusal?.code === "not_found";

/** Who handles it, and where it stands. @param {Row} row @param {State} state */
export function standing({ status, agent_id, department_id, channel, snooze }, { agents, departments, me }) {
  const owner = agent_id === null ? t("nobody") : agent_id === me?.id ? t("me") : (agents.get(agent_id)?.name ?? "");
  const department = departments.find(({ id }) => id === department_id)?.name;
  const sleeps = snooze ? (snooze.until ? t("snoozed_until", { when: whole(snooze.until) }) : t("snoozed_for_visitor")) : "";
  return [t(`chat_${status}`), owner, department, channelName(channel), sleeps].filter(Boolean).join(" · ");
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

/** That the owner of a chat which rings for all is not there. @param {Row} row @param {State} state */
export function whoIsAway({ agent_id, rings_for }, { agents }) {
  const owner = agent_id !== null && rings_for === "all" ? agents.get(agent_id) : undefined;
  return owner ? t("owner_away", { name: owner.name }) : "";
}

/** @param {OpenChat | null} open */
function presence(open) {
  const there = open?.card?.visitor?.presence;
  if (!there || there.state === "unknown") return nothing;
  const isHere = there.state === "here";
  const says = isHere ? t("here_now") : there.since ? t("left_ago", { ago: waitSince(there.since) }) : t("presence_unknown");
  return html`<span class="presence ${isHere ? "is-here" : ""}"><span>${says}</span></span>`;
}

/** The name of the button that has the focus: it stays what it is, and where it is. @param {Row} row @param {Deed[]} deeds */
function mainOf(row, deeds) {
  const focused = document.activeElement?.closest?.(".chat-header .deeds [data-deed]");
  const held = focused instanceof HTMLElement && focused.dataset.chat === `${row.id}` ? focused.dataset.deed : undefined;
  const most = matchMedia(NARROW).matches ? 1 : MAIN;
  const main = deeds.filter(({ name, isMain }) => isMain || name === held);
  const kept = main.findIndex(({ name }) => name === held);
  return kept >= most ? [...main.slice(0, most - 1), main[kept]].filter((deed) => deed !== undefined) : main.slice(0, most);
}

/** @param {State} state @param {Row | undefined} row @param {Actions} actions */
export function head(state, row, actions) {
  const { open } = state;
  const isComing = open && !isMissing(open);
  const name = open?.card ? visitorName(open.card.contact) : row ? nameOf(row) : "";
  const deeds = row ? deedsOf(row, state, actions) : [];
  const main = row ? mainOf(row, deeds) : [];
  const more = deeds.filter((deed) => !main.includes(deed));
  const says = row && [open ? whoAnswers(open) : "", standing(row, state), whoIsAway(row, state), ...marksOf(row)].filter(Boolean).join(" · ");
  return html`<header class="chat-header">
    <button type="button" class="quiet back" aria-label=${t("back")} title=${t("back")} @click=${() => actions.closeChat()}>
      ${icon("back")}
    </button>
    <div class="chat-title">
      <div class="called"><h2 title=${name}><bdi>${name}</bdi></h2>${presence(open)}</div>
      <p>${says || (isComing ? t("loading") : nothing)}</p>
    </div>
    <div class="deeds">${row ? deedButtons(row, main, actions) : nothing}</div>
    ${row && more.length ? menuOf("chat-deeds", t("more_deeds"), deedButtons(row, more, actions, "menuitem")) : nothing}
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
