import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.mjs";
import "./served.mjs";
const { view } = await import("../../../apps/console/static/console/contact/answers.js");

const questions = {
  topic: { label: { ru: "О чём речь?", en: "What is it about?" }, values: { order: { ru: "Заказ", en: "An order" } } },
  department: { label: { en: "Whom?" }, values: { 7: { "": "Sales" } } },
  privacy: { label: { en: "I agree to the [terms](https://shop.example/terms)." }, values: {} },
};
const drawn = (answers, consents = []) => JSON.stringify(view(answers, { contact: { consents }, questions }));

test("answers stand under their questions, in the operator's language, in the order of the questions", () => {
  const shown = drawn({ department: 7, gone: "A-17", topic: "order" });
  const places = ["What is it about?", "An order", "Whom?", "Sales", "gone", "A-17"].map((words) => shown.indexOf(words));
  assert.deepEqual([...places].sort((one, other) => one - other), places);
  assert.ok(!places.includes(-1));
});

test("a consent says when it was given, and its links are words", () => {
  const shown = drawn({ privacy: true }, [{ key: "privacy", given: true, at: "2026-11-21T09:00:00Z" }]);
  assert.ok(shown.includes("I agree to the terms."));
  assert.ok(!shown.includes("https://"));
  assert.ok(shown.includes("yes") && shown.includes("Consents"));
});

test("the invitation that began the chat is named", () => {
  const shown = JSON.stringify(view({}, { contact: { consents: [] }, questions: {} }, { id: 4, name: "Prices" }));
  assert.ok(shown.includes("Invitation") && shown.includes("Prices"));
});

test("nothing is drawn where nothing was asked", () => {
  assert.ok(!drawn({}).includes("section"));
});
