/** Which chats a view of the inbox has, and in which order: as the server's reads, for rows that change meanwhile. */

/** @import {Agent, Filters, Key, Row, View} from "./types.js" */

/** @type {View[]} */
export const VIEWS = ["open", "unanswered", "mine", "department", "snoozed", "closed", "spam"];

/** @param {Row} row */
export const isOpen = (row) => row.status === "active" || row.status === "ready";

/** One that is back from a snooze is, though it may be closed by now. @param {Row} row */
const isAtHand = (row) => isOpen(row) || (row.status === "expired" && Boolean(row.back_since));

// Milliseconds that one's own chats stay at hand after they were closed; as on the server.
const DAY = 86_400_000;

/** @param {Row} row */
const isClosedLately = ({ status, closed_at }) => status === "expired" && closed_at !== null && Date.now() - Date.parse(closed_at) < DAY;

/** Whether a view shows the least key first: who has waited longest. @param {View} view */
export const isAscending = (view) => view === "unanswered";

/** @type {Record<View, (row: Row, me: Agent) => boolean>} */
const HAS = {
  open: (row) => isAtHand(row) && !row.snooze,
  unanswered: (row) => row.waits_since !== null && !row.snooze,
  mine: (row, me) => row.agent_id === me.id && !row.snooze && (isAtHand(row) || isClosedLately(row)),
  snoozed: (row) => row.snooze !== null && row.snooze !== undefined && row.status !== "spam",
  department: (row, me) => isAtHand(row) && !row.snooze && row.department_id !== null && me.department_ids.includes(row.department_id),
  closed: (row) => row.status === "expired" && !row.snooze,
  spam: (row) => row.status === "spam",
};

/**
 * @param {Row} row
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
 * @param {Row} row
 * @param {View} view
 * @returns {Key}
 */
export function keyOf(row, view) {
  const time = { unanswered: row.waits_since, closed: row.closed_at, spam: row.created_at }[/** @type {string} */ (view)];
  const spoken = comparable(row.last_message_at ?? row.created_at);
  const back = row.back_since ? comparable(row.back_since) : "";
  return [time ? comparable(time) : back > spoken ? back : spoken, row.id];
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
