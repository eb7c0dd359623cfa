/** What can be done with a chat: its buttons, above the thread, in the menu beside them and in the card. */

import { icon } from "../base/icons.js";
import { t } from "../base/texts.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {InboxChat} from "../base/server_types.js" */
/** @import {State} from "../base/types.js" */
/** @import {Actions} from "../actions.js" */
/** @import {IconName} from "../base/icons.js" */
/** @import {TextKey} from "../base/texts.js" */

/** What is under way in which chat: its buttons wait for the answer. @type {Map<number, string>} */
const underWay = new Map();

/**
 * What can be done with a chat: a button, and whether it stands above the thread; all others are in the menu there.
 *
 * @typedef {{name: string, label: TextKey, isMain: boolean, does: () => Promise<unknown> | void}} Deed
 */

/** The picture of each, and its key. @type {Record<string, [IconName, string?]>} */
const LOOKS = {
  "not-spam": ["inbox"],
  reopen: ["reopen"],
  accept: ["hand", "a"],
  close: ["done", "e"],
  "close-why": ["done"],
  translation: ["globe"],
  return: ["unassign"],
  transfer: ["transfer", "t"],
  assign: ["assign"],
  "dealt-with": ["checks", "d"],
  "rate-request": ["star"],
  review: ["checks"],
  priority: ["flag", "p"],
  snooze: ["clock", "z"],
  wake: ["clock"],
  spam: ["spam"],
  block: ["block"],
};

/** The parts of the menu: to do now, later, and those that are not undone with one click. */
const LATER = new Set(["snooze", "wake"]);
const DANGER = new Set(["spam", "block"]);
const GROUPS = [
  (/** @type {Deed} */ { name }) => !LATER.has(name) && !DANGER.has(name),
  (/** @type {Deed} */ { name }) => LATER.has(name),
  (/** @type {Deed} */ { name }) => DANGER.has(name),
];

/** What can be done with the chat as it is now; at most two are main. @param {InboxChat} row @param {State} state @param {Actions} actions @returns {Deed[]} */
export function deedsOf(row, { me, open }, actions) {
  const { id, status } = row;
  const dialog = (/** @type {string} */ name) => () => actions.showDialog({ name, chatId: id });
  if (status === "spam") {
    return [
      { name: "not-spam", label: "not_spam", isMain: true, does: () => actions.chat.setState(id, "active") },
      { name: "block", label: "block", isMain: false, does: dialog("block") },
    ];
  }
  const isFree = row.agent_id === null;
  const isMine = !isFree && row.agent_id === me?.id;
  const isClosed = status === "expired";
  // Where AI answers, too, it is given back with one click.
  const isShared = open?.chatId === id && Boolean(open.card?.answering);
  const giveBack = { name: "return", label: /** @type {TextKey} */ ("give_back"), isMain: isShared && !isClosed, does: () => actions.chat.giveBack(id) };
  /** @type {(Deed | false)[]} */
  const deeds = [
    isClosed && { name: "reopen", label: "reopen", isMain: true, does: () => actions.chat.setState(id, "active") },
    !isMine && { name: "accept", label: isFree ? "accept" : "take", isMain: !isClosed, does: () => actions.chat.accept(id, !isFree) },
    isMine && isShared && giveBack,
    !isClosed && { name: "close", label: "close_chat", isMain: isFree || isMine, does: () => actions.chat.close(id) },
    open?.chatId === id && Boolean(open.card?.translation?.is_possible) && { name: "translation", label: "translation_open", isMain: false, does: dialog("translation") },
    isMine && !isShared && giveBack,
    { name: "transfer", label: "transfer", isMain: isMine && !isShared && !isClosed, does: dialog("transfer") },
    row.waits_since !== null && { name: "dealt-with", label: "dealt_with", isMain: false, does: () => actions.chat.dealWith(id) },
    !isClosed && { name: "close-why", label: "close_why", isMain: false, does: dialog("close") },
    row.snooze
      ? { name: "wake", label: "wake", isMain: false, does: () => actions.chat.wake(id) }
      : { name: "snooze", label: "snooze", isMain: false, does: dialog("snooze") },
    { name: "priority", label: "priority", isMain: false, does: dialog("priority") },
    { name: "assign", label: "assign", isMain: false, does: dialog("assign") },
    { name: "rate-request", label: "rating_ask", isMain: false, does: () => actions.chat.askRating(id) },
    Boolean(actions.hasReviews && actions.isManager) && { name: "review", label: "review_chat", isMain: false, does: () => actions.chat.review(id) },
    { name: "spam", label: "spam", isMain: false, does: dialog("spam") },
    { name: "block", label: "block", isMain: false, does: dialog("block") },
  ];
  return deeds.filter((deed) => deed !== false);
}

/**
 * Each stays the button that it is while others come and go beside it. Only the head has a primary one.
 *
 * @param {InboxChat} row @param {Deed[]} deeds @param {Actions} actions @param {"head" | "menu" | "card"} place
 */
export const deedButtons = (row, deeds, actions, place) =>
  repeat(
    deeds,
    ({ name }) => `${row.id} ${name}`,
    (deed) => deedButton(row, deed, actions, place),
  );

/** The menu: its parts, divided. @param {InboxChat} row @param {Deed[]} deeds @param {Actions} actions */
export function deedMenu(row, deeds, actions) {
  const groups = GROUPS.map((has) => deeds.filter(has)).filter((group) => group.length);
  return groups.map((group, place) => html`${place ? html`<hr />` : nothing}${deedButtons(row, group, actions, "menu")}`);
}

/** @param {InboxChat} row @param {Deed} deed @param {Actions} actions @param {"head" | "menu" | "card"} place */
function deedButton(row, deed, actions, place) {
  const run = async () => {
    const work = deed.does();
    if (!work) return;
    underWay.set(row.id, deed.name);
    actions.redraw();
    await work;
    underWay.delete(row.id);
    actions.redraw();
  };
  const isItem = place === "menu";
  const [picture, key] = LOOKS[deed.name] ?? ["more"];
  const look = isItem ? `item ${DANGER.has(deed.name) ? "danger" : ""}` : place === "head" && deed.name === "accept" ? "primary" : nothing;
  return html`<button
    type="button"
    role=${isItem ? "menuitem" : nothing}
    data-deed=${deed.name}
    data-chat=${row.id}
    class=${look}
    title=${deed.name === "rate-request" ? t("rating_ask_hint") : place === "head" ? t(deed.label) : nothing}
    ?disabled=${underWay.has(row.id)}
    aria-busy=${underWay.get(row.id) === deed.name ? "true" : nothing}
    @click=${run}
  >
    ${place === "card" ? nothing : icon(picture)}<span>${t(deed.label)}</span>${isItem && key ? html`<kbd aria-hidden="true">${key.toUpperCase()}</kbd>` : nothing}
  </button>`;
}
