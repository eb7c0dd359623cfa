/** What the browser keeps for the page. A browser that keeps nothing, or is full, only makes it forget. */

class Memory {
  #place;

  /** @param {() => Storage} place Asked for each time: a browser may refuse it altogether. */
  constructor(place) {
    this.#place = place;
  }

  /** @param {string} name @returns {any} Null for what was never kept. */
  get(name) {
    try {
      return JSON.parse(this.#place().getItem(`parley.console.${name}`) ?? "null");
    } catch {
      return null;
    }
  }

  /** @param {string} name @param {unknown} value Null: not any more. */
  set(name, value) {
    try {
      if (value === null) this.#place().removeItem(`parley.console.${name}`);
      else this.#place().setItem(`parley.console.${name}`, JSON.stringify(value));
    } catch {}
  }
}

/** For as long as this tab is open, over its reloads. */
export const ofTab = new Memory(() => sessionStorage);
/** For good, for all tabs of this browser. */
export const ofBrowser = new Memory(() => localStorage);
