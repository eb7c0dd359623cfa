/** Puts the page together: the state, the socket, the rooms, the address. */

import { Actions } from "./actions.js";
import { callFor, knowLimits } from "./base/api.js";
import { ofTab } from "./base/browser_storage.js";
import { callVisitorsBy, knowChannels } from "./base/display_names.js";
import { listenForKeys } from "./base/shortcuts.js";
import { OperatorSocket } from "./base/socket.js";
import { speak, t } from "./base/texts.js";
import { toasts } from "./base/toasts.js";
import * as header from "./base/top_bar.js";
import { watchWidth } from "./chat/chat_header.js";
import * as thread from "./chat/thread.js";
import { beginMacros } from "./composer/canned_reply_loader.js";
import { watchDrafts } from "./composer/drafts.js";
import * as card from "./contact/contact_panel.js";
import { beginHelp } from "./help/help_loader.js";
import * as inbox from "./inbox/chat_list.js";
import { VIEWS } from "./inbox/views.js";
import { Notices } from "./settings/notifications.js";
import { Store } from "./store.js";
import { html, nothing, render } from "./vendor/lit-html/lit-html.js";

/** @import {Config, State} from "./base/types.js" */

/** @type {Config} */
const config = JSON.parse(document.getElementById("config")?.textContent ?? "");
speak(config.language);
callVisitorsBy(config.alias_words);
knowChannels(config.channels, config.channel_names);
knowLimits(config.limits);

// Milliseconds.
const EVERY_MINUTE = 60_000;
const EVERY_SECOND = 1_000;

const store = new Store();
const notices = new Notices(
  store,
  (id) => actions.chat.open(id),
  (device) => socket.tell("used", { device }),
);
const widget = config.widgets.find(({ is_current }) => is_current);
if (widget) callFor(widget.guid);
const socket = new OperatorSocket(config.socket_url, store, (frame) => {
  notices.hear(frame);
  for (const each of Object.values(over)) each.hear(frame, actions);
  actions.composer.hear(frame);
});
const actions = new Actions(store, socket, notices, config);
const root = /** @type {HTMLElement} */ (document.getElementById("app"));

/** @typedef {Pick<typeof import("./board/board.js"), "show" | "hear" | "view">} Over */
/** The pages that lie over this one, once they were opened: the wallboard, one's own report, reviews. @type {Record<string, Over>} */
const over = {};

/** The page over this one that an address names, "" for none. @param {string} hash */
const overOf = (hash) => /^#\/(?:board|me\/report|reviews)(?=$|\/[1-9]\d*$)/.exec(hash)?.[0] ?? "";

/** @param {State} state @param {Actions} actions */
const page = (state, actions) => html`
  ${over[overOf(location.hash)]?.view(state) ?? nothing}
  <div class="app ${state.open ? "has-chat" : ""}" data-pane=${contact === null ? state.pane : "thread"}>
    ${header.view(state, actions, config)} ${inbox.view(state, actions, store, config)}
    <main class="thread" aria-label=${t(contact === null ? "thread" : "contacts")}>${contact === null ? thread.view(state, actions) : (contacts?.view(state, actions, config.person.is_manager) ?? nothing)}</main>
    ${state.open ? html`<aside class="card" aria-label=${t("card")}>${card.view(state, actions, config.has_cards)}</aside>` : nothing}
  </div>
  ${state.dialog ? dialogPart(state, actions) : nothing}
  ${offerPart(state, actions)} ${toasts(state, actions)}
`;

/** The dialogs, once the page has nothing else to do, or one is asked for. @type {typeof import("./base/dialogs.js") | undefined} */
let dialogs;

function loadDialogs() {
  void import("./base/dialogs.js").then((module) => {
    dialogs = module;
    store.redraw();
  });
}

/** @param {State} state @param {Actions} actions */
function dialogPart(state, actions) {
  if (dialogs) return dialogs.view(state, actions);
  loadDialogs();
  return nothing;
}

/** The offers of chats, once there was one. @type {typeof import("./inbox/offer_card.js") | undefined} */
let offerCards;

/** @param {State} state @param {Actions} actions */
function offerPart(state, actions) {
  if (offerCards) return offerCards.offers(state, actions);
  if (![...state.rows.values()].some(({ offer }) => offer && offer.agent_id === state.me?.id)) return nothing;
  void import("./inbox/offer_card.js").then((module) => {
    offerCards = module;
    store.redraw();
  });
  return nothing;
}

/** The contacts, once they were opened. @type {typeof import("./contact/contact_list.js") | undefined} */
let contacts;
/** The contact that the address names (`#/contacts/…`), "" for the list; null: it names none of both. @type {string | null} */
let contact = null;

/** What the address names: `#/chats/12`, `#/contacts`. */
function follow() {
  const [isContacts, guid = ""] = /^#\/contacts(?:\/([0-9a-f]{32}))?$/.exec(location.hash) ?? [];
  contact = isContacts ? guid : null;
  if (isContacts && !contacts) {
    void import("./contact/contact_list.js").then((module) => {
      contacts = module;
      follow();
    });
  }
  if (contact !== null) contacts?.show(contact || null, actions);
  const { hash } = location;
  const opened = overOf(hash);
  if (opened && !over[opened]) {
    const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: config.board_css });
    const styled = new Promise((done) => (sheet.onload = sheet.onerror = done));
    document.head.append(sheet);
    const open = (/** @type {Over} */ module) =>
      styled.then(() => {
        over[opened] = module;
        follow();
      });
    if (opened === "#/board") void import("./board/board.js").then(open);
    else if (opened === "#/reviews") void import("./reviews/reviews.js").then(open);
    else void import("./board/own_report.js").then(open);
  }
  for (const [name, each] of Object.entries(over)) each.show(name === opened, actions);
  store.redraw();
  const [, id] = /^#\/chats\/([1-9]\d{0,15})$/.exec(location.hash) ?? [];
  void actions.chat.show(id ? Number(id) : null);
}

const view = ofTab.get("view");
if (VIEWS.includes(view)) store.inbox.showView(view);

let isDrawn = false;
let isRestored = false;
store.subscribe(() => {
  const { state } = store;
  if (state.connection === "online") {
    actions.inbox.askForMissing();
    if (!isRestored) {
      actions.composer.restoreOutbox();
      void actions.settings.loadChoices();
      (window.requestIdleCallback ?? setTimeout)(loadDialogs);
    }
    isRestored = true;
  }
  if (isRestored) actions.composer.keepOutbox();
  if (!isDrawn) root.replaceChildren(); // the frame that the server drew
  isDrawn = true;
  render(page(state, actions), root);
});

addEventListener("hashchange", follow);
addEventListener("pagehide", () => isRestored && actions.composer.keepOutbox());
listenForKeys(store, actions);
beginHelp(config.assists, () => store.state, actions);
beginMacros(config.person.is_manager, () => store.state, actions);
watchDrafts(actions.redraw);
watchWidth(actions.redraw);
notices.start();
// How long each has waited is drawn anew; where a person has several widgets, so is who waits at the others.
setInterval(() => {
  store.inbox.orderAnew();
  store.redraw();
}, EVERY_MINUTE);
setInterval(() => {
  if (store.state.open?.card?.answering?.waits_for || offerCards?.offersOf(store.state, Date.now() - EVERY_SECOND).length) store.redraw();
}, EVERY_SECOND);
if (config.widgets.length > 1) {
  void actions.inbox.askElsewhere();
  setInterval(() => void actions.inbox.askElsewhere(), EVERY_MINUTE);
}
follow();
socket.start();
