/** Drafts, other wordings and summaries, as they stand above the composer and the thread. Nothing here is sent. */

import { call, CallRefused } from "../base/api.js";
import { safeUrl } from "../chat/message.js";
import { draftOf, putIn } from "../composer/drafts.js";
import { icon } from "../base/icons.js";
import { say } from "./help_texts.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {DraftSource, FactDifference} from "../base/server_types.js" */
/** @import {Assist, State} from "../base/types.js" */
/** @import {Actions} from "../actions.js" */
/** @import {AssistText} from "./help_texts.js" */

// Milliseconds after which a slow model is spoken of.
const SLOW = 8_000;
// Words of a text whose changes are marked.
const MOST_WORDS = 400;

/** What a wish was made of, by its assist. @typedef {{start: number, end: number, text: string}} Range */

/** Where one stands: what is asked for and not answered yet, by chat; what was put away; what was rewritten. */
const here = {
  /** @type {Map<number, {kind: string, code: string | null, again: () => void}>} */
  asking: new Map(),
  /** @type {Set<number>} */
  away: new Set(),
  /** @type {Map<number, Range>} */
  ranges: new Map(),
  /** @type {Set<number>} differences that a person has looked at, by assist */
  checked: new Set(),
  /** @type {Map<number, boolean>} thumbs, by assist */
  thumbs: new Map(),
  /** @type {{id: string, name: string, is_builtin: boolean}[] | null} */
  tools: null,
  isMenuOpen: false,
};

const newId = () => crypto.randomUUID?.() ?? URL.createObjectURL(new Blob()).slice(-36);
const field = () => document.querySelector(/** @type {"textarea"} */ (".composer textarea"));

/**
 * @param {State} state @param {Actions} actions @param {string} kind @param {object} body @param {Range | null} [range]
 */
async function ask(state, actions, kind, body, range = null) {
  const chatId = state.open?.chatId;
  if (chatId === undefined) return;
  const again = () => void ask(state, actions, kind, body, range);
  const asked = { kind, code: /** @type {string | null} */ (null), again };
  here.asking.set(chatId, asked);
  actions.redraw();
  try {
    const { data } = await call("POST", `chats/${chatId}/assists`, { client_id: newId(), kind, ...body });
    const known = state.assists.get(data.id);
    if (!known) state.assists.set(data.id, data);
    if (range) here.ranges.set(data.id, range);
    if (here.asking.get(chatId) === asked) here.asking.delete(chatId);
    setTimeout(actions.redraw, SLOW);
  } catch (error) {
    asked.code = error instanceof CallRefused ? error.refusal.code : "offline";
  }
  actions.redraw();
}

/** @param {State} state @param {Actions} actions */
export function draft(state, actions) {
  const { me, open } = state;
  if (!me || !open) return;
  const { text, isNote } = draftOf(me.id, open.chatId);
  if (isNote) return;
  for (const each of shownOf(state)) putAway(each, actions);
  const words = text.trim();
  void ask(state, actions, "draft", words && words.length <= 500 ? { text: words } : {});
}

/** @param {State} state @param {Actions} actions */
export function sumUp(state, actions) {
  void ask(state, actions, "summary", {});
}

/** @param {State} state @param {Actions} actions */
export async function improve(state, actions) {
  here.isMenuOpen = !here.isMenuOpen;
  actions.redraw();
  if (!here.isMenuOpen) return;
  here.tools ??= (await call("GET", "tools").catch(() => ({ data: null }))).data;
  actions.redraw();
  actions.afterDrawing(() => document.querySelector(/** @type {"button"} */ (".improve button"))?.focus());
}

/** @param {string} tool @param {State} state @param {Actions} actions */
function rewrite(tool, state, actions) {
  const input = field();
  here.isMenuOpen = false;
  if (!input?.value.trim()) return actions.redraw();
  const isSelected = input.selectionEnd > input.selectionStart;
  const [start, end] = isSelected ? [input.selectionStart, input.selectionEnd] : [0, input.value.length];
  const text = input.value.slice(start, end);
  for (const each of shownOf(state)) putAway(each, actions);
  void ask(state, actions, "rewrite", { tool, text }, { start, end, text });
  input.focus();
}

/** The strips of the open chat, the newest first. @param {State} state */
function shownOf({ open, assists }) {
  const found = [...assists.values()].filter(({ id, chat_id, kind, outcome }) => {
    return chat_id === open?.chatId && (kind === "draft" || kind === "rewrite") && !outcome && !here.away.has(id);
  });
  return found.sort((a, b) => b.id - a.id).slice(0, 1);
}

/** @param {Assist} assist @param {Actions} actions */
function putAway({ id }, actions) {
  here.away.add(id);
  void call("PATCH", `assists/${id}`, { outcome: "dismissed" }).catch(() => {});
  actions.redraw();
}

/** @param {Assist} assist @param {boolean} helpful @param {Actions} actions */
function judge({ id }, helpful, actions) {
  const next = here.thumbs.get(id) === helpful ? null : helpful;
  if (next === null) here.thumbs.delete(id);
  else here.thumbs.set(id, next);
  void call("PATCH", `assists/${id}`, { helpful: next }).catch(() => {});
  actions.redraw();
}

/** @param {Assist} assist @param {Actions} actions */
function use(assist, actions) {
  here.away.add(assist.id);
  putIn(assist.text, assist.chat_id, { assist_id: assist.id });
  actions.redraw();
}

/** Puts another wording in place of the text that it was made of, or below it. @param {Assist} assist @param {boolean} isBelow @param {Actions} actions */
function replace(assist, isBelow, actions) {
  const input = field();
  if (!input) return;
  const range = here.ranges.get(assist.id);
  here.away.add(assist.id);
  const isThere = range && input.value.slice(range.start, range.end) === range.text;
  input.focus();
  if (isBelow) input.setSelectionRange(input.value.length, input.value.length);
  else if (isThere) input.setSelectionRange(range.start, range.end);
  else input.setSelectionRange(0, input.value.length);
  const text = isBelow ? `\n${assist.text}` : assist.text;
  if (!document.execCommand("insertText", false, text)) {
    input.setRangeText(text, input.selectionStart, input.selectionEnd, "end");
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  actions.redraw();
}

/** @param {KeyboardEvent} event @param {State} state @param {Actions} actions */
export function key(event, state, actions) {
  const [assist] = shownOf(state);
  const isEmpty = !(/** @type {HTMLTextAreaElement} */ (event.currentTarget).value.trim());
  if (event.key === "Escape" && here.isMenuOpen) here.isMenuOpen = false;
  else if (!assist) return false;
  else if (event.key === "Escape") putAway(assist, actions);
  else if (event.key === "Enter" && !event.shiftKey && isEmpty && assist.kind === "draft" && assist.state === "done") use(assist, actions);
  else return false;
  event.preventDefault();
  event.stopPropagation();
  actions.redraw();
  return true;
}

/** Whether a draft is there, or comes: it has the place of an empty field. @param {State} state */
export function isDrafted(state) {
  const { open, me } = state;
  if (!open || !me || draftOf(me.id, open.chatId).isNote) return false;
  const asked = here.asking.get(open.chatId);
  return asked ? asked.kind === "draft" : shownOf(state)[0]?.kind === "draft";
}

/** @param {State} state @param {Actions} actions */
export function strip(state, actions) {
  const { open, me } = state;
  if (!open || !me || draftOf(me.id, open.chatId).isNote) return nothing;
  const asked = here.asking.get(open.chatId);
  const [assist] = shownOf(state);
  return html`${here.isMenuOpen ? menu(state, actions) : nothing}
  ${asked && asked.kind !== "summary" ? asking(asked, open.chatId, actions) : assist ? region(assist, state, actions) : nothing}`;
}

/** @param {{kind: string, code: string | null, again: () => void}} asked @param {number} chatId @param {Actions} actions */
function asking({ kind, code, again }, chatId, actions) {
  const away = () => {
    here.asking.delete(chatId);
    actions.redraw();
  };
  const label = say(kind === "draft" ? "draft" : kind === "summary" ? "summary" : "improve");
  if (code === null) return html`<section class="assist" aria-label=${label}><p role="status">${say("writing")}</p></section>`;
  return html`<section class="assist" aria-label=${label}>
    <p role="status" class="refusal">${why(code)}</p>
    <div class="deeds"><button type="button" @click=${again}>${say("try_again")}</button><button type="button" class="quiet" @click=${away}>${say("dismiss")}</button></div>
  </section>`;
}

/** @param {string} code */
const why = (code) => say(/** @type {AssistText} */ (`why_${code}`), "why_other");

/** @param {State} state @param {Actions} actions */
function menu(state, actions) {
  const chosen = (/** @type {KeyboardEvent} */ event) => {
    const items = [.../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll("button")];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") {
      event.stopPropagation();
      here.isMenuOpen = false;
      actions.redraw();
      field()?.focus();
    } else if (step) {
      event.preventDefault();
      items[(items.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement)) + step + items.length) % items.length]?.focus();
    }
  };
  const item = (/** @type {{id: string, name: string}} */ { id, name }) =>
    html`<li role="none"><button type="button" role="menuitem" class="quiet" @click=${() => rewrite(id, state, actions)}><bdi>${name}</bdi></button></li>`;
  const empty = field()?.value.trim() ? nothing : html`<p>${say("nothing_to_improve")}</p>`;
  return html`<div class="improve" @keydown=${chosen}>
    <ul role="menu" aria-label=${say("improve")}>${here.tools?.map(item) ?? html`<li role="none">${say("loading")}</li>`}</ul>${empty}
  </div>`;
}

/** @param {Assist} assist @param {State} state @param {Actions} actions */
function region(assist, state, actions) {
  const isDraft = assist.kind === "draft";
  return html`<section class="assist" aria-label=${say(isDraft ? "draft" : "improve")} aria-busy=${isUnderWay(assist) ? "true" : "false"}>
    <p role="status" class="hear">${isUnderWay(assist) ? say("writing") : assist.state === "done" ? say("ready") : why(assist.reason ?? "")}</p>
    ${isUnderWay(assist) ? underWay(assist, actions) : assist.state !== "done" ? failed(assist, state, actions) : isDraft ? done(assist, state, actions) : rewritten(assist, actions)}
  </section>`;
}

/** @param {Assist} assist */
const isUnderWay = ({ state }) => state === "queued" || state === "running";

/** @param {Assist} assist @param {Actions} actions */
function underWay(assist, actions) {
  const isSlow = Date.now() - Date.parse(assist.created_at) >= SLOW;
  return html`<p class="words" dir="auto">${assist.words || nothing}<span class="soft">${assist.words ? " …" : say(isSlow ? "still_writing" : "writing")}</span></p>
    <div class="deeds">${assist.words && isSlow ? html`<span class="soft">${say("still_writing")}</span>` : nothing}
      <button type="button" class="quiet" @click=${() => putAway(assist, actions)}>${say("stop")}</button></div>`;
}

/** @param {Assist} assist @param {State} state @param {Actions} actions */
function failed(assist, state, actions) {
  const range = here.ranges.get(assist.id) ?? null;
  const again = () => {
    putAway(assist, actions);
    void ask(state, actions, assist.kind, range ? { tool: assist.tool, text: range.text } : {}, range);
  };
  return html`<p class="refusal">${why(assist.reason ?? "")}</p>
    <div class="deeds">${assist.state === "refused" ? nothing : html`<button type="button" @click=${again}>${say("try_again")}</button>`}
      <button type="button" class="quiet" @click=${() => putAway(assist, actions)}>${say("dismiss")}</button></div>`;
}

/** @param {Assist} assist @param {State} state @param {Actions} actions */
function done(assist, state, actions) {
  const { is_stale, unsupported, sources } = assist;
  const byNumber = new Map(sources.map((each) => [each.n, each]));
  return html`${is_stale ? html`<p class="stale">${say("stale")}</p>` : nothing}
    <p class="words" dir="auto">${sentencesOf(assist, byNumber)}</p>
    ${unsupported.length ? html`<p class="unsupported">${say("unsupported")} <strong><bdi>${unsupported.join(", ")}</bdi></strong></p>` : nothing}
    ${sources.length ? html`<ol class="sources">${sources.map(source)}</ol>` : nothing}
    <div class="deeds">
      ${is_stale ? html`<button type="button" @click=${() => draft(state, actions)}>${say("anew")}</button>` : nothing}
      <button type="button" title="Enter" @click=${() => use(assist, actions)}>${say(is_stale ? "use_all_the_same" : "use")}</button>
      <button type="button" class="quiet" title="Esc" @click=${() => putAway(assist, actions)}>${say("dismiss")}</button>
      <span class="gap"></span> ${thumbs(assist, actions)}
    </div>`;
}

/** @param {Assist} assist @param {Actions} actions */
function thumbs(assist, actions) {
  const thumb = (/** @type {boolean} */ helpful) => {
    const label = say(helpful ? "good" : "bad");
    const isPressed = here.thumbs.get(assist.id) === helpful;
    return html`<button type="button" class="quiet" aria-pressed=${isPressed ? "true" : "false"} aria-label=${label} title=${label} @click=${() => judge(assist, helpful, actions)}>
      ${helpful ? "👍" : "👎"}</button>`;
  };
  return [thumb(true), thumb(false)];
}

/** The text, each sentence with its sources, and what stands in none of them. @param {Assist} assist @param {Map<number, DraftSource>} byNumber */
function sentencesOf({ text, sentences, unsupported }, byNumber) {
  const parts = [];
  let at = 0;
  for (const sentence of sentences) {
    const start = text.indexOf(sentence.text, at);
    if (start < 0) return [text];
    parts.push(text.slice(at, start));
    at = start + sentence.text.length;
    const isPast = sentence.sources.length > 0 && sentence.sources.every((n) => byNumber.get(n)?.kind === "past");
    const marks = sentence.sources.map((n) => html`<sup title=${byNumber.get(n)?.title ?? ""}>${n}</sup>`);
    parts.push(html`<span class=${isPast ? "past" : nothing} title=${isPast ? say("past_only") : nothing}>${marked(sentence.text, unsupported)}${marks}</span>`);
  }
  parts.push(text.slice(at));
  return parts;
}

/** @param {string} text @param {string[]} unsupported */
function marked(text, unsupported) {
  const found = unsupported.find((fact) => text.includes(fact));
  if (!found) return text;
  const at = text.indexOf(found);
  return html`${text.slice(0, at)}<mark class="wrong">${found}</mark>${text.slice(at + found.length)}`;
}

/** @param {DraftSource} source */
function source({ n, kind, title, url, ref, is_public }) {
  const name = kind === "past" ? say("past_answer") : title || ref;
  const address = safeUrl(url);
  const label = address ? html`<a href=${address} target="_blank" rel="noopener noreferrer">${name}</a>` : name;
  const chat = kind === "past" && /^chat:(\d+)$/.exec(ref)?.[1];
  return html`<li value=${n}><bdi>${chat ? html`<a href=${`#/chats/${chat}`}>${name}</a>` : label}</bdi>${is_public ? nothing : html` <small class="internal">${say("internal")}</small>`}</li>`;
}

/** @param {Assist} assist @param {Actions} actions */
function rewritten(assist, actions) {
  const range = here.ranges.get(assist.id);
  const isStopped = assist.differs.length > 0 && !here.checked.has(assist.id);
  const check = () => {
    if (here.checked.has(assist.id)) here.checked.delete(assist.id);
    else here.checked.add(assist.id);
    actions.redraw();
  };
  return html`<p class="words" dir="auto">${range ? changes(range.text, assist.text) : assist.text}</p>
    ${assist.differs.length ? html`<ul class="differs">${assist.differs.map(difference)}</ul>` : nothing}
    ${assist.differs.length ? html`<label class="choice"><input type="checkbox" .checked=${!isStopped} @change=${check} /> ${say("checked")}</label>` : nothing}
    <div class="deeds">
      <button type="button" ?disabled=${isStopped} @click=${() => replace(assist, false, actions)}>${say("replace")}</button>
      <button type="button" @click=${() => replace(assist, true, actions)}>${say("below")}</button>
      <button type="button" class="quiet" title="Esc" @click=${() => putAway(assist, actions)}>${say("dismiss")}</button>
      <span class="gap"></span> ${thumbs(assist, actions)}
    </div>`;
}

/** @param {FactDifference} difference */
function difference({ source, text }) {
  if (source !== null && text !== null) return html`<li><bdi>${source}</bdi> → <mark class="wrong"><bdi>${text}</bdi></mark></li>`;
  return html`<li>${say(source === null ? "added" : "lost")} <mark class="wrong"><bdi>${source ?? text}</bdi></mark></li>`;
}

/** The new text with the words that are new in it. @param {string} before @param {string} after */
function changes(before, after) {
  const [a, b] = [before, after].map((text) => text.match(/\s+|\S+/g) ?? []);
  if (!a || !b || a.length > MOST_WORDS || b.length > MOST_WORDS) return after;
  const length = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const [row, below] = [/** @type {Uint16Array} */ (length[i]), /** @type {Uint16Array} */ (length[i + 1])];
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  const shown = [];
  for (let i = 0, j = 0; j < b.length; ) {
    if (i < a.length && a[i] === b[j]) shown.push(b[j]), (i += 1), (j += 1);
    else if (i < a.length && (length[i + 1]?.[j] ?? 0) >= (length[i]?.[j + 1] ?? 0)) i += 1;
    else shown.push(html`<ins>${b[j]}</ins>`), (j += 1);
  }
  return shown;
}

/** @param {State} state */
export function isSumming({ open, assists }) {
  if (!open) return false;
  return here.asking.get(open.chatId)?.kind === "summary" || [...assists.values()].some((each) => each.chat_id === open.chatId && each.kind === "summary" && !here.away.has(each.id) && each.state !== "done");
}

/** @param {State} state @param {Actions} actions */
export function summary({ open, assists }, actions) {
  if (!open) return nothing;
  const asked = here.asking.get(open.chatId);
  if (asked?.kind === "summary") return asking(asked, open.chatId, actions);
  const newest = [...assists.values()].filter(({ id, chat_id, kind }) => chat_id === open.chatId && kind === "summary" && !here.away.has(id)).at(-1);
  const known = open.card?.summary;
  const state = newest && newest.state !== "done" ? newest : null;
  const list = (/** @type {AssistText} */ label, /** @type {string[]} */ lines) =>
    lines.length ? html`<dt>${say(label)}</dt><dd><ul>${lines.map((line) => html`<li dir="auto">${line}</li>`)}</ul></dd>` : nothing;
  return html`<details class="assist summed">
    <summary>${icon("spark")}<bdi>${known ? html`<strong>${say("wants")}:</strong> ${known.wants}` : say("summary")}</bdi>${state ? html` <span role="status" class=${isUnderWay(state) ? "soft" : "refusal"}>${isUnderWay(state) ? say("writing") : why(state.reason ?? "")}</span>` : nothing}${icon("back")}</summary>
    ${
      known
        ? html`<dl>
            ${known.done ? html`<dt>${say("done")}</dt><dd dir="auto">${known.done}</dd>` : nothing} ${list("open", known.open)} ${list("promised", known.promised)}
          </dl>`
        : nothing
    }
  </details>`;
}
