/** AI's help beside the composer: its buttons and keys; the panels are fetched when they are first needed. */

import { icon } from "../base/icons.js";
import { menuOf } from "../base/menus.js";
import { t } from "../base/texts.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Card, State} from "../base/types.js" */
/** @import {Actions} from "../actions.js" */
/** @import {IconName} from "../base/icons.js" */
/** @typedef {"draft" | "rewrite" | "translation" | "summary"} HelpKind */
/** @typedef {typeof import("./help_panels.js")} Room */

/** @type {ReadonlySet<string>} the kinds that a model can be asked for at this widget */
let kinds = new Set();
/** @type {Room | null} */
let room = null;
/** @type {((there: Room) => void)[]} */
const waiting = [];
/** @param {HelpKind} kind */
export const canHelp = (kind) => kinds.has(kind);

/**
 * Says what this widget's operators can ask for, and hears the keys of a draft wherever one is on the page.
 *
 * @param {string[]} given @param {() => State} state @param {Actions} actions
 */
export function beginHelp(given, state, actions) {
  kinds = new Set(given);
  addEventListener("keydown", (event) => {
    const isDraft = event.code === "KeyJ" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    if (!isDraft || !canHelp("draft") || !state().open) return;
    event.preventDefault();
    withRoom(actions, (room) => room.draft(state(), actions));
  });
}

/** Fetches the room, unless it is there, and does something in it. @param {Actions} actions @param {(there: Room) => void} [does] */
export function withRoom(actions, does = () => {}) {
  if (room) {
    does(room);
    actions.redraw();
    return;
  }
  waiting.push(does);
  if (waiting.length > 1) return;
  void import("./help_panels.js").then((found) => {
    room = found;
    for (const each of waiting.splice(0)) each(found);
    actions.redraw();
  });
}

/** The strips above the composer: a draft, another wording. @param {State} state @param {Actions} actions */
export function helpStrip(state, actions) {
  const chatId = state.open?.chatId;
  if (!room && ![...state.assists.values()].some((each) => each.chat_id === chatId && each.kind !== "summary" && !each.outcome)) return nothing;
  if (room) return room.strip(state, actions);
  withRoom(actions);
  return nothing;
}

/** What the chat is about, atop the thread. @param {State} state @param {Actions} actions */
export function helpSummary(state, actions) {
  if (!state.open?.card?.summary && !room?.isSumming(state)) return nothing;
  if (room) return room.summary(state, actions);
  withRoom(actions);
  return nothing;
}

/** @param {State} state @param {Actions} actions */
export const askSummary = (state, actions) => {
  if (canHelp("summary")) withRoom(actions, (room) => room.sumUp(state, actions));
};

/** The keys of the strip while one writes; whether the key was its. @param {KeyboardEvent} event @param {State} state @param {Actions} actions */
export const helpKey = (event, state, actions) => room?.key(event, state, actions) ?? false;

/** Whether a draft stands in the field's place. @param {State} state */
export const isDrafted = (state) => room?.isDrafted(state) ?? false;

/** The menu of the tool row. @param {State} state @param {boolean} isNote @param {Actions} actions */
export function helpTools(state, isNote, actions) {
  const does = (/** @type {"draft" | "improve" | "sumUp"} */ name) => () => withRoom(actions, (room) => room[name](state, actions));
  const item = (/** @type {"draft" | "improve" | "sumUp"} */ name, /** @type {IconName} */ picture, /** @type {string} */ label, /** @type {string} */ keys = "") =>
    html`<button type="button" role="menuitem" class="item" ?disabled=${isNote && name === "draft"} @click=${does(name)}>
      ${icon(picture)} ${label}${keys ? html`<kbd aria-hidden="true">${keys}</kbd>` : nothing}
    </button>`;
  const control = /Mac/.test(navigator.platform ?? "") ? "⌘J" : "Ctrl+J";
  if (!canHelp("draft") && !canHelp("rewrite") && !canHelp("summary")) return nothing;
  return menuOf(
    "help-tools",
    t("help_open"),
    html`${canHelp("draft") ? item("draft", "spark", t("help_draft"), control) : nothing} ${canHelp("rewrite") ? item("improve", "pen", t("help_improve")) : nothing}
      ${canHelp("summary") ? item("sumUp", "sum", t("help_summary"), "G") : nothing}`,
    "spark",
    "tool help",
  );
}

/** Tags that fit, at a click. @param {Card} card @param {(tag: string) => unknown} add */
export function suggestedTags({ suggested_tags, contact }, add) {
  const tags = (suggested_tags ?? []).filter((tag) => !contact.tags.includes(tag));
  if (!tags.length) return nothing;
  const tag = (/** @type {string} */ name) => html`<button type="button" class="suggested" @click=${() => add(name)}>+ <bdi>${name}</bdi></button>`;
  return html`<p class="suggestions"><small>${t("help_tags")}</small> ${tags.map(tag)}</p>`;
}
