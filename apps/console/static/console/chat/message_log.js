/** What was said in the open chat, and who is there. */

import { nameOf, visitorName } from "../base/display_names.js";
import { t } from "../base/texts.js";
import { stepRow } from "./history_steps.js";
import { isOurs, messageRow, senderKey } from "./message.js";
import { canChange } from "./message_changes.js";
import { keepPlace } from "./scrolling.js";
import { keyed } from "../vendor/lit-html/directives/keyed.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {InboxChat, OperatorMessage} from "../base/server_types.js" */
/** @import {OpenChat, State, Step, Unsent} from "../base/types.js" */
/** @import {Actions} from "../actions.js" */
/** @import {Item} from "./message.js" */

// Rows in the page at once, and by how many they move on when an end of them comes near.
const MOST_ROWS = 120;
const STEP = 40;
// Between a closing and its line in the thread, at most: one transaction.
const STEP_TAKES_MS = 5_000;
// Between two messages of one run, at most.
const RUN_BREAKS_MS = 10 * 60_000;

/** Where one reads in the open chat. */
const place = {
  chatId: 0,
  /** @type {string | null} the first row, by key; null follows the newest */
  from: null,
  atBottom: true,
  // The newest message that was there when one left the bottom.
  leftAt: 0,
  // The last message that the server was told of as seen, over this connection.
  seen: 0,
  // One has asked for the newest, or has written: the bottom is where to go.
  isCalledDown: false,
  /** @type {string | undefined} the last unsent message that was drawn */
  unsent: undefined,
};

/**
 * Stored messages and then the unsent ones, each with its place in days and runs.
 *
 * @param {State} state
 * @returns {Item[]}
 */
export function itemsOf({ open, outbox, me, rows }) {
  if (!open) return [];
  const unsent = outbox.filter((each) => each.chat_id === open.chatId);
  /** @type {Pick<Item, "key" | "id" | "message" | "unsent" | "step">[]} */
  const all = [
    ...withSteps(open, rows.get(open.chatId)),
    ...unsent.map((each) => ({ key: each.client_id, id: 0, message: asMessage(each, me), unsent: each, step: null })),
  ];
  return all.map((item, index) => {
    const [before, after] = [all[index - 1], all[index + 1]];
    const startsDay = !before || dayKey(before) !== dayKey(item);
    return {
      ...item,
      startsDay,
      isFirst: startsDay || !isOneRun(before, item),
      isLast: !after || dayKey(after) !== dayKey(item) || !isOneRun(item, after),
    };
  });
}

/**
 * The messages, and between them what happened to the chat: as far back as the messages are loaded.
 *
 * @param {OpenChat} open
 * @param {InboxChat | undefined} row
 */
function withSteps({ messages, historyCursor, card }, row) {
  /** @type {Pick<Item, "key" | "id" | "message" | "unsent" | "step">[]} */
  const items = [];
  const steps = [...(card?.steps ?? []), ...closedBySilence(card, row)];
  const first = historyCursor === null ? 0 : (messages[0]?.id ?? Infinity);
  let next = steps.findIndex(({ after_message_id }) => after_message_id >= first);
  const takeStepsBefore = (/** @type {number} */ id) => {
    for (let step; next >= 0 && (step = steps[next]) && step.after_message_id < id; next += 1) {
      const message = /** @type {OperatorMessage} */ (/** @type {unknown} */ ({ sender: { kind: "step" }, created_at: step.at }));
      items.push({ key: `step ${step.id}`, id: 0, message, unsent: null, step });
    }
  };
  for (const message of messages) {
    takeStepsBefore(message.id);
    items.push({ key: `${message.id}`, id: message.id, message, unsent: null, step: null });
  }
  takeStepsBefore(Number.MAX_VALUE);
  return items;
}

/** That a chat is closed though nobody closed it: nobody wrote. @param {OpenChat["card"]} card @param {InboxChat | undefined} row @returns {Step[]} */
function closedBySilence(card, row) {
  if (!row || row.status !== "expired" || row.closed_at === null) return [];
  const last = card?.steps.findLast(({ kind }) => kind === "closed" || kind === "reopened");
  if (last?.kind === "closed" && Date.parse(row.closed_at) - Date.parse(last.at) < STEP_TAKES_MS) return [];
  const nobody = { agent_id: null, to_agent_id: null, department_id: null, comment: null, run_id: null, version: null };
  return [{ id: 0, kind: "expired", ...nobody, after_message_id: Number.MAX_SAFE_INTEGER, at: row.closed_at }];
}

/** @param {Unsent} unsent @param {State["me"]} me @returns {OperatorMessage} */
function asMessage({ refusal: _refusal, client_id: _clientId, file_id: _fileId, keyboard, ...content }, me) {
  return {
    id: 0, body: "", markdown: null, file: null, name: null, url: null, coords: null, sticker: null,
    keyboard: keyboard ? { buttons: keyboard.buttons.map((button) => ({ style: "primary", ...button })) } : null,
    origin: null, agent_id: me?.id ?? null, seen_at: null, is_note: false, delivery: null, ai: false, sources: [],
    files: [], unsupported: null, edited_at: null, deleted_at: null, deleted_by: null, letter: null, translations: [],
    translated_from: null, ...content,
    sender: { kind: "agent", agent_id: me?.id ?? null, name: me?.name ?? null },
  };
}

/** @param {{message: {created_at: string}}} item */
const dayKey = ({ message }) => new Date(message.created_at).toDateString();

/** @param {Pick<Item, "message"> | undefined} a @param {Pick<Item, "message">} b */
function isOneRun(a, b) {
  if (!a || senderKey(a.message) !== senderKey(b.message)) return false;
  return Date.parse(b.message.created_at) - Date.parse(a.message.created_at) < RUN_BREAKS_MS;
}

/**
 * The rows to show of all, at most MOST_ROWS.
 *
 * @param {Item[]} items
 */
function windowOf(items) {
  const last = Math.max(0, items.length - MOST_ROWS);
  const wanted = place.from === null ? last : items.findIndex(({ key }) => key === place.from);
  const start = wanted < 0 ? last : Math.min(wanted, last);
  return { start, rows: items.slice(start, start + MOST_ROWS), hasNewer: start < last };
}

/** Where one reads, after the chat, the connection or the outbox has changed. @param {OpenChat} open @param {State} state @param {Item[]} items */
function follow(open, { connection }, items) {
  const unsent = items.at(-1)?.unsent?.client_id;
  if (place.chatId !== open.chatId) {
    Object.assign(place, { chatId: open.chatId, from: null, atBottom: true, leftAt: 0, seen: 0, unsent });
  }
  // What was told just before a connection was lost may not have come.
  if (connection !== "online") place.seen = 0;
  if (unsent && unsent !== place.unsent) goDown();
  place.unsent = unsent;
}

/** What the log is told of its place. @param {OpenChat} open @param {State} state @param {Actions} actions @param {Item[]} items @param {ReturnType<typeof windowOf>} shown */
function placesOf(open, state, actions, items, { start, rows, hasNewer }) {
  const newest = open.messages.at(-1)?.id ?? 0;
  return {
    hasNewer,
    isCalledDown: place.isCalledDown,
    nearTop() {
      if (start > 0) {
        place.from = items[Math.max(0, start - STEP)]?.key ?? null;
        actions.redraw();
      } else if (open.historyCursor && !open.isLoading && !open.refusal) {
        place.from ??= items[0]?.key ?? null;
        void actions.chat.loadHistory();
      }
    },
    nearBottom() {
      place.from = items[start + STEP]?.key ?? null;
      actions.redraw();
    },
    /** @param {boolean} atBottom */
    moved(atBottom) {
      place.atBottom = atBottom;
      place.from = atBottom ? null : (rows[0]?.key ?? null);
      place.leftAt = newest;
      actions.redraw();
    },
    /** @param {HTMLElement} log */
    drawn: (log) => tellSeen(log, state, actions),
  };
}

/** Draws a row. @param {OpenChat} open @param {State} state @param {Actions} actions @returns {(item: Item) => unknown} */
function rowsOf({ chatId, card }, state, actions) {
  const myId = state.me?.id;
  const chat = state.rows.get(chatId);
  const around = {
    actions,
    seenByVisitor: card?.seen_by_visitor ?? 0,
    visitorsName: card ? visitorName(card.contact) : t("visitor", { id: chatId }),
    chatId,
    isMailbox: chat?.channel.startsWith("mail__") ?? false,
    answers: new Map(card?.answering?.answers.map((each) => [each.message_id, each])),
  };
  return (item) => {
    if (item.step) return stepRow(item, item.step, state, actions);
    const { sender } = item.message;
    const isMine = sender?.kind === "agent" && sender.agent_id === myId;
    return messageRow(item, { ...around, mayChange: canChange(item.message, myId, chat), isMine });
  };
}

/**
 * @param {State} state
 * @param {Actions} actions
 */
export function log(state, actions) {
  const { open } = state;
  if (!open) return nothing;
  const items = itemsOf(state);
  follow(open, state, items);
  const shown = windowOf(items);
  const places = placesOf(open, state, actions, items, shown);
  place.isCalledDown = false;
  return html`<div class="thread-log">
    ${keyed(
      open.chatId,
      html`<div
        class="log"
        role="log"
        tabindex="0"
        aria-label=${t("messages")}
        aria-relevant="additions"
        aria-busy=${open.isLoading ? "true" : "false"}
        ${keepPlace(places)}
      >
        <div class="msgs">
          ${beginning(open, items.length, shown.start)} ${repeat(shown.rows, ({ key }) => key, rowsOf(open, state, actions))}
        </div>
      </div>`,
    )}
    ${pill(items, actions, shown.hasNewer)}
    <p class="around" role="status">${whoIsThere(state)}</p>
  </div>`;
}

/**
 * @param {OpenChat} open
 * @param {number} count
 * @param {number} start
 */
function beginning(open, count, start) {
  if (open.isLoading) return html`<p class="edge">${t("loading_history")}</p>`;
  if (start > 0 || open.historyCursor) return nothing;
  return html`<p class="edge">${t(count ? "beginning" : "nothing_said")}</p>`;
}

function goDown() {
  Object.assign(place, { from: null, atBottom: true, isCalledDown: true });
}

/** @param {Item[]} items @param {Actions} actions @param {boolean} hasNewer */
function pill(items, actions, hasNewer) {
  if (place.atBottom && !hasNewer) return nothing;
  const fresh = items.filter(({ id, message }) => id > place.leftAt && message.sender?.kind === "client").length;
  const go = () => {
    goDown();
    actions.redraw();
  };
  return html`<button type="button" class="pill ${fresh ? "fresh" : ""}" @click=${go}>
    ${fresh ? t("new_messages", { n: fresh }) : t("to_newest")}<span aria-hidden="true"> ↓</span>
  </button>`;
}

/** @param {State} state */
function whoIsThere({ open, agents, rows }) {
  if (!open) return "";
  const said = [];
  const row = rows.get(open.chatId);
  const visitor = open.card ? visitorName(open.card.contact) : row ? nameOf(row) : t("visitor", { id: open.chatId });
  if (open.typingMachine !== null) said.push(t("machine_types", { name: open.typingMachine || t("ai_mark") }));
  if (open.isVisitorTyping) said.push(t("visitor_types", { name: visitor }));
  for (const { agent_id, state: does } of open.colleagues) {
    const name = agents.get(agent_id)?.name ?? t("operator");
    said.push(t(does === "typing" ? "colleague_types" : "colleague_looks", { name }));
  }
  return said.join(" · ");
}

/**
 * The visitor's last message in sight counts as seen, while somebody can look at it.
 *
 * @param {HTMLElement} log
 * @param {State} state
 * @param {Actions} actions
 */
function tellSeen(log, { open }, actions) {
  if (!open || document.hidden || !document.hasFocus()) return;
  const messages = open.messages;
  let unseen = 0;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (!message || message.id <= place.seen) break;
    if (!isOurs(message) && message.sender?.kind === "client" && message.seen_at === null && isInSight(log, message.id)) {
      unseen = message.id;
      break;
    }
  }
  if (!unseen) return;
  if (actions.chat.seen(unseen)) place.seen = unseen;
}

/** @param {HTMLElement} log @param {number} id */
function isInSight(log, id) {
  const row = log.querySelector(`[data-id="${id}"]`);
  return row !== null && row.getBoundingClientRect().top < log.getBoundingClientRect().bottom;
}
