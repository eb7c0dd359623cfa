/** Which chats a view of the inbox has, and in which order: as the server's reads, for rows that change meanwhile. */

import { limits } from "../base/api.js";

/** @import {InboxChat} from "../base/server_types.js" */
/** @import {Agent, Filters, Key, View} from "../base/types.js" */

/** @type {View[]} */
export const VIEWS = ["open", "unanswered", "mine", "department", "queue", "due", "snoozed", "closed", "spam"];

/** @param {InboxChat} row */
export const isOpen = (row) => row.status === "active" || row.status === "ready";

/** One that is back from a snooze is, though it may be closed by now. @param {InboxChat} row */
const isAtHand = (row) => isOpen(row) || (row.status === "expired" && Boolean(row.back_since));

/** @param {InboxChat} row */
const isClosedLately = ({ status, closed_at }) => status === "expired" && closed_at !== null && Date.now() - Date.parse(closed_at) < limits.closed_at_hand_ms;

/** Whether a view shows the least key first: who has waited longest, who is due first. @param {View} view */
export const isAscending = (view) => view === "unanswered" || view === "queue" || view === "due";

/** Views that only some widgets have. @type {Partial<Record<View, "has_queue" | "has_due">>} */
export const NEEDS = { queue: "has_queue", due: "has_due" };

/** @type {Record<View, (row: InboxChat, me: Agent) => boolean>} */
const HAS = {
  open: (row) => isAtHand(row) && !row.snooze,
  unanswered: (row) => row.waits_since !== null && !row.snooze,
  mine: (row, me) => row.agent_id === me.id && !row.snooze && (isAtHand(row) || isClosedLately(row)),
  queue: (row) => (row.rings_for === "queue" || row.rings_for === "offered") && !row.snooze,
  due: (row) => Boolean(row.sla?.due_at) && !row.snooze,
  snoozed: (row) => row.snooze !== null && row.snooze !== undefined && row.status !== "spam",
  department: (row, me) => isAtHand(row) && !row.snooze && row.department_id !== null && me.department_ids.includes(row.department_id),
  closed: (row) => row.status === "expired" && !row.snooze,
  spam: (row) => row.status === "spam",
};

/**
 * @param {InboxChat} row
 * @param {{view: View, filters: Filters}} list
 * @param {Agent} me
 */
export function isIn(row, { view, filters }, me) {
  return (
    HAS[view](row, me) &&
    (!filters.status || row.status === filters.status) &&
    (!filters.channel || row.channel === filters.channel)
  );
}

/**
 * The row's place: lists go from the greatest key to the least, or the other way (`isAscending`).
 *
 * @param {InboxChat} row
 * @param {View} view
 * @returns {Key}
 */
export function keyOf(row, view) {
  if (view === "queue") return [queueKey(row), row.id];
  const time = { unanswered: row.waits_since, due: row.sla?.due_at, closed: row.closed_at, spam: row.created_at }[/** @type {string} */ (view)];
  // A chat in which nothing was said stands behind all others.
  const spoken = row.last_message_at ? comparable(row.last_message_at) : "";
  const back = row.back_since ? comparable(row.back_since) : "";
  return [time ? comparable(time) : back > spoken ? back : spoken, row.id];
}

const RANKS = ["low", "normal", "high", "urgent"];
// Milliseconds of waiting that count as one rank more.
const AGING = 15 * 60_000;
const LAST_RANK = 999_999;

/** The queue's order: by rank, then by the beginning of the wait; the least stands first. @param {InboxChat} row */
function queueKey({ priority, waits_since: since }) {
  const waited = since ? Date.now() - Date.parse(since) : 0;
  const rank = RANKS.indexOf(priority) + Math.floor(Math.max(0, waited) / AGING);
  return `${String(Math.max(0, LAST_RANK - rank)).padStart(6, "0")} ${since ? comparable(since) : ""}`;
}

/** @param {Key} a @param {Key} b @returns {number} Negative where `a` stands above `b`. */
export function compared(a, b) {
  if (a[0] !== b[0]) return a[0] > b[0] ? -1 : 1;
  return b[1] - a[1];
}

/** A moment as a text that sorts: the server leaves out microseconds that are zero. @param {string} moment */
export function comparable(moment) {
  const [whole = "", fraction = ""] = moment.replace(/Z$/, "").split(".");
  return `${whole}.${fraction.padEnd(6, "0")}`;
}
