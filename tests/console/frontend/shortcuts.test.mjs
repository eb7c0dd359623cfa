/** What the keys do, where a browser is a stand-in. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Focusable, happens } from "./browser.mjs";
import { actionsOf } from "../../../apps/console/static/console/actions.js";
import { OperatorSocket } from "../../../apps/console/static/console/socket.js";
import { listenForKeys } from "../../../apps/console/static/console/shortcuts.js";
import { Store } from "../../../apps/console/static/console/store.js";

const store = new Store((work) => work());
const actions = actionsOf(store, new OperatorSocket("wss://…", store, () => {}), {});
listenForKeys(store, actions);

function press(key) {
  happens("keydown", { key, code: key.length === 1 ? `Key${key.toUpperCase()}` : key, target: document.activeElement, preventDefault() {} });
}

beforeEach(() => {
  location.hash = "#/chats/1";
  store.showChat(1);
  store.showSearch(null);
  document.body.focus();
});

test("Escape in the composer leaves the composer, then the search, then the chat", () => {
  const composer = new Focusable("textarea");
  store.showSearch("tea");
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
  store.showSearch("tea");
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
  store.showSearch("tea");
  new Focusable("input").focus();
  store.showDialog({ name: "close", chatId: 1 });
  press("Escape");
  assert.deepEqual([store.state.dialog, store.state.search?.query], [null, "tea"]);
});
