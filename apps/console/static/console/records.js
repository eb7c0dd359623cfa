/** What a person changes beside chats: the contact of the open one, its tags, and canned replies. */

import { call } from "./api.js";
import { comparable } from "./views.js";

/** @import {Store} from "./store.js" */
/** @import {Contact, Refusal, Reply} from "./types.js" */

/** @typedef {<T>(work: () => Promise<T>, refuse: (refusal: Refusal) => void) => Promise<T | undefined>} Tried */
/** @typedef {{name?: string | null, email?: string | null, phone?: string | null, attributes?: Record<string, string | number | boolean | null>}} ContactChanges */
/** @typedef {{shortcut: string, body: string, is_shared: boolean}} ReplyContent */

/**
 * Each answers why it was refused, or null when it was done.
 *
 * @param {Store} store
 * @param {Tried} tried
 */
export function recordActions(store, tried) {
  /** @template T @param {() => Promise<T>} work @param {(answer: T) => void} done @returns {Promise<Refusal | null>} */
  async function outcome(work, done) {
    /** @type {Refusal | null} */
    let refused = null;
    const answer = await tried(work, (refusal) => (refused = refusal));
    if (!refused) done(/** @type {T} */ (answer));
    return refused;
  }

  /** Shows a contact, unless it is shown as it is later: answers can overtake each other. @param {{data: Contact}} answer */
  function putContact({ data: contact }) {
    const { open } = store.state;
    const shown = open?.card?.contact;
    if (!open?.card || shown?.id !== contact.id) return;
    if (comparable(contact.updated_at) >= comparable(shown.updated_at)) store.putCard(open.chatId, { ...open.card, contact });
  }

  /** @param {(replies: Reply[]) => Reply[]} change */
  function changeReplies(change) {
    const replies = change(store.state.replies ?? []);
    store.putReplies(replies.sort((a, b) => a.shortcut.localeCompare(b.shortcut)));
  }

  return {
    /** @param {string} id @param {ContactChanges} changes */
    changeContact: (id, changes) =>
      outcome(
        () => call("PATCH", `contacts/${id}`, changes),
        putContact,
      ),

    /** @param {string} id @param {string} tag */
    addTag: (id, tag) =>
      outcome(
        () => call("POST", `contacts/${id}/tags`, { tags: [tag] }),
        putContact,
      ),

    /** @param {string} id @param {string} tag */
    removeTag: (id, tag) =>
      outcome(
        () => call("DELETE", `contacts/${id}/tags/${encodeURIComponent(tag)}`),
        putContact,
      ),

    /** Reads them anew: a colleague may have changed the shared ones. */
    loadReplies: () => outcome(readReplies, (replies) => store.putReplies(replies)),

    /**
     * The reply's text for the open chat, in the visitor's language unless another is named; undefined where it cannot be
     * had.
     *
     * @param {number} id @param {string} [lang] @returns {Promise<string | undefined>}
     */
    async fillReply(id, lang) {
      const { open } = store.state;
      if (!open) return undefined;
      const answer = await tried(
        () => call("GET", `chats/${open.chatId}/replies/${id}${lang ? `?lang=${lang}` : ""}`),
        () => {},
      );
      return answer?.data.text;
    },

    /** @param {ReplyContent} content */
    createReply: (content) =>
      outcome(
        () => call("POST", "replies", content),
        ({ data }) => changeReplies((replies) => [...replies, data]),
      ),

    /** @param {number} id @param {ReplyContent} content */
    changeReply: (id, content) =>
      outcome(
        () => call("PATCH", `replies/${id}`, content),
        ({ data }) => changeReplies((replies) => replies.map((each) => (each.id === id ? data : each))),
      ),

    /** What a reply says in a language; null takes it away. @param {number} id @param {string} lang @param {string | null} text */
    translateReply: (id, lang, text) =>
      outcome(
        () => call(text === null ? "DELETE" : "PUT", `replies/${id}/translations/${lang}`, text === null ? undefined : { text }),
        ({ data }) => changeReplies((replies) => replies.map((each) => (each.id === id ? data : each))),
      ),

    /** @param {number} id */
    removeReply: (id) =>
      outcome(
        () => call("DELETE", `replies/${id}`),
        () => changeReplies((replies) => replies.filter((each) => each.id !== id)),
      ),
  };
}

/** @returns {Promise<Reply[]>} */
async function readReplies() {
  const replies = [];
  let cursor = null;
  do {
    const page = await call("GET", cursor ? `replies?cursor=${encodeURIComponent(cursor)}` : "replies");
    replies.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor);
  return replies;
}
