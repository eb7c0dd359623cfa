/** Which of one's own messages can still be edited, or taken back. */

/** @import {Message, Row} from "./types.js" */

// As on the server: milliseconds.
const EDITABLE_FOR = 15 * 60_000;

// Messengers that edit and delete what they have taken.
const CHANGING = ["widget", "tg", "vk", "mx"];
// Those that do not; what is written in their chats stays here for a moment before it leaves.
const WAITING = /^(?:wa|fb|vb|ok|cian|ali|apple|av__\d+)$/;

/** Whether what was just sent into a chat may be taken back. @param {Row | null | undefined} row */
export const canTakeBack = (row) => row != null && (CHANGING.includes(row.channel) || WAITING.test(row.channel));

/**
 * Whether an operator may change a message: their own, of late, where its channel changes what has left by it.
 *
 * @param {Message} message @param {number | undefined} me @param {Row | null | undefined} row
 */
export function canChange({ id, sender, agent_id, created_at, deleted_at, is_note, origin }, me, row) {
  const isOwn = id > 0 && sender?.kind === "agent" && agent_id === me && origin === null;
  const isLate = Date.now() - Date.parse(created_at) > EDITABLE_FOR;
  return isOwn && !deleted_at && !isLate && (is_note || CHANGING.includes(row?.channel ?? ""));
}
