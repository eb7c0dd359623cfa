/** Reviews (`#/reviews`, `#/reviews/12`): the list, and a review beside its chat. They lie over the page. */

import { icon } from "../base/icons.js";
import { t } from "../base/texts.js";
import { html } from "../vendor/lit-html/lit-html.js";
import { listPart, nextOpen, putReview, readList } from "./review_list.js";
import { openReview, reviewKey, reviewPart } from "./review.js";
import { words } from "./review_texts.js";

/** @import {Actions} from "../actions.js" */
/** @import {Frame, State} from "../base/types.js" */
/** @import {Review} from "./review_list.js" */

let isShown = false;
/** @type {number | null} */
let id = null;
/** @type {Actions} */
let page;

const isManager = () => page.isManager;

/** Opens the review of the address, or closes. @param {boolean} isOpen @param {Actions} actions */
export function show(isOpen, actions) {
  page = actions;
  const named = /^#\/reviews\/([1-9]\d{0,15})$/.exec(location.hash)?.[1];
  const wasShown = isShown;
  isShown = isOpen;
  if (!isOpen && !wasShown) return;
  id = isOpen && named ? Number(named) : null;
  if (isOpen && (!wasShown || id === null)) void readList(actions, isManager());
  void openReview(id, actions);
}

/** Nothing of a frame changes a review: it is read when it is opened. @param {Frame} _frame @param {Actions} _actions */
export function hear(_frame, _actions) {}

/** The next review that waits, else the list. @param {Review} saved */
function next(saved) {
  putReview(saved);
  const following = nextOpen(saved.id);
  location.hash = following ? `#/reviews/${following.id}` : "#/reviews";
}

const leave = () => {
  location.hash = id === null ? "#/" : "#/reviews";
};

// The keys of the page beneath would act on a chat that is out of sight.
addEventListener(
  "keydown",
  (event) => {
    if (!isShown || event.isComposing || page.store.state.dialog) return;
    event.stopImmediatePropagation();
    const isOurs = id !== null && reviewKey(event, page.store.state, isManager(), next, leave);
    if (isOurs) event.preventDefault();
    else if (event.key === "Escape") leave();
  },
  { capture: true },
);

/** @param {State} state */
export function view(state) {
  return html`<main class="reviews own-report" aria-label=${words().title}>
    <header>
      <h1>${words().title}</h1>
      <a class="button quiet" href=${id === null ? "#/" : "#/reviews"} aria-label=${t("back")} title=${t("back")}>${icon("close")}</a>
    </header>
    ${id === null ? listPart(state, isManager(), page) : reviewPart(state, isManager(), next)}
  </main>`;
}
