/** Puts the page together: the state, the socket, the rooms, the address. */

import { actionsOf } from "./actions.js";
import { callFor } from "./api.js";
import { beginHelp } from "./assist.js";
import * as card from "./card.js";
import * as dialogs from "./dialogs.js";
import { watchDrafts } from "./drafts.js";
import { watchWidth } from "./head.js";
import * as header from "./header.js";
import * as inbox from "./inbox.js";
import { ofTab } from "./memory.js";
import { callVisitorsBy } from "./names.js";
import { Notices } from "./notices.js";
import { listenForKeys } from "./shortcuts.js";
import { OperatorSocket } from "./socket.js";
import { Store } from "./store.js";
import { speak, t } from "./texts.js";
import * as thread from "./thread.js";
import { toasts } from "./toasts.js";
import { html, nothing, render } from "./vendor/lit-html/lit-html.js";
import { VIEWS } from "./views.js";

/** @import {Actions} from "./actions.js" */
/** @import {Config, State} from "./types.js" */

/** @type {Config} */
const config = JSON.parse(document.getElementById("config")?.textContent ?? "");
speak(config.language);
callVisitorsBy(config.alias_words);

// Milliseconds.
const EVERY_MINUTE = 60_000;
const EVERY_SECOND = 1_000;

const store = new Store();
const notices = new Notices(
  store,
  (id) => actions.openChat(id),
  (device) => socket.tell("used", { device }),
);
const widget = config.widgets.find(({ is_current }) => is_current);
if (widget) callFor(widget.guid);
const socket = new OperatorSocket(config.socket_url, store, (frame) => {
  notices.hear(frame);
  actions.hear(frame);
});
const actions = actionsOf(store, socket, notices);
const root = /** @type {HTMLElement} */ (document.getElementById("app"));

/** @param {State} state @param {Actions} actions */
const page = (state, actions) => html`
  <div class="app ${state.open ? "has-chat" : ""}" data-pane=${contact === null ? state.pane : "thread"}>
    ${header.view(state, actions, config)} ${inbox.view(state, actions, store, config)}
    <main class="thread" aria-label=${t(contact === null ? "thread" : "contacts")}>${contact === null ? thread.view(state, actions) : (contacts?.view(state, actions) ?? nothing)}</main>
    ${state.open ? html`<aside class="card" aria-label=${t("card")}>${card.view(state, actions, config.has_cards)}</aside>` : nothing}
  </div>
  ${dialogs.view(state, actions)}
  ${toasts(state, actions)}
`;

/** The contacts, once they were opened. @type {typeof import("./contacts.js") | undefined} */
let contacts;
/** The contact that the address names (`#/contacts/…`), "" for the list; null: it names none of both. @type {string | null} */
let contact = null;

/** What the address names: `#/chats/12`, `#/contacts`. */
function follow() {
  const [isContacts, guid = ""] = /^#\/contacts(?:\/([0-9a-f]{32}))?$/.exec(location.hash) ?? [];
  contact = isContacts ? guid : null;
  if (isContacts && !contacts) {
    void import("./contacts.js").then((module) => {
      contacts = module;
      follow();
    });
  }
  if (contact !== null) contacts?.show(contact || null, actions);
  const [, id] = /^#\/chats\/([1-9]\d{0,15})$/.exec(location.hash) ?? [];
  void actions.showChat(id ? Number(id) : null);
}

const view = ofTab.get("view");
if (VIEWS.includes(view)) store.showView(view);

let isRestored = false;
store.subscribe(() => {
  const { state } = store;
  if (state.connection === "online") {
    actions.askForMissing();
    if (!isRestored) {
      actions.restoreOutbox();
      void actions.loadChoices();
    }
    isRestored = true;
  }
  if (isRestored) actions.keepOutbox();
  render(page(state, actions), root);
});

addEventListener("hashchange", follow);
addEventListener("pagehide", () => isRestored && actions.keepOutbox());
listenForKeys(store, actions);
beginHelp(config.assists, () => store.state, actions);
watchDrafts(actions.redraw);
watchWidth(actions.redraw);
notices.start();
// How long each has waited is drawn anew; where a person has several widgets, so is who waits at the others.
setInterval(() => store.redraw(), EVERY_MINUTE);
setInterval(() => {
  if (store.state.open?.card?.answering?.waits_for) store.redraw();
}, EVERY_SECOND);
if (config.widgets.length > 1) {
  void actions.askElsewhere();
  setInterval(() => void actions.askElsewhere(), EVERY_MINUTE);
}
follow();
socket.start();
