/** Files to be sent: they stand in a tray, and are taken to the server, until Enter makes each a message of its own. */

import { CallRefused, limits, upload } from "../base/api.js";
import { sizeOf, wordsOf } from "../base/formats.js";
import { icon } from "../base/icons.js";
import { t } from "../base/texts.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Actions} from "../actions.js" */
/** @import {FileReference} from "../base/server_types.js" */

/**
 * @typedef {object} Upload
 * @property {number} id
 * @property {number} chatId
 * @property {string} name
 * @property {number} size
 * @property {number} sent percent
 * @property {string | null} refused why
 * @property {string | null} picture the address of what it shows, where it is a picture
 * @property {FileReference | null} stored once it is on the server
 * @property {{isNote: boolean, body?: string} | null} leaves how it goes once it is there, when it was sent
 * @property {() => void} cancel
 */

/** @type {Upload[]} */
let uploads = [];
let lastId = 0;
/** One after the other: they are sent in the order in which they were chosen. @type {Promise<void>} */
let queue = Promise.resolve();

/**
 * Puts the files into the chat's tray, and takes them to the server meanwhile.
 *
 * @param {Iterable<File>} files
 * @param {{chatId: number}} to
 * @param {Actions} actions
 */
export function takeFiles(files, { chatId }, actions) {
  for (const file of files) take(file, chatId, actions);
  actions.redraw();
}

/** Whether the chat's tray has a file that can be sent. @param {number} chatId */
export const hasFiles = (chatId) => waiting(chatId).length > 0;

/** @param {number} chatId */
const waiting = (chatId) => uploads.filter((each) => each.chatId === chatId && each.refused === null && each.leaves === null);

/**
 * Sends what is in the tray, each file once it is on the server; the text is the last one's. Whether there was any.
 *
 * @param {number} chatId
 * @param {string} body
 * @param {boolean} isNote
 * @param {Actions} actions
 */
export function sendFiles(chatId, body, isNote, actions) {
  const files = waiting(chatId);
  files.forEach((row, place) => {
    row.leaves = place === files.length - 1 && body ? { isNote, body } : { isNote };
  });
  for (const row of files) leave(row, actions);
  return files.length > 0;
}

/** @param {Upload} row @param {Actions} actions */
function leave({ leaves, stored, chatId, cancel: drop }, actions) {
  if (!leaves || !stored) return;
  const { isNote, body } = leaves;
  const type = limits.pictures.includes(stored.content_type) ? "image" : "file";
  actions.composer.send({ type, file_id: stored.id, file: stored, is_note: isNote, ...(body ? { body } : {}) }, chatId);
  drop();
}

/** @param {File} file @param {number} chatId @param {Actions} actions */
function take(file, chatId, actions) {
  const { name, size } = file;
  lastId += 1;
  const picture = limits.pictures.includes(file.type) ? URL.createObjectURL(file) : null;
  const drop = () => {
    uploads = uploads.filter((each) => each !== row);
    if (picture) URL.revokeObjectURL(picture);
    actions.redraw();
  };
  /** @type {Upload} */
  const row = { id: lastId, chatId, name, size, sent: 0, refused: null, picture, stored: null, leaves: null, cancel: drop };
  uploads.push(row);
  if (size > limits.file_bytes) row.refused = t("file_too_big", { size: sizeOf(limits.file_bytes) });
  else if (!size) row.refused = t("file_empty");
  if (row.refused === null) queue = queue.catch(() => {}).then(() => run(row, file, actions));
}

/** @param {Upload} row @param {File} file @param {Actions} actions */
async function run(row, file, actions) {
  if (!uploads.includes(row)) return;
  const { name, cancel: drop } = row;
  const { done, abort } = upload(file, name, (part) => {
    row.sent = Math.floor(100 * part);
    actions.redraw();
  });
  let isCancelled = false;
  row.cancel = () => {
    isCancelled = true;
    abort();
    drop();
  };
  try {
    const { id, content_type, ...rest } = await done;
    Object.assign(row, { stored: { id, name: rest.name, size: rest.size, content_type }, cancel: drop });
    leave(row, actions);
    actions.redraw();
  } catch (error) {
    if (isCancelled) return;
    row.refused = whyNot(error);
    row.cancel = drop;
    actions.redraw();
  }
}

/** @param {unknown} error */
function whyNot(error) {
  if (!(error instanceof CallRefused)) throw error;
  const { refusal } = error;
  if (refusal.status === 413) return t("file_too_big", { size: sizeOf(limits.file_bytes) });
  return refusal.code === "offline" || !refusal.detail ? t("file_lost") : wordsOf(refusal);
}

/**
 * What is on its way to the chat, and what was refused.
 *
 * @param {number} chatId
 */
export function uploadList(chatId) {
  const mine = uploads.filter((each) => each.chatId === chatId);
  if (!mine.length) return nothing;
  return html`<ul class="uploads" aria-label=${t("uploads")}>
    ${repeat(mine, ({ id }) => id, uploadRow)}
  </ul>`;
}

/** @param {Upload} upload */
function uploadRow(upload) {
  const { name, size, sent, refused, stored, picture } = upload;
  const state = refused
    ? html`<span class="refusal" role="alert">${refused}</span>`
    : html`${
          stored ? nothing : html`<progress max="100" .value=${sent} aria-label=${t("upload_progress", { name })}></progress>`
        }<small>${sizeOf(size)}</small>`;
  const label = t(refused ? "dismiss" : "upload_cancel", { name });
  return html`<li>
    ${picture ? html`<img src=${picture} alt="" />` : icon("clip")}<bdi>${name}</bdi>${state}
    <button type="button" class="quiet" aria-label=${label} title=${label} @click=${() => upload.cancel()}>✕</button>
  </li>`;
}
