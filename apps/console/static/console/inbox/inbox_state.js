/** The inbox's slice of the store: the rows of chats that the page knows, and the list or the search that shows some of them. */

import { Ordered } from "./ordered_rows.js";
import { isAscending, isIn, keyOf } from "./views.js";

/** @import {InboxChat, Match} from "../base/server_types.js" */
/** @import {Filters, Page, Refusal, State, View} from "../base/types.js" */

/** @param {View} view @param {Filters} filters @returns {State["list"]} */
export const emptyList = (view, filters) => ({
  view,
  filters,
  cursor: null,
  boundary: null,
  isLoaded: false,
  isLoading: false,
  refusal: null,
});

export class InboxState {
  #state;
  #changed;
  #ordered = new Ordered();

  /** @param {State} state @param {() => void} changed */
  constructor(state, changed) {
    this.#state = state;
    this.#changed = changed;
  }

  /** What the socket brings. @type {Record<string, (data: any) => void>} */
  frames = {
    "chat.updated": ({ chat }) => this.put(chat),
    "inbox.counts": (counts) => (this.#state.counts = counts),
  };

  /** A connection begins: what the snapshot says is so, and nothing else is known of the inbox. @param {any} snapshot */
  begin({ counts, chats, next_cursor }) {
    const state = this.#state;
    state.counts = counts;
    // What was refused without a connection is asked for again.
    if (state.search) state.search.refusal = null;
    const openRow = state.open && state.rows.get(state.open.chatId);
    const found = state.search?.ids.flatMap((id) => state.rows.get(id) ?? []) ?? [];
    state.rows = new Map();
    this.#ordered.fill([], isAscending(state.list.view));
    // What was found stays shown, but may be closed by now: only the snapshot says what is in the list.
    for (const row of found) state.rows.set(row.id, row);
    if (openRow) this.put(openRow);
    const { view, filters } = state.list;
    state.list = emptyList(view, filters);
    if (view === "open" && !filters.status && !filters.channel) this.addPage(state.list, { data: chats, next_cursor });
    else for (const row of chats) this.put(row);
  }

  /** The chats of the list are not known any more. */
  forgetList() {
    const { view, filters } = this.#state.list;
    this.#state.list = emptyList(view, filters);
    this.#order();
  }

  /** Takes a row, unless a newer one is there: a page that was asked for may be older than a frame. @param {InboxChat} row */
  put(row) {
    const known = this.#state.rows.get(row.id);
    if (known && known.version > row.version) return;
    this.#state.rows.set(row.id, row);
    this.#ordered.place(row.id, this.#keyOf(row));
  }

  /** The row's place in the list; null where it is not in it. @param {InboxChat} row */
  #keyOf(row) {
    const { list, me } = this.#state;
    return me && isIn(row, list, me) ? keyOf(row, list.view) : null;
  }

  #order() {
    const keys = [...this.#state.rows.values()].map((row) => this.#keyOf(row));
    this.#ordered.fill(keys.filter((key) => key !== null), isAscending(this.#state.list.view));
  }

  /** In the queue a longer wait counts more: its rows change places by themselves. */
  orderAnew() {
    if (this.#state.list.view === "queue") this.#order();
  }

  /** How many rows the list, or what was searched for, has to show. */
  get length() {
    const { list, search } = this.#state;
    if (search) return search.ids.length;
    return list.isLoaded ? this.#ordered.countDownTo(list.boundary) : 0;
  }

  /** The rows from place to place, as they stand. @param {number} from @param {number} to @returns {InboxChat[]} */
  rowsBetween(from, to) {
    const { rows, search } = this.#state;
    const ids = search ? search.ids.slice(from, to) : this.#ordered.slice(from, Math.min(to, this.length));
    return ids.flatMap((id) => rows.get(id) ?? []);
  }

  /** The row's place in what is shown; -1 for one that is not. @param {number} id */
  placeOf(id) {
    const { search } = this.#state;
    const place = search ? search.ids.indexOf(id) : this.#ordered.indexOf(id);
    return place < this.length ? place : -1;
  }

  /** @param {View} view @param {Partial<Filters>} [filters] */
  showView(view, filters = {}) {
    this.#state.list = emptyList(view, { status: null, channel: null, ...filters });
    this.#state.search = null;
    this.#state.inSight = { from: 0, to: 20 };
    this.#order();
    this.#changed();
  }

  /** @param {State["list"] | NonNullable<State["search"]>} list The one that a page is being asked for. */
  beginPage(list) {
    list.isLoading = true;
    list.refusal = null;
    this.#changed();
  }

  /** The next page of a list; nothing, if that is not the list any more. @param {State["list"]} list @param {Page} page */
  addPage(list, page) {
    if (this.#state.list !== list) return;
    for (const row of page.data) this.put(row);
    const last = page.data.at(-1);
    list.cursor = page.next_cursor;
    // As the server had it: a row that has moved meanwhile is no reason to show what is not loaded.
    if (page.next_cursor === null) list.boundary = null;
    else if (last) list.boundary = keyOf(last, list.view);
    list.isLoaded = true;
    list.isLoading = false;
    this.#changed();
  }

  /** @param {State["list"] | NonNullable<State["search"]>} list @param {Refusal} refusal */
  refusePage(list, refusal) {
    list.isLoading = false;
    list.refusal = refusal;
    this.#changed();
  }

  /** @param {string | null} query Null: not searching. */
  showSearch(query) {
    const nothing = { ids: [], matches: new Map(), cursor: null, isLoaded: false, isLoading: false, refusal: null };
    this.#state.search = query === null ? null : { query, ...nothing };
    this.#state.inSight = { from: 0, to: 20 };
    this.#changed();
  }

  /** @param {NonNullable<State["search"]>} search @param {Page} page */
  addFound(search, page) {
    if (this.#state.search !== search) return;
    for (const { matched, ...row } of /** @type {(InboxChat & {matched: Match | null})[]} */ (page.data)) {
      this.put(row);
      if (matched) search.matches.set(row.id, matched);
    }
    search.ids = [...new Set([...search.ids, ...page.data.map((row) => row.id)])];
    search.cursor = page.next_cursor;
    search.isLoaded = true;
    search.isLoading = false;
    this.#changed();
  }

  /** A row that a call answered. @param {InboxChat} row */
  putRow(row) {
    this.put(row);
    this.#changed();
  }

  /** @param {number} from @param {number} to The places of the rows to draw. */
  look(from, to) {
    const { inSight } = this.#state;
    if (inSight.from === from && inSight.to === to) return;
    this.#state.inSight = { from, to };
    this.#changed();
  }

  /** @param {number | null} id The row that the keyboard is at. */
  select(id) {
    this.#state.selectedId = id;
    this.#changed();
  }
}
