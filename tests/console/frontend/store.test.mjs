import assert from "node:assert/strict";
import { test } from "node:test";

import "./served.mjs";
import { Store } from "../../../apps/console/static/console/store.js";

const NOBODY = { kind: "client", agent_id: null, name: null };
const me = { id: 2, name: "Alice", avatar_url: null, status: "active", online: true, department_ids: [7] };
const boris = { ...me, id: 3, name: "Boris", department_ids: [] };
const at = (second) => `2026-11-22T04:00:${String(second).padStart(2, "0")}Z`;
const counts = { unanswered: 0, mine: 0, department: 0, open: 0, statuses: { active: 0, ready: 0 }, channels: {} };

const chat = (id, second, more = {}) => ({
  id,
  status: "active",
  channel: "widget",
  agent_id: null,
  department_id: null,
  created_at: at(second),
  last_message_at: at(second),
  last_message: { id, type: "text", preview: "hello", sender: NOBODY, created_at: at(second) },
  version: 1,
  closed_at: null,
  handed_over_at: null,
  waits_since: null,
  is_unread: true,
  ...more,
});

const message = (id, more = {}) => ({ id, chat_id: 1, type: "text", body: `text ${id}`, sender: NOBODY, ...more });

const ready = (chats = [], next_cursor = null) => ({
  type: "ready",
  data: { agent: me, widget: { id: 1 }, agents: [me, boris], departments: [], inbox: { chats, next_cursor, counts }, online: [2] },
});

function begun(chats, next_cursor) {
  const store = new Store((work) => work());
  store.apply(ready(chats, next_cursor));
  return store;
}

const shown = (store) => store.inbox.rowsBetween(0, 1000).map(({ id }) => id);
const updated = (row) => ({ type: "chat.updated", data: { chat: row } });

test("the snapshot's rows stand with the newest activity first, and the greater id first of two at once", () => {
  const store = begun([chat(1, 10), chat(2, 30), chat(4, 20), chat(3, 20)]);
  assert.deepEqual(shown(store), [2, 4, 3, 1]);
  assert.equal(store.state.connection, "online");
});

test("microseconds that the server leaves out sort as zeros", () => {
  const half = { last_message_at: "2026-11-22T04:00:10.500000Z" };
  assert.deepEqual(shown(begun([chat(1, 10), chat(2, 10, half)])), [2, 1]);
});

test("a chat that changes moves to its place, comes and goes by the view's rule", () => {
  const store = begun([chat(1, 10), chat(2, 20)]);
  store.apply(updated(chat(1, 30, { version: 2 })));
  assert.deepEqual(shown(store), [1, 2]);
  store.apply(updated(chat(2, 20, { version: 2, status: "expired" })));
  assert.deepEqual(shown(store), [1]);
  store.apply(updated(chat(5, 40)));
  assert.deepEqual(shown(store), [5, 1]);
});

test("an older version of a row changes nothing", () => {
  const store = begun([chat(1, 10, { version: 5, status: "ready" })]);
  store.apply(updated(chat(1, 50, { version: 4 })));
  store.inbox.putRow(chat(1, 50, { version: 4 }));
  assert.equal(store.state.rows.get(1).status, "ready");
});

test("what is below the last page loaded is not shown before its page is", () => {
  const store = begun([chat(9, 30), chat(8, 20)], "more");
  store.apply(updated(chat(1, 10)));
  assert.deepEqual(shown(store), [9, 8]);
  store.inbox.addPage(store.state.list, { data: [chat(7, 15), chat(1, 10)], next_cursor: null });
  assert.deepEqual(shown(store), [9, 8, 7, 1]);
});

test("a page keeps its boundary where its last row has moved meanwhile", () => {
  const store = begun([chat(9, 30)], "more");
  store.apply(updated(chat(5, 50, { version: 2 })));
  store.inbox.addPage(store.state.list, { data: [chat(6, 20), chat(5, 10)], next_cursor: "more" });
  store.apply(updated(chat(2, 12)));
  store.apply(updated(chat(1, 5)));
  assert.deepEqual(shown(store), [5, 9, 6, 2]);
});

test("each view has its own chats", () => {
  const answered = { id: 1, type: "text", preview: "", sender: { kind: "agent", agent_id: 2, name: "Alice" }, created_at: at(1) };
  const rows = [
    chat(1, 10, { waits_since: at(9) }),
    chat(2, 20, { last_message: answered, agent_id: 2 }),
    chat(3, 30, { department_id: 7, status: "ready", last_message: answered, channel: "telegram" }),
    chat(4, 40, { status: "expired", closed_at: at(1), agent_id: 2 }),
    chat(5, 50, { status: "expired", closed_at: at(2), department_id: 7, waits_since: at(3) }),
    chat(7, 50, { status: "expired", closed_at: new Date().toISOString(), agent_id: 2 }),
    chat(6, 5, { status: "spam" }),
  ];
  const store = begun(rows);
  const of = (view, filters) => {
    store.inbox.showView(view, filters);
    store.inbox.addPage(store.state.list, { data: [], next_cursor: null });
    return shown(store);
  };
  assert.deepEqual(of("open"), [3, 2, 1]);
  assert.deepEqual(of("open", { status: "ready" }), [3]);
  assert.deepEqual(of("open", { channel: "widget" }), [2, 1]);
  // The longest wait first, closed or not.
  assert.deepEqual(of("unanswered"), [5, 1]);
  store.apply({ type: "chat.updated", data: { chat: chat(2, 20, { version: 2, agent_id: 2, waits_since: at(5) }) } });
  assert.deepEqual(shown(store), [5, 2, 1]);
  // One's own of the last day are at hand.
  assert.deepEqual(of("mine"), [7, 2]);
  assert.deepEqual(of("department"), [3]);
  assert.deepEqual(of("closed"), [7, 5, 4]);
  assert.deepEqual(of("spam"), [6]);
});

test("a page that was asked for another view is not taken", () => {
  const store = begun([]);
  const before = store.state.list;
  store.inbox.showView("closed");
  store.inbox.addPage(before, { data: [chat(1, 10)], next_cursor: null });
  assert.equal(store.state.list.isLoaded, false);
  assert.equal(store.state.rows.size, 0);
});

test("after a new snapshot nothing of the old one is left but what is open", () => {
  const store = begun([chat(1, 10), chat(2, 20)], "more");
  store.chat.showChat(1);
  store.chat.addHistory(1, { data: [message(5)], next_cursor: null });
  store.apply(ready([chat(3, 30)]));
  assert.deepEqual(shown(store), [3, 1]);
  assert.deepEqual(store.state.open.messages.map(({ id }) => id), [5]);
  store.inbox.showView("mine");
  store.apply(ready([chat(3, 30)]));
  assert.equal(store.state.list.isLoaded, false);
});

test("messages stand in the order of their ids, each once", () => {
  const store = begun([chat(1, 10)]);
  store.chat.showChat(1);
  store.apply({ type: "message.created", data: message(7) });
  store.chat.addHistory(1, { data: [message(7), message(6), message(5)], next_cursor: "older" });
  store.apply({ type: "message.created", data: message(9, { chat_id: 2 }) });
  store.apply({ type: "message.created", data: message(6, { body: "as it is now" }) });
  const { messages, historyCursor } = store.state.open;
  assert.deepEqual(messages.map(({ id }) => id), [5, 6, 7]);
  assert.equal(messages[1].body, "as it is now");
  assert.equal(historyCursor, "older");
  assert.equal(store.chat.lastMessageId, 7);
});

test("what is written waits until its ack, and is then shown as the message it became", () => {
  const store = begun([chat(1, 10)]);
  store.chat.showChat(1);
  store.addUnsent({ client_id: "a", chat_id: 1, type: "text", body: "hi", created_at: at(1) });
  store.addUnsent({ client_id: "b", chat_id: 1, type: "text", body: "ho", created_at: at(2) });
  store.apply({ type: "error", data: { client_id: "b", code: "conflict", detail: "It is spam." } });
  store.apply({ type: "ack", data: { client_id: "a", message: message(5, { body: "hi" }) } });
  assert.deepEqual(
    store.state.outbox.map(({ client_id, refusal }) => [client_id, refusal]),
    [["b", { code: "conflict", detail: "It is spam." }]],
  );
  assert.deepEqual(store.state.open.messages.map(({ body }) => body), ["hi"]);
  store.refuseUnsent("b", null);
  assert.equal(store.state.outbox[0].refusal, null);
});

test("colleagues and typing are of the open chat, and forgotten with the connection", () => {
  const store = begun([chat(1, 10)]);
  store.chat.showChat(1);
  const colleagues = [{ agent_id: 3, state: "typing" }];
  store.apply({ type: "chat.colleagues", data: { chat_id: 1, agents: colleagues } });
  store.apply({ type: "chat.colleagues", data: { chat_id: 2, agents: [] } });
  store.apply({ type: "typing", data: { chat_id: 1, state: "start", by: "visitor" } });
  assert.deepEqual(store.state.open.colleagues, colleagues);
  assert.equal(store.state.open.isVisitorTyping, true);
  store.setConnection("offline");
  assert.deepEqual(store.state.open.colleagues, []);
  assert.equal(store.state.open.isVisitorTyping, false);
});

test("a visitor who has written types no more", () => {
  const store = begun([chat(1, 10)]);
  store.chat.showChat(1);
  store.apply({ type: "typing", data: { chat_id: 1, state: "start", by: "visitor" } });
  store.apply({ type: "message.created", data: message(5) });
  assert.equal(store.state.open.isVisitorTyping, false);
});

test("people come, go and change, oneself too", () => {
  const store = begun([]);
  store.apply({ type: "agent.updated", data: { agent: { ...me, status: "relaxation" } } });
  assert.equal(store.state.me.status, "relaxation");
  store.apply({ type: "agent.presence", data: { agent_id: 3, online: true } });
  assert.equal(store.state.agents.get(3).online, true);
  store.apply({ type: "agent.removed", data: { agent_id: 3 } });
  assert.deepEqual([...store.state.agents.keys()], [2]);
});

test("who is put into another department is shown its chats, once they are loaded", () => {
  const store = begun([chat(1, 10, { department_id: 8 }), chat(2, 20, { department_id: 7 })]);
  const { list } = store.state;
  store.apply({ type: "agent.updated", data: { agent: { ...me, department_ids: [7, 9] } } });
  assert.equal(store.state.list, list);
  store.inbox.showView("department", { channel: "widget" });
  store.inbox.addPage(store.state.list, { data: [], next_cursor: null });
  assert.deepEqual(shown(store), [2]);
  store.apply({ type: "agent.updated", data: { agent: { ...me, department_ids: [8] } } });
  const { isLoaded, filters } = store.state.list;
  assert.deepEqual([isLoaded, filters.channel, shown(store)], [false, "widget", []]);
  store.inbox.addPage(store.state.list, { data: [chat(3, 5, { department_id: 8 })], next_cursor: null });
  assert.deepEqual(shown(store), [1, 3]);
});

test("departments are as they were told last", () => {
  const store = begun([]);
  const departments = [{ id: 7, name: "Tea" }];
  store.apply({ type: "departments.updated", data: { departments } });
  assert.deepEqual(store.state.departments, departments);
});

test("a search shows what was found, in the server's order, as the chats stand now", () => {
  const store = begun([chat(1, 10)]);
  store.inbox.showSearch("tea");
  const { search } = store.state;
  store.inbox.addFound(search, { data: [chat(4, 5), chat(1, 10)], next_cursor: "more" });
  store.inbox.addFound(search, { data: [chat(4, 5), chat(3, 1)], next_cursor: null });
  store.apply(updated(chat(3, 50, { version: 2, status: "expired" })));
  assert.deepEqual(shown(store), [4, 1, 3]);
  assert.equal(store.inbox.rowsBetween(2, 3)[0].status, "expired");
  store.inbox.showSearch(null);
  assert.deepEqual(shown(store), [1, 4]);
});

test("what was found before a new snapshot stays found, and is in the list only where the snapshot has it", () => {
  const store = begun([chat(1, 10), chat(2, 20)]);
  store.inbox.showSearch("tea");
  store.inbox.addFound(store.state.search, { data: [chat(1, 10), chat(2, 20)], next_cursor: null });
  store.apply(ready([chat(2, 20)]));
  assert.deepEqual(shown(store), [1, 2]);
  store.inbox.showSearch(null);
  assert.deepEqual(shown(store), [2]);
});

test("subscribers are told once of any number of changes", () => {
  const works = [];
  const store = new Store((work) => works.push(work));
  let calls = 0;
  store.subscribe(() => (calls += 1));
  store.apply(ready([]));
  store.inbox.showView("mine");
  store.inbox.select(3);
  works.forEach((work) => work());
  assert.equal(calls, 1);
  store.inbox.select(4);
  assert.equal(works.length, 2);
});

test("a place that moves and a file in a text's stead are shown in the open chat", () => {
  const store = begun([chat(1, 10)]);
  store.chat.showChat(1);
  store.apply({ type: "message.created", data: message(5, { type: "location", body: "", coords: { lat: 55.75, lng: 37.61 } }) });
  store.apply({ type: "message.created", data: message(6, { coords: null, file: null, files: [] }) });
  const file = { id: 9, name: "roses.png", size: 70, content_type: "image/png" };
  const tell = (message_id, changes) => store.apply({ type: "message.edited", data: { chat_id: 1, message_id, edited_at: at(20), deleted_at: null, ...changes } });
  tell(5, { type: "location", body: "", coords: { lat: 55.8, lng: 37.61 }, file: null, files: [] });
  tell(6, { type: "image", body: "These", coords: null, file, files: [file] });
  const [place, picture] = store.state.open.messages;
  assert.deepEqual(place.coords, { lat: 55.8, lng: 37.61 });
  assert.deepEqual([picture.type, picture.body, picture.file], ["image", "These", file]);
});

test("a frame that nobody knows changes nothing", () => {
  const store = begun([chat(1, 10)]);
  store.apply({ type: "something.new", data: {} });
  assert.deepEqual(shown(store), [1]);
});

test("a hundred thousand rows take a change at once", () => {
  const store = begun([]);
  const began = performance.now();
  for (let id = 100_000; id > 0; id -= 50) {
    const page = Array.from({ length: 50 }, (_, index) => chat(id - index, 0, { last_message_at: new Date(1e12 + id - index).toISOString() }));
    store.inbox.addPage(store.state.list, { data: page, next_cursor: "more" });
  }
  assert.equal(store.inbox.length, 100_000);
  for (let id = 1; id <= 100; id += 1) store.apply(updated(chat(id, 50, { version: 2 })));
  assert.ok(performance.now() - began < 10_000);
  assert.deepEqual(store.inbox.rowsBetween(0, 3).map(({ id }) => id), [100, 99, 98]);
  assert.equal(store.inbox.placeOf(50_000), 50_100);
});

test("a message shows what became of it, also what happened while the tab was away", () => {
  const store = begun([chat(1, 10)]);
  store.chat.showChat(1);
  store.chat.addHistory(1, { data: [message(6, { delivery: null }), message(5, { delivery: { state: "queued" } })], next_cursor: null });
  const states = () => store.state.open.messages.map(({ delivery }) => delivery?.state ?? null);
  store.apply({ type: "message.delivery", data: { chat_id: 1, message_id: 5, delivery: { state: "failed" } } });
  assert.deepEqual(states(), ["failed", null]);
  store.apply({ type: "message.delivery", data: { chat_id: 2, message_id: 5, delivery: { state: "sent" } } });
  assert.deepEqual(states(), ["failed", null]);
  const opened = { chat_id: 1, chat: chat(1, 10), card: null, colleagues: [] };
  store.apply({ type: "chat.opened", data: { ...opened, deliveries: [{ message_id: 5, delivery: { state: "sent" } }] } });
  assert.deepEqual(states(), ["sent", null]);
  store.chat.putMessage(message(5, { delivery: { state: "queued" } }));
  assert.deepEqual(states(), ["queued", null]);
});
