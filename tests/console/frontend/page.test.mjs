/** The page's parts together, where a browser is a stand-in. */

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { http, settle, Socket, within } from "./browser.mjs";
import "./served.mjs";
import { Actions } from "../../../apps/console/static/console/actions.js";
import * as card from "../../../apps/console/static/console/contact/contact_panel.js";
import { composer } from "../../../apps/console/static/console/composer/composer.js";
import { canChange, canTakeBack } from "../../../apps/console/static/console/chat/message_changes.js";
import { log } from "../../../apps/console/static/console/chat/message_log.js";
import { channelName } from "../../../apps/console/static/console/base/display_names.js";
import * as dialogs from "../../../apps/console/static/console/base/dialogs.js";
import { repliesDialog } from "../../../apps/console/static/console/composer/canned_reply_dialog.js";
import { OperatorSocket } from "../../../apps/console/static/console/base/socket.js";
import { Store } from "../../../apps/console/static/console/store.js";
import * as thread from "../../../apps/console/static/console/chat/thread.js";

const VISITOR = { kind: "client", agent_id: null, name: null };
const me = { id: 2, name: "Alice", avatar_url: null, status: "active", online: true, department_ids: [] };
const counts = { unanswered: 0, mine: 0, department: 0, open: 0, statuses: { active: 0, ready: 0 }, channels: {} };
const READY = { agent: me, widget: { id: 1, guid: "w" }, agents: [me], departments: [], inbox: { chats: [], next_cursor: null, counts }, online: [2] };
const message = (id) => ({ id, chat_id: 1, type: "text", body: "hi", sender: VISITOR, created_at: "2026-11-22T04:00:00Z", seen_at: null });

/** A page of its own: its store, its actions, and how its sockets come and go. */
function begun() {
  const store = new Store((work) => work());
  const socket = new OperatorSocket("wss://…", store, () => {});
  socket.start();
  return { store, socket, actions: new Actions(store, socket, { expect() {} }) };
}

/** The newest socket, from its first frame on. */
async function connected(ready = READY) {
  await settle();
  const socket = Socket.opened.at(-1);
  socket.onopen();
  socket.shows("ready", ready);
  await settle();
  return socket;
}

/** The connection breaks, and the page has waited for long enough to try again. */
async function reconnected(ready = READY) {
  Socket.opened.at(-1).close();
  await settle();
  mock.timers.tick(10_000);
  return connected(ready);
}

const sent = (socket, type) => socket.sent.filter((frame) => frame.type === type).map(({ data }) => data);

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  http.calls.length = 0;
  http.answer = async () => Response.json({ data: { ticket: "t" } });
});

test("what is read before the socket is there is told as seen once it is, once a connection", async () => {
  const { store, actions } = begun();
  store.chat.showChat(1);
  store.chat.addHistory(1, { data: [message(5)], next_cursor: null });
  const inSight = { getBoundingClientRect: () => ({ top: 0, bottom: 9 }), querySelector: () => inSight };
  const drawn = () => [...within(log(store.state, actions))].find((value) => value?.drawn).drawn(inSight);
  drawn();
  const first = await connected();
  drawn();
  drawn();
  assert.deepEqual(sent(first, "seen"), [{ chat_id: 1, message_id: 5 }]);
  Socket.opened.at(-1).close();
  await settle();
  drawn();
  const second = await reconnected();
  drawn();
  assert.deepEqual(sent(second, "seen"), [{ chat_id: 1, message_id: 5 }]);
});

test("an answer that can't be read is none: the page goes on connecting, and its list can be asked for again", async () => {
  http.answer = async () => new Response("<title>Sign in to this network</title>");
  const { store, actions } = begun();
  await settle();
  assert.equal(store.state.connection, "offline");
  await actions.inbox.loadMore();
  assert.deepEqual([store.state.list.isLoading, store.state.list.refusal.code], [false, "offline"]);
  http.answer = async () => Response.json({ data: { ticket: "t" } });
  mock.timers.tick(10_000);
  await connected();
  assert.equal(store.state.connection, "online");
});

test("older messages that are refused are asked for again when one tries, not at each drawing", async () => {
  const { store, actions } = begun();
  store.chat.showChat(1);
  store.chat.addHistory(1, { data: [message(5)], next_cursor: "older" });
  await connected();
  http.answer = async () => Promise.reject(new TypeError("offline"));
  const asked = () => http.calls.filter(({ path }) => path.includes("messages")).length;
  const atTheTop = async () => {
    [...within(log(store.state, actions))].find((value) => value?.nearTop).nearTop();
    await settle();
  };
  await atTheTop();
  await atTheTop();
  await atTheTop();
  assert.deepEqual([asked(), store.state.open.refusal.code], [1, "offline"]);
  http.answer = async () => Response.json({ data: [message(4)], next_cursor: null });
  await actions.chat.loadHistory();
  assert.deepEqual([asked(), store.state.open.messages.map(({ id }) => id), store.state.open.refusal], [2, [4, 5], null]);
});

test("an answer without a body is one", async () => {
  const { actions } = begun();
  http.answer = async () => new Response(null, { status: 204 });
  assert.equal(await actions.composer.removeReply(7), null);
});

test("signing out leaves the page without a word, whatever page answers", async () => {
  const { store, actions } = begun();
  http.answer = async () => new Response("<title>Sign in</title>");
  await actions.settings.signOut("/console/logout/", "/console/login/");
  assert.equal(store.state.notice, null);
  assert.deepEqual(location.assign.mock.calls.at(-1).arguments, ["/console/login/"]);
});

test("the contact is shown as it was last, in whatever order the answers come", async () => {
  const { store, actions } = begun();
  const contact = { id: "c", tags: [], updated_at: "2026-11-22T04:00:00Z" };
  store.chat.showChat(1);
  store.chat.putCard(1, { contact, rating: {} });
  const tags = () => store.state.open.card.contact.tags;
  const answers = [];
  http.answer = () => new Promise((resolve) => answers.push((data) => resolve(Response.json({ data }))));
  const tagging = [actions.contact.addTag("c", "one"), actions.contact.addTag("c", "two")];
  // The server leaves out microseconds that are zero: as texts, these would sort the other way.
  answers[1]({ ...contact, tags: ["one", "two"], updated_at: "2026-11-22T04:00:01.500000Z" });
  await tagging[1];
  assert.deepEqual(tags(), ["one", "two"]);
  answers[0]({ ...contact, tags: ["one"], updated_at: "2026-11-22T04:00:01Z" });
  await tagging[0];
  assert.deepEqual(tags(), ["one", "two"]);

  const untagging = actions.contact.removeTag("c", "one");
  store.chat.putCard(1, { contact: { ...contact, tags: ["three", "two"], updated_at: "2026-11-22T04:00:03Z" }, rating: {} });
  answers[2]({ ...contact, tags: ["two"], updated_at: "2026-11-22T04:00:02Z" });
  await untagging;
  assert.deepEqual(tags(), ["three", "two"]);
  const naming = actions.contact.change("c", { name: "Mary" });
  answers[3]({ ...contact, name: "Mary", tags: ["three", "two"], updated_at: "2026-11-22T04:00:04Z" });
  await naming;
  assert.equal(store.state.open.card.contact.name, "Mary");
});

test("a chat that can't be watched now is asked for again, after a moment or when one tries, from where one is", async () => {
  const { store, actions } = begun();
  const socket = await connected();
  const opened = () => sent(socket, "chat.open");
  http.answer = async () => Response.json({ data: [message(5)], next_cursor: null });
  await actions.chat.show(1);
  assert.deepEqual(opened(), [{ chat_id: 1, after_id: 5 }]);
  socket.shows("error", { chat_id: 1, code: "try_again", detail: "" });
  assert.equal(store.state.open.refusal.code, "try_again");
  mock.timers.tick(2_000);
  assert.equal(opened().length, 2);
  socket.shows("error", { chat_id: 1, code: "try_again", detail: "" });
  await actions.chat.loadHistory();
  assert.deepEqual(opened().slice(2), [{ chat_id: 1, after_id: 5 }]);
  mock.timers.tick(2_000);
  assert.equal(opened().length, 3);
  socket.shows("chat.opened", { chat_id: 1, chat: { id: 1, version: 1 }, card: {}, colleagues: [], deliveries: [] });
  assert.equal(store.state.open.refusal, null);
  await actions.chat.loadHistory();
  assert.equal(opened().length, 3);
});

test("a chat that is opened and a search that is begun without a connection are asked for when there is one", async () => {
  const { store, actions } = begun();
  store.subscribe(() => store.state.connection === "online" && actions.inbox.askForMissing());
  http.answer = async () => Promise.reject(new TypeError("offline"));
  await actions.chat.show(1);
  actions.inbox.search("tea");
  await settle();
  assert.deepEqual([store.state.open.refusal.code, store.state.search.refusal.code], ["offline", "offline"]);
  http.answer = async ({ path }) => Response.json({ data: path.includes("messages") ? [message(5)] : [], next_cursor: null });
  const socket = await connected();
  await settle();
  assert.deepEqual(store.state.open.messages.map(({ id }) => id), [5]);
  assert.deepEqual(sent(socket, "chat.open"), [{ chat_id: 1, after_id: 5 }]);
  assert.deepEqual([store.state.search.isLoaded, store.state.search.refusal], [true, null]);
});

test("a chat that is not there is asked for again when one tries, not before", async () => {
  const { actions } = begun();
  const socket = await connected();
  http.answer = async () => Response.json({ data: [], next_cursor: null });
  await actions.chat.show(1);
  socket.shows("error", { chat_id: 1, code: "not_found", detail: "" });
  mock.timers.tick(10_000);
  assert.equal(sent(socket, "chat.open").length, 1);
  await actions.chat.loadHistory();
  assert.equal(sent(socket, "chat.open").length, 2);
});

test("an attribute may have any name that the contact has none of", async () => {
  const { store, actions } = begun();
  const contact = { id: "c", tags: [], attributes: { plan: "pro" }, updated_at: "2026-11-22T04:00:00Z", created_at: "2026-11-22T04:00:00Z" };
  store.chat.showChat(1);
  store.chat.putCard(1, { contact, visitor: null, rating: { value: null, requested_at: null }, blocks: [], other_chats: [], reach: { by: "nothing", address: null, minutes: null } });
  http.answer = async () => Response.json({ data: contact });
  await settle();
  http.calls.length = 0;
  const submit = [...within(card.view(store.state, actions))].find((value) => value?.name === "submit");
  for (const name of ["constructor", "toString", "plan"]) {
    await submit({ preventDefault() {}, currentTarget: { fields: { name, value: "x" }, reset() {}, querySelector: () => null } });
  }
  const changes = http.calls.map(({ body }) => body.attributes);
  assert.deepEqual(changes, [{ constructor: "x" }, { toString: "x" }]);
});

test("a reply that is being written stays while others are loaded or removed, until it is saved", async () => {
  const { store, actions } = begun();
  await settle();
  const dialog = { name: "replies" };
  const named = (name, view = repliesDialog(dialog, store.state, actions)) => [...within(view)].find((value) => value?.name === name);
  const reply = { id: 7, shortcut: "hi", body: "Hello!", is_shared: true, is_mine: true };
  http.answer = async ({ method }) => {
    if (method === "DELETE") return new Response(null, { status: 204 });
    return Response.json(method === "GET" ? { data: [reply], next_cursor: null } : { data: { ...reply, id: 8 } });
  };
  named("begin")();
  await settle();
  assert.deepEqual([store.state.replies, named("begin")], [[reply], undefined]);
  named("remove", named("row")(reply))();
  await settle();
  assert.deepEqual([store.state.replies, named("begin")], [[], undefined]);
  await named("submit")({ preventDefault() {}, currentTarget: { fields: { shortcut: "hi", body: "Hello!" } } });
  assert.ok(named("begin"));
});

test("who leaves a chat while they type has stopped typing there", async () => {
  const { store, actions } = begun();
  const socket = await connected();
  http.answer = async () => Response.json({ data: [], next_cursor: null });
  await actions.chat.show(1);
  const named = (name) => [...within(composer(store.state, actions))].find((value) => value?.name === name);
  named("typed")({ currentTarget: { value: "Let me", selectionStart: 6, selectionEnd: 6 } });
  const left = named("left");
  await actions.chat.show(2);
  left(); // a browser may tell that the field is left once it is gone
  assert.deepEqual(sent(socket, "typing"), [
    { chat_id: 1, state: "start", is_note: false },
    { chat_id: 1, state: "stop", is_note: false },
  ]);
  const frames = socket.sent.map(({ type }) => type);
  assert.ok(frames.lastIndexOf("typing") < frames.indexOf("chat.leave"));
});

test("where there is no chat of the address that is said, and nothing can be written", async () => {
  const { store, actions } = begun();
  await connected();
  const drawn = () => [...within([thread.view(store.state, actions), card.view(store.state, actions)])];
  const canWrite = () => drawn().some((value) => value?.name === "typed");
  http.answer = async () => Response.json({ code: "not_found", detail: "" }, { status: 404 });
  const asked = actions.chat.show(99);
  assert.deepEqual([drawn().includes("Loading…"), canWrite()], [true, true]);
  await asked;
  assert.deepEqual([drawn().includes("Loading…"), canWrite()], [false, false]);
  assert.ok(drawn().includes("It does not exist any more."));
});

test("what the AI should have said is sent with its chat and its message", async () => {
  const { actions } = begun();
  await settle();
  http.calls.length = 0;
  http.answer = async () => Response.json({ data: { id: 3, chat_id: 1, assistant_id: 2, status: "submitted" } });
  assert.equal(await actions.chat.wish(1, "Name the price first.", 5), true);
  const [{ method, path, body }] = http.calls;
  assert.equal(method, "POST");
  assert.match(path, /chats\/1\/wishes$/);
  assert.deepEqual(body, { text: "Name the price first.", message_id: 5 });
});

test("a test question is made in one click of what a message answers, and a refusal stays in the dialog", async () => {
  const { store, actions } = begun();
  await settle();
  const clicked = async () => {
    actions.showDialog({ name: "wish", chatId: 1, messageId: 5 });
    http.calls.length = 0;
    await [...within(dialogs.view(store.state, actions))].find((value) => value?.name === "asCase")();
    return http.calls.map(({ method, path }) => [method, path.replace(/^.*console/, "")]);
  };
  http.answer = async () => Response.json({ code: "too_many_cases", detail: "" }, { status: 409 });
  assert.deepEqual(await clicked(), [["POST", "/messages/5/evaluation-case"]]);
  assert.equal(store.state.dialog?.name, "wish");
  http.answer = async () => Response.json({ data: { id: 7 } }, { status: 201 });
  assert.deepEqual(await clicked(), [["POST", "/messages/5/evaluation-case"]]);
  assert.deepEqual([store.state.dialog, store.state.echo?.text], [null, "The test question is made"]);
});

test("a messenger has its own name, each of several ad cabinets too", () => {
  assert.deepEqual(["tg", "fb", "av", "av__7", "ch3"].map(channelName), ["Telegram", "Messenger", "Avito", "Avito", "Ch3"]);
  assert.deepEqual(["mail__2", "mail__3", "mail__4"].map(channelName), ["E-mail · Orders", "E-mail · help@shop.test", "E-mail"]);
});

test("a message is edited where its messenger takes edits, and taken back wherever it waits here before", () => {
  const mine = { id: 1, sender: { kind: "agent", agent_id: 2, name: "Alice" }, agent_id: 2, created_at: new Date().toISOString(), deleted_at: null, is_note: false, origin: null };
  const channels = ["widget", "tg", "wa", "av__7", "ch3", "mail__1"];
  assert.deepEqual(channels.filter((channel) => canChange(mine, 2, { channel })), ["widget", "tg"]);
  assert.deepEqual(channels.filter((channel) => canTakeBack({ channel })), ["widget", "tg", "wa", "av__7"]);
  const late = { ...mine, created_at: new Date(Date.now() - 16 * 60_000).toISOString() };
  assert.equal(canChange(late, 2, { channel: "tg" }), false);
});
