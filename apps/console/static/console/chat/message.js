/** One message: whatever its type, it is drawn of text and of addresses that begin with https:// or http://. */

import { limits } from "../base/api.js";
import { parts } from "../../chats/links.js";
import { dayOf, sizeOf, timeOf, whyNot, wordsOf } from "../base/formats.js";
import { icon } from "../base/icons.js";
import { t } from "../base/texts.js";
import { putIn } from "../composer/drafts.js";
import { inBoth } from "./translation_loader.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {AnswerSource, FileReference, MessageDelivery, OperatorMessage, RestsOn} from "../base/server_types.js" */
/** @import {Step, Unsent} from "../base/types.js" */
/** @import {Actions} from "../actions.js" */

/**
 * A message of the thread and where it stands; `unsent` is what the outbox has of one that is not stored yet.
 *
 * @typedef {object} Item
 * @property {string} key
 * @property {number} id 0 while it is unsent
 * @property {OperatorMessage} message
 * @property {Unsent | null} unsent
 * @property {Step | null} step what happened here, where it is no message
 * @property {boolean} startsDay
 * @property {boolean} isFirst of its sender's run
 * @property {boolean} isLast of its sender's run
 */

// Names of files that a computer runs when they are opened, whatever they say they are.
const RUNS =
  /\.(?:exe|msi|msix|appx|com|scr|pif|bat|cmd|ps1|vbs|vbe|js|jse|wsf|hta|jar|lnk|reg|cpl|dll|apk|app|dmg|pkg|command|sh|run|deb|rpm|iso|img|docm|xlsm|pptm)\s*$/i;

// Sound and videos that a browser plays: voice, video notes.
const PLAYED = /^(audio|video)\/(?:mpeg|mp4|ogg|x-wav|aac|x-flac|x-m4v|webm|quicktime)$/;

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
  return parts(text).map((part, index) => (index % 2 ? link(part, part) : part));
}

/**
 * A kept file has an address of the console's: the message's own holds for an hour, a tab is open all day.
 *
 * @param {string} type @param {FileReference | null} file @param {string | null} name @param {string | null} told
 */
function attachment(type, file, name, told) {
  const url = file ? new URL(`/console/files/${file.id}`, location.href).href : told;
  const label = file?.name ?? name ?? t("type_file");
  if (type === "image" && (!file || limits.pictures.includes(file.content_type))) {
    const shown = safeUrl(url);
    const picture = shown ? html`<img src=${shown} alt=${label} loading="lazy" decoding="async" />` : label;
    return link(url, picture, "picture");
  }
  const [, plays] = PLAYED.exec(file?.content_type ?? "") ?? [];
  if (plays && safeUrl(url)) return player(plays, /** @type {string} */ (url), label);
  const size = file?.size ? html`<small>${sizeOf(file.size)}</small>` : nothing;
  const warning = RUNS.test(label) ? html`<small class="runs">${t("file_runs")}</small>` : nothing;
  return link(url, html`${icon("clip")}<bdi>${label}</bdi> ${size} ${warning}`, "file");
}

/**
 * Sound or a video, to be played where it stands; its name leads to the file.
 *
 * @param {string} plays @param {string} url @param {string} label
 */
function player(plays, url, label) {
  const shown =
    plays === "audio"
      ? html`<audio controls preload="metadata" src=${url} aria-label=${label}></audio>`
      : html`<video controls playsinline preload="metadata" src=${url} aria-label=${label}></video>`;
  return html`<span class="player">${shown} ${link(url, html`<bdi>${label}</bdi>`)}</span>`;
}

/** What draws a message with marks, once it is loaded; until then there is its plain text. @type {typeof import("./formatted_text.js").marked | undefined} */
let drawMarks;
let isAsked = false;

/** @param {OperatorMessage} message @param {Actions} actions */
function loadMarks({ markdown }, actions) {
  if (!markdown || isAsked) return;
  isAsked = true;
  void import("./formatted_text.js").then(({ marked }) => {
    drawMarks = marked;
    actions.redraw();
  });
}

/** All that a message carries: an album is shown as one. @param {OperatorMessage} message */
function attachments({ type, file, files, name, url }) {
  if (!files || files.length < 2) return attachment(type, file, name, url);
  const of = (/** @type {FileReference} */ each) => attachment(limits.pictures.includes(each.content_type) ? "image" : "file", each, null, null);
  return html`<span class="album">${files.map(of)}</span>`;
}

/**
 * The text without its letter's subject, which stands above the bubble whole: there with "Re:" and the like before it.
 *
 * @param {Pick<OperatorMessage, "body" | "letter">} message
 */
export function ownWords({ body, letter }) {
  const [first] = body.split("\n\n", 1);
  const subject = letter?.subject.split(/\s+/).join(" ").trim() ?? "";
  const isSubject = first && (subject === first || (subject.endsWith(first) && /[:：]\s*$/.test(subject.slice(0, -first.length))));
  return isSubject ? body.slice(first.length).trim() : body;
}

/**
 * What stands in the bubble.
 *
 * @param {OperatorMessage} message
 */
export function content(message) {
  const { type, coords, sticker, keyboard } = message;
  const body = ownWords(message);
  const parts = [];
  if (message.unsupported) parts.push(html`<strong>${t("unsupported")}</strong>`);
  if (type === "image" || type === "file") parts.push(attachments(message));
  if (type === "sticker") {
    const shown = safeUrl(sticker?.url);
    parts.push(shown ? html`<img class="sticker" src=${shown} alt=${t("type_sticker")} loading="lazy" />` : t("type_sticker"));
  }
  if (type === "location" && coords) {
    const { lat, lng } = coords;
    const map = `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=16/${lat}/${lng}`;
    parts.push(link(map, html`${t("type_location")} ${lat}, ${lng}`, "place"));
  }
  if (message.deleted_at && !body) parts.push(html`<em>${t("deleted_message")}</em>`);
  const both = body ? inBoth({ ...message, body }, linked) : null;
  if (both) parts.push(both);
  else if (message.markdown && drawMarks) parts.push(drawMarks(message.markdown));
  else if (body) parts.push(html`<span class="text">${linked(body)}</span>`);
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
 * @param {OperatorMessage} message
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

/** @param {OperatorMessage} message */
export function isOurs(message) {
  const kind = message.sender?.kind;
  return kind !== "client" && (kind !== "system" || !!message.origin);
}

/** How a file went that the messenger did not take as what it is. @param {OperatorMessage} message */
function sentAs({ delivery }) {
  const said = delivery?.sent_as === "link" ? "sent_as_link" : delivery?.sent_as ? "sent_as_file" : null;
  return said ? html`<p class="meta"><span class="fate">${t(said)}</span></p>` : nothing;
}

/** How far a message to a messenger has come. @param {MessageDelivery} delivery */
function deliveryTick({ state, code }) {
  if (state === "failed") return nothing;
  if (state === "queued") {
    return html`<span class="fate">${code ? t("delivery_waits", { why: whyNot(code) }) : t("delivery_queued")}</span>`;
  }
  if (code === "edit_refused") return nothing;
  const said = t(state === "read" ? "delivery_read" : state === "delivered" ? "delivery_delivered" : "delivery_sent");
  return html`<span class="tick ${state === "read" ? "seen" : ""}" role="img" aria-label=${said} title=${said}></span>`;
}

/** @param {Item} item @param {Actions} actions */
function fate({ unsent, message }, actions) {
  const { delivery } = message;
  if (!unsent && delivery?.state === "failed") {
    return html`<span class="fate failed" role="alert"
      >${t("not_sent", { why: whyNot(delivery.code) })}${delivery.detail ? html` <q><bdi>${delivery.detail}</bdi></q>` : nothing}
      <button type="button" @click=${() => actions.chat.resend(message.id)}>${t("send_again")}</button></span
    >`;
  }
  if (delivery?.code === "edit_refused") {
    return html`<span class="fate failed" role="alert">${t("edit_refused")}${delivery.detail ? html` <q><bdi>${delivery.detail}</bdi></q>` : nothing}</span>`;
  }
  if (!unsent) return nothing;
  const { client_id, refusal } = unsent;
  if (!refusal) return html`<span class="fate">${t("sending")}</span>`;
  return html`<span class="fate failed" role="alert"
    >${t("not_sent", { why: wordsOf(refusal) })}
    <button type="button" @click=${() => actions.composer.sendAgain(client_id)}>${t("try_again")}</button>
    <button type="button" @click=${() => actions.composer.dropUnsent(client_id)}>${t("discard")}</button></span
  >`;
}

/** What its writer has done to it since; of an operator's, what it was before. @param {OperatorMessage} message @param {Actions} actions */
function changed({ id, edited_at, deleted_at, deleted_by, sender }, actions) {
  const at = deleted_at ?? edited_at;
  if (!at) return nothing;
  const says = t(deleted_by ? "deleted_by_operator" : deleted_at ? "message_deleted" : "message_edited", { when: timeOf(at), name: sender?.name ?? "" });
  if (sender?.kind !== "agent") return html`<p class="meta"><span class="fate">${says}</span></p>`;
  const show = () => actions.showDialog({ name: "former", messageId: id });
  return html`<p class="meta"><span class="fate"><button type="button" title=${t("former_title")} @click=${show}>${says}</button></span></p>`;
}

/** What one may still do to one's own message. @param {OperatorMessage} message @param {Actions} actions */
function ownDeeds(message, actions) {
  const edit = () => actions.showDialog({ name: "edit", message });
  return html`<span class="own-deeds">
    ${message.type === "text" ? html`<button type="button" @click=${edit}>${t("change")}</button>` : nothing}
    <button type="button" @click=${() => void actions.chat.deleteMessage(message.id)}>${t("delete_message")}</button>
  </span>`;
}

/** The letter that it came by: its subject, what is not proven of it, and the way to all of it. Of a mailbox's chat, a third person can be written to. @param {OperatorMessage} message @param {number} chatId @param {boolean} isMailbox @param {Actions} actions */
function byLetter({ id, letter }, chatId, isMailbox, actions) {
  if (!letter) return nothing;
  const doubt = letter.proof === "fail" ? html`<span class="unproven">${t("letter_unproven", { who: letter.from })}</span>` : nothing;
  return html`<p class=${letter.third ? "letter third" : "letter"}>${icon("mail")}<bdi title=${letter.from}>${letter.subject || t("letter_untitled")}</bdi> ${doubt}
    <button type="button" aria-label=${t("letter_open")} title=${t("letter_open")} @click=${() => void import("./email.js").then(({ showLetter }) => showLetter(id))}>…</button>
    ${letter.third && isMailbox ? html`<button type="button" @click=${() => actions.showDialog({ name: "copies", chatId })}>${t("copies_add")}</button>` : nothing}</p>`;
}

/** The knowledge that an answer of AI rests on. @param {AnswerSource[] | undefined} sources */
function restsOn(sources) {
  if (!sources?.length) return nothing;
  const shown = sources.map(({ ref, title, url, score }) => html`<li><bdi>${link(url, title || ref)}</bdi>${score === undefined ? nothing : ` · ${score}`}</li>`);
  return html`<details class="sources"><summary>${t("rests_on", { n: sources.length })}</summary><ul>${shown}</ul></details>`;
}

/** What the visitor thought of an answer. @param {boolean | null | undefined} helpful */
function thumb(helpful) {
  return helpful == null ? nothing : html`<p class="thumb">${helpful ? "👍" : "👎"} ${t(helpful ? "was_helpful" : "was_not_helpful")}</p>`;
}

/** What the assistant should have said here. @param {OperatorMessage} message @param {number} chatId @param {Actions} actions */
function wishOf({ id }, chatId, actions) {
  if (!id) return nothing;
  const ask = () => actions.showDialog({ name: "wish", chatId, messageId: id });
  return html`<button type="button" class="wish" @click=${ask}>${t("wish_open")}</button>`;
}

/**
 * One row of the thread.
 *
 * @param {Item} item
 * @param {{actions: Actions, seenByVisitor: number, visitorsName: string, isMine: boolean, answers: Map<number, RestsOn>, chatId: number, isMailbox: boolean, mayChange: boolean}} around
 */
export function messageRow(item, { actions, seenByVisitor, visitorsName, isMine, answers, chatId, isMailbox, mayChange }) {
  loadMarks(item.message, actions);
  const { message, isFirst, isLast, startsDay, unsent, key, id } = item;
  const day = startsDay ? html`<h3 class="day"><span>${dayOf(message.created_at)}</span></h3>` : nothing;
  const kind = message.sender?.kind;
  // The shop's word has an origin.
  if (kind === "system" && !message.origin) {
    return html`<div class="msg system" data-key=${key} data-id=${id}>${day}<p>${content(message)}</p></div>`;
  }
  const side = isOurs(message) ? "ours" : "theirs";
  const who = isMine ? t("me") : (message.sender?.name ?? (kind === "client" ? visitorsName : t("operator")));
  const mark = message.is_note
    ? html`<span class="note-mark">${t("note_mark")}</span>${kind === "ai" ? html`<span class="tag is-ai">${icon("spark")} ${t("ai_mark")}</span>` : nothing}`
    : kind === "ai"
      ? html`<span class="tag is-ai">${icon("spark")} ${t("ai_mark")}</span>`
      : kind === "external_operator"
        ? html`<span class="tag">${t("program_mark")}</span>`
        : nothing;
  const hasFailed = !unsent && (message.delivery?.state === "failed" || message.delivery?.code === "edit_refused");
  const classes = ["msg", side, hasFailed ? "has-failed" : "", message.is_note ? "is-note" : "", kind === "ai" ? "is-ai" : "", isFirst ? "first" : "", unsent ? "unsent" : ""];
  const time = html`<time datetime=${message.created_at}>${timeOf(message.created_at)}</time>`;
  const isAside = message.type === "sticker";
  return html`<div class=${classes.filter(Boolean).join(" ")} data-key=${key} data-id=${id} aria-live=${unsent ? "off" : nothing}>
    ${day}
    <p class=${isFirst ? "sender" : "sender hear"}><bdi>${who}</bdi>${mark}</p>
    ${byLetter(message, chatId, isMailbox, actions)}
    <div class="bubble ${isAside ? "bare" : ""} ${message.deleted_at ? "gone" : ""} ${message.unsupported ? "unknown" : ""}">${content(message)}</div>
    ${changed(message, actions)}${sentAs(message)}
    ${restsOn(answers.get(message.id)?.sources)}${thumb(answers.get(message.id)?.helpful)} ${kind === "ai" ? wishOf(message, chatId, actions) : nothing}${useNote(message)}
    ${isLast || unsent || hasFailed || mayChange ? html`<p class="meta">${mayChange ? ownDeeds(message, actions) : nothing}${time}${tick(item, seenByVisitor)}${fate(item, actions)}</p>` : nothing}
  </div>`;
}

/** A machine's note, to be taken for an answer. @param {{id: number, chat_id: number, body: string, is_note: boolean, origin: string | null}} message */
function useNote({ id, chat_id, body, is_note, origin }) {
  if (!is_note || origin !== "ai_shadow" || !id) return nothing;
  return html`<button type="button" class="wish" @click=${() => putIn(body, chat_id, { from_message_id: id })}>${t("help_use_note")}</button>`;
}
