/**
 * Tells a person who looks elsewhere that a visitor has written: in the tab's title, and, where they asked for it, by the
 * browser's notifications and by a sound.
 */

import { ofBrowser } from "../base/browser_storage.js";
import { nameOf } from "../base/display_names.js";
import { t } from "../base/texts.js";
import { startPushes, stopPushes, worker } from "./push.js";
import { hearOfDevice, isInSight as sees, isSeenElsewhere, mayRing, startRinging } from "./ringing.js";

/** @import {Store} from "../store.js" */
/** @import {InboxChat} from "../base/server_types.js" */
/** @import {Frame, Habits} from "../base/types.js" */

// Milliseconds. A row that the page did not know may have changed for another reason than what was just said.
const JUST_NOW = 15_000;
const QUIET_BETWEEN = 1_500;
const NOTICE_STAYS = 60_000;
const ASK_AGAIN_AFTER = 30 * 86_400_000;

/** Whether *Not now* was said so long ago that it is asked again. @param {number | undefined} askedAt */
const isOver = (askedAt) => askedAt !== undefined && Date.now() - askedAt > ASK_AGAIN_AFTER;

export class Notices {
  #store;
  #openChat;
  #tellUsed;
  #title = document.title;
  #soundedAt = 0;
  #heardAt = 0;
  /** @type {Map<number, number>} When this person changed a chat themselves. */
  #expected = new Map();
  /** @type {Map<string, number>} How many waited at the person's other widgets. */
  #elsewhere = new Map();
  /** @type {AudioContext | null} */
  #audio = null;
  /** Those that are not put away, by tag. @type {Map<string, Notification>} */
  #shown = new Map();

  /** @param {Store} store @param {(id: number) => void} openChat @param {(device: string) => void} [tellUsed] */
  constructor(store, openChat, tellUsed = () => {}) {
    this.#store = store;
    this.#openChat = openChat;
    this.#tellUsed = tellUsed;
  }

  start() {
    const habits = ofBrowser.get("habits");
    const isAllowed = "Notification" in window && Notification.permission === "granted";
    this.#store.setHabits({
      isNotifying: isAllowed && habits?.isNotifying !== false && habits !== null,
      // On from the first sign-in: a browser lets it sound once the person has clicked anywhere.
      isSounding: habits?.isSounding ?? true,
      isAsked: habits !== null && !isOver(habits.askedAt),
    });
    if (this.#store.state.habits.isNotifying) void startPushes();
    this.#store.subscribe(() => this.#showCount());
    startRinging(() => this.#store.state.open?.chatId ?? null, (device) => this.#tellUsed(device));
    addEventListener("pointerdown", () => void this.#wakeAudio(), { once: true });
    addEventListener("keydown", () => void this.#wakeAudio(), { once: true });
  }

  /** The answer to the question of the first sign-in. @param {boolean} isWanted */
  async answer(isWanted) {
    this.#keep(isWanted ? { isSounding: true } : { isSounding: false, askedAt: Date.now() });
    if (!isWanted) return;
    this.#sound();
    await this.setNotifying(true);
  }

  /** What becomes of a chat just now is this person's own doing. @param {number} chatId */
  expect(chatId) {
    this.#expected.set(chatId, Date.now());
  }

  /**
   * Rings when more visitors wait at another widget of the person's than did before.
   *
   * @param {{guid: string, name: string, unanswered: number}[]} widgets
   */
  hearElsewhere(widgets) {
    for (const { guid, name, unanswered } of widgets) {
      const before = this.#elsewhere.get(guid);
      this.#elsewhere.set(guid, unanswered);
      if (before === undefined || unanswered <= before) continue;
      this.#ring(t("others_wait", { n: unanswered, name }), "", `parley-${guid}`, () => location.assign(`?widget=${encodeURIComponent(guid)}`));
    }
  }

  /** @param {Partial<Habits>} habits */
  #keep(habits) {
    this.#store.setHabits({ ...habits, isAsked: true });
    ofBrowser.set("habits", this.#store.state.habits);
  }

  /** Asks the person's leave: only ever after their click. @param {boolean} isOn */
  async setNotifying(isOn) {
    if (!isOn) {
      void stopPushes();
      return this.#keep({ isNotifying: false });
    }
    const answer = "Notification" in window ? await Notification.requestPermission() : "denied";
    if (answer !== "granted") this.#store.showNotice(t("notifications_denied"));
    if (answer === "granted") void startPushes();
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
    if (type === "notice") this.#show(data);
    if (type === "device.used") hearOfDevice(data);
    if (type === "chat.updated") this.#tellNews([data.chat], Date.now() - JUST_NOW);
    if (type === "ready") this.#tellNews(data.inbox.chats, this.#heardAt);
    this.#heardAt = Date.now();
  }

  /** A notice of an automation to this person. @param {{chat_id: number, text: string}} notice */
  #show({ chat_id, text }) {
    const undo = () => this.#openChat(chat_id);
    this.#store.showEcho({ text, undo, undoLabel: t("notice_open"), stays: NOTICE_STAYS });
    this.#ring(text, "", `parley-${chat_id}`, undo);
  }

  /** A chat that is back from its snooze by its time, whether or not its visitor waits: its owner is told, else all. @param {InboxChat} row */
  #isBack({ id, agent_id, snooze, back_since }) {
    const { rows, me, open } = this.#store.state;
    const isMine = agent_id === null || agent_id === me?.id;
    return isMine && !snooze && Boolean(back_since) && Boolean(rows.get(id)?.snooze) && !sees(open?.chatId, id);
  }

  /** @param {InboxChat[]} rows @param {number} since */
  #tellNews(rows, since) {
    for (const row of rows) {
      if (!row.is_unread) this.#putAway(row.id);
      if (this.#isBack(row)) this.#tell(row);
      else if (this.#isGiven(row)) this.#tellOfGift(row);
      else if (this.#isNews(row, since)) this.#tell(row);
    }
  }

  /** Whether somebody else has just given this person the chat. @param {InboxChat} row */
  #isGiven(row) {
    const { rows, me } = this.#store.state;
    const known = rows.get(row.id);
    if (!me || row.agent_id !== me.id || !known || known.agent_id === me.id || known.version > row.version) return false;
    const isOwnDoing = Date.now() - (this.#expected.get(row.id) ?? 0) < JUST_NOW;
    return !isOwnDoing && row.last_message?.sender.agent_id !== me.id;
  }

  /** @param {InboxChat} row */
  #tellOfGift(row) {
    const words = t("given_chat", { name: nameOf(row) });
    this.#store.showNotice(words);
    this.#ring(words, row.last_message?.preview ?? "", `parley-${row.id}`, () => this.#openChat(row.id));
  }

  /** @param {InboxChat} row @param {number} since Of a row that the page did not know, what was said after it is news. */
  #isNews(row, since) {
    const { state } = this.#store;
    const { last_message: last } = row;
    if (row.waits_since === null) return false;
    const rings = row.rings_for ?? (row.agent_id === null ? "all" : "owner");
    const isOffered = rings === "offered" && row.offer?.agent_id === state.me?.id;
    const isMineToKnow = rings === "all" || isOffered || (rings === "owner" && row.agent_id === state.me?.id);
    if (!isMineToKnow || sees(this.#store.state.open?.chatId, row.id) || state.me?.status !== "active") return false;
    const known = state.rows.get(row.id);
    // It is offered to this person now, and was not before.
    if (isOffered && known?.offer?.since !== row.offer?.since) return true;
    // Its owner has been away for so long that it rings for all.
    if (known?.rings_for === "owner" && rings === "all") return true;
    // Another word of the visitor's, or a machine has handed the chat to people.
    const isNewWord = last?.sender.kind === "client" && row.is_unread && known?.last_message?.id !== last.id;
    const isNewWait = row.handed_over_at !== null && known?.handed_over_at !== row.handed_over_at;
    if (known) return isNewWord || isNewWait;
    const moment = isNewWait ? row.handed_over_at : last?.created_at;
    return (isNewWord || isNewWait) && Date.parse(moment ?? "") > since;
  }

  /** @param {InboxChat} row */
  #tell(row) {
    // One of a chat at a time: a later one takes the place of the one before.
    this.#ring(nameOf(row), row.last_message?.preview ?? "", `parley-${row.id}`, () => this.#openChat(row.id));
  }

  /** @param {string} title @param {string} body @param {string} tag @param {() => void} open */
  #ring(title, body, tag, open) {
    const { habits } = this.#store.state;
    if (!mayRing() || isSeenElsewhere(tag)) return;
    if (habits.isSounding && Date.now() - this.#soundedAt > QUIET_BETWEEN) this.#sound();
    if (!habits.isNotifying || document.hasFocus()) return;
    try {
      const notification = new Notification(title, { body, tag });
      this.#shown.set(tag, notification);
      notification.onclick = () => {
        window.focus();
        open();
        notification.close();
      };
    } catch {
      // Phones' browsers only let a worker notify.
      void worker()
        .then((it) => it.showNotification(title, { body, tag, data: { url: location.href } }))
        .catch(() => {});
    }
  }

  /** What somebody has seen by now, here or on another device, is told no longer. @param {number} chatId */
  #putAway(chatId) {
    const tag = `parley-${chatId}`;
    this.#shown.get(tag)?.close();
    this.#shown.delete(tag);
  }

  #wakeAudio() {
    this.#audio ??= new AudioContext();
    return this.#audio.resume();
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
