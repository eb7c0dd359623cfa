/** Which of one's own messages can still be edited, or taken back. */

import { limits } from "../base/api.js";
import { channelOf } from "../base/display_names.js";

/** @import {InboxChat, OperatorMessage} from "../base/server_types.js" */

/** Whether what has left by a channel can be edited and deleted there. @param {string} channel */
const takesChanges = (channel) => channel === "widget" || channelOf(channel)?.takes_changes === true;

/**
 * Whether what was just sent into a chat may be taken back: a message to a messenger that takes no changes stays with the
 * server for a moment.
 *
 * @param {InboxChat | null | undefined} row
 */
export const canTakeBack = (row) => row != null && (row.channel === "widget" || channelOf(row.channel) !== undefined);

/**
 * Whether an operator may change a message: their own, of late, where its channel changes what has left by it.
 *
 * @param {OperatorMessage} message @param {number | undefined} me @param {InboxChat | null | undefined} row
 */
export function canChange({ id, sender, agent_id, created_at, deleted_at, is_note, origin }, me, row) {
  const isOwn = id > 0 && sender?.kind === "agent" && agent_id === me && origin === null;
  const isLate = Date.now() - Date.parse(created_at) > limits.editable_ms;
  return isOwn && !deleted_at && !isLate && (is_note || takesChanges(row?.channel ?? ""));
}
