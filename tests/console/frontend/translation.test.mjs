/** In a translated chat the composer is the same: marks, Undo, send and close; over plain http, too. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { http, settle } from "./browser.mjs";
import "./served.mjs";
import { begin, view } from "../../../apps/console/static/console/chat/translation.js";
import { deedsOf } from "../../../apps/console/static/console/chat/chat_buttons.js";
import { draftOf, keepDraft } from "../../../apps/console/static/console/composer/drafts.js";

const place = (chatId) => ({ agentId: 2, chatId, text: "**Hello**", isNote: false, isSpam: false });

function page(chatId, translation = { on: true, visitor_language: "de", from: "model", to: ["en"], is_offered: false, is_possible: true }) {
  const state = {
    connection: "online",
    open: { chatId, card: { translation } },
    choices: { reads: ["en"], show_translation: false, formatting: true },
    rows: new Map([[chatId, { id: chatId, channel: "widget", status: "active", agent_id: null }]]),
    outbox: [],
    me: { id: 2 },
  };
  const done = { sent: [], closed: [], undo: null };
  const composer = {
    send: (content) => done.sent.push(content) && "c-1",
    sendAndClose: (content) => done.closed.push(content),
    offerUndo: (_, back) => (done.undo = back),
  };
  const actions = { composer, redraw() {}, afterDrawing() {}, say() {}, showDialog() {} };
  view(state, actions);
  return { state, actions, done };
}

beforeEach(() => {
  http.calls.length = 0;
  http.answer = async () => Response.json({ data: { id: 1, state: "done", text: "**Hallo**", differs: [] } });
});

test("translated words leave with their marks, and one key takes them back into the composer", async () => {
  const { state, actions, done } = page(1);
  keepDraft(2, 1, { text: "**Hello**", isNote: false });
  begin(state, place(1), "**Hello**", actions, false);
  await settle();
  assert.deepEqual(done.sent, [
    { type: "text", body: "**Hallo**", markdown: "**Hallo**", is_note: false, source: { text: "**Hello**", lang: "en" } },
  ]);
  assert.equal(draftOf(2, 1).text, "");
  done.undo();
  assert.equal(draftOf(2, 1).text, "**Hello**");
});

test("words that are sent without a connection wait, and go out translated when it is back", async () => {
  const { state, actions, done } = page(9);
  state.connection = "offline";
  keepDraft(2, 9, { text: "Hello", isNote: false });
  begin(state, place(9), "Hello", actions, false);
  await settle();
  assert.deepEqual([http.calls.length, done.sent.length, draftOf(2, 9).text], [0, 0, "Hello"]);
  view({ ...state, connection: "online" }, actions);
  await settle();
  assert.deepEqual([done.sent.length, done.sent[0].source.text, draftOf(2, 9).text], [1, "Hello", ""]);
});

test("send and close closes the chat with the translated words", async () => {
  const { state, actions, done } = page(2);
  begin(state, place(2), "Bye", actions, true);
  await settle();
  assert.deepEqual([done.sent.length, done.closed.length, done.closed[0].source.text], [0, 1, "Bye"]);
});

test("words are translated on a page of plain http, which has no crypto.randomUUID", async () => {
  Object.defineProperty(crypto, "randomUUID", { value: undefined, configurable: true });
  const { state, actions, done } = page(3);
  begin(state, place(3), "Hello", actions, false);
  await settle();
  delete crypto.randomUUID;
  assert.equal(done.sent.length, 1);
});

test("the first translation asks for no language where nothing names the visitor's", async () => {
  const { state, actions } = page(4, { on: true, visitor_language: "en", from: "default", to: ["en"], is_offered: false, is_possible: true });
  begin(state, place(4), "Hello", actions, false);
  await settle();
  assert.equal(http.calls[0].body.text, "Hello");
  assert.equal("to" in http.calls[0].body, false);
});

test("the switch is in the menu of every chat that a model can translate, offered or not", () => {
  const off = { on: false, visitor_language: "en", from: "default", to: [], is_offered: false, is_possible: true };
  const names = (translation) => {
    const { state, actions } = page(5, translation);
    return deedsOf(state.rows.get(5), state, actions).map(({ name }) => name);
  };
  assert.ok(names(off).includes("translation"));
  assert.ok(!names({ ...off, is_possible: false }).includes("translation"));
});
