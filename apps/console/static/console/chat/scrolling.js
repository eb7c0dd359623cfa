/** Keeps the place in a log whose rows come and go at both ends. */

import { directive, Directive } from "../vendor/lit-html/directive.js";
import { noChange } from "../vendor/lit-html/lit-html.js";

// Pixels.
const STILL_BOTTOM = 48;
const NEAR_AN_END = 400;

/**
 * What a log is told of its place.
 *
 * @typedef {object} Places
 * @property {boolean} hasNewer whether rows beyond the last shown one are known
 * @property {boolean} isCalledDown whether to go to the bottom, wherever one is
 * @property {() => void} nearTop
 * @property {() => void} nearBottom
 * @property {(atBottom: boolean) => void} moved when the bottom is reached or left
 * @property {(log: HTMLElement) => void} drawn after every drawing and every scrolling
 */

/**
 * A log stays at its bottom when one was there; else the first row in sight stays where it is.
 *
 * An element directive: it runs before the element's rows are drawn, and again, in a microtask, after it.
 */
class KeepPlace extends Directive {
  atBottom = true;
  top = 0;
  /** @type {HTMLElement | null} */
  log = null;
  /** @type {Places | null} */
  places = null;

  /** @param {Places} _places */
  render(_places) {
    return noChange;
  }

  /**
   * @param {import("../vendor/lit-html/directive.js").ElementPart} part
   * @param {[Places]} values
   * @override
   */
  update(part, [places]) {
    const log = /** @type {HTMLElement} */ (part.element);
    if (this.log !== log) this.#begin(log);
    this.places = places;
    if (places.isCalledDown) this.atBottom = true;
    const anchor = this.atBottom ? null : firstInSight(log);
    queueMicrotask(() => {
      if (anchor) stay(log, anchor);
      else if (this.atBottom && !places.hasNewer) toBottom(log);
      this.#look();
    });
    return noChange;
  }

  /** @param {HTMLElement} log */
  #begin(log) {
    this.log = log;
    log.addEventListener("scroll", () => this.#look(), { passive: true });
    let height = 0;
    new ResizeObserver(() => {
      const wasHidden = height === 0;
      height = log.clientHeight;
      if (!height) return;
      if (this.atBottom && !this.places?.hasNewer) toBottom(log);
      else if (wasHidden) log.scrollTop = this.top; // a browser forgets the place of what is not shown
    }).observe(log);
  }

  #look() {
    const { log, places } = this;
    if (!log?.clientHeight || !places) return;
    this.top = log.scrollTop;
    const below = log.scrollHeight - log.scrollTop - log.clientHeight;
    const atBottom = below <= STILL_BOTTOM && !places.hasNewer;
    if (atBottom !== this.atBottom) {
      this.atBottom = atBottom;
      places.moved(atBottom);
    }
    if (log.scrollTop < NEAR_AN_END) places.nearTop();
    if (below < NEAR_AN_END && places.hasNewer) places.nearBottom();
    places.drawn(log);
  }
}

export const keepPlace = directive(KeepPlace);

/** @param {HTMLElement} log */
function toBottom(log) {
  log.scrollTop = log.scrollHeight;
}

/** @param {HTMLElement} log */
function firstInSight(log) {
  const { top } = log.getBoundingClientRect();
  for (const row of log.querySelectorAll("[data-key]")) {
    const place = row.getBoundingClientRect();
    if (place.bottom > top) return { key: row.getAttribute("data-key") ?? "", from: place.top - top };
  }
  return null;
}

/** @param {HTMLElement} log @param {{key: string, from: number}} anchor */
function stay(log, { key, from }) {
  const row = log.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!row) return;
  const moved = row.getBoundingClientRect().top - log.getBoundingClientRect().top - from;
  if (moved) log.scrollTop += moved;
}
