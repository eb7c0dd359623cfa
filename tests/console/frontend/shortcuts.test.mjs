/** What the keys do, where a browser is a stand-in. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Focusable, happens, http } from "./browser.mjs";
import "./served.mjs";
import { Actions } from "../../../apps/console/static/console/actions.js";
import { OperatorSocket } from "../../../apps/console/static/console/base/socket.js";
import { listenForKeys } from "../../../apps/console/static/console/base/shortcuts.js";
import { Store } from "../../../apps/console/static/console/store.js";

const store = new Store((work) => work());
const actions = new Actions(store, new OperatorSocket("wss://…", store, () => {}), { expect() {} });
listenForKeys(store, actions);

function press(key) {
  happens("keydown", { key, code: key.length === 1 ? `Key${key.toUpperCase()}` : key, target: document.activeElement, preventDefault() {} });
}

beforeEach(() => {
  location.hash = "#/chats/1";
  store.chat.showChat(1);
  store.inbox.showSearch(null);
  document.body.focus();
});

test("Escape in the composer leaves the composer, then the search, then the chat", () => {
  const composer = new Focusable("textarea");
  store.inbox.showSearch("tea");
  composer.focus();
  press("Escape");
  assert.deepEqual([document.activeElement, store.state.search?.query], [document.body, "tea"]);
  press("Escape");
  assert.deepEqual([store.state.search, location.hash], [null, "#/chats/1"]);
  press("Escape");
  assert.equal(location.hash, "#/");
});

test("Escape in the search's field leaves the search, then the field", () => {
  const field = new Focusable("input", "search");
  store.inbox.showSearch("tea");
  field.focus();
  press("Escape");
  assert.deepEqual([store.state.search, document.activeElement], [null, field]);
  press("Escape");
  assert.deepEqual([document.activeElement, location.hash], [document.body, "#/chats/1"]);
});

test("Escape closes a menu, and nothing behind it", () => {
  const menu = new Focusable("div");
  menu.showPopover();
  press("Escape");
  assert.deepEqual([document.querySelector(":popover-open"), location.hash], [null, "#/chats/1"]);
});

test("Escape closes a dialog, and nothing behind it", () => {
  store.inbox.showSearch("tea");
  new Focusable("input").focus();
  store.showDialog({ name: "close", chatId: 1 });
  press("Escape");
  assert.deepEqual([store.state.dialog, store.state.search?.query], [null, "tea"]);
});

test("a key does what the chat's button does, and nothing where it has none", () => {
  const row = { id: 1, status: "active", agent_id: null, version: 1, waits_since: null };
  const pressed = (chat, key) => {
    http.calls.length = 0;
    store.showDialog(null);
    store.inbox.putRow({ ...row, ...chat });
    press(key);
    return http.calls.map(({ path, body }) => [path.split("/").at(-1), body])[0] ?? store.state.dialog?.name;
  };
  assert.deepEqual(pressed({}, "a"), ["accept", { only_if_free: true }]);
  assert.deepEqual(pressed({ agent_id: 3 }, "a"), ["accept", { only_if_free: false }]);
  assert.equal(pressed({}, "t"), "transfer");
  assert.deepEqual(pressed({}, "e"), ["close", {}]);
  assert.equal(pressed({}, "z"), "snooze");
  assert.equal(pressed({ status: "expired" }, "e"), undefined);
  assert.equal(pressed({ status: "spam" }, "a"), undefined);
  assert.deepEqual(pressed({ waits_since: "2026-11-22T04:00:00Z" }, "d"), ["dealt-with", {}]);
  assert.equal(pressed({}, "d"), undefined);
});
