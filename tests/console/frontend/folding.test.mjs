import assert from "node:assert/strict";
import { test } from "node:test";

import { folded, placeOf } from "../../../apps/console/static/console/base/folding.js";

test("what is typed is marked where it was written", () => {
  const marked = (text, term) => {
    const place = placeOf(text, term);
    return place && text.slice(place.start, place.end);
  };
  assert.equal(marked("Привезёте зелёную ёлку?", "ЗЕЛЕНУЮ"), "зелёную");
  assert.equal(marked("I don’t know", "don't"), "don’t");
  assert.equal(marked("за 10\u00a0000 ₽", "10 000"), "10\u00a0000");
  assert.equal(marked("Zoe\u0308 Café", "zoë c"), "Zoe\u0308 C");
  assert.equal(marked("Hauptstraße 5", "strasse"), "straße");
  assert.equal(marked("İstanbul", "ist"), "İst");
  assert.equal(marked("ma\u00adrino", "marino"), "ma\u00adrino");
  assert.equal(marked("мой", "мои"), null);
  assert.equal(marked("x", "\u200b\u0301"), null);
});

test("a folded text folds to itself", () => {
  for (const text of ["Łódź—ÆRØ", "ΟΔΟΣ ς", "Ｆｕｌｌ ﬁ", "Ёй", "한국어"]) assert.equal(folded(folded(text)), folded(text));
});
