/** What a person does in the inbox: picks a view, searches, reads on. */

import { call, withQuery } from "../base/api.js";
import { ofTab } from "../base/browser_storage.js";

/** @import {Actions} from "../actions.js" */
/** @import {Filters, Refusal, View} from "../base/types.js" */

const PAGE = 50;

export class InboxActions {
  #actions;

  /** @param {Actions} actions */
  constructor(actions) {
    this.#actions = actions;
  }

  /** @param {View} view @param {Partial<Filters>} [filters] */
  async showView(view, filters) {
    this.#actions.store.inbox.showView(view, filters);
    ofTab.set("view", view);
    await this.loadMore();
  }

  /** @param {string | null} query Null: back to the list. */
  search(query) {
    this.#actions.store.inbox.showSearch(query);
    if (query) void this.loadMore();
  }

  /** Asks for the next page of what is shown, if there is one and it is not on its way. */
  async loadMore() {
    const { inbox, state } = this.#actions.store;
    const { list, search } = state;
    const shown = search ?? list;
    if (shown.isLoading || (shown.isLoaded && shown.cursor === null) || (search && !search.query)) return;
    inbox.beginPage(shown);
    const path = search
      ? withQuery("search", { q: search.query, cursor: search.cursor, limit: PAGE })
      : withQuery("inbox", { view: list.view, ...list.filters, cursor: list.cursor, limit: PAGE });
    const page = await this.#actions.tried(
      () => call("GET", path),
      (refusal) => inbox.refusePage(shown, refusal),
    );
    if (page && search) inbox.addFound(search, page);
    else if (page) inbox.addPage(list, page);
  }

  /** Asks for what is shown and was not had yet: a view that the snapshot does not bring, a search, the open chat. */
  askForMissing() {
    const { list, search, open } = this.#actions.store.state;
    const lacks = (/** @type {{isLoading: boolean, refusal: Refusal | null}} */ shown) => !shown.isLoading && !shown.refusal;
    const shown = search ?? list;
    if (!shown.isLoaded && lacks(shown)) void this.loadMore();
    if (open && open.historyCursor === undefined && lacks(open)) void this.#actions.chat.loadHistory();
  }

  /** Who waits at the person's other widgets. */
  async askElsewhere() {
    const answer = await this.#actions.tried(
      () => call("GET", "unanswered"),
      () => {},
    );
    if (answer) this.#actions.notices.hearElsewhere(answer.data);
  }

  /** @param {number | null} id */
  select(id) {
    this.#actions.store.inbox.select(id);
  }

  /** @param {number} from @param {number} to */
  look(from, to) {
    this.#actions.store.inbox.look(from, to);
  }
}
