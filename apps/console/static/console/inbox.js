/** The list of chats: its views and filters, the search, and the rows in sight. */

import { css } from "./css.js";
import { icon } from "./icons.js";
import { channelName } from "./names.js";
import { question } from "./question.js";
import { ROW_HEIGHT, row } from "./row.js";
import { t } from "./texts.js";
import { keyed } from "./vendor/lit-html/directives/keyed.js";
import { live } from "./vendor/lit-html/directives/live.js";
import { ref } from "./vendor/lit-html/directives/ref.js";
import { repeat } from "./vendor/lit-html/directives/repeat.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";
import { VIEWS } from "./views.js";

/** @import {Actions} from "./actions.js" */
/** @import {IconName} from "./icons.js" */
/** @import {Store} from "./store.js" */
/** @import {Config, Counts, State, View} from "./types.js" */

// Rows drawn above and below those in sight.
const MARGIN = 8;
// Milliseconds after the last key before a search is asked for.
const SEARCH_AFTER = 250;
// As on the server.
const SHORTEST_SEARCH = 2;
const LONGEST_SEARCH = 100;

/** @param {State} state @param {Actions} actions @param {Store} store @param {Config} config */
export function view(state, actions, store, config) {
  return html`
    <nav class="views" aria-label=${t("views")}>
      <ul>${VIEWS.map((each) => html`<li>${viewButton(each, state, actions)}</li>`)}</ul>
      ${filters(state, actions)}
    </nav>
    <section class="inbox" aria-label=${t("inbox")}>
      ${searchField(state, actions)} ${question(state, actions)} ${list(state, actions, store, config)}
    </section>
  `;
}

/** @type {Record<View, IconName>} */
const ICONS = { unanswered: "bell", mine: "hand", department: "people", open: "inbox", snoozed: "clock", closed: "done", spam: "spam" };

/** @param {View} view @param {State} state @param {Actions} actions */
function viewButton(view, { list, search, counts }, actions) {
  const count = counts?.[/** @type {keyof Counts} */ (view)];
  return html`<button
    class="view ${view}"
    aria-current=${!search && list.view === view}
    @click=${() => actions.showView(view)}
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
    html`<button class="chip" aria-pressed=${isOn} @click=${() => actions.showView(list.view, { ...filters, ...change })}>
      ${label} <span class="count">${count}</span>
    </button>`;
  return html`<div class="filters" role="group" aria-label=${t("filters")}>
    ${/** @type {const} */ (["active", "ready"]).map((status) => {
      const isOn = filters.status === status;
      return chip(t(`status_${status}`), counts.statuses[status], isOn, { status: isOn ? null : status });
    })}
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
const canBeSearched = (text) => [...text.trim()].length >= SHORTEST_SEARCH;

/** @param {State} state @param {Actions} actions */
function searchField({ search }, actions) {
  const onInput = (/** @type {Event} */ { target }) => {
    typed = /** @type {HTMLInputElement} */ (target).value;
    clearTimeout(asked);
    asked = setTimeout(() => {
      asked = undefined;
      actions.search(canBeSearched(typed) ? typed : null);
    }, SEARCH_AFTER);
  };
  // What is too short yet stays in the field.
  if (!asked && (search || canBeSearched(typed))) typed = search?.query ?? "";
  return html`<form class="search" role="search" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
    ${icon("search")}
    <input
      type="search"
      id="search"
      maxlength=${LONGEST_SEARCH}
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
  const { length } = store;
  if (shown.refusal && !length) return refused(actions);
  if (!shown.isLoaded) return skeleton();
  if (!length) return search ? html`<div class="empty"><p>${t("nothing_found")}</p></div>` : empty(state, actions, config);
  const { from, to } = state.inSight;
  const rows = store.rowsBetween(from, to);
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
  actions.look(from, to);
  if (rows.scrollTop + 2 * rows.clientHeight > rows.scrollHeight) void actions.loadMore();
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
  <button @click=${() => actions.loadMore()}>${t("try_again")}</button>
</div>`;

/** What to do where there is nothing. @param {State} state @param {Actions} actions @param {Config} config */
function empty({ list, counts }, actions, config) {
  const { view, filters } = list;
  if (filters.status || filters.channel) {
    return html`<div class="empty">
      <p>${t("empty_filtered")}</p>
      <button @click=${() => actions.showView(view)}>${t("clear_filters")}</button>
    </div>`;
  }
  if (view === "open" && !config.has_chats) return first(config);
  const others = view !== "open" && counts && counts.open > 0;
  return html`<div class="empty">
    ${icon(ICONS[view])}
    <p>${t(`empty_${view}`)}</p>
    ${others ? html`<button @click=${() => actions.showView("open")}>${t("show_open", { n: counts.open })}</button>` : nothing}
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
  const at = state.selectedId === null ? -1 : store.placeOf(state.selectedId);
  const place = at === -1 ? (by === 1 ? 0 : -1) : at + by;
  const [next] = place < 0 ? [] : store.rowsBetween(place, place + 1);
  if (!next) return;
  actions.select(next.id);
  const rows = document.querySelector(".rows");
  if (!rows) return;
  const top = place * ROW_HEIGHT;
  if (top < rows.scrollTop) rows.scrollTop = top;
  else if (top + ROW_HEIGHT > rows.scrollTop + rows.clientHeight) rows.scrollTop = top + ROW_HEIGHT - rows.clientHeight;
  measure(rows, actions);
  actions.afterDrawing(() => document.getElementById(`chat-${next.id}`)?.focus({ preventScroll: true }));
}

/** Opens the chat that has waited longest for an answer. @param {Store} store @param {Actions} actions */
export async function openUnanswered(store, actions) {
  if (store.state.list.view !== "unanswered" || store.state.search) await actions.showView("unanswered");
  const [longest] = store.rowsBetween(0, 1);
  if (longest) actions.openChat(longest.id);
}
