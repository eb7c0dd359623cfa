/**
 * The operator's socket: a ticket, `auth` with what is shown already, `ready`; and again, whenever it is lost.
 *
 * While it is up, what waits in the outbox is sent, in order, one at a time, and stays there until its `ack`.
 */

import { call, CallRefused } from "./api.js";
import { ofTab } from "./browser_storage.js";

/** @import {Store} from "../store.js" */
/** @import {Frame, Unsent} from "./types.js" */

// Milliseconds.
const PING = 20_000;
const ANSWER = 10_000;
const SHORTEST_WAIT = 500;
const LONGEST_WAIT = 8_000;
const RELOAD_AGAIN = 15_000;
const WATCH_AGAIN = 2_000;

/** How long to wait before the next attempt: twice as long each time, and never the same as the neighbours. @param {number} failures */
export const waitAfter = (failures) =>
  Math.min(LONGEST_WAIT, SHORTEST_WAIT * 2 ** failures) * (0.5 + Math.random() / 2);

export class OperatorSocket {
  #url;
  #store;
  #hear;
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {number | null} The chat that this socket looks at. */
  #watched = null;
  /** @type {string | null} The unsent message that an `ack` is awaited for. */
  #awaited = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #unanswered;
  #failures = 0;
  /** @type {(() => void) | null} */
  #wake = null;

  /**
   * @param {string} url
   * @param {Store} store
   * @param {(frame: Frame) => void} hear Told of each frame before the store is.
   */
  constructor(url, store, hear) {
    this.#url = url;
    this.#store = store;
    this.#hear = hear;
  }

  /** Connects, for as long as the page is open. */
  start() {
    const hurry = () => this.#wake?.();
    addEventListener("online", hurry);
    addEventListener("offline", () => this.#socket?.close());
    document.addEventListener("visibilitychange", () => document.hidden || hurry());
    void this.#stayConnected();
  }

  get isReady() {
    return this.#store.state.connection === "online" && this.#socket?.readyState === WebSocket.OPEN;
  }

  /**
   * Sends a frame that is not worth keeping: nothing happens while there is no connection.
   *
   * @param {string} type
   * @param {object} [data]
   * @returns {boolean} Whether it was sent.
   */
  tell(type, data = {}) {
    const { isReady } = this;
    if (isReady) this.#socket?.send(JSON.stringify({ type, data }));
    return isReady;
  }

  /** Looks at the chat that is open, from its newest message on, once that is known; and leaves the one before. */
  watch() {
    if (!this.isReady) return;
    const { open } = this.#store.state;
    if (this.#watched !== null && this.#watched !== open?.chatId) {
      this.tell("chat.leave", { chat_id: this.#watched });
      this.#watched = null;
    }
    if (open && open.chatId !== this.#watched && open.historyCursor !== undefined) {
      this.#watched = open.chatId;
      this.tell("chat.open", { chat_id: open.chatId, after_id: this.#store.chat.lastMessageId });
    }
  }

  /** Sends the oldest message that nobody refused, unless one is on its way. */
  flush() {
    if (!this.isReady || this.#awaited) return;
    const next = this.#store.state.outbox.find((unsent) => !unsent.refusal);
    if (!next) return;
    this.#awaited = next.client_id;
    this.#unanswered = setTimeout(() => this.#socket?.close(), ANSWER);
    this.tell("message.send", contentOf(next));
  }

  async #stayConnected() {
    for (;;) {
      try {
        const { data } = await call("POST", "ticket");
        await this.#converse(data.ticket);
      } catch (error) {
        if (!(error instanceof CallRefused)) throw error;
        if (error.isSignedOut) signInAgain();
      }
      this.#store.setConnection("offline");
      await new Promise((resolve) => {
        const wake = () => resolve(null);
        this.#wake = wake;
        setTimeout(wake, waitAfter(this.#failures));
      });
      this.#failures += 1;
      this.#store.setConnection("connecting");
    }
  }

  /** One socket's life. @param {string} ticket @returns {Promise<void>} */
  #converse(ticket) {
    return new Promise((resolve) => {
      const socket = new WebSocket(this.#url);
      this.#socket = socket;
      let isSilent = false;
      const end = () => {
        clearInterval(beat);
        clearTimeout(notReady);
        clearTimeout(this.#unanswered);
        socket.onclose = socket.onmessage = null;
        socket.close();
        this.#socket = this.#awaited = this.#watched = null;
        resolve();
      };
      const beat = setInterval(() => {
        if (isSilent) return end();
        isSilent = true;
        this.tell("ping");
      }, PING);
      const notReady = setTimeout(end, ANSWER);
      socket.onopen = () => socket.send(JSON.stringify({ type: "auth", ticket, chats: this.#shown() }));
      socket.onclose = end;
      socket.onmessage = (event) => {
        isSilent = false;
        /** @type {Frame} */
        const frame = JSON.parse(event.data);
        if (frame.type === "ready") clearTimeout(notReady);
        this.#take(frame);
      };
    });
  }

  /** The newest message shown of the open chat; a chat of which nothing came yet is opened when it has. */
  #shown() {
    const { open } = this.#store.state;
    if (!open || open.historyCursor === undefined) return {};
    this.#watched = open.chatId;
    return { [open.chatId]: this.#store.chat.lastMessageId };
  }

  /** @param {Frame} frame */
  #take(frame) {
    const { type, data } = frame;
    this.#hear(frame);
    this.#store.apply(frame);
    if (type === "ready") {
      this.#failures = 0;
      this.watch();
    }
    if ((type === "ack" || type === "error") && data.client_id === this.#awaited) {
      clearTimeout(this.#unanswered);
      this.#awaited = null;
    }
    if (type === "error" && !data.client_id && data.chat_id === this.#watched) {
      this.#watched = null;
      if (data.code === "try_again") setTimeout(() => this.watch(), WATCH_AGAIN);
    }
    if (type === "ready" || type === "ack" || type === "error") this.flush();
  }
}

/** @param {Unsent} unsent */
function contentOf({ client_id, chat_id, type, body, markdown, file_id, keyboard, is_note, and_close, source }) {
  // What is marked goes as it was typed: the server takes the marks out for readers of plain text.
  const words = markdown ? { markdown } : { body };
  return { client_id, chat_id, type, ...words, file_id, keyboard, is_note, and_close, source };
}

/** The session has ended: the page's address leads to signing in. What is unsent and what is drafted stays kept. */
export function signInAgain() {
  const last = ofTab.get("reloaded_at") ?? 0;
  if (Date.now() - last < RELOAD_AGAIN) return;
  ofTab.set("reloaded_at", Date.now());
  location.reload();
}
