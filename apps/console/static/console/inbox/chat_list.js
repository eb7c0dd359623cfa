/** The list of chats: its views and filters, the search, and the rows in sight. */

import { limits } from "../base/api.js";
import { css } from "../base/css.js";
import { channelName } from "../base/display_names.js";
import { icon } from "../base/icons.js";
import { t } from "../base/texts.js";
import { row, ROW_HEIGHT } from "./chat_row.js";
import { NEEDS, VIEWS } from "./views.js";
import { keyed } from "../vendor/lit-html/directives/keyed.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { ref } from "../vendor/lit-html/directives/ref.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Actions} from "../actions.js" */
/** @import {IconName} from "../base/icons.js" */
/** @import {Store} from "../store.js" */
/** @import {Config, Counts, State, View} from "../base/types.js" */

// Rows drawn above and below those in sight.
const MARGIN = 8;
// Pixels that the strip of views keeps beside a button with the focus.
const EDGE = 8;
// Milliseconds after the last key before a search is asked for.
const SEARCH_AFTER = 250;
/** @param {State} state @param {Actions} actions @param {Store} store @param {Config} config */
export function view(state, actions, store, config) {
  return html`
    ${question(state, actions)} ${missed(state, actions)}
    <nav class="views" aria-label=${t("views")} @focusin=${bringIn}>
      <ul>${VIEWS.filter((each) => !NEEDS[each] || config[NEEDS[each]] || state.list.view === each).map((each) => html`<li>${viewButton(each, state, actions)}</li>`)}</ul>
      ${filters(state, actions)}
    </nav>
    <section class="inbox" aria-label=${t("inbox")}>
      ${searchField(state, actions)} ${list(state, actions, store, config)}
    </section>
  `;
}

/** Shows the whole of a button that the strip of a narrow page shows in part: a browser that sees 32 pixels of it lets it be. @param {FocusEvent} event */
function bringIn({ target, currentTarget: strip }) {
  if (!(target instanceof Element) || !(strip instanceof Element)) return;
  const [box, clip] = [target.getBoundingClientRect(), strip.getBoundingClientRect()];
  strip.scrollLeft += Math.max(0, box.right + EDGE - clip.right) - Math.max(0, clip.left + EDGE - box.left);
}

/** @type {Record<View, IconName>} */
const ICONS = { unanswered: "bell", mine: "hand", department: "people", open: "inbox", queue: "queue", due: "flag", snoozed: "clock", closed: "done", spam: "spam" };

/** @param {View} view @param {State} state @param {Actions} actions */
function viewButton(view, { list, search, counts }, actions) {
  const count = counts?.[/** @type {keyof Counts} */ (view)];
  return html`<button
    class="view ${view}"
    aria-current=${!search && list.view === view}
    @click=${() => actions.inbox.showView(view)}
  >
    ${icon(ICONS[view])}<span class="name">${t(`view_${view}`)}</span>
    ${typeof count === "number" && count > 0 ? html`<span class="count">${count}</span>` : nothing}
  </button>`;
}

/** Of the open chats: by status and by channel, where there is more than one. @param {State} state @param {Actions} actions */
function filters({ list, search, counts }, actions) {
  if (!counts || search || ["closed", "snoozed", "spam"].includes(list.view)) return nothing;
  const { filters } = list;
  const channels = Object.entries(counts.channels).sort(([a], [b]) => a.localeCompare(b));
  const chip = (/** @type {string} */ label, /** @type {number} */ count, /** @type {boolean} */ isOn, /** @type {{}} */ change) =>
    html`<button class="chip" aria-pressed=${isOn} @click=${() => actions.inbox.showView(list.view, { ...filters, ...change })}>
      ${label} <span class="count">${count}</span>
    </button>`;
  const hasStatuses = counts.statuses.ready > 0 || filters.status !== null;
  if (!hasStatuses && channels.length < 2 && !filters.channel) return nothing;
  return html`<div class="filters" role="group" aria-label=${t("filters")}>
    ${
      hasStatuses
        ? /** @type {const} */ (["active", "ready"]).map((status) => {
            const isOn = filters.status === status;
            return chip(t(`status_${status}`), counts.statuses[status], isOn, { status: isOn ? null : status });
          })
        : nothing
    }
    ${
      channels.length > 1 || filters.channel
        ? channels.map(([code, count]) => {
            const isOn = filters.channel === code;
            return chip(channelName(code), count, isOn, { channel: isOn ? null : code });
          })
        : nothing
    }
  </div>`;
}

/** What is being typed, until it is searched for. */
let typed = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let asked;

/** @param {string} text */
const canBeSearched = (text) => [...text.trim()].length >= limits.search_min;

/** @param {State} state @param {Actions} actions */
function searchField({ search }, actions) {
  const onInput = (/** @type {Event} */ { target }) => {
    typed = /** @type {HTMLInputElement} */ (target).value;
    clearTimeout(asked);
    asked = setTimeout(() => {
      asked = undefined;
      actions.inbox.search(canBeSearched(typed) ? typed : null);
    }, SEARCH_AFTER);
  };
  // What is too short yet stays in the field.
  if (!asked && (search || canBeSearched(typed))) typed = search?.query ?? "";
  return html`<form class="search" role="search" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
    ${icon("search")}
    <input
      type="search"
      id="search"
      maxlength=${limits.search}
      autocomplete="off"
      placeholder=${t("search")}
      aria-label=${t("search")}
      .value=${live(typed)}
      @input=${onInput}
    />
  </form>`;
}

export const focusSearch = () => document.getElementById("search")?.focus();

/** @param {Element} element */
export const isSearchField = ({ id }) => id === "search";

// The rows.

/** @param {State} state @param {Actions} actions @param {Store} store @param {Config} config */
function list(state, actions, store, config) {
  const { search } = state;
  const shown = search ?? state.list;
  const { length } = store.inbox;
  if (shown.refusal && !length) return refused(actions);
  if (!shown.isLoaded) return skeleton();
  if (!length) return search ? html`<div class="empty"><p>${t("nothing_found")}</p></div>` : empty(state, actions, config);
  const { from, to } = state.inSight;
  const rows = store.inbox.rowsBetween(from, to);
  const { filters } = state.list;
  const name = search ? `search ${search.query}` : `${state.list.view} ${filters.status} ${filters.channel}`;
  const setSize = shown.cursor === null ? length : -1;
  return keyed(
    name,
    html`<div class="rows" tabindex="-1" @scroll=${look(actions)} ${ref(watchSize(actions))}>
      <ul aria-label=${t("chats")} ${css({ height: `${length * ROW_HEIGHT}px` })}>
        ${repeat(
          rows,
          ({ id }) => id,
          (each, index) => row(each, state, from + index, setSize),
        )}
      </ul>
      ${shown.isLoading ? html`<p class="more" role="status">${t("loading")}</p>` : nothing}
      ${shown.refusal ? refused(actions) : nothing}
    </div>`,
  );
}

/** @param {Element} rows @param {Actions} actions */
function measure(rows, actions) {
  const from = Math.max(0, Math.floor(rows.scrollTop / ROW_HEIGHT) - MARGIN);
  const to = Math.ceil((rows.scrollTop + rows.clientHeight) / ROW_HEIGHT) + MARGIN;
  actions.inbox.look(from, to);
  if (rows.scrollTop + 2 * rows.clientHeight > rows.scrollHeight) void actions.inbox.loadMore();
}

/** @param {Actions} actions */
const look = (actions) => (/** @type {Event} */ { currentTarget }) => measure(/** @type {Element} */ (currentTarget), actions);

/** @type {ResizeObserver | undefined} */
let sizes;
/** @type {((element: Element | undefined) => void) | undefined} */
let watching;

/** @param {Actions} actions */
function watchSize(actions) {
  // One function for all drawings: a new one each time would be a new element to lit.
  watching ??= (element) => {
    sizes ??= new ResizeObserver((changes) => changes.forEach(({ target }) => measure(target, actions)));
    sizes.disconnect();
    if (element) sizes.observe(element);
  };
  return watching;
}

const skeleton = () => html`<div class="skeleton" role="status" aria-label=${t("loading")}>
  ${Array.from({ length: 6 }, () => html`<span></span>`)}
</div>`;

/** @param {Actions} actions */
const refused = (actions) => html`<div class="empty" role="alert">
  <p>${t("list_refused")}</p>
  <button @click=${() => actions.inbox.loadMore()}>${t("try_again")}</button>
</div>`;

/** What to do where there is nothing. @param {State} state @param {Actions} actions @param {Config} config */
function empty({ list, counts }, actions, config) {
  const { view, filters } = list;
  if (filters.status || filters.channel) {
    return html`<div class="empty">
      <p>${t("empty_filtered")}</p>
      <button @click=${() => actions.inbox.showView(view)}>${t("clear_filters")}</button>
    </div>`;
  }
  if (view === "open" && !config.has_chats) return first(config);
  const others = view !== "open" && counts && counts.open > 0;
  return html`<div class="empty">
    ${icon(ICONS[view])}
    <p>${t(`empty_${view}`)}</p>
    ${others ? html`<button @click=${() => actions.inbox.showView("open")}>${t("show_open", { n: counts.open })}</button>` : nothing}
  </div>`;
}

/** Nobody has ever written. @param {Config} config */
const first = (config) => html`<div class="empty first">
  ${icon("chat")}
  <h2>${t("first_title")}</h2>
  ${
    config.demo_url
      ? html`<p>${t("first_demo")}</p>
          <p><a class="button" href=${config.demo_url} target="_blank" rel="noopener">${t("open_demo")}</a></p>`
      : nothing
  }
  <p>${t("first_embed")}</p>
  <pre tabindex="0"><code>${config.embed_code}</code></pre>
</div>`;

// The keyboard.

/** Goes to the row after or before, and brings it into sight. @param {Store} store @param {Actions} actions @param {1 | -1} by */
export function step(store, actions, by) {
  const { state } = store;
  const at = state.selectedId === null ? -1 : store.inbox.placeOf(state.selectedId);
  const place = at === -1 ? (by === 1 ? 0 : -1) : at + by;
  const [next] = place < 0 ? [] : store.inbox.rowsBetween(place, place + 1);
  if (!next) return;
  actions.inbox.select(next.id);
  const rows = document.querySelector(".rows");
  if (!rows) return;
  const top = place * ROW_HEIGHT;
  if (top < rows.scrollTop) rows.scrollTop = top;
  else if (top + ROW_HEIGHT > rows.scrollTop + rows.clientHeight) rows.scrollTop = top + ROW_HEIGHT - rows.clientHeight;
  measure(rows, actions);
  actions.afterDrawing(() => document.getElementById(`chat-${next.id}`)?.focus({ preventScroll: true }));
}

/** Shows a view, and opens its first chat: the one that has waited longest, or is due first. @param {Store} store @param {Actions} actions @param {View} [view] */
export async function openFirst(store, actions, view = "unanswered") {
  if (store.state.list.view !== view || store.state.search) await actions.inbox.showView(view);
  const [longest] = store.inbox.rowsBetween(0, 1);
  if (longest) actions.chat.open(longest.id);
}

/** Too many offers in a row were missed: visitors go to others until the operator is back. @param {State} state @param {Actions} actions */
function missed({ me }, actions) {
  if (me?.break?.reason !== "missed") return nothing;
  return html`<div class="ask banner" role="alert">
    ${icon("caution")}
    <p>${t("break_missed")}</p>
    <button @click=${() => void actions.settings.setStatus("active")}>${t("back_to_work")}</button>
  </div>`;
}

/** Asked from the first sign-in in this browser on, again 30 days after *Not now*: a person who hears nothing loses visitors. @param {State} state @param {Actions} actions */
function question({ habits, connection, search }, actions) {
  if (habits.isAsked || connection !== "online" || search || typed) return nothing;
  return html`<div class="ask banner" role="region" aria-label=${t("notify")}>
    ${icon("bell")}
    <p>${t("ask_notices")}</p>
    <button @click=${() => void actions.settings.answerAboutNotices(true)}>${t("ask_yes")}</button>
    <button class="quiet" @click=${() => void actions.settings.answerAboutNotices(false)}>${t("ask_no")}</button>
  </div>`;
}
