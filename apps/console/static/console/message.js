/** One message: whatever its type, it is drawn of text and of addresses that begin with https:// or http://. */

import { html, nothing } from "./vendor/lit-html/lit-html.js";
import { icon } from "./icons.js";
import { dayOf, sizeOf, timeOf, whyNot, wordsOf } from "./words.js";
import { t } from "./texts.js";

/** @import {Delivery, Message, Source, Step, Unsent} from "./types.js" */
/** @import {Actions} from "./actions.js" */

/**
 * A message of the thread and where it stands; `unsent` is what the outbox has of one that is not stored yet.
 *
 * @typedef {object} Item
 * @property {string} key
 * @property {number} id 0 while it is unsent
 * @property {Message} message
 * @property {Unsent | null} unsent
 * @property {Step | null} step what happened here, where it is no message
 * @property {boolean} startsDay
 * @property {boolean} isFirst of its sender's run
 * @property {boolean} isLast of its sender's run
 */

// Names of files that a computer runs when they are opened, whatever they say they are.
const RUNS =
  /\.(?:exe|msi|msix|appx|com|scr|pif|bat|cmd|ps1|vbs|vbe|js|jse|wsf|hta|jar|lnk|reg|cpl|dll|apk|app|dmg|pkg|command|sh|run|deb|rpm|iso|img|docm|xlsm|pptm)\s*$/i;

const ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}»”’])/i;

/**
 * An address that a browser may be led to; undefined for every other.
 *
 * @param {unknown} url
 */
export function safeUrl(url) {
  return typeof url === "string" && /^https?:\/\//i.test(url) ? url : undefined;
}

/**
 * @param {unknown} url
 * @param {unknown} content
 * @param {string} [className]
 */
export function link(url, content, className = "") {
  const address = safeUrl(url);
  if (!address) return html`<span class=${className}>${content}</span>`;
  return html`<a class=${className} href=${address} target="_blank" rel="noopener noreferrer">${content}</a>`;
}

/**
 * The text with its addresses as links.
 *
 * @param {string} text
 */
export function linked(text) {
  return text.split(ADDRESS).map((part, index) => (index % 2 ? link(part, part) : part));
}

/**
 * A kept file has an address of the console's: the message's own holds for an hour, a tab is open all day.
 *
 * @param {Message} message
 */
function attachment({ type, file, name, url: told }) {
  const url = file ? new URL(`/console/files/${file.id}`, location.href).href : told;
  const label = file?.name ?? name ?? t("type_file");
  if (type === "image") {
    const shown = safeUrl(url);
    const picture = shown ? html`<img src=${shown} alt=${label} loading="lazy" decoding="async" />` : label;
    return link(url, picture, "picture");
  }
  const size = file?.size ? html`<small>${sizeOf(file.size)}</small>` : nothing;
  const warning = RUNS.test(label) ? html`<small class="runs">${t("file_runs")}</small>` : nothing;
  return link(url, html`${icon("clip")}<bdi>${label}</bdi> ${size} ${warning}`, "file");
}

/**
 * What stands in the bubble.
 *
 * @param {Message} message
 */
export function content(message) {
  const { type, body, coords, sticker, keyboard } = message;
  const parts = [];
  if (type === "image" || type === "file") parts.push(attachment(message));
  if (type === "sticker") {
    const shown = safeUrl(sticker?.url);
    parts.push(shown ? html`<img class="sticker" src=${shown} alt=${t("type_sticker")} loading="lazy" />` : t("type_sticker"));
  }
  if (type === "location" && coords) {
    const { lat, lng } = coords;
    const map = `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=16/${lat}/${lng}`;
    parts.push(link(map, html`${t("type_location")} ${lat}, ${lng}`, "place"));
  }
  if (body) parts.push(html`<span class="text">${linked(body)}</span>`);
  const buttons = keyboard?.buttons ?? [];
  if (buttons.length) {
    const keys = buttons.map(({ label, url, style }) => link(url, label, style === "secondary" ? "key outlined" : "key"));
    parts.push(html`<span class="keys">${keys}</span>`);
  }
  return parts;
}

/**
 * Whose run of messages it belongs to.
 *
 * @param {Message} message
 */
export function senderKey(message) {
  const { kind, agent_id, name } = message.sender ?? {};
  return `${kind}:${agent_id ?? ""}:${name ?? ""}:${message.is_note === true}`;
}

/** @param {Item} item @param {number} seenByVisitor */
function tick({ message, unsent }, seenByVisitor) {
  if (unsent || message.is_note || !isOurs(message)) return nothing;
  const { delivery } = message;
  if (delivery) return deliveryTick(delivery);
  const seen = message.seen_at !== null || message.id <= seenByVisitor;
  const said = t(seen ? "seen" : "sent");
  return html`<span class="tick ${seen ? "seen" : ""}" role="img" aria-label=${said} title=${said}></span>`;
}

/** @param {Message} message */
export function isOurs(message) {
  const kind = message.sender?.kind;
  return kind !== "client" && kind !== "system";
}

/** How far a message to a messenger has come. @param {Delivery} delivery */
function deliveryTick({ state, code }) {
  if (state === "failed") return nothing;
  if (state === "queued") {
    return html`<span class="fate">${code ? t("delivery_waits", { why: whyNot(code) }) : t("delivery_queued")}</span>`;
  }
  const said = t(state === "read" ? "delivery_read" : state === "delivered" ? "delivery_delivered" : "delivery_sent");
  return html`<span class="tick ${state === "read" ? "seen" : ""}" role="img" aria-label=${said} title=${said}></span>`;
}

/** @param {Item} item @param {Actions} actions */
function fate({ unsent, message }, actions) {
  const { delivery } = message;
  if (!unsent && delivery?.state === "failed") {
    return html`<span class="fate failed" role="alert"
      >${t("not_sent", { why: whyNot(delivery.code) })}${delivery.detail ? html` <q><bdi>${delivery.detail}</bdi></q>` : nothing}
      <button type="button" @click=${() => actions.resend(message.id)}>${t("send_again")}</button></span
    >`;
  }
  if (!unsent) return nothing;
  const { client_id, refusal } = unsent;
  if (!refusal) return html`<span class="fate">${t("sending")}</span>`;
  return html`<span class="fate failed" role="alert"
    >${t("not_sent", { why: wordsOf(refusal) })}
    <button type="button" @click=${() => actions.sendAgain(client_id)}>${t("try_again")}</button>
    <button type="button" @click=${() => actions.dropUnsent(client_id)}>${t("discard")}</button></span
  >`;
}

/** The knowledge that an answer of AI rests on. @param {Source[] | undefined} sources */
function restsOn(sources) {
  if (!sources?.length) return nothing;
  const shown = sources.map(({ ref, title, url }) => html`<li><bdi>${link(url, title || ref)}</bdi></li>`);
  return html`<details class="sources"><summary>${t("rests_on", { n: sources.length })}</summary><ul>${shown}</ul></details>`;
}

/** What the assistant should have said here. @param {Message} message @param {number} chatId @param {Actions} actions */
function wishOf({ id }, chatId, actions) {
  if (!id) return nothing;
  const ask = () => actions.showDialog({ name: "wish", chatId, messageId: id });
  return html`<button type="button" class="wish" @click=${ask}>${t("wish_open")}</button>`;
}

/**
 * One row of the thread.
 *
 * @param {Item} item
 * @param {{actions: Actions, seenByVisitor: number, visitorsName: string, isMine: boolean, sources: Map<number, Source[]>, chatId: number}} around
 */
export function messageRow(item, { actions, seenByVisitor, visitorsName, isMine, sources, chatId }) {
  const { message, isFirst, isLast, startsDay, unsent, key, id } = item;
  const day = startsDay ? html`<h3 class="day"><span>${dayOf(message.created_at)}</span></h3>` : nothing;
  const kind = message.sender?.kind;
  if (kind === "system") {
    return html`<div class="msg system" data-key=${key} data-id=${id}>${day}<p>${content(message)}</p></div>`;
  }
  const side = isOurs(message) ? "ours" : "theirs";
  const who = isMine ? t("me") : (message.sender?.name ?? (kind === "client" ? visitorsName : t("operator")));
  const mark = message.is_note
    ? html`<span class="badge note">${t("note_mark")}</span>`
    : kind === "ai"
      ? html`<span class="badge">${t("ai_mark")}</span>`
      : kind === "external_operator"
        ? html`<span class="badge">${t("program_mark")}</span>`
        : nothing;
  const hasFailed = !unsent && message.delivery?.state === "failed";
  const classes = ["msg", side, hasFailed ? "has-failed" : "", message.is_note ? "is-note" : "", kind === "ai" ? "is-ai" : "", isFirst ? "first" : "", unsent ? "unsent" : ""];
  const time = html`<time datetime=${message.created_at}>${timeOf(message.created_at)}</time>`;
  const isAside = message.type === "sticker";
  return html`<div class=${classes.filter(Boolean).join(" ")} data-key=${key} data-id=${id} aria-live=${unsent ? "off" : nothing}>
    ${day}
    <p class=${isFirst ? "sender" : "sender hear"}><bdi>${who}</bdi>${mark}</p>
    <div class="bubble ${isAside ? "bare" : ""}">${content(message)}</div>
    ${restsOn(sources.get(message.id))} ${kind === "ai" ? wishOf(message, chatId, actions) : nothing}
    ${isLast || unsent || hasFailed ? html`<p class="meta">${time}${tick(item, seenByVisitor)}${fate(item, actions)}</p>` : nothing}
  </div>`;
}
