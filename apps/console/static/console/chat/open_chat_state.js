/** The open chat's slice of the store: its messages, its card, who looks at it and who types. */

/** @import {OperatorMessage} from "../base/server_types.js" */
/** @import {Card, Page, Refusal, State} from "../base/types.js" */

// Milliseconds: the visitor's widget says every few seconds that it is being typed.
const TYPING_LASTS = 8_000;

export class OpenChatState {
  #state;
  #changed;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typingEnds;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #machineEnds;

  /** @param {State} state @param {() => void} changed */
  constructor(state, changed) {
    this.#state = state;
    this.#changed = changed;
  }

  /** What the socket brings. @type {Record<string, (data: any) => void>} */
  frames = {
    "message.delivery": ({ chat_id, message_id, delivery }) => this.amend(chat_id, message_id, { delivery }),
    "message.edited": ({ chat_id, message_id, ...edit }) => this.amend(chat_id, message_id, edit),
    "message.translated": ({ chat_id, message_id, translations }) => this.amend(chat_id, message_id, { translations }),
    "message.created": (message) => this.add(message),
    "message.updated": ({ message: { chat_id, id, ...changes } }) => this.amend(chat_id, id, changes),
    "chat.card": ({ chat_id, card }) => this.ifOpen(chat_id, (open) => (open.card = card)),
    "cards.updated": ({ chat_id, cards }) => this.ifOpen(chat_id, (open) => (open.shopCards = cards)),
    "chat.presence": ({ chat_id, presence, reach }) =>
      this.ifOpen(chat_id, ({ card }) => {
        if (card) card.reach = reach;
        if (card?.visitor) card.visitor.presence = presence;
      }),
    "chat.colleagues": ({ chat_id, agents }) => this.ifOpen(chat_id, (open) => (open.colleagues = agents)),
    typing: ({ chat_id, state, by, name }) =>
      this.ifOpen(chat_id, (open) => {
        if (by === "machine") this.#showMachine(open, state === "start" ? (name ?? "") : null);
        else this.showTyping(open, state === "start");
      }),
  };

  /** The server's answer to opening a chat. @param {any} data */
  opened({ chat_id, card, colleagues, deliveries, edits }) {
    this.ifOpen(chat_id, (open) => Object.assign(open, { card, colleagues, refusal: null }));
    for (const { message_id, delivery } of deliveries) this.amend(chat_id, message_id, { delivery });
    for (const { message_id, ...edit } of edits ?? []) this.amend(chat_id, message_id, edit);
  }

  /** @param {number | null} chatId Null: none. */
  showChat(chatId) {
    const state = this.#state;
    state.pane = chatId === null ? "list" : "thread";
    if (chatId !== (state.open?.chatId ?? null)) {
      clearTimeout(this.#typingEnds);
      clearTimeout(this.#machineEnds);
      const nothing = { card: null, shopCards: [], messages: [], historyCursor: undefined, colleagues: [], isVisitorTyping: false, typingMachine: null };
      state.open = chatId === null ? null : { chatId, ...nothing, isLoading: false, refusal: null };
    }
    if (chatId !== null) state.selectedId = chatId;
    this.#changed();
  }

  /** @param {number} chatId @param {(open: NonNullable<State["open"]>) => void} change */
  ifOpen(chatId, change) {
    const { open } = this.#state;
    if (open?.chatId === chatId) change(open);
  }

  /** @param {OperatorMessage} message */
  add(message) {
    this.ifOpen(message.chat_id, (open) => {
      if (message.sender.kind === "client") this.showTyping(open, false);
      else this.#showMachine(open, null);
      open.messages = merged(open.messages, [message]);
    });
  }

  /** Changes a message that is shown. @param {number} chatId @param {number} messageId @param {Partial<OperatorMessage>} changes */
  amend(chatId, messageId, changes) {
    this.ifOpen(chatId, (open) => {
      open.messages = open.messages.map((each) => (each.id === messageId ? { ...each, ...changes } : each));
    });
  }

  /** @param {NonNullable<State["open"]>} open @param {boolean} isTyping */
  showTyping(open, isTyping) {
    clearTimeout(this.#typingEnds);
    open.isVisitorTyping = isTyping;
    if (!isTyping) return;
    this.#typingEnds = setTimeout(() => {
      open.isVisitorTyping = false;
      this.#changed();
    }, TYPING_LASTS);
  }

  /** @param {NonNullable<State["open"]>} open @param {string | null} name Null: none types. */
  #showMachine(open, name) {
    clearTimeout(this.#machineEnds);
    open.typingMachine = name;
    if (name === null) return;
    this.#machineEnds = setTimeout(() => {
      open.typingMachine = null;
      this.#changed();
    }, TYPING_LASTS);
  }

  /** @param {number} chatId */
  beginHistory(chatId) {
    this.ifOpen(chatId, (open) => {
      open.isLoading = true;
      open.refusal = null;
    });
    this.#changed();
  }

  /** A page of older messages, newest first. @param {number} chatId @param {Page} page */
  addHistory(chatId, page) {
    this.ifOpen(chatId, (open) => {
      open.messages = merged(open.messages, page.data);
      open.historyCursor = page.next_cursor;
      open.isLoading = false;
    });
    this.#changed();
  }

  /** @param {number} chatId @param {Refusal} refusal */
  refuseChat(chatId, refusal) {
    this.ifOpen(chatId, (open) => {
      open.isLoading = false;
      open.refusal = refusal;
    });
    this.#changed();
  }

  /** A message as a call answered it. @param {OperatorMessage} message */
  putMessage(message) {
    this.ifOpen(message.chat_id, (open) => (open.messages = merged(open.messages, [message])));
    this.#changed();
  }

  /** @param {number} chatId @param {Card} card */
  putCard(chatId, card) {
    this.ifOpen(chatId, (open) => (open.card = card));
    this.#changed();
  }

  /** The id of the newest message shown of the open chat; 0 where there is none. */
  get lastMessageId() {
    return this.#state.open?.messages.at(-1)?.id ?? 0;
  }
}

/** Both, in the order of their ids; of two with one id, the second's. @param {OperatorMessage[]} known @param {OperatorMessage[]} more */
function merged(known, more) {
  const byId = new Map(known.map((message) => [message.id, message]));
  for (const message of more) byId.set(message.id, message);
  return [...byId.values()].sort((a, b) => a.id - b.id);
}
