/**
 * Above the thread, in two lines: the visitor's name and presence; then, in chips, the chat's state, owner and channel. The
 * buttons stand at its end.
 */

import { channelName, marksOf, nameOf, visitorName } from "../base/display_names.js";
import { timeOf, waitSince, whole } from "../base/formats.js";
import { icon } from "../base/icons.js";
import { menuOf } from "../base/menus.js";
import { t } from "../base/texts.js";
import { deedButtons, deedMenu, deedsOf } from "./chat_buttons.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Actions} from "../actions.js" */
/** @import {Deed} from "./chat_buttons.js" */
/** @import {InboxChat} from "../base/server_types.js" */
/** @import {OpenChat, State} from "../base/types.js" */

// Buttons beside the menu, at most.
const MAIN = 2;
const PLAIN = new Set(["close", "transfer", "return"]);
const NARROW = "(max-width: 1500px)";
const PHONE = "(max-width: 760px)";

/** Calls back when the head has another number of buttons. @param {() => void} changed */
export const watchWidth = (changed) => [NARROW, PHONE].forEach((width) => matchMedia(width).addEventListener("change", changed));

/** Whether there is no such chat, as an address may name one. @param {OpenChat} open */
export const isMissing = ({ refusal }) => refusal?.code === "not_found";

/** One chip: its words, its look, and more in its title. @typedef {{says: string, look?: string, more?: string}} Chip */

/** How the chat stands, in one word. @param {InboxChat} row @returns {Chip | null} */
function stateOf({ status, snooze, waits_since: since, last_message: last }) {
  if (snooze) return { says: t("chat_snoozed"), look: "is-warn", more: snooze.until ? t("snoozed_until", { when: whole(snooze.until) }) : t("snoozed_for_visitor") };
  if (status === "spam" || status === "expired") return { says: t(`chat_${status}`), look: status === "spam" ? "is-bad" : "" };
  if (since) return { says: t("chat_unanswered"), look: "is-warn", more: t("waits_since", { when: whole(since) }) };
  return last ? { says: t("chat_ready"), look: "is-good" } : null;
}

/** How the chat stands, whose it is, and which way it came. @param {InboxChat} row @param {State} state @returns {Chip[]} */
export function standing(row, { agents, departments, me }) {
  const { agent_id, department_id, channel } = row;
  const owner = agent_id === null ? t("nobody") : agent_id === me?.id ? t("me") : (agents.get(agent_id)?.name ?? "");
  const department = departments.length > 1 ? departments.find(({ id }) => id === department_id)?.name : "";
  const chips = [stateOf(row), { says: owner, more: agent_id === null || agent_id === me?.id ? "" : t("owned_by", { name: owner }) }, { says: channelName(channel) }, { says: department ?? "" }];
  return chips.filter((chip) => chip !== null && chip.says !== "").map((chip) => /** @type {Chip} */ (chip));
}

/** All that the second line says. @param {OpenChat | null} open @param {InboxChat} row @param {State} state @returns {Chip[]} */
function chipsOf(open, row, state) {
  const [first, ...others] = standing(row, state);
  const ai = open ? whoAnswers(open) : "";
  const away = whoIsAway(row, state);
  const urgency = row.priority === "normal" ? "" : t(`priority_${row.priority}`);
  return [urgency && { says: urgency, look: row.priority === "urgent" ? "is-bad" : row.priority === "high" ? "is-warn" : "" }, first, ai && { says: ai, look: isPersons(open) ? "" : "is-ai" }, away && { says: away, look: "is-warn" }, ...others, ...marksOf(row).map((says) => ({ says, look: "is-warn" }))].filter(
    (chip) => typeof chip === "object",
  );
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

/** Whether a person has the word, or is called. @param {OpenChat | null} open */
const isPersons = (open) => ["person", "waiting"].includes(open?.card?.answering?.mode ?? "") && !open?.card?.answering?.waits_for;

/** That the owner of a chat which rings for all is not there. @param {InboxChat} row @param {State} state */
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
  return html`<span class="presence ${isHere ? "is-here" : ""}" title=${there.since ? `${says} · ${whole(there.since)}` : says}><span>${says}</span></span>`;
}

/** The name of the button that has the focus: it stays what it is, and where it is. @param {InboxChat} row @param {Deed[]} deeds */
function mainOf(row, deeds) {
  const focused = document.activeElement?.closest?.(".chat-header .deeds [data-deed]");
  const held = focused instanceof HTMLElement && focused.dataset.chat === `${row.id}` ? focused.dataset.deed : undefined;
  const isPhone = matchMedia(PHONE).matches;
  const most = matchMedia(NARROW).matches ? 1 : MAIN;
  // On a phone the name has the room: a chat that is one's own has all in the menu.
  const main = deeds.filter(({ name, isMain }) => (isMain && !(isPhone && PLAIN.has(name))) || name === held);
  const kept = main.findIndex(({ name }) => name === held);
  return kept >= most ? [...main.slice(0, most - 1), main[kept]].filter((deed) => deed !== undefined) : main.slice(0, most);
}

/** @param {State} state @param {InboxChat | undefined} row @param {Actions} actions */
export function head(state, row, actions) {
  const { open } = state;
  const isComing = open && !isMissing(open);
  const name = open?.card ? visitorName(open.card.contact) : row ? nameOf(row) : "";
  const deeds = row ? deedsOf(row, state, actions) : [];
  const main = row ? mainOf(row, deeds) : [];
  const more = deeds.filter((deed) => !main.includes(deed));
  const chips = row ? chipsOf(open, row, state) : [];
  return html`<header class="chat-header">
    <button type="button" class="quiet back" aria-label=${t("back")} title=${t("back")} @click=${() => actions.chat.leave()}>
      ${icon("back")}
    </button>
    <div class="chat-title">
      <div class="called"><h2 title=${name}><bdi>${name}</bdi></h2>${presence(open)}</div>
      <p class="chips">${chips.map(({ says, look = "", more }) => html`<span class="tag ${look}" title=${more || says}>${look === "is-ai" ? icon("spark") : nothing}<span>${says}</span></span> `)}${chips.length || !isComing ? nothing : html`<span class="soft">${t("loading")}</span>`}</p>
    </div>
    <div class="deeds">${row ? deedButtons(row, main, actions, "head") : nothing}</div>
    ${row && more.length ? menuOf("chat-deeds", t("more_deeds"), deedMenu(row, more, actions)) : nothing}
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
