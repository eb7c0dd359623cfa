/** What a person can do on the page: each is a call or a frame, and what the store is told of it. */

import { call, CallRefused, withQuery } from "./api.js";
import { takeUsed } from "./assist_use.js";
import { leaveComposer } from "./composer.js";
import { ofTab } from "./memory.js";
import { recordActions } from "./records.js";
import { signInAgain } from "./socket.js";
import { t } from "./texts.js";
import { wordsOf } from "./words.js";

/** @import {Notices} from "./notices.js" */
/** @import {OperatorSocket} from "./socket.js" */
/** @import {Store} from "./store.js" */
/** @import {Button, Choices, Dialog, Echo, FileReference, Filters, Frame, Pane, Presence, Refusal, Status, View} from "./types.js" */

const PAGE = 50;
// Milliseconds in which what was sent is taken back by one key.
const UNDO_LASTS = 5_000;

/** What was sent last. @type {{clientId: string, takeBack: (messageId: number) => void, messageId: number, until: number} | null} */
let undoable = null;

/** A UUID, on http pages too, which lack crypto.randomUUID. */
const newId = () => crypto.randomUUID?.() ?? URL.createObjectURL(new Blob()).slice(-36);

/** @typedef {ReturnType<typeof actionsOf>} Actions */
/**
 * @typedef {{type: "text" | "image" | "file" | "keyboard", body?: string, markdown?: string, file_id?: number,
 *   keyboard?: {buttons: Button[]}, is_note?: boolean, and_close?: boolean, source?: {text: string, lang: string}, file?: FileReference}} Content
 */

/** @param {Store} store @param {OperatorSocket} socket @param {Notices} notices */
export function actionsOf(store, socket, notices) {
  const outboxName = () => `outbox.${store.state.me?.id}`;

  /**
   * What `work` gives; undefined where it is refused, which `refuse` is told of.
   *
   * @template T
   * @param {() => Promise<T>} work
   * @param {(refusal: Refusal) => void} refuse
   */
  async function tried(work, refuse) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof CallRefused)) throw error;
      if (error.isSignedOut) signInAgain();
      refuse(error.refusal);
      return undefined;
    }
  }

  const actions = {
    // The inbox.

    /** @param {View} view @param {Partial<Filters>} [filters] */
    async showView(view, filters) {
      store.showView(view, filters);
      ofTab.set("view", view);
      await actions.loadMore();
    },

    /** @param {string | null} query Null: back to the list. */
    search(query) {
      store.showSearch(query);
      if (query) void actions.loadMore();
    },

    /** Asks for the next page of what is shown, if there is one and it is not on its way. */
    async loadMore() {
      const { list, search } = store.state;
      const shown = search ?? list;
      if (shown.isLoading || (shown.isLoaded && shown.cursor === null) || (search && !search.query)) return;
      store.beginPage(shown);
      const path = search
        ? withQuery("search", { q: search.query, cursor: search.cursor, limit: PAGE })
        : withQuery("inbox", { view: list.view, ...list.filters, cursor: list.cursor, limit: PAGE });
      const page = await tried(
        () => call("GET", path),
        (refusal) => store.refusePage(shown, refusal),
      );
      if (page && search) store.addFound(search, page);
      else if (page) store.addPage(list, page);
    },

    /** Asks for what is shown and was not had yet: a view that the snapshot does not bring, a search, the open chat. */
    askForMissing() {
      const { list, search, open } = store.state;
      const lacks = (/** @type {{isLoading: boolean, refusal: Refusal | null}} */ shown) => !shown.isLoading && !shown.refusal;
      const shown = search ?? list;
      if (!shown.isLoaded && lacks(shown)) void actions.loadMore();
      if (open && open.historyCursor === undefined && lacks(open)) void actions.loadHistory();
    },

    /** @param {number | null} id */
    select: (id) => store.select(id),
    /** @param {number} from @param {number} to */
    look: (from, to) => store.look(from, to),

    // A chat. The page's address says which is open: main.js follows it.

    /** @param {number} id */
    openChat: (id) => void (location.hash = `#/chats/${id}`),
    closeChat: () => void (location.hash = "#/"),

    /** Shows what the address says. @param {number | null} id */
    async showChat(id) {
      if (id === store.state.open?.chatId) return store.showPane("thread");
      leaveComposer(store.state, actions);
      store.showChat(id);
      socket.watch();
      if (id === null) return undefined;
      // Whoever opens a chat writes next. On a touch screen the keyboard would cover what the visitor said.
      if (matchMedia("(pointer: fine)").matches) {
        actions.afterDrawing(() => document.querySelector(/** @type {"textarea"} */ (".composer textarea"))?.focus());
      }
      await actions.loadHistory();
      return undefined;
    },

    /** Asks for older messages of the open chat; for the newest, where there are none yet; and for what comes. */
    async loadHistory() {
      const { open } = store.state;
      if (!open || open.isLoading) return;
      if (open.historyCursor === null) {
        socket.watch();
        return;
      }
      const { chatId } = open;
      store.beginHistory(chatId);
      const path = withQuery(`chats/${chatId}/messages`, { cursor: open.historyCursor, limit: PAGE });
      const page = await tried(
        () => call("GET", path),
        (refusal) => store.refuseChat(chatId, refusal),
      );
      if (!page || store.state.open !== open) return;
      store.addHistory(chatId, page);
      socket.watch();
    },

    /**
     * Sends a message to the open chat, now or when there is a connection again.
     *
     * @param {Content} content
     * @param {number} [chatId]
     * @returns {string} under which name it is acknowledged
     */
    send(content, chatId = store.state.open?.chatId) {
      if (chatId === undefined) return "";
      const from = content.type === "text" && !content.is_note ? takeUsed(chatId) : {};
      const client_id = newId();
      store.addUnsent({ ...content, ...from, chat_id: chatId, client_id, created_at: new Date().toISOString() });
      socket.flush();
      return client_id;
    },

    /** Takes an answer back for a moment once it is stored. @param {string} clientId @param {(messageId: number) => void} takeBack */
    offerUndo(clientId, takeBack) {
      undoable = { clientId, takeBack, messageId: 0, until: 0 };
    },
    /** @param {Frame} frame */
    hear({ type, data }) {
      if (type !== "ack" || !undoable || data.client_id !== undoable.clientId) return;
      Object.assign(undoable, { messageId: data.message.id, until: Date.now() + UNDO_LASTS });
      actions.echo(t("sent"), { undo: () => actions.undo() });
    },
    /** @returns {boolean} Whether there was something to take back. */
    undo() {
      const last = undoable;
      if (!last?.messageId || Date.now() > last.until) return false;
      undoable = null;
      actions.dismissEcho();
      void actions.deleteMessage(last.messageId).then((isDone) => isDone && last.takeBack(last.messageId));
      return true;
    },
    /** @param {number} id @param {{body: string} | {markdown: string}} text @returns {Promise<boolean>} */
    async editMessage(id, text) {
      const answer = await tried(
        () => call("PATCH", `messages/${id}`, text),
        (refusal) => actions.say(refusal),
      );
      if (answer) store.putMessage(answer.data);
      if (answer) actions.echo(t("echo_edited"));
      return answer !== undefined;
    },
    /** @param {number} id @returns {Promise<boolean>} */
    async deleteMessage(id) {
      const isDone = await tried(
        () => call("DELETE", `messages/${id}`).then(() => true),
        (refusal) => actions.say(refusal),
      );
      if (isDone) actions.echo(t("echo_deleted"));
      return isDone === true;
    },

    /** Sends the last word, and closes the chat with it. @param {Content} content @param {number} chatId @returns {Promise<boolean>} */
    sendAndClose: (content, chatId) =>
      actions.goingOn(chatId, async () => {
        const clientId = actions.send({ ...content, and_close: true }, chatId);
        notices.expect(chatId);
        return clientId !== "";
      }),

    /** @param {string} clientId */
    sendAgain(clientId) {
      store.refuseUnsent(clientId, null);
      socket.flush();
    },

    /** Sends what failed on its way to a messenger once more. @param {number} messageId */
    async resend(messageId) {
      const answer = await tried(
        () => call("POST", `messages/${messageId}/resend`),
        (refusal) => actions.say(refusal),
      );
      if (answer) store.putMessage(answer.data);
    },

    /** @param {string} clientId */
    dropUnsent: (clientId) => store.dropUnsent(clientId),

    /** Keeps the outbox over a reload, by person. */
    keepOutbox() {
      if (store.state.me) ofTab.set(outboxName(), store.state.outbox.length ? store.state.outbox : null);
    },

    /** Takes up what an earlier page of this tab had not sent. */
    restoreOutbox() {
      const known = new Set(store.state.outbox.map((unsent) => unsent.client_id));
      const kept = (ofTab.get(outboxName()) ?? []).filter((/** @type {{client_id: string}} */ each) => !known.has(each.client_id));
      if (kept.length) store.putOutbox([...kept, ...store.state.outbox]);
      socket.flush();
    },

    /** @param {"start" | "stop"} state @param {boolean} [isNote] */
    typing(state, isNote = false) {
      const { open } = store.state;
      if (open) socket.tell("typing", { chat_id: open.chatId, state, is_note: isNote });
    },

    /** @param {number} messageId @returns {boolean} Whether the server was told. */
    seen(messageId) {
      const { open } = store.state;
      return open !== null && socket.tell("seen", { chat_id: open.chatId, message_id: messageId });
    },

    // What is done to a chat. Each answers whether it was done; a refusal is shown.

    /** Takes a chat that is nobody's; or, to take over, one that is a colleague's. @param {number} id @param {boolean} [isTakingOver] */
    accept: (id, isTakingOver = false) => actions.changeChat(id, "accept", { only_if_free: !isTakingOver }, t("echo_accepted")),
    /** @param {number} id @param {number} agentId */
    assign: (id, agentId) => actions.changeChat(id, "assign", { agent_id: agentId }, t("echo_assigned", { name: store.state.agents.get(agentId)?.name ?? "" })),
    /** @param {number} id @param {{agent_id?: number, department_id?: number, comment: string}} to @returns {Promise<boolean>} */
    transfer: (id, to) => actions.goingOn(id, () => actions.changeChat(id, "transfer", to, t("echo_transferred"))),
    /** @param {number} id */
    giveBack: (id) => actions.changeChat(id, "return", {}, t("echo_returned")),
    /** Nothing that was said so far needs an answer. @param {number} id */
    dealWith: (id) => actions.changeChat(id, "dealt-with", {}, t("echo_dealt_with")),
    /** @param {number} id @param {string} [reason] @returns {Promise<boolean>} */
    close: (id, reason) =>
      actions.goingOn(id, () => {
        const reopen = () => void actions.setState(id, "active").then((isDone) => isDone && actions.openChat(id));
        return actions.changeChat(id, "close", reason ? { reason } : {}, t("echo_closed"), { undo: reopen, undoLabel: t("reopen") });
      }),
    /** @param {number} id @param {Status} state @returns {Promise<boolean>} */
    setState: (id, state) => actions.changeChat(id, "state", { state }, t(state === "spam" ? "echo_spam" : "echo_reopened")),
    /** @param {number} id @param {{what: string, reason: string, hours: number | null}} how */
    block: (id, how) => actions.changeChat(id, "block", how, t("echo_blocked")),
    /** Lifts a block that the open chat's card shows. @param {number} blockId */
    async liftBlock(blockId) {
      const isDone = await tried(
        () => call("DELETE", `blocks/${blockId}`).then(() => true),
        (refusal) => actions.say(refusal),
      );
      const { open } = store.state;
      if (isDone && open?.card) store.putCard(open.chatId, { ...open.card, blocks: open.card.blocks.filter(({ id }) => id !== blockId) });
      if (isDone) actions.echo(t("echo_unblocked"));
    },
    /** @param {number} id */
    askRating: (id) => actions.changeChat(id, "rate-request", {}, t("echo_rating_asked")),
    /** What the assistant should have said. @param {number} id @param {string} text @param {number} messageId */
    wish: (id, text, messageId) => actions.changeChat(id, "wishes", { text, message_id: messageId }, t("echo_wish")),
    /** @param {number} id @param {string | null} until Null: until the visitor writes. @returns {Promise<boolean>} */
    snooze: (id, until) =>
      actions.goingOn(id, () => actions.changeChat(id, "snooze", { until }, t("echo_snoozed"), { undo: () => void actions.wake(id) })),
    /** @param {number} id @returns {Promise<boolean>} */
    wake: (id) => actions.changeChat(id, "wake", {}, t("echo_woken")),

    /** @param {number} id @param {string} verb @param {object} body @param {string} done What is said when it was. @param {Partial<Echo>} [more] @returns {Promise<boolean>} */
    async changeChat(id, verb, body, done, more = {}) {
      notices.expect(id);
      const answer = await tried(
        () => call("POST", `chats/${id}/${verb}`, body),
        (refusal) => actions.say(refusal),
      );
      // Where the answer is no row, the frame `chat.updated` is what brings it.
      if (typeof answer?.data?.version === "number") store.putRow(answer.data);
      if (answer !== undefined) actions.echo(done, more);
      return answer !== undefined;
    },

    /**
     * After the open chat was put away: the next of the view, to be written in; where there is none, the list.
     *
     * @param {number} id @param {() => Promise<boolean>} work @returns {Promise<boolean>}
     */
    async goingOn(id, work) {
      const place = store.placeOf(id);
      const [next] = store.rowsBetween(place + 1, place + 2);
      const [first] = store.rowsBetween(0, 1);
      const isDone = await work();
      if (!isDone || store.state.open?.chatId !== id || !store.state.choices.next_after_close) return isDone;
      const to = next ?? (first?.id === id ? undefined : first);
      if (to) actions.openChat(to.id);
      else {
        actions.closeChat();
        actions.afterDrawing(() => document.querySelector(/** @type {"div"} */ (".rows, .inbox .empty button, #search"))?.focus());
      }
      return isDone;
    },

    // The rest.

    /** @param {Presence} status */
    async setStatus(status) {
      const before = store.state.me?.status;
      if (before === undefined) return;
      store.setStatus(status);
      const answer = await tried(
        () => call("PUT", "status", { status }),
        (refusal) => actions.say(refusal),
      );
      store.setStatus(answer ? answer.data.status : before);
    },

    /** @param {Dialog | null} dialog */
    showDialog: (dialog) => store.showDialog(dialog),
    /** @param {Pane} pane */
    showPane: (pane) => store.showPane(pane),

    /** Shows why something was not done. @param {Refusal} refusal */
    say(refusal) {
      store.showNotice(wordsOf(refusal));
    },
    dismissNotice: () => store.showNotice(null),
    /** Says what was done. @param {string} text @param {Partial<Echo>} [more] */
    echo: (text, more = {}) => store.showEcho({ text, ...more }),
    dismissEcho: () => store.showEcho(null),

    /** How this operator works; until it is known, as at first. */
    async loadChoices() {
      const answer = await tried(
        () => call("GET", "me"),
        () => {},
      );
      if (answer?.data) store.putChoices({ ...store.state.choices, ...answer.data });
    },
    /** @param {Partial<Choices>} choices */
    async choose(choices) {
      const answer = await tried(
        () => call("PATCH", "me", choices),
        (refusal) => actions.say(refusal),
      );
      if (answer?.data) store.putChoices({ ...store.state.choices, ...answer.data });
    },

    /** @param {boolean} isOn */
    setNotifying: (isOn) => notices.setNotifying(isOn),
    /** @param {boolean} isOn */
    setSounding: (isOn) => notices.setSounding(isOn),
    /** Who waits at the person's other widgets. */
    async askElsewhere() {
      const answer = await tried(
        () => call("GET", "unanswered"),
        () => {},
      );
      if (answer) notices.hearElsewhere(answer.data);
    },
    /** The answer to the one question that is asked at first. @param {boolean} isWanted */
    answerAboutNotices: (isWanted) => notices.answer(isWanted),

    /** Once what has changed is drawn. @param {() => void} work */
    afterDrawing: (work) => setTimeout(() => requestAnimationFrame(work)),

    /** Ends the session. What is drafted stays in this browser for the same person. @param {string} url @param {string} signInUrl */
    async signOut(url, signInUrl) {
      actions.keepOutbox();
      // What answers is a page; where that leads is what tells whether it was done.
      await tried(
        () => call("POST", url),
        () => {},
      );
      location.assign(signInUrl);
    },

    /** @param {number} chatId @param {import("./types.js").ShopCard[]} cards */
    showShopCards: (chatId, cards) => store.apply({ type: "cards.updated", data: { chat_id: chatId, cards } }),

    /** @param {number} chatId */
    isOpen: (chatId) => store.state.open?.chatId === chatId,

    newId,

    /** Draws anew what a room has changed of its own. */
    redraw: () => store.redraw(),

    tried,
    ...recordActions(store, tried),
  };
  return actions;
}
