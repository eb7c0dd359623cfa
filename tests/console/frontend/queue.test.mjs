/** The queue in the page: its order, the offers of this operator, and why they are theirs. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { within } from "./browser.mjs";
import "./served.mjs";
import * as topBar from "../../../apps/console/static/console/base/top_bar.js";
import * as board from "../../../apps/console/static/console/board/board.js";
import * as chatList from "../../../apps/console/static/console/inbox/chat_list.js";
import { row } from "../../../apps/console/static/console/inbox/chat_row.js";
import { Notices } from "../../../apps/console/static/console/settings/notifications.js";
import { Store } from "../../../apps/console/static/console/store.js";
import { offersOf, reasonsOf } from "../../../apps/console/static/console/inbox/offer_card.js";
import { speak, t } from "../../../apps/console/static/console/base/texts.js";

const MINUTE = 60_000;
const me = { id: 2, name: "Alice", avatar_url: null, status: "active", online: true, break: null, department_ids: [] };
const ago = (minutes) => new Date(Date.now() - minutes * MINUTE).toISOString();
const sender = { kind: "client", agent_id: null, name: null };

/** A chat that waits for a place since so many minutes. */
const chat = (id, minutes, more = {}) => ({
  id,
  status: "active",
  channel: "widget",
  agent_id: null,
  department_id: null,
  contact: { name: `Guest ${id}` },
  priority: "normal",
  created_at: ago(minutes),
  last_message_at: ago(minutes),
  last_message: { id, type: "text", preview: "hello", sender, created_at: ago(minutes) },
  version: 1,
  closed_at: null,
  handed_over_at: null,
  waits_since: ago(minutes),
  rings_for: "queue",
  offer: null,
  is_unread: true,
  marks: [],
  ...more,
});

const offer = (agent_id, seconds, since = ago(0)) => ({ agent_id, since, until: new Date(Date.now() + seconds * 1_000).toISOString(), why: null });

function begun(...chats) {
  const store = new Store((work) => work());
  const data = { agent: me, widget: { id: 1 }, agents: [me], departments: [], inbox: { chats, next_cursor: null, counts: null }, online: [2] };
  store.apply({ type: "ready", data });
  return store;
}

const shown = (store) => store.inbox.rowsBetween(0, 100).map(({ id }) => id);

function queue(store, ...chats) {
  store.inbox.showView("queue");
  store.inbox.addPage(store.state.list, { data: chats, next_cursor: null });
  return shown(store);
}

test("the queue goes by priority, a quarter of an hour of waiting counts as one more, then by the wait", () => {
  const chats = [chat(1, 1), chat(2, 2, { priority: "urgent" }), chat(3, 10, { priority: "low" }), chat(4, 14), chat(5, 31), chat(6, 3, { priority: "high" })];
  assert.deepEqual(queue(begun(), ...chats), [5, 2, 6, 4, 1, 3]);
});

test("a chat comes into the queue and leaves it as its row says", () => {
  const store = begun();
  assert.deepEqual(queue(store, chat(1, 5), chat(2, 3, { rings_for: "all" }), chat(3, 4, { rings_for: "offered", offer: offer(9, 30) })), [1, 3]);
  store.apply({ type: "chat.updated", data: { chat: chat(1, 5, { version: 2, rings_for: "owner", agent_id: 2 }) } });
  assert.deepEqual(shown(store), [3]);
});

test("a longer wait moves a chat up by itself", ({ mock }) => {
  mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const store = begun();
  assert.deepEqual(queue(store, chat(1, 14), chat(2, 1, { priority: "high" })), [2, 1]);
  mock.timers.tick(2 * MINUTE);
  store.inbox.orderAnew();
  assert.deepEqual(shown(store), [1, 2]);
});

test("what is due stands by its moment, and nothing else does", () => {
  const store = begun();
  store.inbox.showView("due");
  const due = (minutes) => ({ metric: "first_reply", due_at: ago(-minutes), warned_at: null, breached_at: null });
  store.inbox.addPage(store.state.list, { data: [chat(1, 5, { sla: due(9) }), chat(2, 5, { sla: null }), chat(3, 1, { sla: due(2) })], next_cursor: null });
  assert.deepEqual(shown(store), [3, 1]);
  const late = { ...due(-1), breached_at: ago(1) };
  store.apply({ type: "chat.updated", data: { chat: chat(4, 9, { sla: late }) } });
  assert.deepEqual(shown(store), [4, 3, 1]);
  store.apply({ type: "chat.updated", data: { chat: chat(3, 1, { version: 2, waits_since: null, rings_for: "nobody", sla: null }) } });
  assert.deepEqual(shown(store), [4, 1]);
});

/** The words of a template. */
const said = (view) => [...within(view)].filter((each) => typeof each === "string");

test("a row says when its answer is due, that it is soon, and since when it is late", () => {
  const { state } = begun();
  const sla = (minutes, marks) => ({ metric: "first_reply", due_at: new Date(Date.now() - minutes * MINUTE + 1_000).toISOString(), warned_at: null, breached_at: null, ...marks });
  const rows = [
    [sla(-12), "Due in 12 min", "Срок через 12 мин"],
    [sla(-150), "Due in 2 h", "Срок через 2 ч"],
    [sla(-3, { warned_at: ago(1) }), "Due soon: 3 min", "Скоро срок: 3 мин"],
    [sla(6, { warned_at: ago(9), breached_at: ago(6) }), "Overdue: 6 min", "Просрочено: 6 мин"],
    [sla(6), "Overdue: 5 min", "Просрочено: 5 мин"], // its mark is on its way
    [sla(-30, { warned_at: ago(9), breached_at: ago(6) }), "Overdue: 6 min", "Просрочено: 6 мин"], // a miss stays told
  ];
  for (const [due, english, russian] of rows) {
    speak("en");
    assert.ok(said(row(chat(1, 20, { sla: due }), state, 0, 1)).includes(english), english);
    speak("ru");
    assert.ok(said(row(chat(1, 20, { sla: due }), state, 0, 1)).includes(russian), russian);
  }
  speak("en");
  assert.ok(said(row(chat(1, 20, { sla: { ...sla(-12), metric: "resolution" } }), state, 0, 1)).some((each) => each.startsWith("End of the chat due: ")));
  assert.ok(!said(row(chat(1, 20, { sla: null }), state, 0, 1)).some((each) => each.startsWith("Due")));
});

const config = { widgets: [{ guid: "g", name: "Shop", is_current: true }], person: { name: "Alice", email: "a@shop.test" }, has_queue: true, has_due: true, capacity: 5 };
const actions = { inbox: {}, settings: {}, redraw() {} };

test("views of what is routed and due are offered where there are answer times and a queue", () => {
  const store = begun();
  const offered = (more) => said(chatList.view(store.state, actions, store, { ...config, ...more })).filter((each) => [t("view_queue"), t("view_due")].includes(each));
  assert.deepEqual(offered({}), ["Queue", "Due"]);
  assert.deepEqual(offered({ has_due: false }), ["Queue"]);
  assert.deepEqual(offered({ has_queue: false, has_due: false }), []);
});

test("the places that are taken stand by one's name: one's chats and offers, of all", () => {
  const store = begun(chat(1, 5, { offer: offer(2, 30) }), chat(2, 5, { offer: offer(9, 30) }));
  store.apply({ type: "inbox.counts", data: { mine: 4 } });
  assert.ok(said(topBar.view(store.state, actions, config)).includes("5 of 5"));
  store.apply({ type: "inbox.counts", data: { mine: 2 } });
  assert.ok(said(topBar.view(store.state, actions, config)).includes("3 of 5"));
  assert.ok(!said(topBar.view(store.state, actions, { ...config, capacity: null })).some((each) => each.includes(" of ")), "nothing is routed");
});

test("who missed offers in a row is told so, and is back with one press", () => {
  const store = begun();
  const told = () => said(chatList.view(store.state, actions, store, config)).includes(t("break_missed"));
  const paused = (reason) => store.apply({ type: "agent.updated", data: { agent: { ...me, status: "relaxation", break: { reason, since: null, note: "", pass_on: false } } } });
  assert.equal(told(), false);
  paused("own");
  assert.equal(told(), false);
  paused("missed");
  assert.equal(told(), true);
  const back = [];
  const view = chatList.view(store.state, { ...actions, settings: { setStatus: (status) => back.push(status) } }, store, config);
  for (const press of within(view)) if (typeof press === "function" && String(press).includes("setStatus(")) press();
  assert.deepEqual(back, ["active"]);
  store.apply({ type: "agent.updated", data: { agent: me } });
  assert.equal(told(), false);
});

test("the wallboard counts the answers of a department that are due soon and overdue", async () => {
  const { state } = begun();
  const department = { department_id: 7, name: "Sales", is_open: true, opens_at: null, waiting: 3, longest_since: ago(2), due_soon: 2, breached: 1, online: 1, on_break: 0, places: 4 };
  const answered = { count: 0, p50_seconds: null, p90_seconds: null };
  const shows = async (...departments) => {
    const data = { at: ago(0), departments, operators: [], chats: [], answered };
    const reads = { tried: async () => ({ data }), redraw() {} };
    board.show(true, reads);
    await new Promise(setImmediate);
    board.show(false, reads);
    const lists = [...within(board.view(state))].flatMap((each) => (typeof each?.values?.[2] === "function" ? [each.values] : []));
    return said(lists.flatMap(([rows, , draw]) => rows.map(draw)));
  };
  assert.ok((await shows(department)).includes("Due soon: 2. Overdue: 1"));
  assert.ok(!(await shows({ ...department, due_soon: 0, breached: 0 })).some((each) => each.startsWith("Due soon")));
});

test("only this operator's offers that stand are shown, the one that ends first before the others", () => {
  const { state } = begun(chat(1, 5, { offer: offer(2, 30) }), chat(2, 5, { offer: offer(9, 5) }), chat(3, 5, { offer: offer(2, 10) }), chat(4, 5, { offer: offer(2, -1) }));
  assert.deepEqual(
    offersOf(state).map(({ id }) => id),
    [3, 1],
  );
});

test("why it is theirs is a sentence in both languages", () => {
  const why = { reasons: ["fewest_open", "language", "owner_away"], load: 1, capacity: 5, department_load: null, department_capacity: null, waited_seconds: 3, among: 2 };
  speak("en");
  assert.equal(reasonsOf(why), "fewest open (1 of 5), you read the language, its owner is away");
  speak("ru");
  assert.equal(reasonsOf(why), "меньше всех открытых (1 из 5), вы читаете на этом языке, его оператор отошёл");
  speak("en");
});

test("an offer rings once, for the operator alone whom it is made to", () => {
  const told = [];
  globalThis.Notification = class {
    constructor(title) {
      told.push(title);
    }
    close() {}
  };
  document.hasFocus = () => false;
  const store = begun(chat(1, 5), chat(2, 5));
  const notices = new Notices(store, () => {});
  store.setHabits({ isNotifying: true });
  const hear = (row) => {
    const frame = { type: "chat.updated", data: { chat: row } };
    notices.hear(frame);
    store.apply(frame);
  };
  const mine = offer(2, 30);
  hear(chat(1, 5, { version: 2, rings_for: "offered", offer: mine }));
  hear(chat(1, 5, { version: 3, rings_for: "offered", offer: mine }));
  hear(chat(2, 5, { version: 2, rings_for: "offered", offer: offer(9, 30) }));
  assert.deepEqual(told, ["Guest 1"]);
});
