/** A menu behind a button: it opens below it, is walked through by arrows, and closes when something of it is chosen. */

import { icon } from "./icons.js";
import { html } from "../vendor/lit-html/lit-html.js";

// Pixels between the button and its menu, and what a menu keeps from the page's edge.
const GAP = 4;
const EDGE = 8;

/** @import {IconName} from "./icons.js" */

/**
 * @param {string} id @param {string} label @param {unknown} items Buttons of the role `menuitem`.
 * @param {IconName} [picture] @param {string} [look] the button's class
 */
export function menuOf(id, label, items, picture = /** @type {IconName} */ ("more"), look = "more") {
  return html`<button type="button" class="quiet ${look}" popovertarget=${id} aria-haspopup="menu" aria-label=${label} title=${label}>
      ${icon(picture)}
    </button>
    <div class="menu is-below" id=${id} role="menu" aria-label=${label} popover @toggle=${toggled} @keydown=${walked} @click=${chosen}>${items}</div>`;
}

/** @param {EventTarget | null} menu @returns {HTMLElement[]} */
const itemsOf = (menu) => (menu instanceof Element ? [...menu.querySelectorAll(/** @type {"button"} */ ("[role=menuitem]:not(:disabled)"))] : []);

/** @param {ToggleEvent} event */
function toggled({ newState, currentTarget: menu }) {
  if (newState !== "open" || !(menu instanceof HTMLElement)) return;
  const button = document.querySelector(`[popovertarget="${menu.id}"]`);
  if (button) {
    const { top: above, bottom, left: start, right } = button.getBoundingClientRect();
    const left = Math.max(EDGE, Math.min(start > innerWidth / 2 ? right - menu.offsetWidth : start, innerWidth - menu.offsetWidth - EDGE));
    const hasRoom = bottom + GAP + menu.offsetHeight + EDGE <= innerHeight;
    const top = Math.max(EDGE, hasRoom ? bottom + GAP : above - GAP - menu.offsetHeight);
    menu.style.setProperty("left", `${left}px`);
    menu.style.setProperty("top", `${top}px`);
  }
  itemsOf(menu)[0]?.focus();
}

/** @param {KeyboardEvent} event */
export function walked(event) {
  const items = itemsOf(event.currentTarget);
  const at = items.findIndex((each) => each === document.activeElement);
  const to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined || !items.length) return;
  event.preventDefault();
  event.stopPropagation();
  items.at(to % items.length)?.focus();
}

/** @param {MouseEvent} event */
function chosen({ target, currentTarget: menu }) {
  if (target instanceof Element && target.closest("[role=menuitem]") && menu instanceof HTMLElement) menu.hidePopover();
}
