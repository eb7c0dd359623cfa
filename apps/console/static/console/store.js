/**
 * The page's whole state, and the only one who changes it.
 *
 * `apply(frame)` takes what the socket brings; the named methods take what calls answer and what the person does. Both
 * are free of the network and the page, so that a test can drive them. Who subscribes is called once after any number of
 * changes. Readers must not change what they read.
 */

import { Ordered } from "./ordered.js";
import { isAscending, isIn, keyOf } from "./views.js";

/** @import {Agent, Card, Connection, Dialog, Filters, Frame, Habits, Match, Message, Page, Pane, Refusal, Reply, Row, State, Unsent, View} from "./types.js" */

// Milliseconds: the visitor's widget says every few seconds that it is being typed.
const TYPING_LASTS = 8_000;

/** @returns {State} */
const nothing = () => ({
  me: null,
  widget: null,
  agents: new Map(),
  departments: [],
  rows: new Map(),
  list: emptyList("open", { status: null, channel: null }),
  search: null,
  counts: null,
  selectedId: null,
  open: null,
  pane: "list",
  connection: "connecting",
  outbox: [],
  replies: null,
  dialog: null,
  habits: { isNotifying: false, isSounding: false, isAsked: true },
  notice: null,
  echo: null,
  choices: { next_after_close: true, formatting: true, reads: [], show_translation: false },
  assists: new Map(),
  inSight: { from: 0, to: 20 },
});

/** @param {View} view @param {Filters} filters @returns {State["list"]} */
const emptyList = (view, filters) => ({
  view,
  filters,
  cursor: null,
  boundary: null,
  isLoaded: false,
  isLoading: false,
  refusal: null,
});

/** Once a frame of the screen; where the tab is hidden and has none, soon. @param {() => void} work */
function soon(work) {
  let isDone = false;
  const once = () => {
    if (!isDone) work();
    isDone = true;
  };
  requestAnimationFrame(once);
  setTimeout(once, 200);
}

export class Store {
  #schedule;
  #isScheduled = false;
  /** @type {Set<() => void>} */
  #subscribers = new Set();
  #ordered = new Ordered();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typingEnds;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #machineEnds;

  /** @param {(work: () => void) => void} [schedule] When subscribers are called; the tests' is at once. */
  constructor(schedule = soon) {
    this.#schedule = schedule;
    this.state = nothing();
  }

  /** @param {() => void} subscriber */
  subscribe(subscriber) {
    this.#subscribers.add(subscriber);
  }

  /** A room has changed something that is its own: what it shows is drawn anew. */
  redraw() {
    this.#changed();
  }

  #changed() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#schedule(() => {
      this.#isScheduled = false;
      for (const subscriber of this.#subscribers) subscriber();
    });
  }

  // What the socket brings.

  /** @param {Frame} frame */
  apply({ type, data }) {
    const take = this.#takers[type];
    if (!take) return;
    take(data);
    this.#changed();
  }

  /** @type {Record<string, (data: any) => void>} */
  #takers = {
    ready: (data) => this.#begin(data),
    "chat.opened": (data) => {
      this.#put(data.chat);
      this.#withOpen(data.chat_id, (open) => {
        open.card = data.card;
        open.colleagues = data.colleagues;
        open.refusal = null;
      });
      for (const { message_id, delivery } of data.deliveries) this.#amend(data.chat_id, message_id, { delivery });
      for (const { message_id, ...edit } of data.edits ?? []) this.#amend(data.chat_id, message_id, edit);
    },
    "message.delivery": ({ chat_id, message_id, delivery }) => this.#amend(chat_id, message_id, { delivery }),
    "message.edited": ({ chat_id, message_id, ...edit }) => this.#amend(chat_id, message_id, edit),
    "message.translated": ({ chat_id, message_id, translations }) => this.#amend(chat_id, message_id, { translations }),
    "message.created": (message) => this.#add(message),
    "message.updated": ({ message: { chat_id, id, ...changes } }) => this.#amend(chat_id, id, changes),
    ack: ({ client_id, message }) => {
      this.state.outbox = this.state.outbox.filter((unsent) => unsent.client_id !== client_id);
      this.#add(message);
    },
    "chat.updated": ({ chat }) => this.#put(chat),
    "chat.card": ({ chat_id, card }) => this.#withOpen(chat_id, (open) => (open.card = card)),
    "cards.updated": ({ chat_id, cards }) => this.#withOpen(chat_id, (open) => (open.shopCards = cards)),
    "chat.presence": ({ chat_id, presence, reach }) =>
      this.#withOpen(chat_id, ({ card }) => {
        if (card) card.reach = reach;
        if (card?.visitor) card.visitor.presence = presence;
      }),
    "chat.colleagues": ({ chat_id, agents }) => this.#withOpen(chat_id, (open) => (open.colleagues = agents)),
    typing: ({ chat_id, state, by, name }) =>
      this.#withOpen(chat_id, (open) => {
        if (by === "machine") this.#showMachine(open, state === "start" ? (name ?? "") : null);
        else this.#showTyping(open, state === "start");
      }),
    "inbox.counts": (counts) => (this.state.counts = counts),
    "agent.presence": ({ agent_id, online }) => {
      const agent = this.state.agents.get(agent_id);
      if (agent) this.#putAgent({ ...agent, online });
    },
    "agent.updated": ({ agent }) => this.#putAgent(agent),
    "agent.removed": ({ agent_id }) => this.state.agents.delete(agent_id),
    "departments.updated": ({ departments }) => (this.state.departments = departments),
    "assist.text": ({ assist_id, text }) => {
      const assist = this.state.assists.get(assist_id);
      if (assist) this.state.assists.set(assist_id, { ...assist, words: text });
    },
    "assist.updated": ({ assist }) => this.state.assists.set(assist.id, { ...this.state.assists.get(assist.id), ...assist }),
    error: ({ client_id, chat_id, ...refusal }) => {
      if (client_id) this.refuseUnsent(client_id, refusal);
      else if (chat_id) this.#withOpen(chat_id, (open) => (open.refusal = refusal));
    },
  };

  /** A connection begins: what the snapshot says is so, and nothing else is known of the inbox. @param {any} data */
  #begin({ agent, widget, agents, departments, inbox, online }) {
    const { state } = this;
    const isOnline = new Set(online);
    state.widget = widget;
    state.departments = departments;
    state.agents = new Map(agents.map((/** @type {Agent} */ each) => [each.id, { ...each, online: isOnline.has(each.id) }]));
    state.me = { ...agent, online: true };
    state.counts = inbox.counts;
    state.connection = "online";
    // What was refused without a connection is asked for again.
    if (state.search) state.search.refusal = null;
    if (state.open) state.open.refusal = null;
    const openRow = state.open && state.rows.get(state.open.chatId);
    const found = state.search?.ids.flatMap((id) => state.rows.get(id) ?? []) ?? [];
    state.rows = new Map();
    this.#ordered.fill([], isAscending(state.list.view));
    // What was found stays shown, but may be closed by now: only the snapshot says what is in the list.
    for (const row of found) state.rows.set(row.id, row);
    if (openRow) this.#put(openRow);
    const { view, filters } = state.list;
    state.list = emptyList(view, filters);
    if (view === "open" && !filters.status && !filters.channel) {
      this.addPage(state.list, { data: inbox.chats, next_cursor: inbox.next_cursor });
    } else inbox.chats.forEach((/** @type {Row} */ row) => this.#put(row));
  }

  /** @param {Agent} agent */
  #putAgent(agent) {
    const { state } = this;
    state.agents.set(agent.id, agent);
    if (state.me?.id !== agent.id) return;
    const hadDepartments = String(state.me.department_ids);
    state.me = agent;
    const { view, filters } = state.list;
    if (view !== "department" || String(agent.department_ids) === hadDepartments) return;
    // The chats of another department are not known yet.
    state.list = emptyList(view, filters);
    this.#order();
  }

  // Rows.

  /** Takes a row, unless a newer one is there: a page that was asked for may be older than a frame. @param {Row} row */
  #put(row) {
    const known = this.state.rows.get(row.id);
    if (known && known.version > row.version) return;
    this.state.rows.set(row.id, row);
    this.#ordered.place(row.id, this.#keyOf(row));
  }

  /** The row's place in the list; null where it is not in it. @param {Row} row */
  #keyOf(row) {
    const { list, me } = this.state;
    return me && isIn(row, list, me) ? keyOf(row, list.view) : null;
  }

  #order() {
    const keys = [...this.state.rows.values()].map((row) => this.#keyOf(row));
    this.#ordered.fill(keys.filter((key) => key !== null), isAscending(this.state.list.view));
  }

  /** How many rows the list, or what was searched for, has to show. */
  get length() {
    const { list, search } = this.state;
    if (search) return search.ids.length;
    return list.isLoaded ? this.#ordered.countDownTo(list.boundary) : 0;
  }

  /** The rows from place to place, as they stand. @param {number} from @param {number} to @returns {Row[]} */
  rowsBetween(from, to) {
    const { rows, search } = this.state;
    const ids = search ? search.ids.slice(from, to) : this.#ordered.slice(from, Math.min(to, this.length));
    return ids.flatMap((id) => rows.get(id) ?? []);
  }

  /** The row's place in what is shown; -1 for one that is not. @param {number} id */
  placeOf(id) {
    const { search } = this.state;
    const place = search ? search.ids.indexOf(id) : this.#ordered.indexOf(id);
    return place < this.length ? place : -1;
  }

  /** @param {View} view @param {Partial<Filters>} [filters] */
  showView(view, filters = {}) {
    this.state.list = emptyList(view, { status: null, channel: null, ...filters });
    this.state.search = null;
    this.state.inSight = { from: 0, to: 20 };
    this.#order();
    this.#changed();
  }

  /** @param {State["list"] | NonNullable<State["search"]>} list The one that a page is being asked for. */
  beginPage(list) {
    list.isLoading = true;
    list.refusal = null;
    this.#changed();
  }

  /** The next page of a list; nothing, if that is not the list any more. @param {State["list"]} list @param {Page} page */
  addPage(list, page) {
    if (this.state.list !== list) return;
    for (const row of page.data) this.#put(row);
    const last = page.data.at(-1);
    list.cursor = page.next_cursor;
    // As the server had it: a row that has moved meanwhile is no reason to show what is not loaded.
    if (page.next_cursor === null) list.boundary = null;
    else if (last) list.boundary = keyOf(last, list.view);
    list.isLoaded = true;
    list.isLoading = false;
    this.#changed();
  }

  /** @param {State["list"] | NonNullable<State["search"]>} list @param {Refusal} refusal */
  refusePage(list, refusal) {
    list.isLoading = false;
    list.refusal = refusal;
    this.#changed();
  }

  /** @param {string | null} query Null: not searching. */
  showSearch(query) {
    const nothing = { ids: [], matches: new Map(), cursor: null, isLoaded: false, isLoading: false, refusal: null };
    this.state.search = query === null ? null : { query, ...nothing };
    this.state.inSight = { from: 0, to: 20 };
    this.#changed();
  }

  /** @param {NonNullable<State["search"]>} search @param {Page} page */
  addFound(search, page) {
    if (this.state.search !== search) return;
    for (const { matched, ...row } of /** @type {(Row & {matched: Match | null})[]} */ (page.data)) {
      this.#put(row);
      if (matched) search.matches.set(row.id, matched);
    }
    search.ids = [...new Set([...search.ids, ...page.data.map((row) => row.id)])];
    search.cursor = page.next_cursor;
    search.isLoaded = true;
    search.isLoading = false;
    this.#changed();
  }

  /** A row that a call answered. @param {Row} row */
  putRow(row) {
    this.#put(row);
    this.#changed();
  }

  /** @param {number} from @param {number} to The places of the rows to draw. */
  look(from, to) {
    const { inSight } = this.state;
    if (inSight.from === from && inSight.to === to) return;
    this.state.inSight = { from, to };
    this.#changed();
  }

  /** @param {number | null} id The row that the keyboard is at. */
  select(id) {
    this.state.selectedId = id;
    this.#changed();
  }

  // The open chat.

  /** @param {number | null} chatId Null: none. */
  showChat(chatId) {
    const { state } = this;
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
  #withOpen(chatId, change) {
    const { open } = this.state;
    if (open?.chatId === chatId) change(open);
  }

  /** @param {Message} message */
  #add(message) {
    this.#withOpen(message.chat_id, (open) => {
      if (message.sender.kind === "client") this.#showTyping(open, false);
      else this.#showMachine(open, null);
      open.messages = merged(open.messages, [message]);
    });
  }

  /** What became of a message in a messenger, @param {number} chatId @param {number} messageId @param {Partial<Message>} changes */
  #amend(chatId, messageId, changes) {
    this.#withOpen(chatId, (open) => {
      open.messages = open.messages.map((each) => (each.id === messageId ? { ...each, ...changes } : each));
    });
  }

  /** @param {NonNullable<State["open"]>} open @param {boolean} isTyping */
  #showTyping(open, isTyping) {
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
    this.#withOpen(chatId, (open) => {
      open.isLoading = true;
      open.refusal = null;
    });
    this.#changed();
  }

  /** A page of older messages, newest first. @param {number} chatId @param {Page} page */
  addHistory(chatId, page) {
    this.#withOpen(chatId, (open) => {
      open.messages = merged(open.messages, page.data);
      open.historyCursor = page.next_cursor;
      open.isLoading = false;
    });
    this.#changed();
  }

  /** @param {number} chatId @param {Refusal} refusal */
  refuseChat(chatId, refusal) {
    this.#withOpen(chatId, (open) => {
      open.isLoading = false;
      open.refusal = refusal;
    });
    this.#changed();
  }

  /** A message as a call answered it. @param {Message} message */
  putMessage(message) {
    this.#withOpen(message.chat_id, (open) => (open.messages = merged(open.messages, [message])));
    this.#changed();
  }

  /** @param {number} chatId @param {Card} card */
  putCard(chatId, card) {
    this.#withOpen(chatId, (open) => (open.card = card));
    this.#changed();
  }

  /** The id of the newest message shown of the open chat; 0 where there is none. */
  get lastMessageId() {
    return this.state.open?.messages.at(-1)?.id ?? 0;
  }

  // What is written and not yet sent.

  /** @param {Unsent[]} outbox What an earlier page of this tab had left. */
  putOutbox(outbox) {
    this.state.outbox = outbox;
    this.#changed();
  }

  /** @param {Unsent} unsent */
  addUnsent(unsent) {
    this.state.outbox = [...this.state.outbox, unsent];
    this.#changed();
  }

  /** @param {string} clientId @param {Refusal | null} refusal Null: it is tried again. */
  refuseUnsent(clientId, refusal) {
    this.state.outbox = this.state.outbox.map((each) => (each.client_id === clientId ? { ...each, refusal } : each));
    this.#changed();
  }

  /** @param {string} clientId */
  dropUnsent(clientId) {
    this.state.outbox = this.state.outbox.filter((each) => each.client_id !== clientId);
    this.#changed();
  }

  // The rest.

  /** @param {Connection} connection */
  setConnection(connection) {
    this.state.connection = connection;
    if (connection !== "online" && this.state.open) {
      // Nobody says when they leave.
      this.state.open.colleagues = [];
      this.#showTyping(this.state.open, false);
    }
    this.#changed();
  }

  /** @param {Agent["status"]} status */
  setStatus(status) {
    if (this.state.me) this.#putAgent({ ...this.state.me, status });
    this.#changed();
  }

  /** @param {Reply[] | null} replies Null: not asked for yet. */
  putReplies(replies) {
    this.state.replies = replies;
    this.#changed();
  }

  /** @param {Dialog | null} dialog */
  showDialog(dialog) {
    this.state.dialog = dialog;
    this.#changed();
  }

  /** @param {Pane} pane */
  showPane(pane) {
    this.state.pane = pane;
    this.#changed();
  }

  /** @param {Partial<Habits>} habits */
  setHabits(habits) {
    this.state.habits = { ...this.state.habits, ...habits };
    this.#changed();
  }

  /** @param {string | null} notice What the page has to say, until it is put away. */
  showNotice(notice) {
    this.state.notice = notice;
    this.#changed();
  }

  /** @param {State["echo"]} echo What was done just now. */
  showEcho(echo) {
    this.state.echo = echo;
    this.#changed();
  }

  /** @param {State["choices"]} choices */
  putChoices(choices) {
    this.state.choices = choices;
    this.#changed();
  }
}

/** Both, in the order of their ids; of two with one id, the second's. @param {Message[]} known @param {Message[]} more */
function merged(known, more) {
  const byId = new Map(known.map((message) => [message.id, message]));
  for (const message of more) byId.set(message.id, message);
  return [...byId.values()].sort((a, b) => a.id - b.id);
}
