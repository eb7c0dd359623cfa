/** Where an operator writes: to the visitor, or a note for colleagues. */

import { limits } from "../base/api.js";
import { channelName } from "../base/display_names.js";
import { waitSince } from "../base/formats.js";
import { icon } from "../base/icons.js";
import { menuOf } from "../base/menus.js";
import { t } from "../base/texts.js";
import { canChange, canTakeBack } from "../chat/message_changes.js";
import { isTranslated, translationPart } from "../chat/translation_loader.js";
import { helpKey, helpStrip, helpTools, isDrafted } from "../help/help_loader.js";
import { activeOption, closeMenu, followTyping, isMacro, isMenuOpen, LIST_ID, macroStrip, menuKey, missingIn, replyMenu } from "./canned_reply_loader.js";
import { draftOf, keepDraft } from "./drafts.js";
import { closeEmoji, emojiButton, emojiKey, followEmoji, openEmoji, suggestions } from "./emoji_menu.js";
import { canBeMarked, markBy, markTools } from "./formatting_tools.js";
import { hasFiles, sendFiles, takeFiles, uploadList } from "./uploads.js";
import { keyed } from "../vendor/lit-html/directives/keyed.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Card, State} from "../base/types.js" */
/** @import {Actions} from "../actions.js" */
/** @import {IconName} from "../base/icons.js" */

/** What the server was told last of typing. */
const told = { chatId: 0, at: 0, isNote: false };

/**
 * The chat that is written in, and as what.
 *
 * @typedef {{agentId: number, chatId: number, text: string, isNote: boolean, isSpam: boolean}} Place
 */

/** @param {State} state @returns {Place | null} */
export function placeOf({ open, me, rows }) {
  if (!open || !me) return null;
  const isSpam = rows.get(open.chatId)?.status === "spam";
  return current({ agentId: me.id, chatId: open.chatId, isSpam });
}

/**
 * What is written there now, and as what: it may have changed since it was drawn, and a note must never go to the visitor.
 *
 * @param {Pick<Place, "agentId" | "chatId" | "isSpam">} place
 * @returns {Place}
 */
function current({ agentId, chatId, isSpam }) {
  const { text, isNote } = draftOf(agentId, chatId);
  return { agentId, chatId, text, isNote: isNote || isSpam, isSpam };
}

/** @param {string} text */
const isTooLong = (text) => text.length > limits.message && [...text.trim()].length > limits.message;

/** @param {Pick<Place, "chatId" | "isNote">} place @param {string} text @param {Actions} actions */
function tellTyping({ chatId, isNote }, text, actions) {
  const isStill = told.at > 0 && told.chatId === chatId && told.isNote === isNote;
  if (text && isStill && Date.now() - told.at < limits.typing_every_ms) return;
  if (!text && !isStill) return;
  Object.assign(told, { chatId, isNote, at: text ? Date.now() : 0 });
  actions.composer.typing(text ? "start" : "stop", isNote);
}

/**
 * Nobody types in a chat that is being left, by whatever way; and whoever comes back to it answers, unless a note is begun.
 *
 * @param {State} state
 * @param {Actions} actions
 */
export function leaveComposer(state, actions) {
  tellTyping(told, "", actions);
  const place = placeOf(state);
  if (place && !place.text.trim()) keepDraft(place.agentId, place.chatId, { text: "", isNote: false });
}

/** @param {Place} place @param {State} state @param {Actions} actions @param {boolean} [isClosing] */
function send(place, state, actions, isClosing = false) {
  const body = place.text.trim();
  const { agentId, chatId, isNote } = place;
  if (!isNote && !body && isMacro(state, actions)) return;
  if ((!body && !hasFiles(chatId)) || isTooLong(body)) return;
  const missing = missingIn(body);
  if (missing.length) {
    actions.say({ code: "missing_words", detail: t("fill_in", { names: missing.join(", ") }) });
    return;
  }
  if (!isNote && isMacro(state, actions)) return;
  // Words that are to be translated go by themselves.
  const isCaption = isNote || !state.open?.card?.translation?.on;
  if (sendFiles(chatId, isCaption ? body : "", isNote, actions) && (isCaption || !body)) {
    tellTyping(place, "", actions);
    keepDraft(agentId, chatId, { text: "", isNote: false });
    actions.redraw();
    return;
  }
  if (isTranslated(place, body, actions, isClosing)) return;
  const marked = state.choices.formatting && canBeMarked(body) ? { markdown: body } : {};
  const content = { type: /** @type {const} */ ("text"), body, ...marked, is_note: isNote };
  if (isClosing && !isNote) void actions.composer.sendAndClose(content, chatId);
  else {
    const clientId = actions.composer.send(content, chatId);
    if (isNote || canTakeBack(state.rows.get(chatId))) actions.composer.offerUndo(clientId, () => giveBack(place, body, actions));
  }
  tellTyping(place, "", actions);
  keepDraft(agentId, chatId, { text: "", isNote: false });
  actions.redraw();
}

/** What was taken back is written again, unless something else is by now. @param {Place} place @param {string} body @param {Actions} actions */
function giveBack({ agentId, chatId, isNote }, body, actions) {
  if (draftOf(agentId, chatId).text.trim()) return;
  keepDraft(agentId, chatId, { text: body, isNote });
  actions.redraw();
  actions.afterDrawing(() => document.querySelector(/** @type {"textarea"} */ (".composer textarea"))?.focus());
}

/** @param {Place} place @param {boolean} isNote @param {Actions} actions */
function setMode(place, isNote, actions) {
  const { agentId, chatId, text } = current(place);
  keepDraft(agentId, chatId, { text, isNote });
  actions.redraw();
  document.querySelector(/** @type {"textarea"} */ (".composer textarea"))?.focus();
}

/**
 * Notes on, notes off: for the shortcut.
 *
 * @param {State} state
 * @param {Actions} actions
 */
export function toggleNote(state, actions) {
  const place = placeOf(state);
  if (place && !place.isSpam) setMode(place, !place.isNote, actions);
}

/** Grows with its text where CSS alone can't do it. @param {HTMLTextAreaElement} input */
function fit(input) {
  if (CSS.supports("field-sizing", "content")) return;
  input.style.height = "auto";
  input.style.height = `${input.scrollHeight}px`;
}

/** What is done as one writes. @param {Place} place @param {State} state @param {Actions} actions */
function writing(place, state, actions) {
  return {
    /** @param {Iterable<File>} given */
    files: (given) => takeFiles(given, current(place), actions),
    /** @param {InputEvent} event */
    typed(event) {
      const input = /** @type {HTMLTextAreaElement} */ (event.currentTarget);
      const now = current(place);
      keepDraft(place.agentId, place.chatId, { text: input.value, isNote: now.isNote });
      tellTyping(now, input.value, actions);
      followTyping(input, actions);
      followEmoji(input, actions);
      fit(input);
      actions.redraw();
    },
    /** @param {ClipboardEvent} event */
    pasted({ clipboardData }) {
      // Office programs add a picture to a text.
      if (clipboardData?.files.length && !clipboardData.types.includes("text/plain")) takeFiles([...clipboardData.files], current(place), actions);
    },
    /** @param {SubmitEvent} event */
    submitted(event) {
      event.preventDefault();
      send(current(place), state, actions);
    },
    left() {
      closeMenu();
      closeEmoji();
      tellTyping(current(place), "", actions);
      actions.redraw();
    },
  };
}

/** @param {KeyboardEvent} event @param {Place} place @param {State} state @param {Actions} actions */
function pressed(event, place, state, actions) {
  if (event.isComposing || event.keyCode === 229 || menuKey(event, state, actions) || emojiKey(event, actions)) return;
  if (helpKey(event, state, actions)) return;
  const input = /** @type {HTMLTextAreaElement} */ (event.currentTarget);
  const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
  if (isCommand && event.code === "KeyZ" && !event.shiftKey && !input.value && actions.composer.undo()) return event.preventDefault();
  if (event.key === "ArrowUp" && !input.value && !event.shiftKey && !isCommand && editLast(state, actions)) return event.preventDefault();
  if (isCommand && state.choices.formatting && markBy(event, input)) return event.preventDefault();
  const isClosing = event.shiftKey && isCommand;
  if (event.key !== "Enter" || (event.shiftKey && !isClosing)) return;
  event.preventDefault();
  send({ ...current(place), text: input.value }, state, actions, isClosing);
}

/**
 * @param {State} state
 * @param {Actions} actions
 */
export function composer(state, actions) {
  const place = placeOf(state);
  if (!place) return nothing;
  const { chatId, isNote, text } = place;
  const { files, typed, pasted, submitted, left } = writing(place, state, actions);
  const says = t(isNote ? "write_note" : "write_answer");
  const look = `${isNote ? "is-note" : ""} ${!text.trim() && isDrafted(state) ? "is-drafted" : ""}`;
  return html`${connectionHint(state)}<form class="composer ${look}" @submit=${submitted}>
    ${replyMenu(state, actions)}
    <div class="modes" role="group" aria-label=${t("write_as")}>
      ${mode(place, false, actions)} ${mode(place, true, actions)}
      <p role="status" class=${isNote || place.isSpam ? nothing : "plain"}>${hint(place, state, actions)}</p>
    </div>
    ${macroStrip(state, actions)} ${translationPart(state, actions)} ${helpStrip(state, actions)} ${uploadList(chatId)} ${suggestions()}
    ${keyed(
      chatId,
      html`<textarea
        rows="1"
        placeholder=${says}
        aria-label=${says}
        aria-autocomplete="list"
        aria-controls=${isMenuOpen() ? LIST_ID : nothing}
        aria-activedescendant=${activeOption(state) ?? nothing}
        .value=${live(text)}
        @input=${typed}
        @keydown=${(/** @type {KeyboardEvent} */ event) => pressed(event, place, state, actions)}
        @paste=${pasted}
        @blur=${left}
      ></textarea>`,
    )}
    ${tools(place, files, state, actions, helpTools(state, isNote, actions))}
  </form>`;
}

/** Opens who gets a copy of a mailbox's answers. @param {number} chatId @param {Actions} actions */
function copiesButton(chatId, actions) {
  return html`<button type="button" class="quiet" @click=${() => actions.showDialog({ name: "copies", chatId })}>${t("copies_open")}</button>`;
}

/** Where it goes, unless something is in the way. @param {Place} place @param {State} state @param {Actions} actions */
function hint({ text, chatId, isNote, isSpam }, { open, rows }, actions) {
  if (isTooLong(text)) return html`<span>${t("too_long", { n: limits.message })}</span>`;
  if (isSpam) return html`<span>${t("spam_notes_only")}</span>`;
  if (isNote) return html`<span>${t("note_hint")}</span>`;
  if (!open?.card) return nothing;
  const [way, more] = wayOf(open.card, channelName(rows.get(chatId)?.channel ?? "widget"));
  const { by, minutes } = open.card.reach;
  return html`<span title=${more}>${way}</span> ${by === "mail" && minutes === null ? copiesButton(chatId, actions) : nothing}`;
}

/** The way that an answer takes, in a few words, and in full. @param {Card} card @param {string} channel @returns {[string, string]} */
function wayOf({ reach, visitor }, channel) {
  const { by, minutes, reason, detail, copies } = reach;
  if (by === "here") return [t("way_here"), t("here_now")];
  if (by === "messenger") return [t("way_messenger", { name: channel }), channel];
  const address = reach.address ?? "";
  if (by === "mail" && minutes === null) {
    return copies ? [t("way_copies", { n: copies }), t("goes_to_copies", { address, count: copies })] : [t("way_mail"), t("goes_to", { address })];
  }
  const since = visitor?.presence.state === "left" ? visitor.presence.since : null;
  const gone = since ? t("left_ago", { ago: waitSince(since) }) : t("presence_unknown");
  if (by === "mail") return [t("way_mail_in", { count: minutes ?? 0 }), `${gone} · ${t("letter_goes", { address, count: minutes ?? 0 })}`];
  const why = t(`no_letter_${reason ?? "off"}`);
  const full = reason === "dead" ? t("no_letter_dead_full", { address, detail: detail ?? "" }) : [why, address].filter(Boolean).join(": ");
  return [t("way_chat_only", { why }), `${gone} · ${full}`];
}

/** Over the composer while there is no connection. @param {State} state */
function connectionHint({ connection }) {
  return connection === "online" ? nothing : html`<p class="banner is-warn offline" role="status">${icon("caution")} ${t("offline_hint")}</p>`;
}

/** @param {Place} place @param {boolean} isNote @param {Actions} actions */
function mode(place, isNote, actions) {
  const isPressed = place.isNote === isNote;
  return html`<button
    type="button"
    class="mode"
    aria-pressed=${isPressed ? "true" : "false"}
    ?disabled=${place.isSpam && !isNote}
    @click=${() => setMode(place, isNote, actions)}
  >
    ${t(isNote ? "mode_note" : "mode_answer")}
  </button>`;
}

/** Opens the editing of the last message that one may still change; whether there is one. @param {State} state @param {Actions} actions */
function editLast(state, actions) {
  const row = state.open && state.rows.get(state.open.chatId);
  const last = state.open?.messages.findLast((message) => canChange(message, state.me?.id, row) && message.type === "text");
  if (last) actions.showDialog({ name: "edit", message: last });
  return Boolean(last);
}

/** @param {Place} place @param {(files: Iterable<File>) => void} files @param {State} state @param {Actions} actions @param {unknown} help */
function tools({ chatId, isNote, isSpam, text }, files, state, actions, help) {
  /** @param {Event} event */
  const chosen = ({ currentTarget }) => {
    const chooser = /** @type {HTMLInputElement} */ (currentTarget);
    files([...(chooser.files ?? [])]);
    chooser.value = "";
    chooser.form?.querySelector("textarea")?.focus();
  };
  /** @param {Event} event */
  const choose = ({ currentTarget }) =>
    /** @type {HTMLElement} */ (currentTarget).parentElement?.querySelector("input")?.click();
  /** @param {Event} event */
  const openReplies = ({ currentTarget }) => {
    const input = /** @type {HTMLElement} */ (currentTarget).closest("form")?.querySelector("textarea");
    if (!input) return;
    const start = input.selectionStart;
    const gap = start > 0 && !/\s/.test(input.value[start - 1] ?? "") ? " /" : "/";
    input.focus();
    input.setRangeText(gap, start, input.selectionEnd, "end");
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const hold = (/** @type {Event} */ event) => event.preventDefault();
  return html`<div class="tools">
    <input type="file" multiple hidden @change=${chosen} />
    ${tool(icon("clip"), t("attach"), choose)}
    <span class="tool-extra">${emojiButton(actions)} ${tool(icon("canned"), t("replies_open"), openReplies, hold)}</span>
    ${help}
    ${menuOf(
      "more-tools",
      t("more_tools"),
      html`${item("smile", t("emoji"), () => openEmoji(actions), false, "narrow")} ${item("canned", t("replies_open"), openReplies, false, "narrow")}
        ${item("link", t("buttons_open"), () => actions.showDialog({ name: "buttons", chatId }), isNote)}
        ${item("star", t("rating_ask"), () => void actions.chat.askRating(chatId), isSpam)} ${markTools(state, actions, item)}`,
      "plus",
      "tool",
    )}
    <span class="gap"></span>
    <button class="primary send" ?disabled=${(!text.trim() && !hasFiles(chatId)) || isTooLong(text)}>${t(isNote ? "send_note" : "send")}</button>
  </div>`;
}

/** @param {IconName} picture @param {string} label @param {(event: Event) => void} does @param {boolean} [isOff] @param {string} [look] */
function item(picture, label, does, isOff = false, look = "") {
  return html`<button type="button" role="menuitem" class="item ${look}" ?disabled=${isOff} @click=${does}>${icon(picture)} ${label}</button>`;
}

/**
 * @param {unknown} picture
 * @param {string} label
 * @param {(event: Event) => void} does
 * @param {(event: Event) => void} [held] what the mouse's button does on its way down
 */
function tool(picture, label, does, held = () => {}) {
  return html`<button
    type="button"
    class="quiet tool"
    title=${label}
    aria-label=${label}
    @mousedown=${held}
    @click=${does}
  >
    ${picture}
  </button>`;
}

/**
 * For the pane around the thread and the composer: files dropped anywhere on it are sent.
 *
 * @param {State} state
 * @param {Actions} actions
 */
export function dropping(state, actions) {
  return (/** @type {DragEvent} */ event) => {
    const place = placeOf(state);
    const pane = /** @type {HTMLElement} */ (event.currentTarget);
    if (!place || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    pane.classList.toggle("drop", event.type === "dragover");
    if (event.type === "drop") takeFiles([...event.dataTransfer.files], place, actions);
  };
}
