/**
 * Tells a person who looks elsewhere that a visitor has written: in the tab's title, and, where they asked for it, by the
 * browser's notifications and by a sound.
 */

import { ofBrowser } from "./memory.js";
import { nameOf } from "./names.js";
import { t } from "./texts.js";
import { isOpen } from "./views.js";

/** @import {Store} from "./store.js" */
/** @import {Frame, Habits, Row} from "./types.js" */

// Milliseconds. A row that the page did not know may have changed for another reason than what was just said.
const JUST_NOW = 15_000;
const QUIET_BETWEEN = 1_500;

export class Notices {
  #store;
  #openChat;
  #title = document.title;
  #soundedAt = 0;
  #heardAt = 0;
  /** @type {AudioContext | null} */
  #audio = null;

  /** @param {Store} store @param {(id: number) => void} openChat */
  constructor(store, openChat) {
    this.#store = store;
    this.#openChat = openChat;
  }

  start() {
    const habits = ofBrowser.get("habits");
    const isAllowed = "Notification" in window && Notification.permission === "granted";
    this.#store.setHabits({
      isNotifying: isAllowed && habits?.isNotifying !== false && habits !== null,
      isSounding: habits?.isSounding ?? false,
    });
    this.#store.subscribe(() => this.#showCount());
  }

  /** @param {Partial<Habits>} habits */
  #keep(habits) {
    this.#store.setHabits(habits);
    ofBrowser.set("habits", this.#store.state.habits);
  }

  /** Asks the person's leave: only ever after their click. @param {boolean} isOn */
  async setNotifying(isOn) {
    if (!isOn) return this.#keep({ isNotifying: false });
    const answer = "Notification" in window ? await Notification.requestPermission() : "denied";
    if (answer !== "granted") this.#store.showNotice(t("notifications_denied"));
    return this.#keep({ isNotifying: answer === "granted" });
  }

  /** @param {boolean} isOn */
  setSounding(isOn) {
    this.#keep({ isSounding: isOn });
    // A browser lets a page sound only after a click: this is one.
    if (isOn) this.#sound();
  }

  /**
   * Looks at a frame before the store takes it: what it changes is still to be seen. What came while there was no connection
   * is in the snapshot that the next one begins with.
   *
   * @param {Frame} frame
   */
  hear({ type, data }) {
    if (type === "chat.updated") this.#tellNews([data.chat], Date.now() - JUST_NOW);
    if (type === "ready") this.#tellNews(data.inbox.chats, this.#heardAt);
    this.#heardAt = Date.now();
  }

  /** @param {Row[]} rows @param {number} since */
  #tellNews(rows, since) {
    for (const row of rows) if (this.#isNews(row, since)) this.#tell(row);
  }

  /** @param {Row} row @param {number} since Of a row that the page did not know, what was said after it is news. */
  #isNews(row, since) {
    const { state } = this.#store;
    const { last_message: last } = row;
    if (!isOpen(row) || last?.sender.kind !== "client" || !row.is_unread) return false;
    const isMineToKnow = row.agent_id === null || row.agent_id === state.me?.id;
    const isInSight = state.open?.chatId === row.id && document.visibilityState === "visible" && document.hasFocus();
    if (!isMineToKnow || isInSight || state.me?.status !== "active") return false;
    const known = state.rows.get(row.id);
    if (known) return known.last_message?.id !== last.id;
    return Date.parse(last.created_at) > since;
  }

  /** @param {Row} row */
  #tell(row) {
    const { habits } = this.#store.state;
    if (habits.isSounding && Date.now() - this.#soundedAt > QUIET_BETWEEN) this.#sound();
    if (!habits.isNotifying || document.hasFocus()) return;
    try {
      const body = row.last_message?.preview ?? "";
      // One of a chat at a time: a later one takes the place of the one before.
      const notification = new Notification(nameOf(row), { body, tag: `parley-${row.id}` });
      notification.onclick = () => {
        window.focus();
        this.#openChat(row.id);
        notification.close();
      };
    } catch {
      // Some phones' browsers only let a service worker notify.
    }
  }

  /** Two soft tones, made here: there is no file to load. */
  #sound() {
    this.#soundedAt = Date.now();
    const audio = (this.#audio ??= new AudioContext());
    void audio.resume();
    [660, 880].forEach((frequency, index) => {
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      const start = audio.currentTime + index * 0.13;
      tone.frequency.value = frequency;
      volume.gain.setValueAtTime(0.0001, start);
      volume.gain.exponentialRampToValueAtTime(0.15, start + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.3);
      tone.connect(volume).connect(audio.destination);
      tone.start(start);
      tone.stop(start + 0.32);
    });
  }

  #showCount() {
    const count = this.#store.state.counts?.unanswered ?? 0;
    const title = count ? `(${count}) ${this.#title}` : this.#title;
    if (document.title !== title) document.title = title;
  }
}
