/** Rows kept in order while they come, go and move: a change costs a binary search, however many there are. */

import { compared } from "./views.js";

/** @import {Key} from "../base/types.js" */

export class Ordered {
  /** @type {Key[]} */
  #keys = [];
  /** @type {Map<number, Key>} */
  #byId = new Map();
  #compared = compared;

  /**
   * Holds these alone: one sort, where to place each would move the others.
   *
   * @param {Key[]} keys
   * @param {boolean} [isAscending] Whether the least stands first from now on.
   */
  fill(keys, isAscending = false) {
    this.#compared = isAscending ? (a, b) => compared(b, a) : compared;
    this.#keys = keys.sort(this.#compared);
    this.#byId = new Map(keys.map((key) => [key[1], key]));
  }

  /** Puts an id at its place; null takes it out. @param {number} id @param {Key | null} key */
  place(id, key) {
    const old = this.#byId.get(id);
    if (old && key && this.#compared(old, key) === 0) return;
    if (old) {
      this.#keys.splice(this.#at(old), 1);
      this.#byId.delete(id);
    }
    if (key) {
      this.#keys.splice(this.#at(key), 0, key);
      this.#byId.set(id, key);
    }
  }

  /** How many stand at the boundary or above it; null: all. @param {Key | null} boundary */
  countDownTo(boundary) {
    if (!boundary) return this.#keys.length;
    const at = this.#at(boundary);
    const key = this.#keys[at];
    return key && this.#compared(key, boundary) === 0 ? at + 1 : at;
  }

  /** The ids from place to place. @param {number} from @param {number} to */
  slice(from, to) {
    return this.#keys.slice(from, to).map(([, id]) => id);
  }

  /** The place of an id; -1 where it is not there. @param {number} id */
  indexOf(id) {
    const key = this.#byId.get(id);
    return key ? this.#at(key) : -1;
  }

  /** The place of the first key that does not stand above this one. @param {Key} key */
  #at(key) {
    let from = 0;
    let to = this.#keys.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#compared(/** @type {Key} */ (this.#keys[middle]), key) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
