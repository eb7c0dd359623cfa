/** What a person who looks elsewhere is told, where a browser is a stand-in. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import "./browser.mjs";
import { Notices } from "../../../apps/console/static/console/notices.js";
import { Store } from "../../../apps/console/static/console/store.js";

const MINUTE = 60_000;
const me = { id: 2, name: "Alice", avatar_url: null, status: "active", online: true, department_ids: [] };
const told = [];

globalThis.Notification = class {
  constructor(title, { body }) {
    told.push([title, body]);
  }
};

/** A chat whose visitor wrote that many minutes ago. */
const chat = (id, minutes, more = {}) => {
  const created_at = new Date(Date.now() - minutes * MINUTE).toISOString();
  const sender = { kind: "client", agent_id: null, name: null };
  const last_message = { id: 1000 - minutes, type: "text", preview: `${minutes} ago`, sender, created_at };
  return { id, status: "active", agent_id: null, contact: { name: `Guest ${id}` }, last_message, created_at, version: 1, is_unread: true, ...more };
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
