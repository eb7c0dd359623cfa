/** What a person changes of a contact. Each answers why it was refused, or null when it was done. */

import { call } from "../base/api.js";
import { comparable } from "../inbox/views.js";

/** @import {Actions} from "../actions.js" */
/** @import {Contact} from "../base/types.js" */

/** @typedef {{name?: string | null, email?: string | null, phone?: string | null, attributes?: Record<string, string | number | boolean | null>}} ContactChanges */

export class ContactActions {
  #actions;
  /** @type {(contact: Contact) => void} */
  changed = () => {};

  /** @param {Actions} actions */
  constructor(actions) {
    this.#actions = actions;
  }

  /** @param {string} id @param {ContactChanges} changes */
  change(id, changes) {
    return this.#actions.outcome(() => call("PATCH", `contacts/${id}`, changes), this.#put);
  }

  /** @param {string} id @param {string} tag */
  addTag(id, tag) {
    return this.#actions.outcome(() => call("POST", `contacts/${id}/tags`, { tags: [tag] }), this.#put);
  }

  /** @param {string} id @param {string} tag */
  removeTag(id, tag) {
    return this.#actions.outcome(() => call("DELETE", `contacts/${id}/tags/${encodeURIComponent(tag)}`), this.#put);
  }

  /** Shows a contact, unless a later state is shown: answers can overtake each other. @param {{data: Contact}} answer */
  #put = ({ data: contact }) => {
    this.changed(contact);
    const { open } = this.#actions.store.state;
    const shown = open?.card?.contact;
    if (!open?.card || shown?.id !== contact.id) return;
    if (comparable(contact.updated_at) >= comparable(shown.updated_at)) this.#actions.store.chat.putCard(open.chatId, { ...open.card, contact });
  };
}
