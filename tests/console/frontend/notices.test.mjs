/** What a person who looks elsewhere is told, where a browser is a stand-in. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import "./browser.mjs";
import "./served.mjs";
import { Notices } from "../../../apps/console/static/console/settings/notifications.js";
import { Store } from "../../../apps/console/static/console/store.js";

const MINUTE = 60_000;
const me = { id: 2, name: "Alice", avatar_url: null, status: "active", online: true, department_ids: [] };
const told = [];
let put = 0;

globalThis.Notification = class {
  constructor(title, { body }) {
    told.push([title, body]);
  }
  close() {
    put += 1;
  }
};

/** A chat whose visitor wrote that many minutes ago. */
const chat = (id, minutes, more = {}) => {
  const created_at = new Date(Date.now() - minutes * MINUTE).toISOString();
  const sender = { kind: "client", agent_id: null, name: null };
  const last_message = { id: 1000 - minutes, type: "text", preview: `${minutes} ago`, sender, created_at };
  return { id, status: "active", agent_id: null, contact: { name: `Guest ${id}` }, last_message, created_at, version: 1, is_unread: true, handed_over_at: null, waits_since: created_at, ...more };
};

/** What a connection begins with. */
const ready = (...chats) => ({
  type: "ready",
  data: { agent: me, widget: { id: 1 }, agents: [me], departments: [], inbox: { chats, next_cursor: "more", counts: null }, online: [2] },
});

function begun() {
  const store = new Store((work) => work());
  const notices = new Notices(store, () => {});
  store.setHabits({ isNotifying: true });
  return (frame) => {
    notices.hear(frame);
    store.apply(frame);
  };
}

beforeEach(() => {
  told.length = 0;
  document.hasFocus = () => false;
});

test("a visitor's message is told, once, where it is for this person to answer", () => {
  const hear = begun();
  hear(ready(chat(1, 30)));
  hear({ type: "chat.updated", data: { chat: chat(1, 0, { version: 2 }) } });
  hear({ type: "chat.updated", data: { chat: chat(1, 0, { version: 3 }) } });
  hear({ type: "chat.updated", data: { chat: chat(3, 0, { agent_id: 9 }) } });
  assert.deepEqual(told, [["Guest 1", "0 ago"]]);
});

test("what was there before the page is not told", () => {
  const hear = begun();
  hear(ready(chat(1, 1), chat(2, 0)));
  assert.deepEqual(told, []);
});

test("what came while there was no connection is told once there is one", ({ mock }) => {
  const hear = begun();
  const same = chat(2, 40);
  hear(ready(chat(1, 30), same));
  mock.timers.enable({ apis: ["Date"], now: Date.now() + 10 * MINUTE });
  // The third is new; the fourth is an old one that the page had not come to.
  const after = ready(chat(3, 1), chat(1, 5, { version: 2 }), same, chat(4, 60));
  hear(after);
  assert.deepEqual(told, [["Guest 3", "1 ago"], ["Guest 1", "5 ago"]]);
  hear(after);
  assert.equal(told.length, 2);
});

test("a chat that a machine hands to people rings, and while it is the machine's turn nothing does", () => {
  const hear = begun();
  hear(ready(chat(1, 30)));
  hear({ type: "chat.updated", data: { chat: chat(1, 0, { version: 2, waits_since: null }) } });
  assert.deepEqual(told, []);
  const handed = { version: 3, is_unread: false, handed_over_at: new Date().toISOString() };
  hear({ type: "chat.updated", data: { chat: chat(1, 0, handed) } });
  hear({ type: "chat.updated", data: { chat: chat(1, 0, { ...handed, version: 4 }) } });
  assert.deepEqual(told, [["Guest 1", "0 ago"]]);
});

test("a colleague who is given a chat is told, and nobody of what they took themselves", () => {
  const store = new Store((work) => work());
  const notices = new Notices(store, () => {});
  const hear = (frame) => (notices.hear(frame), store.apply(frame));
  hear(ready(chat(1, 30), chat(2, 30)));
  notices.expect(1);
  hear({ type: "chat.updated", data: { chat: chat(1, 30, { version: 2, agent_id: 2 }) } });
  assert.equal(store.state.notice, null);
  hear({ type: "chat.updated", data: { chat: chat(2, 30, { version: 2, agent_id: 2 }) } });
  assert.ok(store.state.notice?.includes("Guest 2"));
});

test("who waits at another widget rings when there are more than before", () => {
  const store = new Store((work) => work());
  const notices = new Notices(store, () => {});
  store.setHabits({ isNotifying: true });
  const other = (unanswered) => notices.hearElsewhere([{ guid: "b", name: "Books", unanswered }]);
  for (const count of [1, 1, 0, 2]) other(count);
  assert.equal(told.length, 1);
});

test("a chat rings for whom its row says: for all once its owner is away, for nobody who is not its owner before", () => {
  const hear = begun();
  hear(ready(chat(1, 30, { agent_id: 9, rings_for: "owner" })));
  hear({ type: "chat.updated", data: { chat: chat(1, 1, { agent_id: 9, rings_for: "owner", version: 2 }) } });
  assert.deepEqual(told, []);
  hear({ type: "chat.updated", data: { chat: chat(1, 1, { agent_id: 9, rings_for: "all", version: 3 }) } });
  hear({ type: "chat.updated", data: { chat: chat(1, 1, { agent_id: 9, rings_for: "all", version: 4 }) } });
  assert.deepEqual(told, [["Guest 1", "1 ago"]]);
});

test("a chat that is back from its snooze rings for its owner, else for all, once", () => {
  const hear = begun();
  const aside = { snooze: { until: null, by: 2, at: "2026-11-22T04:00:00Z" }, rings_for: "nobody", waits_since: null };
  const back = { snooze: null, back_since: "2026-11-22T05:00:00Z", rings_for: "nobody", waits_since: null };
  hear(ready(chat(1, 30, { agent_id: 2, ...aside }), chat(2, 30, { agent_id: 9, ...aside }), chat(3, 30, aside)));
  for (const [id, agent_id] of [[1, 2], [2, 9], [3, null]]) {
    hear({ type: "chat.updated", data: { chat: chat(id, 30, { agent_id, ...back, version: 2 }) } });
    hear({ type: "chat.updated", data: { chat: chat(id, 30, { agent_id, ...back, version: 3 }) } });
  }
  assert.deepEqual(told.map(([title]) => title), ["Guest 1", "Guest 3"]);
});

test("what somebody has seen on another device is put away", () => {
  const hear = begun();
  hear(ready(chat(1, 30)));
  hear({ type: "chat.updated", data: { chat: chat(1, 0, { version: 2 }) } });
  const before = put;
  hear({ type: "chat.updated", data: { chat: chat(1, 0, { version: 3, is_unread: false }) } });
  assert.deepEqual([told.length, put - before], [1, 1]);
});

test("what an automation tells is shown with a way to the chat, and rings", () => {
  const store = new Store((work) => work());
  const opened = [];
  const notices = new Notices(store, (id) => opened.push(id));
  store.setHabits({ isNotifying: true });
  notices.hear({ type: "notice", data: { chat_id: 4, text: "Waits for 10 minutes", automation_id: 1 } });
  assert.deepEqual(told, [["Waits for 10 minutes", ""]]);
  assert.equal(store.state.echo.text, "Waits for 10 minutes");
  assert.ok(store.state.echo.stays > 8_000);
  store.state.echo.undo();
  assert.deepEqual(opened, [4]);
});

test("while the person is at another device this one keeps quiet", () => {
  const hear = begun();
  hear(ready(chat(1, 30)));
  hear({ type: "device.used", data: { device: "the phone" } });
  hear({ type: "chat.updated", data: { chat: chat(1, 0, { version: 2 }) } });
  assert.deepEqual(told, []);
});
