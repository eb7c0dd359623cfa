/** What can be done with a chat: its buttons, above the thread, in the menu beside them and in the card. */

import { repeat } from "./vendor/lit-html/directives/repeat.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";
import { t } from "./texts.js";

/** @import {Row, State} from "./types.js" */
/** @import {Actions} from "./actions.js" */
/** @import {TextKey} from "./texts.js" */

/** What is under way in which chat: its buttons wait for the answer. @type {Map<number, string>} */
const underWay = new Map();

/**
 * What can be done with a chat: a button, and whether it stands above the thread; all others are in the menu there.
 *
 * @typedef {{name: string, label: TextKey, isMain: boolean, does: () => Promise<unknown> | void}} Deed
 */

/** What can be done with the chat as it is now; at most two are main. @param {Row} row @param {State} state @param {Actions} actions @returns {Deed[]} */
export function deedsOf(row, { me, open }, actions) {
  const { id, status } = row;
  const dialog = (/** @type {string} */ name) => () => actions.showDialog({ name, chatId: id });
  if (status === "spam") {
    return [
      { name: "not-spam", label: "not_spam", isMain: true, does: () => actions.setState(id, "active") },
      { name: "block", label: "block", isMain: false, does: dialog("block") },
    ];
  }
  const isFree = row.agent_id === null;
  const isMine = !isFree && row.agent_id === me?.id;
  const isClosed = status === "expired";
  // Where AI answers, too, it is given back with one click.
  const isShared = open?.chatId === id && Boolean(open.card?.answering);
  /** @type {(Deed | false)[]} */
  const deeds = [
    isClosed && { name: "reopen", label: "reopen", isMain: true, does: () => actions.setState(id, "active") },
    !isMine && { name: "accept", label: isFree ? "accept" : "take", isMain: !isClosed, does: () => actions.accept(id, !isFree) },
    !isClosed && { name: "close", label: "close_chat", isMain: isFree || isMine, does: () => actions.close(id) },
    isMine && { name: "return", label: "give_back", isMain: isShared && !isClosed, does: () => actions.giveBack(id) },
    { name: "transfer", label: "transfer", isMain: isMine && !isShared && !isClosed, does: dialog("transfer") },
    row.waits_since !== null && { name: "dealt-with", label: "dealt_with", isMain: false, does: () => actions.dealWith(id) },
    !isClosed && { name: "close-why", label: "close_why", isMain: false, does: dialog("close") },
    row.snooze
      ? { name: "wake", label: "wake", isMain: false, does: () => actions.wake(id) }
      : { name: "snooze", label: "snooze", isMain: false, does: dialog("snooze") },
    { name: "assign", label: "assign", isMain: false, does: dialog("assign") },
    { name: "rate-request", label: "rating_ask", isMain: false, does: () => actions.askRating(id) },
    { name: "spam", label: "spam", isMain: false, does: dialog("spam") },
    { name: "block", label: "block", isMain: false, does: dialog("block") },
  ];
  return deeds.filter((deed) => deed !== false);
}

/** Each stays the button that it is while others come and go beside it. @param {Row} row @param {Deed[]} deeds @param {Actions} actions @param {string} [role] */
export const deedButtons = (row, deeds, actions, role) =>
  repeat(
    deeds,
    ({ name }) => `${row.id} ${name}`,
    (deed) => deedButton(row, deed, actions, role),
  );

/** @param {Row} row @param {Deed} deed @param {Actions} actions @param {string} [role] */
function deedButton(row, deed, actions, role) {
  const run = async () => {
    const work = deed.does();
    if (!work) return;
    underWay.set(row.id, deed.name);
    actions.redraw();
    await work;
    underWay.delete(row.id);
    actions.redraw();
  };
  const isPrimary = !role && deed.name === "accept";
  return html`<button
    type="button"
    role=${role ?? nothing}
    data-deed=${deed.name}
    data-chat=${row.id}
    class=${role ? "item" : isPrimary ? "primary" : nothing}
    title=${deed.name === "rate-request" ? t("rating_ask_hint") : nothing}
    ?disabled=${underWay.has(row.id)}
    aria-busy=${underWay.get(row.id) === deed.name ? "true" : nothing}
    @click=${run}
  >
    ${t(deed.label)}
  </button>`;
}
