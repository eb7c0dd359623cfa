/** What stands in one line has few words: the way of an answer, the chips of a chat; a value is a word. */

import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.mjs";
import "./served.mjs";
import en from "../../../apps/console/static/console/base/texts/en.js";
import ru from "../../../apps/console/static/console/base/texts/ru.js";
import { standing } from "../../../apps/console/static/console/chat/chat_header.js";
import { valueOf } from "../../../apps/console/static/console/contact/contact_panel.js";

const CHANNELS = Object.values(JSON.parse(process.env.PAGE_CONFIG).channels).map(({ name }) => name);
const LONGEST = 40;

test("the way that an answer takes is told in forty letters at most", () => {
  for (const texts of [en, ru]) {
    const whys = Object.entries(texts).filter(([key]) => /^no_letter_(?!dead_full)/.test(key)).map(([, text]) => text);
    assert.ok(whys.length > 5 && CHANNELS.length > 5);
    const ways = [
      texts.way_here,
      texts.way_mail,
      texts.note_hint,
      ...texts.way_copies.split("|").map((form) => form.replace("{n}", "20")),
      texts.way_mail_in.replace("{count}", "120"),
      ...CHANNELS.map((name) => texts.way_messenger.replace("{name}", name)),
      ...whys.map((why) => texts.way_chat_only.replace("{why}", why)),
    ];
    assert.deepEqual(ways.filter((way) => way.length > LONGEST), []);
  }
});

const chat = { id: 1, status: "ready", snooze: null, waits_since: null, last_message: { id: 1 }, agent_id: 2, department_id: 5, channel: "widget", marks: [] };
const saysOf = (row, departments) => standing(row, { agents: new Map(), departments, me: { id: 2 } }).map(({ says }) => says);

test("the head's chips are state, owner, channel, and the department where there are two", () => {
  assert.deepEqual(saysOf(chat, [{ id: 5, name: "Sales" }]), ["Answered", "You", "Website"]);
  assert.deepEqual(saysOf(chat, [{ id: 5, name: "Sales" }, { id: 6, name: "Care" }]), ["Answered", "You", "Website", "Sales"]);
});

test("a state is told in the words of all surfaces", () => {
  const stateOf = (change) => saysOf({ ...chat, ...change }, [])[0];
  assert.equal(stateOf({ waits_since: "2026-01-01T00:00:00Z" }), "Unanswered");
  assert.equal(stateOf({ status: "expired" }), "Closed");
  assert.equal(stateOf({ status: "spam" }), "Spam");
  assert.equal(stateOf({ snooze: { until: null } }), "Snoozed");
});

test("a boolean of a contact is read as a word, and stays one", () => {
  assert.equal(valueOf("Yes", false), true);
  assert.equal(valueOf("no", true), false);
  assert.equal(valueOf("Yes", "a text"), "Yes");
  assert.equal(valueOf("17", 4), 17);
});
