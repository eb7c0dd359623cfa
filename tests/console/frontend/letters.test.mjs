import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.mjs";
import "./served.mjs";
const { content, ownWords } = await import("../../../apps/console/static/console/chat/message.js");

const said = (subject, body) => ownWords({ body, letter: subject === null ? null : { subject, from: "mary@mail.test", proof: "pass", third: false } });

test("the subject of a letter stands above the bubble and not in it again", () => {
  assert.equal(said("Order 17", "Order 17\n\nWhere is it?"), "Where is it?");
  assert.equal(said("Re: AW[2]:  Order  17", "Order 17\n\nWhere is it?\n\nMary"), "Where is it?\n\nMary");
  assert.equal(said("回复：订单", "订单\n\n在哪里"), "在哪里");
  assert.equal(said("Только тема", "Только тема"), "");
});

test("words of the customer stay, whatever the subject is", () => {
  assert.equal(said("Order 17", "Where is it?\n\nOrder 17"), "Where is it?\n\nOrder 17");
  assert.equal(said("Question about tea", "tea\n\nGreen, please"), "tea\n\nGreen, please");
  assert.equal(said("Order 17", "Order 17 is late\n\nMary"), "Order 17 is late\n\nMary");
  assert.equal(said("", "Hello\n\nMary"), "Hello\n\nMary");
  assert.equal(said(null, "Order 17\n\nWhere is it?"), "Order 17\n\nWhere is it?");
});

test("what is drawn in the bubble is the letter's words alone", () => {
  const letter = { subject: "Order 17", from: "mary@mail.test", proof: "pass", third: false };
  const drawn = JSON.stringify(content({ type: "text", body: "Order 17\n\nWhere is it?", letter, translations: [] }));
  assert.ok(drawn.includes("Where is it?"));
  assert.ok(!drawn.includes("Order 17"));
});
