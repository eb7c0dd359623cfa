/**
 * The page's whole state, and the only one who changes it: `inbox` and `chat` are its slices of those rooms.
 *
 * `apply(frame)` takes what the socket brings; the named methods take what calls answer and what the person does. Both
 * are free of the network and the page, so that a test can drive them. Who subscribes is called once after any number of
 * changes. Readers must not change what they read.
 */

import { OpenChatState } from "./chat/open_chat_state.js";
import { emptyList, InboxState } from "./inbox/inbox_state.js";

/** @import {Reply} from "./base/server_types.js" */
/** @import {Agent, Connection, Dialog, Frame, Habits, Pane, Refusal, State, Unsent} from "./base/types.js" */

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
  state = nothing();
  inbox = new InboxState(this.state, () => this.#changed());
  chat = new OpenChatState(this.state, () => this.#changed());
  #schedule;
  #isScheduled = false;
  /** @type {Set<() => void>} */
  #subscribers = new Set();

  /** @param {(work: () => void) => void} [schedule] When subscribers are called; the tests' is at once. */
  constructor(schedule = soon) {
    this.#schedule = schedule;
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

  /** What the socket brings. @param {Frame} frame */
  apply({ type, data }) {
    const take = this.#frames[type];
    if (!take) return;
    take(data);
    this.#changed();
  }

  /** @type {Record<string, (data: any) => void>} */
  #frames = {
    ...this.inbox.frames,
    ...this.chat.frames,
    ready: (data) => this.#begin(data),
    "chat.opened": (data) => {
      this.inbox.put(data.chat);
      this.chat.opened(data);
    },
    ack: ({ client_id, message }) => {
      this.state.outbox = this.state.outbox.filter((unsent) => unsent.client_id !== client_id);
      this.chat.add(message);
    },
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
      else if (chat_id) this.chat.ifOpen(chat_id, (open) => (open.refusal = refusal));
    },
  };

  /** A connection begins: what the snapshot says is so. @param {any} data */
  #begin({ agent, widget, agents, departments, inbox, online }) {
    const { state } = this;
    const isOnline = new Set(online);
    state.widget = widget;
    state.departments = departments;
    state.agents = new Map(agents.map((/** @type {Agent} */ each) => [each.id, { ...each, online: isOnline.has(each.id) }]));
    state.me = { ...agent, online: true };
    state.connection = "online";
    // What was refused without a connection is asked for again.
    if (state.open) state.open.refusal = null;
    this.inbox.begin(inbox);
  }

  /** @param {Agent} agent */
  #putAgent(agent) {
    const { state } = this;
    state.agents.set(agent.id, agent);
    if (state.me?.id !== agent.id) return;
    const hadDepartments = String(state.me.department_ids);
    state.me = agent;
    // The chats of another department are not known yet.
    if (state.list.view === "department" && String(agent.department_ids) !== hadDepartments) this.inbox.forgetList();
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
      this.chat.showTyping(this.state.open, false);
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
