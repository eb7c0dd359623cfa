/** What a person does in the composer: sends, takes back, tries again; canned replies; and the outbox, which outlives a reload. */

import { call, newId } from "../base/api.js";
import { ofTab } from "../base/browser_storage.js";
import { t } from "../base/texts.js";
import { takeUsed } from "./drafts.js";

/** @import {Actions} from "../actions.js" */
/** @import {FileReference, Reply} from "../base/server_types.js" */
/** @import {Button, Frame} from "../base/types.js" */

// Milliseconds in which what was sent is taken back by one key.
const UNDO_LASTS = 5_000;

/**
 * @typedef {{type: "text" | "image" | "file" | "keyboard", body?: string, markdown?: string, file_id?: number,
 *   keyboard?: {buttons: Button[]}, is_note?: boolean, and_close?: boolean, source?: {text: string, lang: string}, file?: FileReference}} Content
 */
/** @typedef {{shortcut: string, body: string, is_shared: boolean}} ReplyContent */

export class ComposerActions {
  #actions;
  /** What was sent last. @type {{clientId: string, takeBack: (messageId: number) => void, messageId: number, until: number} | null} */
  #undoable = null;

  /** @param {Actions} actions */
  constructor(actions) {
    this.#actions = actions;
  }

  /**
   * Sends a message to the open chat, now or when there is a connection again.
   *
   * @param {Content} content
   * @param {number} [chatId]
   * @returns {string} under which name it is acknowledged
   */
  send(content, chatId = this.#actions.store.state.open?.chatId) {
    if (chatId === undefined) return "";
    const from = content.type === "text" && !content.is_note ? takeUsed(chatId) : {};
    const client_id = newId();
    this.#actions.store.addUnsent({ ...content, ...from, chat_id: chatId, client_id, created_at: new Date().toISOString() });
    this.#actions.socket.flush();
    return client_id;
  }

  /** Sends the last word, and closes the chat with it. @param {Content} content @param {number} chatId */
  sendAndClose(content, chatId) {
    return this.#actions.chat.goingOn(chatId, async () => {
      const clientId = this.send({ ...content, and_close: true }, chatId);
      this.#actions.notices.expect(chatId);
      return clientId !== "";
    });
  }

  /** Takes an answer back for a moment once it is stored. @param {string} clientId @param {(messageId: number) => void} takeBack */
  offerUndo(clientId, takeBack) {
    this.#undoable = { clientId, takeBack, messageId: 0, until: 0 };
  }

  /** @param {Frame} frame */
  hear({ type, data }) {
    if (type !== "ack" || !this.#undoable || data.client_id !== this.#undoable.clientId) return;
    Object.assign(this.#undoable, { messageId: data.message.id, until: Date.now() + UNDO_LASTS });
    this.#actions.echo(t("sent"), { undo: () => this.undo() });
  }

  /** @returns {boolean} Whether there was something to take back. */
  undo() {
    const last = this.#undoable;
    if (!last?.messageId || Date.now() > last.until) return false;
    this.#undoable = null;
    this.#actions.dismissEcho();
    void this.#actions.chat.deleteMessage(last.messageId).then((isDone) => isDone && last.takeBack(last.messageId));
    return true;
  }

  /** @param {string} clientId */
  sendAgain(clientId) {
    this.#actions.store.refuseUnsent(clientId, null);
    this.#actions.socket.flush();
  }

  /** @param {string} clientId */
  dropUnsent(clientId) {
    this.#actions.store.dropUnsent(clientId);
  }

  /** Keeps the outbox over a reload, by person. */
  keepOutbox() {
    const { me, outbox } = this.#actions.store.state;
    if (me) ofTab.set(`outbox.${me.id}`, outbox.length ? outbox : null);
  }

  /** Takes up what an earlier page of this tab had not sent. */
  restoreOutbox() {
    const { me, outbox } = this.#actions.store.state;
    const known = new Set(outbox.map((unsent) => unsent.client_id));
    const kept = (ofTab.get(`outbox.${me?.id}`) ?? []).filter((/** @type {{client_id: string}} */ each) => !known.has(each.client_id));
    if (kept.length) this.#actions.store.putOutbox([...kept, ...outbox]);
    this.#actions.socket.flush();
  }

  /** @param {"start" | "stop"} state @param {boolean} [isNote] */
  typing(state, isNote = false) {
    const { open } = this.#actions.store.state;
    if (open) this.#actions.socket.tell("typing", { chat_id: open.chatId, state, is_note: isNote });
  }

  // Canned replies. A change answers why it was refused, or null when it was done.

  /** Reads them anew: a colleague may have changed the shared ones. */
  loadReplies() {
    return this.#actions.outcome(readReplies, (replies) => this.#actions.store.putReplies(replies));
  }

  /**
   * The reply's text for the open chat, in the visitor's language unless another is named; undefined where it cannot be
   * had.
   *
   * @param {number} id @param {string} [lang] @returns {Promise<string | undefined>}
   */
  async fillReply(id, lang) {
    const { open } = this.#actions.store.state;
    if (!open) return undefined;
    const answer = await this.#actions.tried(
      () => call("GET", `chats/${open.chatId}/replies/${id}${lang ? `?lang=${lang}` : ""}`),
      () => {},
    );
    return answer?.data.text;
  }

  /** @param {ReplyContent} content */
  createReply(content) {
    return this.#actions.outcome(
      () => call("POST", "replies", content),
      ({ data }) => this.#changeReplies((replies) => [...replies, data]),
    );
  }

  /** @param {number} id @param {ReplyContent} content */
  changeReply(id, content) {
    return this.#actions.outcome(
      () => call("PATCH", `replies/${id}`, content),
      ({ data }) => this.#replaceReply(data),
    );
  }

  /** What a reply says in a language; null takes it away. @param {number} id @param {string} lang @param {string | null} text */
  translateReply(id, lang, text) {
    return this.#actions.outcome(
      () => call(text === null ? "DELETE" : "PUT", `replies/${id}/translations/${lang}`, text === null ? undefined : { text }),
      ({ data }) => this.#replaceReply(data),
    );
  }

  /** @param {number} id */
  removeReply(id) {
    return this.#actions.outcome(
      () => call("DELETE", `replies/${id}`),
      () => this.#changeReplies((replies) => replies.filter((each) => each.id !== id)),
    );
  }

  /** @param {Reply} reply */
  #replaceReply(reply) {
    this.#changeReplies((replies) => replies.map((each) => (each.id === reply.id ? reply : each)));
  }

  /** @param {(replies: Reply[]) => Reply[]} change */
  #changeReplies(change) {
    const replies = change(this.#actions.store.state.replies ?? []);
    this.#actions.store.putReplies(replies.sort((a, b) => a.shortcut.localeCompare(b.shortcut)));
  }
}

/** @returns {Promise<Reply[]>} */
async function readReplies() {
  const replies = [];
  let cursor = null;
  do {
    const page = await call("GET", cursor ? `replies?cursor=${encodeURIComponent(cursor)}` : "replies");
    replies.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor);
  return replies;
}
