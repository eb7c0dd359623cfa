import assert from "node:assert/strict";
import { test } from "node:test";

import { speak, t } from "../../../apps/console/static/console/base/texts.js";
import en from "../../../apps/console/static/console/base/texts/en.js";
import ru from "../../../apps/console/static/console/base/texts/ru.js";

const placeholders = (text) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

test("both languages say the same things, with the same parameters", () => {
  assert.deepEqual(Object.keys(ru).sort(), Object.keys(en).sort());
  for (const [key, text] of Object.entries(en)) assert.deepEqual(placeholders(ru[key]), placeholders(text), key);
});

test("a plural has a form for each of the language's", () => {
  for (const [texts, forms] of [[en, 2], [ru, 4]]) {
    for (const [key, text] of Object.entries(texts)) assert.ok([1, forms].includes(text.split("|").length), key);
  }
});

test("the form is chosen by the number, and parameters are put in as they are", () => {
  speak("ru");
  const said = [1, 2, 5, 21].map((n) => t("waiting_to_be_sent", { n }));
  assert.deepEqual(said, ["1 сообщение ждёт отправки", "2 сообщения ждут отправки", "5 сообщений ждут отправки", "21 сообщение ждёт отправки"]);
  speak("en");
  assert.equal(t("waiting_to_be_sent", { n: 1 }), "1 message waits to be sent");
  assert.equal(t("owned_by", { name: "{name} $& <b>" }), "{name} $& <b> has this chat");
});

test("a language without texts is spoken to in English", () => {
  speak("de");
  assert.equal(t("inbox"), "Inbox");
});
