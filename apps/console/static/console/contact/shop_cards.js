/** Cards from the shop's own system, beside the chat. Loaded where a widget has any. */

import { call, CallRefused, newId } from "../base/api.js";
import { momentOf } from "../base/formats.js";
import { spoken, t } from "../base/texts.js";
import { safeUrl } from "../chat/message.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Actions} from "../actions.js" */
/** @import {Component, OpenChat, ShopCard} from "../base/types.js" */

// Milliseconds until the cards are looked at again: while they are read, or a frame was lost; after a failure; else.
const WHILE_LOADING = 4_000;
const AFTER_FAILURE = 31_000;
const USUALLY = 60_000;

/** The chat that was looked at last. */
let looksAt = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let next;

/**
 * Asks the server for the cards of the open chat, and again now and then while it is open.
 *
 * @param {OpenChat} open
 * @param {Actions} actions
 * @param {string} [refresh] The card that is asked for whatever its age.
 */
async function look(open, actions, refresh) {
  clearTimeout(next);
  looksAt = open.chatId;
  try {
    const query = refresh ? `?refresh=${encodeURIComponent(refresh)}` : "";
    const { data } = await call("GET", `chats/${open.chatId}/cards${query}`);
    actions.chat.showShopCards(open.chatId, data);
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error;
  }
  if (looksAt !== open.chatId) return;
  clearTimeout(next);
  next = setTimeout(() => actions.chat.isOpen(open.chatId) && void look(open, actions), waitFor(open.shopCards));
}

/** @param {ShopCard[]} cards */
function waitFor(cards) {
  if (document.hidden) return USUALLY;
  if (cards.some(({ state, last_action }) => state === "loading" || last_action?.state === "running")) return WHILE_LOADING;
  return cards.some(({ state }) => state === "failed") ? AFTER_FAILURE : USUALLY;
}

/** @param {OpenChat} open @param {Actions} actions */
export function view(open, actions) {
  if (looksAt !== open.chatId) void look(open, actions);
  const cards = open.shopCards;
  return html`${repeat(
    cards,
    ({ key }) => key,
    (card) => html`<section class="shop-card" aria-label=${card.title} aria-busy=${card.state === "loading" ? "true" : "false"}>
      <h3><bdi>${card.title}</bdi></h3>
      ${card.components.map((component) => componentView(component, card, open, actions))}
      ${stateView(card, open, actions)} ${actionView(card)}
    </section>`,
  )}`;
}

/** What is to be said of a card's age. @param {ShopCard} card @param {OpenChat} open @param {Actions} actions */
function stateView({ key, state, components, fetched_at, error }, open, actions) {
  const age = fetched_at ? t("cards_as_of", { when: momentOf(fetched_at) }) : "";
  if (state === "loading") return html`<p class="edge">${t("cards_loading")}</p>`;
  if (state === "stale") return html`<p class="edge">${age}</p>`;
  if (state === "failed")
    return html`<p class="refusal">${whyNot(error ?? "")} ${components.length ? age : nothing}</p>
      <button type="button" class="quiet" @click=${() => void look(open, actions, key)}>${t("try_again")}</button>`;
  return components.length ? nothing : html`<p class="edge">${t("cards_empty")}</p>`;
}

/** @param {string} error */
function whyNot(error) {
  if (error === "timeout") return t("cards_timeout");
  return error === "unreachable" || error === "bad_status" ? t("cards_unreachable") : t("cards_wrong", { what: error });
}

/** What became of the button that was pressed last. @param {ShopCard} card */
function actionView({ last_action }) {
  if (!last_action) return html`<p role="status" hidden></p>`;
  const { state, message } = last_action;
  return html`<p role="status" class=${state === "done" || state === "running" ? "edge" : "refusal"}>
    ${t(`cards_${state}`)} ${message ? html`<bdi>${message}</bdi>` : nothing}
  </p>`;
}

/** @param {Component} component @param {ShopCard} card @param {OpenChat} open @param {Actions} actions */
function componentView(component, card, open, actions) {
  const { label = "", value = "", at = "" } = component;
  switch (component.type) {
    case "text":
      return html`<p class="tone-${component.tone ?? "normal"}"><bdi>${component.text}</bdi></p>`;
    case "badge":
      return html`<p><bdi class="shop-badge tone-${component.tone ?? "normal"}">${component.text}</bdi></p>`;
    case "row":
      return row(label, value, component.copy ? copyButton(label, value) : nothing);
    case "money":
      return row(label, moneyOf(component));
    case "time":
      return row(label, html`<time datetime=${at}>${momentOf(at)}</time>`);
    case "link": {
      const address = safeUrl(component.url);
      return address ? html`<p><a href=${address} target="_blank" rel="noopener noreferrer"><bdi>${component.label}</bdi></a></p>` : nothing;
    }
    case "button":
      return html`<button type="button" class="shop-button ${component.style === "danger" ? "danger" : ""}" ?disabled=${card.last_action?.state === "running"}
        @click=${() => press(component, card, open, actions)}><bdi>${component.label}</bdi></button>`;
    case "divider":
      return html`<hr />`;
    default:
      return nothing;
  }
}

/** @param {string} label @param {unknown} value @param {unknown} [more] */
const row = (label, value, more = nothing) => html`<div class="shop-row"><bdi>${label}</bdi> <span><bdi>${value}</bdi>${more}</span></div>`;

/** @param {string} label @param {string} value */
const copyButton = (label, value) => html`<button type="button" class="quiet" aria-label=${t("cards_copy", { what: label })} title=${t("cards_copy", { what: label })}
  @click=${() => void navigator.clipboard?.writeText(value)}>⧉</button>`;

/** @param {{amount_minor?: number, currency?: string, minor_unit_scale?: number}} money */
function moneyOf({ amount_minor = 0, currency = "", minor_unit_scale = 0 }) {
  const digits = { minimumFractionDigits: minor_unit_scale, maximumFractionDigits: minor_unit_scale };
  return new Intl.NumberFormat(spoken(), { style: "currency", currency, ...digits }).format(amount_minor / 10 ** minor_unit_scale);
}

/** @param {Component} button @param {ShopCard} card @param {OpenChat} open @param {Actions} actions */
async function press({ label, action, confirm }, { key }, open, actions) {
  if (confirm && !(await isSure(confirm, label ?? ""))) return;
  try {
    await call("POST", `chats/${open.chatId}/cards/${key}/actions`, { client_id: newId(), action });
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error;
    actions.say(error.refusal);
  }
  if (actions.chat.isOpen(open.chatId)) await look(open, actions);
}

/** Asks before something is done. The focus goes back to where it was. @param {string} question @param {string} label @returns {Promise<boolean>} */
function isSure(question, label) {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog";
  dialog.setAttribute("aria-label", label);
  const form = document.createElement("form");
  form.method = "dialog";
  form.className = "sheet";
  const [words, footer] = [document.createElement("p"), document.createElement("footer")];
  words.textContent = question;
  for (const [value, name] of [["", t("cancel")], ["yes", label]]) {
    const button = document.createElement("button");
    [button.value, button.textContent] = [value ?? "", name ?? ""];
    if (!value) button.className = "quiet";
    footer.append(button);
  }
  form.append(words, footer);
  dialog.append(form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
  });
}
