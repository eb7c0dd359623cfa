/** What a person does with a chat and its messages. The page's address says which chat is open: main.js follows it. */

import { call, withQuery } from "../base/api.js";
import { t } from "../base/texts.js";
import { leaveComposer } from "../composer/composer.js";

/** @import {Actions} from "../actions.js" */
/** @import {InboxChat} from "../base/server_types.js" */
/** @import {Echo, ShopCard, Status} from "../base/types.js" */

const PAGE = 50;

export class ChatActions {
  #actions;

  /** @param {Actions} actions */
  constructor(actions) {
    this.#actions = actions;
  }

  /** @param {number} id */
  open(id) {
    location.hash = `#/chats/${id}`;
  }

  /** Shows no chat. */
  leave() {
    location.hash = "#/";
  }

  /** @param {number} chatId */
  isOpen(chatId) {
    return this.#actions.store.state.open?.chatId === chatId;
  }

  /** Shows what the address says. @param {number | null} id */
  async show(id) {
    if (id === this.#actions.store.state.open?.chatId) return this.#actions.store.showPane("thread");
    leaveComposer(this.#actions.store.state, this.#actions);
    this.#actions.store.chat.showChat(id);
    this.#actions.socket.watch();
    if (id === null) return undefined;
    // Whoever opens a chat writes next. On a touch screen the keyboard would cover what the visitor said.
    if (matchMedia("(pointer: fine)").matches) {
      this.#actions.afterDrawing(() => document.querySelector(/** @type {"textarea"} */ (".composer textarea"))?.focus());
    }
    await this.loadHistory();
    return undefined;
  }

  /** Asks for older messages of the open chat; for the newest, where there are none yet; and for what comes. */
  async loadHistory() {
    const { open } = this.#actions.store.state;
    if (!open || open.isLoading) return;
    if (open.historyCursor === null) {
      this.#actions.socket.watch();
      return;
    }
    const { chatId } = open;
    this.#actions.store.chat.beginHistory(chatId);
    const path = withQuery(`chats/${chatId}/messages`, { cursor: open.historyCursor, limit: PAGE });
    const page = await this.#actions.tried(
      () => call("GET", path),
      (refusal) => this.#actions.store.chat.refuseChat(chatId, refusal),
    );
    if (!page || this.#actions.store.state.open !== open) return;
    this.#actions.store.chat.addHistory(chatId, page);
    this.#actions.socket.watch();
  }

  /** @param {number} messageId @returns {boolean} Whether the server was told. */
  seen(messageId) {
    const { open } = this.#actions.store.state;
    return open !== null && this.#actions.socket.tell("seen", { chat_id: open.chatId, message_id: messageId });
  }

  /** @param {number} chatId @param {ShopCard[]} cards */
  showShopCards(chatId, cards) {
    this.#actions.store.apply({ type: "cards.updated", data: { chat_id: chatId, cards } });
  }

  // Messages.

  /** @param {number} id @param {{body: string} | {markdown: string}} text @returns {Promise<boolean>} */
  async editMessage(id, text) {
    const answer = await this.#actions.tried(() => call("PATCH", `messages/${id}`, text));
    if (answer) this.#actions.store.chat.putMessage(answer.data);
    if (answer) this.#actions.echo(t("echo_edited"));
    return answer !== undefined;
  }

  /** @param {number} id @returns {Promise<boolean>} */
  async deleteMessage(id) {
    const isDone = await this.#actions.tried(() => call("DELETE", `messages/${id}`).then(() => true));
    if (isDone) this.#actions.echo(t("echo_deleted"));
    return isDone === true;
  }

  /** Sends what failed on its way to a messenger once more. @param {number} messageId */
  async resend(messageId) {
    const answer = await this.#actions.tried(() => call("POST", `messages/${messageId}/resend`));
    if (answer) this.#actions.store.chat.putMessage(answer.data);
  }

  // What is done to a chat. Each answers whether it was done; a refusal is shown.

  /** Takes a chat that is nobody's; or, to take over, one that is a colleague's. @param {number} id @param {boolean} [isTakingOver] */
  accept(id, isTakingOver = false) {
    return this.#change(id, "accept", { only_if_free: !isTakingOver }, t("echo_accepted"));
  }

  /** @param {number} id @param {number} agentId */
  assign(id, agentId) {
    const name = this.#actions.store.state.agents.get(agentId)?.name ?? "";
    return this.#change(id, "assign", { agent_id: agentId }, t("echo_assigned", { name }));
  }

  /** @param {number} id @param {{agent_id?: number, department_id?: number, comment: string}} to */
  transfer(id, to) {
    return this.goingOn(id, () => this.#change(id, "transfer", to, t("echo_transferred")));
  }

  /** @param {number} id */
  giveBack(id) {
    return this.#change(id, "return", {}, t("echo_returned"));
  }

  /** Nothing that was said so far needs an answer. @param {number} id */
  dealWith(id) {
    return this.#change(id, "dealt-with", {}, t("echo_dealt_with"));
  }

  /** @param {number} id @param {string} [reason] */
  close(id, reason) {
    const reopen = () => void this.setState(id, "active").then((isDone) => isDone && this.open(id));
    const more = { undo: reopen, undoLabel: t("reopen") };
    return this.goingOn(id, () => this.#change(id, "close", reason ? { reason } : {}, t("echo_closed"), more));
  }

  /** @param {number} id @param {Status} state */
  setState(id, state) {
    return this.#change(id, "state", { state }, t(state === "spam" ? "echo_spam" : "echo_reopened"));
  }

  /** Lets a chat pass that is offered to this operator. @param {number} id */
  decline(id) {
    return this.#change(id, "decline", {}, t("echo_declined"));
  }

  /** @param {number} id @param {InboxChat["priority"]} priority */
  setPriority(id, priority) {
    return this.#change(id, "priority", { priority }, t("echo_priority", { priority: t(`priority_${priority}`) }), {}, "PUT");
  }

  /** @param {number} id @param {{what: string, reason: string, hours: number | null}} how */
  block(id, how) {
    return this.#change(id, "block", how, t("echo_blocked"));
  }

  /** Lifts a block that the open chat's panel shows. @param {number} blockId */
  async liftBlock(blockId) {
    const isDone = await this.#actions.tried(() => call("DELETE", `blocks/${blockId}`).then(() => true));
    const { open } = this.#actions.store.state;
    if (isDone && open?.card) this.#actions.store.chat.putCard(open.chatId, { ...open.card, blocks: open.card.blocks.filter(({ id }) => id !== blockId) });
    if (isDone) this.#actions.echo(t("echo_unblocked"));
  }

  /** @param {number} id */
  askRating(id) {
    return this.#change(id, "rate-request", {}, t("echo_rating_asked"));
  }

  /** Has the chat's newest episode reviewed, and opens the review. @param {number} id */
  async review(id) {
    const answer = await this.#actions.tried(() => call("POST", "reviews", { chat_id: id }));
    if (answer) location.hash = `#/reviews/${answer.data.id}`;
  }

  /** Says what the assistant should have said. @param {number} id @param {string} text @param {number} messageId */
  wish(id, text, messageId) {
    return this.#change(id, "wishes", { text, message_id: messageId }, t("echo_wish"));
  }

  /** @param {number} id @param {string | null} until Null: until the visitor writes. */
  snooze(id, until) {
    return this.goingOn(id, () => this.#change(id, "snooze", { until }, t("echo_snoozed"), { undo: () => void this.wake(id) }));
  }

  /** @param {number} id */
  wake(id) {
    return this.#change(id, "wake", {}, t("echo_woken"));
  }

  /** @param {number} id @param {string} verb @param {object} body @param {string} done What is said when it was. @param {Partial<Echo>} [more] @param {"POST" | "PUT"} [method] @returns {Promise<boolean>} */
  async #change(id, verb, body, done, more = {}, method = "POST") {
    this.#actions.notices.expect(id);
    const answer = await this.#actions.tried(() => call(method, `chats/${id}/${verb}`, body));
    // Where the answer is no row, the frame `chat.updated` is what brings it.
    if (typeof answer?.data?.version === "number") this.#actions.store.inbox.putRow(answer.data);
    if (answer !== undefined) this.#actions.echo(done, more);
    return answer !== undefined;
  }

  /**
   * After the open chat was put away: the next of the view, to be written in; where there is none, the list.
   *
   * @param {number} id @param {() => Promise<boolean>} work @returns {Promise<boolean>}
   */
  async goingOn(id, work) {
    const { inbox, state } = this.#actions.store;
    const place = inbox.placeOf(id);
    const [next] = inbox.rowsBetween(place + 1, place + 2);
    const [first] = inbox.rowsBetween(0, 1);
    const isDone = await work();
    if (!isDone || !this.isOpen(id) || !state.choices.next_after_close) return isDone;
    const to = next ?? (first?.id === id ? undefined : first);
    if (to) this.open(to.id);
    else {
      this.leave();
      this.#actions.afterDrawing(() => document.querySelector(/** @type {"div"} */ (".rows, .inbox .empty button, #search"))?.focus());
    }
    return isDone;
  }
}
