import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { happens } from "./browser.mjs";
import { draftOf, keepDraft, watchDrafts } from "../../../apps/console/static/console/composer/drafts.js";

const KEPT = "parley.console.draft:2:1";
const draft = (text) => ({ text, isNote: false });

test("a browser that is full keeps what it was told before: one goes on writing, and sends, all the same", () => {
  keepDraft(2, 1, draft("Do"));
  localStorage.isFull = true;
  keepDraft(2, 1, draft("Do you"));
  assert.deepEqual(draftOf(2, 1), draft("Do you"));
  keepDraft(2, 1, draft(""));
  assert.deepEqual(draftOf(2, 1), draft(""));
  localStorage.isFull = false;
});

test("what another tab writes of the same chat counts, and nothing of others is lost", () => {
  const changed = mock.fn();
  watchDrafts(changed);
  keepDraft(2, 1, draft("here"));
  keepDraft(12, 1, draft("for someone else"));
  localStorage.setItem(KEPT, JSON.stringify(draft("there")));
  happens("storage", { key: KEPT });
  assert.deepEqual(draftOf(2, 1), draft("there"));
  happens("storage", { key: "parley.console.habits" });
  assert.equal(changed.mock.callCount(), 1);
  localStorage.removeItem("parley.console.draft:12:1");
  assert.deepEqual(draftOf(12, 1), draft("for someone else"));

  localStorage.removeItem(KEPT);
  happens("storage", { key: KEPT });
  assert.deepEqual(draftOf(2, 1), draft(""));
  keepDraft(2, 1, draft("here"));
  localStorage.removeItem(KEPT);
  happens("storage", { key: null });
  assert.deepEqual(draftOf(2, 1), draft(""));
});
