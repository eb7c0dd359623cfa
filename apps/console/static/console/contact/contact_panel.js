/** Whom the open chat is with: the contact, the visit, the rating, who handles the chat, and what can be done with it. */

import { limits } from "../base/api.js";
import { channelName, visitorName } from "../base/display_names.js";
import { languageOf, localTimeIn, momentOf, timeOf, wordsOf } from "../base/formats.js";
import { icon } from "../base/icons.js";
import { t } from "../base/texts.js";
import { deedButtons, deedsOf } from "../chat/chat_buttons.js";
import { isMissing } from "../chat/chat_header.js";
import { safeUrl } from "../chat/message.js";
import { suggestedTags } from "../help/help_loader.js";
import { keyed } from "../vendor/lit-html/directives/keyed.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Actions} from "../actions.js" */
/** @import {TextKey} from "../base/texts.js" */
/** @import {InboxChat, Operator} from "../base/server_types.js" */
/** @import {Card, Contact, OpenChat, Refusal, State} from "../base/types.js" */

const STARS = 5;

/** Unsaved texts of the card, and why each was refused, by field. @type {Map<string, {value: string, refusal?: string}>} */
const edits = new Map();
let editsOf = "";

/** Cards from the shop's own system, once loaded. @type {typeof import("./shop_cards.js") | undefined} */
let shop;

/** @param {State} state @param {Actions} actions @param {boolean} hasShopCards */
export function view(state, actions, hasShopCards) {
  const { open } = state;
  if (!open) return nothing;
  const row = state.rows.get(open.chatId);
  return html`<header class="card-header">
      <h2>${t("card")}</h2>
      <button type="button" class="quiet" aria-label=${t("close_card")} title=${t("close_card")} @click=${() => actions.showPane("thread")}>
        ${icon("close")}
      </button>
    </header>
    ${open.card ? keyed(open.card.contact.id, contactPart(open.card.contact, actions, open.card, isUnproved(open))) : nothing}
    ${hasShopCards && open.card ? shopPart(open, actions) : nothing}
    ${open.card || isMissing(open) ? nothing : html`<p class="edge">${t("loading")}</p>`}
    ${open.card?.blocks.length ? blocksPart(open.card, actions) : nothing}
    ${open.card ? answersPart(row?.answers ?? {}, open.card, actions, row?.invitation) : nothing} ${open.card ? visitPart(open.card) : nothing}
    ${row ? chatPart(row, state, actions) : nothing}
    ${open.card ? otherChatsPart(open.card) : nothing} ${open.card ? ratingPart(open.card) : nothing}`;
}

/** Whether the visitor only typed the address that the shop's cards are of. @param {OpenChat} open */
const isUnproved = ({ shopCards }) => shopCards.some(({ is_proved, components }) => !is_proved && components.length > 0);

/** Answers to the questions before a chat, once loaded. @type {typeof import("./answers.js") | undefined} */
let answered;

/** @param {Record<string, unknown>} answers @param {Card} card @param {Actions} actions @param {{name: string} | null} [invitation] */
function answersPart(answers, card, actions, invitation) {
  if (answered) return answered.view(answers, card, invitation);
  if (invitation || card.contact.consents?.length || Object.keys(answers).length)
    void import("./answers.js").then((loaded) => {
      answered = loaded;
      actions.redraw();
    });
  return nothing;
}

/** @param {OpenChat} open @param {Actions} actions */
function shopPart(open, actions) {
  if (shop) return shop.view(open, actions);
  void import("./shop_cards.js").then((loaded) => {
    if (shop) return;
    shop = loaded;
    actions.redraw();
  });
  return nothing;
}

/** @param {Contact} contact @param {Actions} actions @param {Card | null} card @param {boolean} [isAddressUnproved] */
export function contactPart(contact, actions, card, isAddressUnproved = false) {
  const unproved = isAddressUnproved ? html`<span class="tag is-warn" title=${t("cards_unproved")}><span>${t("unproved")}</span></span>` : nothing;
  if (editsOf !== contact.id) edits.clear();
  editsOf = contact.id;
  return html`<section aria-label=${t("contact")}>
    ${field(contact, "name", "contact_name", { autocomplete: "off", maxlength: limits.name }, actions)}
    ${field(contact, "email", "contact_email", { type: "email", maxlength: limits.email }, actions, unproved)}
    ${field(contact, "phone", "contact_phone", { type: "tel", maxlength: limits.phone }, actions)}
    <h3>${t("tags")}</h3>
    ${tagList(contact, actions)} ${card ? suggestedTags(card, (tag) => actions.contact.addTag(contact.id, tag)) : nothing}
    <h3>${t("attributes")}</h3>
    ${attributeList(contact, actions)}
  </section>`;
}

/**
 * Saves what is typed, unless it is known; what is refused stays, with why.
 *
 * @param {string} key
 * @param {string} known
 * @param {(value: string) => Promise<Refusal | null>} write
 * @param {Actions} actions
 */
async function save(key, known, write, actions) {
  const edit = edits.get(key);
  if (!edit) return;
  const value = edit.value.trim();
  if (value === known) edits.delete(key);
  else {
    const refusal = await write(value);
    const isCurrent = edits.get(key) === edit;
    if (isCurrent && refusal) edits.set(key, { value: edit.value, refusal: wordsOf(refusal) });
    else if (isCurrent) edits.delete(key);
  }
  actions.redraw();
}

/**
 * A text that is edited in its place: Enter or leaving it saves, Escape gives up.
 *
 * @param {string} key
 * @param {string} known
 * @param {{label: string, placeholder?: string, type?: string, maxlength: number, shows?: string}} how
 * @param {(value: string) => Promise<Refusal | null>} write
 * @param {Actions} actions
 */
function inPlace(key, known, how, write, actions) {
  const edit = edits.get(key);
  const isBad = edit?.refusal !== undefined;
  /** @param {Event} event */
  const typed = ({ currentTarget }) => {
    edits.set(key, { value: /** @type {HTMLInputElement} */ (currentTarget).value });
    actions.redraw();
  };
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter") void save(key, known, write, actions);
    if (event.key !== "Escape" || !edits.has(key)) return;
    event.stopPropagation();
    edits.delete(key);
    actions.redraw();
  };
  return html`<input
      type=${how.type ?? "text"}
      autocomplete="off"
      maxlength=${how.maxlength}
      aria-label=${how.label}
      placeholder=${how.placeholder ?? ""}
      aria-invalid=${isBad ? "true" : nothing}
      .value=${live(edit?.value ?? known)}
      @input=${typed}
      @keydown=${pressed}
      @blur=${() => void save(key, known, write, actions)}
    />
    ${isBad ? html`<p class="refusal" role="alert">${edit?.refusal}</p>` : nothing}`;
}

/**
 * @param {Contact} contact
 * @param {"name" | "email" | "phone"} name
 * @param {TextKey} label
 * @param {{type?: string, maxlength: number, autocomplete?: string}} how
 * @param {Actions} actions
 * @param {unknown} [tag] Beside the value.
 */
function field(contact, name, label, how, actions, tag = nothing) {
  const write = (/** @type {string} */ value) => actions.contact.change(contact.id, { [name]: value || null });
  const texts = { label: t(label), placeholder: name === "name" ? visitorName(contact) : t("unknown") };
  return html`<div class="field ${tag === nothing ? "" : "has-tag"}">
    <span aria-hidden="true">${t(label)}</span>
    <div data-in-place title=${contact[name] ?? nothing}>${inPlace(name, contact[name] ?? "", { ...how, ...texts }, write, actions)}</div>
    ${tag}
  </div>`;
}

/** @param {Contact} contact @param {Actions} actions */
function tagList({ id, tags }, actions) {
  const remove = async (/** @type {string} */ tag) => {
    const refusal = await actions.contact.removeTag(id, tag);
    if (refusal) actions.say(refusal);
  };
  const add = (/** @type {string} */ tag) => (tag ? actions.contact.addTag(id, tag) : Promise.resolve(null));
  return html`<ul class="tags">
      ${repeat(
        tags,
        (tag) => tag,
        (tag) => html`<li>
          <bdi>${tag}</bdi>
          <button type="button" aria-label=${t("tag_remove", { tag })} title=${t("tag_remove", { tag })} @click=${() => void remove(tag)}>${icon("close")}</button>
        </li>`,
      )}
    </ul>
    <div class="add">${inPlace("tag", "", { label: t("tag_add"), placeholder: t("tag_add"), maxlength: limits.tag }, add, actions)}</div>`;
}

/** A value in words. @param {unknown} value */
const inWords = (value) => (typeof value === "boolean" ? t(value ? "yes" : "no") : String(value));

/** The value that a text stands for: it stays a number, or yes or no, where it was one. @param {string} text @param {unknown} before */
export function valueOf(text, before) {
  if (typeof before === "boolean") {
    const word = text.toLocaleLowerCase();
    for (const value of [true, false]) if (word === String(value) || word === inWords(value).toLocaleLowerCase()) return value;
  }
  if (typeof before === "number" && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
  return text;
}

/** Draws attributes by kind, once loaded. @type {typeof import("./attributes.js") | undefined} */
let byKind;
let isAsked = false;

/** @param {Actions} actions */
function loadKinds(actions) {
  if (isAsked) return;
  isAsked = true;
  void import("./attributes.js").then((module) => {
    byKind = module;
    void module.loadKinds(actions.redraw);
  });
}

/** @param {Contact} contact @param {Actions} actions */
function attributeList({ id, attributes }, actions) {
  loadKinds(actions);
  const others = Object.keys(attributes).filter((name) => !byKind?.declaredKeys().includes(name));
  const names = [...(byKind?.declaredKeys() ?? []), ...others.sort()];
  const remove = async (/** @type {string} */ name) => {
    const refusal = await actions.contact.change(id, { attributes: { [name]: null } });
    if (refusal) actions.say(refusal);
  };
  const row = (/** @type {string} */ name) => {
    const known = attributes[name];
    const write = (/** @type {string} */ value) =>
      actions.contact.change(id, { attributes: { [name]: value === "" ? null : valueOf(value, known) } });
    const set = (/** @type {string | number | boolean | null} */ value) => actions.contact.change(id, { attributes: { [name]: value } });
    const label = t("attribute_remove", { name });
    return html`<div class="field attribute">
      <bdi aria-hidden="true" title=${name}>${name}</bdi>
      <div data-in-place>${byKind?.attributeField(name, known, set, actions) ?? inPlace(`attribute:${name}`, inWords(known), { label: name, maxlength: limits.attribute }, write, actions)}</div>
      ${known === undefined ? nothing : html`<button type="button" class="quiet" aria-label=${label} title=${label} @click=${() => void remove(name)}>${icon("close")}</button>`}
    </div>`;
  };
  return html`${repeat(names, (name) => name, row)} ${newAttribute(id, attributes, actions)}`;
}

/** @param {string} id @param {Contact["attributes"]} attributes @param {Actions} actions */
function newAttribute(id, attributes, actions) {
  /** @param {SubmitEvent} event */
  const submit = async (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    const given = new FormData(form);
    const [name, value] = [String(given.get("name")).trim(), String(given.get("value")).trim()];
    if (!name || !value) return;
    const refusal = Object.hasOwn(attributes, name) ? { code: "", detail: t("attribute_known") } : await actions.contact.change(id, { attributes: { [name]: value } });
    if (refusal) edits.set("attribute", { value: "", refusal: wordsOf(refusal) });
    else {
      edits.delete("attribute");
      form.reset();
      form.querySelector("input")?.focus();
    }
    actions.redraw();
  };
  const refusal = edits.get("attribute")?.refusal;
  return html`<form class="add attribute" @submit=${submit}>
      <input name="name" maxlength=${limits.attribute_name} autocomplete="off" placeholder=${t("attribute_name")} aria-label=${t("attribute_name")} />
      <input name="value" maxlength=${limits.attribute} autocomplete="off" placeholder=${t("attribute_value")} aria-label=${t("attribute_value")} />
      <button class="quiet" aria-label=${t("attribute_add")}>${t("add")}</button>
    </form>
    ${refusal ? html`<p class="refusal" role="alert">${refusal}</p>` : nothing}`;
}

/** What keeps the visitor from writing, each with its end. @param {Card} card @param {Actions} actions */
function blocksPart({ blocks }, actions) {
  return html`<section aria-label=${t("blocked")}>
    <h3>${t("blocked")}</h3>
    ${repeat(
      blocks,
      ({ id }) => id,
      ({ id, what, network, reason, until }) => html`<div class="block">
        <p>
          ${t(`block_${what}`)} ${network ? html`<bdi>${network}</bdi>` : nothing}
          <span class="edge">${until ? t("blocked_until", { when: momentOf(until) }) : t("block_lasting")}</span>
        </p>
        ${reason ? html`<blockquote>${reason}</blockquote>` : nothing}
        <button type="button" class="quiet" @click=${() => void actions.chat.liftBlock(id)}>${t("block_lift")}</button>
      </div>`,
    )}
  </section>`;
}

/** @param {Card} card */
function visitPart({ visitor, contact, reach }) {
  const page = visitor?.page_url;
  const localTime = visitor?.time_zone ? localTimeIn(visitor.time_zone) : null;
  const before = (visitor?.pages ?? []).toReversed();
  return html`<section aria-label=${t("visit")}>
    <h3>${t("visit")}</h3>
    <dl>
      ${visitor?.user_id ? fact("user_id", html`<bdi>${visitor.user_id}</bdi>`) : nothing}
      ${page ? fact("page", link(page)) : nothing}
      ${visitor?.referrer ? fact("referrer", link(visitor.referrer)) : nothing}
      ${visitor?.browser || visitor?.system ? fact("browser", [visitor.browser, visitor.system].filter(Boolean).join(", ")) : nothing}
      ${visitor?.address ? fact("address", visitor.address) : nothing}
      ${localTime ? fact("local_time", localTime) : nothing}
      ${visitor?.lang ? fact("language", languageOf(visitor.lang)) : nothing}
      ${visitor?.presence.state === "here" ? fact("presence", t("here_now")) : nothing}
      ${visitor?.last_seen_at && visitor.presence.state !== "here" ? fact("last_seen", momentOf(visitor.presence.since ?? visitor.last_seen_at)) : nothing}
      ${reach.by === "mail" && reach.address ? fact("letters_to", html`<bdi>${reach.address}</bdi>`) : nothing}
      ${fact("known_since", momentOf(contact.created_at))}
    </dl>
    ${before.length > 1
      ? html`<h3>${t("pages")}</h3>
          <ul class="pages">
            ${before.map(({ url, at }) => html`<li><time datetime=${at} title=${momentOf(at)}>${timeOf(at)}</time> <bdi>${link(url)}</bdi></li>`)}
          </ul>`
      : nothing}
  </section>`;
}

/** An address without its scheme, to be opened where that is harmless. @param {string} url */
function link(url) {
  const address = safeUrl(url);
  const shown = url.replace(/^https?:\/\//i, "");
  return address ? html`<a href=${address} target="_blank" rel="noopener noreferrer">${shown}</a>` : shown;
}

/** @param {Card} card */
function otherChatsPart({ other_chats: chats }) {
  if (!chats.length) return nothing;
  return html`<section aria-label=${t("other_chats")}>
    <h3>${t("other_chats")}</h3>
    <ul class="pages">
      ${chats.map(({ id, channel, created_at, last_message_at }) => html`<li><a href="#/chats/${id}">${channelName(channel)}, ${momentOf(last_message_at ?? created_at)}</a></li>`)}
    </ul>
  </section>`;
}

/** @param {TextKey} name @param {unknown} value */
const fact = (name, value) => html`<div><dt>${t(name)}</dt><dd><bdi>${value}</bdi></dd></div>`;

/** @param {InboxChat} row @param {State} state @param {Actions} actions */
function chatPart(row, state, actions) {
  const { agents, departments } = state;
  const named = state.open?.card?.operators ?? {};
  /** @param {Operator} operator One of AI is no colleague: the card has their name. */
  const name = ({ agent_id: id, type }) => {
    const known = id === state.me?.id ? t("me") : (agents.get(id)?.name ?? named[id] ?? t("operator"));
    return type === "ai" ? t("named_ai", { name: known }) : known;
  };
  const department = departments.find(({ id }) => id === row.department_id)?.name;
  return html`<section aria-label=${t("this_chat")}>
    <h3>${t("this_chat")}</h3>
    <p>${whoHasIt(row, name, state)}</p>
    <p>${whoAnswered(row, name)}</p>
    <dl>
      ${department ? fact("department", department) : nothing}
      ${fact("began", momentOf(row.created_at))}
      ${row.closed_at ? fact("closed_at", momentOf(row.closed_at)) : nothing}
    </dl>
    <div class="deeds">${deedButtons(row, deedsOf(row, state, actions), actions, "card")}</div>
  </section>`;
}

/** Whose the chat is, and who took it first. @param {InboxChat} row @param {(operator: Operator) => string} name @param {State} state */
function whoHasIt({ agent_id, accepted_by }, name, { me }) {
  const owner = agent_id === null ? t("has_nobody") : agent_id === me?.id ? t("has_me") : t("has_operator", { name: name({ agent_id, type: "human", at: null }) });
  const first = accepted_by && accepted_by.agent_id !== agent_id ? ` ${t("taken_first_by", { name: name(accepted_by) })}` : "";
  return owner + first;
}

/** Whether people, AI or both have answered, and who went on last. @param {InboxChat} row @param {(operator: Operator) => string} name */
function whoAnswered({ handling, handled_by }, name) {
  const last = handled_by ? ` ${t("handled_last_by", { name: name(handled_by) })}` : "";
  // People have it since AI called them, and none has come yet.
  const isAwaited = handling === "ai_to_human" && handled_by?.type !== "human";
  return t(isAwaited ? "answered_ai" : `answered_${handling}`) + last;
}

/** @param {Card} card */
function ratingPart({ rating }) {
  const { value, comment, rated_at, requested_at } = rating;
  if (value === null && requested_at === null) return nothing;
  return html`<section aria-label=${t("rating")}>
    <h3>${t("rating")}</h3>
    ${value === null
      ? html`<p>${t("rating_asked", { when: momentOf(requested_at ?? "") })}</p>`
      : html`<p class="stars" role="img" aria-label=${t("rating_of", { value })}>
            ${"★".repeat(value)}<span>${"★".repeat(STARS - value)}</span>
          </p>
          ${comment ? html`<blockquote>${comment}</blockquote>` : nothing}
          ${rated_at ? html`<p class="edge">${momentOf(rated_at)}</p>` : nothing}`}
  </section>`;
}
