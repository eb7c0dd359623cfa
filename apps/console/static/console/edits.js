/** Which of one's own messages can still be edited, or taken back. */

/** @import {Message, Row} from "./types.js" */

// As on the server: milliseconds.
const EDITABLE_FOR = 15 * 60_000;

/**
 * Whether an operator may change a message: their own, of late, that has not left for a messenger or by mail.
 *
 * @param {Message} message @param {number | undefined} me @param {Row | null | undefined} row
 */
export function canChange({ id, sender, agent_id, created_at, deleted_at, is_note, origin }, me, row) {
  const isOwn = id > 0 && sender?.kind === "agent" && agent_id === me && origin === null;
  const isLate = Date.now() - Date.parse(created_at) > EDITABLE_FOR;
  return isOwn && !deleted_at && !isLate && (is_note || row?.channel === "widget");
}
