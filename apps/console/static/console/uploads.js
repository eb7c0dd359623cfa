/** Files on their way to the server. Each becomes a message of its own once it is there. */

import { html, nothing } from "./vendor/lit-html/lit-html.js";
import { repeat } from "./vendor/lit-html/directives/repeat.js";
import { CallRefused, upload } from "./api.js";
import { t } from "./texts.js";
import { sizeOf, wordsOf } from "./words.js";

/** @import {Actions} from "./actions.js" */

// As on the server: bytes, and what is a picture.
const MOST = 10 * 1024 * 1024;
const PICTURE = /^image\/(png|jpeg|gif|webp|avif)$/;

/**
 * @typedef {object} Upload
 * @property {number} id
 * @property {number} chatId
 * @property {string} name
 * @property {number} size
 * @property {number} sent percent
 * @property {string | null} refused why
 * @property {() => void} cancel
 */

/** @type {Upload[]} */
let uploads = [];
let lastId = 0;
/** One after the other: they are sent in the order in which they were chosen. @type {Promise<void>} */
let queue = Promise.resolve();

/**
 * Uploads the files and sends each as a message.
 *
 * @param {Iterable<File>} files
 * @param {{chatId: number, isNote: boolean}} to
 * @param {Actions} actions
 */
export function takeFiles(files, { chatId, isNote }, actions) {
  for (const file of files) take(file, chatId, isNote, actions);
  actions.redraw();
}

/** @param {File} file @param {number} chatId @param {boolean} isNote @param {Actions} actions */
function take(file, chatId, isNote, actions) {
  const { name, size } = file;
  lastId += 1;
  const drop = () => {
    uploads = uploads.filter((each) => each !== row);
    actions.redraw();
  };
  /** @type {Upload} */
  const row = { id: lastId, chatId, name, size, sent: 0, refused: null, cancel: drop };
  uploads.push(row);
  if (size > MOST) row.refused = t("file_too_big", { size: sizeOf(MOST) });
  else if (!size) row.refused = t("file_empty");
  if (row.refused === null) queue = queue.catch(() => {}).then(() => run(row, file, isNote, actions));
}

/** @param {Upload} row @param {File} file @param {boolean} isNote @param {Actions} actions */
async function run(row, file, isNote, actions) {
  if (!uploads.includes(row)) return;
  const { chatId, name, cancel: drop } = row;
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
    drop();
    const type = PICTURE.test(content_type) ? "image" : "file";
    const stored = { id, name: rest.name, size: rest.size, content_type };
    actions.send({ type, file_id: id, file: stored, is_note: isNote }, chatId);
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
  if (refusal.status === 413) return t("file_too_big", { size: sizeOf(MOST) });
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
  const { name, size, sent, refused } = upload;
  const state = refused
    ? html`<span class="refusal" role="alert">${refused}</span>`
    : html`<progress max="100" .value=${sent} aria-label=${t("upload_progress", { name })}></progress
        ><small>${sizeOf(size)}</small>`;
  const label = t(refused ? "dismiss" : "upload_cancel", { name });
  return html`<li>
    <bdi>${name}</bdi>${state}
    <button type="button" class="quiet" aria-label=${label} title=${label} @click=${() => upload.cancel()}>✕</button>
  </li>`;
}
