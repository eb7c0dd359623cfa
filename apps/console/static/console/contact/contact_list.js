/** Contacts: who wrote, one of them with their chats and notes, and two that are one person. Loaded where it is opened. */

import { call, CallRefused, limits } from "../base/api.js";
import { letters } from "../base/avatars.js";
import { channelName, visitorName } from "../base/display_names.js";
import { momentOf, shortTime, whole, wordsOf } from "../base/formats.js";
import { icon } from "../base/icons.js";
import { spoken, t } from "../base/texts.js";
import { attributeFilter, loadKinds } from "./attributes.js";
import { contactPart } from "./contact_panel.js";
import { keyed } from "../vendor/lit-html/directives/keyed.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Actions} from "../actions.js" */
/** @import {Contact, Refusal, State} from "../base/types.js" */

/** @typedef {Contact & {open_chats: number, last_seen_at: string | null, joined: string[]}} Person */
/** @typedef {{id: number, text: string, agent_id: number | null, by: string | null, created_at: string}} Note */
/** @typedef {{contact: Person, chats: {id: number, status: string, channel: string, created_at: string, last_message_at: string | null}[], notes: Note[], joined: Contact[]}} Whole */

// Milliseconds between two letters of a search.
const PAUSE = 250;
const LOOK_ALIKES = 8;

const room = {
  q: "",
  isOpen: false,
  /** The order of the rows; "": as the server has them, the newest first. */
  sort: "",
  tag: "",
  attribute: { key: "", value: "" },
  isLoaded: false,
  isLoading: false,
  /** @type {Person[]} */
  rows: [],
  /** @type {string | null} */
  cursor: null,
  /** @type {Refusal | null} */
  refusal: null,
  /** @type {Whole | null} */
  person: null,
  note: "",
  /** The search for who is the same person; null: it is not open. @type {{q: string, found: Person[]} | null} */
  merging: null,
};
/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing;
let asked = 0;

/** @param {unknown} error @returns {Refusal} */
const refusalOf = (error) => (error instanceof CallRefused ? error.refusal : { code: "offline", detail: "" });

/** @param {string} q @param {boolean} [isOpen] @param {string | null} [cursor] @param {{key: string, value: string}} [attribute] @param {string} [tag] */
function pathOf(q, isOpen = false, cursor = null, attribute = { key: "", value: "" }, tag = "") {
  const query = new URLSearchParams({ limit: "50" });
  if (q.trim()) query.set("q", q.trim());
  if (isOpen) query.set("open", "1");
  if (attribute.key && attribute.value) query.set("attribute", `${attribute.key}:${attribute.value}`);
  if (tag.trim()) query.set("tag", tag.trim());
  if (cursor) query.set("cursor", cursor);
  return `contacts?${query}`;
}

/** @param {Actions} actions @param {string | null} [cursor] */
async function load(actions, cursor = null) {
  const number = ++asked;
  Object.assign(room, { isLoading: true, refusal: null });
  actions.redraw();
  try {
    const { data, next_cursor: next } = await call("GET", pathOf(room.q, room.isOpen, cursor, room.attribute, room.tag));
    if (number !== asked) return;
    Object.assign(room, { rows: cursor ? [...room.rows, ...data] : data, cursor: next, isLoaded: true });
  } catch (error) {
    if (number === asked) room.refusal = refusalOf(error);
  }
  if (number === asked) room.isLoading = false;
  actions.redraw();
}

/** @param {string} guid @param {Actions} actions */
async function loadPerson(guid, actions) {
  try {
    const { data } = await call("GET", `contacts/${guid}`);
    if (shown === guid) room.person = data;
  } catch (error) {
    actions.say(refusalOf(error));
  }
  actions.redraw();
}

/** @type {string | null} */
let shown = null;

/** Shows the list, or one contact of it. @param {string | null} guid @param {Actions} actions */
export function show(guid, actions) {
  if (!room.isLoaded && !room.isLoading) {
    void load(actions);
    void loadKinds(actions.redraw);
  }
  if (guid === shown) return;
  shown = guid;
  actions.contact.changed = (contact) => {
    if (room.person?.contact.id === contact.id) room.person.contact = { ...room.person.contact, ...contact };
    room.rows = room.rows.map((row) => (row.id === contact.id ? { ...row, ...contact } : row));
    actions.redraw();
  };
  Object.assign(room, { person: null, note: "", merging: null });
  if (guid) void loadPerson(guid, actions);
}

/** @param {() => Promise<unknown>} work @param {Actions} actions @returns {Promise<boolean>} */
async function done(work, actions) {
  try {
    await work();
  } catch (error) {
    actions.say(refusalOf(error));
    return false;
  }
  if (shown) await loadPerson(shown, actions);
  void load(actions);
  return true;
}

/** @param {State} state @param {Actions} actions @param {boolean} isManager */
export function view(state, actions, isManager) {
  return html`<div class="contacts">
    ${shown ? personPart(state, actions, isManager) : listPart(actions)}
    ${room.merging && room.person ? mergePart(room.person.contact, room.merging, actions) : nothing}
  </div>`;
}

/** @param {Actions} actions */
function listPart(actions) {
  /** @param {Event} event */
  const typed = ({ currentTarget }) => {
    room.q = /** @type {HTMLInputElement} */ (currentTarget).value;
    clearTimeout(typing);
    typing = setTimeout(() => void load(actions), PAUSE);
  };
  const turn = () => {
    room.isOpen = !room.isOpen;
    void load(actions);
  };
  /** @param {Event} event */
  const tagged = ({ currentTarget }) => {
    room.tag = /** @type {HTMLInputElement} */ (currentTarget).value;
    clearTimeout(typing);
    typing = setTimeout(() => void load(actions), PAUSE);
  };
  const known = [...new Set(room.rows.flatMap(({ tags }) => tags))].sort();
  const filter = (/** @type {{key: string, value: string}} */ attribute) => {
    room.attribute = attribute;
    void load(actions);
  };
  const sorted = (/** @type {Event} */ { currentTarget }) => {
    room.sort = /** @type {HTMLSelectElement} */ (currentTarget).value;
    actions.redraw();
  };
  const by = SORTS[room.sort];
  const rows = by ? room.rows.toSorted(by) : room.rows;
  return html`<header class="contacts-header">
      <a class="button quiet" href="#/" aria-label=${t("back")} title=${t("back")}>${icon("back")}</a>
      <h2>${t("contacts")}</h2>
      <input type="search" aria-label=${t("contacts_search")} placeholder=${t("contacts_search")} maxlength=${limits.contacts_search} .value=${live(room.q)} @input=${typed} />
      <label><input type="checkbox" .checked=${live(room.isOpen)} @change=${turn} /> ${t("contacts_open")}</label>
      <input type="search" list="contact-tags" aria-label=${t("contacts_tag")} placeholder=${t("contacts_tag")} maxlength=${limits.tag} .value=${live(room.tag)} @input=${tagged} />
      <datalist id="contact-tags">${known.map((tag) => html`<option value=${tag}></option>`)}</datalist>
      ${attributeFilter(room.attribute, filter)}
      <select aria-label=${t("contacts_sort")} @change=${sorted}>
        ${/** @type {const} */ (["", "seen", "name", "chats"]).map((each) => html`<option value=${each} ?selected=${each === room.sort}>${t(`contacts_sort_${each || "new"}`)}</option>`)}
      </select>
    </header>
    ${room.refusal ? html`<p class="refused" role="alert">${wordsOf(room.refusal)} <button type="button" class="quiet" @click=${() => void load(actions)}>${t("try_again")}</button></p>` : nothing}
    <ul class="people" aria-busy=${room.isLoading ? "true" : "false"}>
      ${repeat(rows, ({ id }) => id, personRow)}
    </ul>
    ${room.isLoaded && !room.rows.length ? html`<p class="edge">${t("nothing_found")}</p>` : nothing}
    ${room.cursor ? html`<button type="button" ?disabled=${room.isLoading} @click=${() => void load(actions, room.cursor)}>${t("contacts_more")}</button>` : nothing}`;
}

/** As the list of chats calls them. @param {Contact} contact */
const nameOf = (contact) => visitorName(contact);

/** Orders of the rows that are there. @type {Record<string, (a: Person, b: Person) => number>} */
const SORTS = {
  seen: (a, b) => (b.last_seen_at ?? "").localeCompare(a.last_seen_at ?? ""),
  name: (a, b) => nameOf(a).localeCompare(nameOf(b), spoken()),
  chats: (a, b) => b.open_chats - a.open_chats,
};
/** Tags shown of each row. */
const TAGS = 2;

/** @param {Person} person */
function personRow(person) {
  const { id, email, phone, tags, open_chats: open, last_seen_at: seen, joined } = person;
  const reach = [email, phone].filter(Boolean).join(" · ");
  const facts = [open ? t("contacts_open_chats", { n: open }) : "", joined.length ? t("contacts_joined", { n: joined.length }) : ""].filter(Boolean).join(" · ");
  return html`<li>
    <a href="#/contacts/${id}">
      ${letters(nameOf(person), id)}
      <strong title=${nameOf(person)}><bdi>${nameOf(person)}</bdi></strong>
      <span class="soft reach" title=${reach}>${reach}</span>
      <span class="tags">${tags.slice(0, TAGS).map((tag) => html`<span class="tag" title=${tag}><span>${tag}</span></span>`)}${tags.length > TAGS ? html`<span class="tag" title=${tags.join(", ")}>+${tags.length - TAGS}</span>` : nothing}</span>
      <span class="soft facts">${facts}</span>
      ${seen ? html`<time datetime=${seen} title=${whole(seen)}>${shortTime(seen)}</time>` : html`<span></span>`}
    </a>
  </li>`;
}

/** @param {State} state @param {Actions} actions @param {boolean} isManager */
function personPart(state, actions, isManager) {
  const { person } = room;
  if (!person) return html`<header class="contacts-header"><a class="button quiet" href="#/contacts" aria-label=${t("back")} title=${t("back")}>${icon("back")}</a><p>${t("loading")}</p></header>`;
  const { contact, chats, notes, joined } = person;
  const begin = () => {
    room.merging = { q: "", found: [] };
    void lookAlikes(contact, actions);
    requestAnimationFrame(() => document.querySelector(/** @type {"input"} */ (".merge input"))?.focus());
  };
  return html`<header class="contacts-header">
      <a class="button quiet" href="#/contacts" aria-label=${t("back")} title=${t("back")}>${icon("back")}</a>
      <h2><bdi>${nameOf(contact)}</bdi></h2>
      <button type="button" @click=${begin}>${t("merge")}</button>
    </header>
    <div class="contact-fields">${keyed(contact.id, contactPart(contact, actions, null))}</div>
    ${joined.length ? html`<section aria-label=${t("contacts_joined_title")}><h3>${t("contacts_joined_title")}</h3><ul>${joined.map((other) => joinedRow(contact, other, actions))}</ul></section>` : nothing}
    <section aria-label=${t("chats")}><h3>${t("chats")}</h3><ul>
      ${chats.map(({ id, status, channel, created_at: at, last_message_at: last }) => html`<li><a href="#/chats/${id}">${channelName(channel)} · ${t(/** @type {"chat_active"} */ (`chat_${status}`))} · <time datetime=${last ?? at}>${momentOf(last ?? at)}</time></a></li>`)}
    </ul></section>
    ${notesPart(contact, notes, state, actions, isManager)}`;
}

/** @param {Contact} contact @param {Contact} other @param {Actions} actions */
function joinedRow(contact, other, actions) {
  const undo = () => void done(() => call("DELETE", `contacts/${contact.id}/join/${other.id}`), actions);
  return html`<li><bdi>${nameOf(other)}</bdi> <span class="soft">${[other.email, other.phone].filter(Boolean).join(" · ")}</span>
    <button type="button" class="quiet" @click=${undo}>${t("merge_undo")}</button></li>`;
}

/** One's own notes are deleted by oneself, any by a manager. @param {Contact} contact @param {Note[]} notes @param {State} state @param {Actions} actions @param {boolean} isManager */
function notesPart(contact, notes, { me }, actions, isManager) {
  /** @param {Event} event */
  const typed = ({ currentTarget }) => {
    room.note = /** @type {HTMLTextAreaElement} */ (currentTarget).value;
    actions.redraw();
  };
  /** @param {Event} event */
  const add = async (event) => {
    event.preventDefault();
    const text = room.note.trim();
    if (text && (await done(() => call("POST", `contacts/${contact.id}/notes`, { text }), actions))) room.note = "";
    actions.redraw();
  };
  return html`<section aria-label=${t("contact_notes")}>
    <h3>${t("contact_notes")}</h3>
    <form @submit=${add}>
      <textarea rows="2" maxlength=${limits.note} aria-label=${t("contact_note_new")} placeholder=${t("contact_note_new")} .value=${live(room.note)} @input=${typed}></textarea>
      <button ?disabled=${!room.note.trim()}>${t("contact_note_add")}</button>
    </form>
    <ul class="notes">${repeat(notes, ({ id }) => id, (note) => {
      const remove = () => void done(() => call("DELETE", `contacts/${contact.id}/notes/${note.id}`), actions);
      return html`<li><p><bdi>${note.text}</bdi></p><p class="soft">${note.by ?? ""} · ${momentOf(note.created_at)}
        ${isManager || note.agent_id === me?.id ? html`<button type="button" class="quiet" @click=${remove}>${t("contact_note_delete")}</button>` : nothing}</p></li>`;
    })}</ul>
  </section>`;
}

/** Who may be the same person: by name, e-mail and phone. @param {Contact} contact @param {Actions} actions */
async function lookAlikes({ id, name, email, phone }, actions) {
  const terms = room.merging?.q ? [room.merging.q] : [name, email, phone].filter((term) => term !== null);
  /** @type {Map<string, Person>} */
  const found = new Map();
  try {
    for (const term of terms) for (const row of (await call("GET", pathOf(term.slice(0, 100)))).data) found.set(row.id, row);
  } catch (error) {
    actions.say(refusalOf(error));
  }
  if (room.merging) room.merging.found = [...found.values()].filter((row) => row.id !== id && !row.joined.length).slice(0, LOOK_ALIKES);
  actions.redraw();
}

/** @param {Person} contact @param {{q: string, found: Person[]}} merging @param {Actions} actions */
function mergePart(contact, merging, actions) {
  const close = () => {
    room.merging = null;
    actions.redraw();
  };
  /** @param {Event} event */
  const typed = ({ currentTarget }) => {
    merging.q = /** @type {HTMLInputElement} */ (currentTarget).value;
    clearTimeout(typing);
    typing = setTimeout(() => void lookAlikes(contact, actions), PAUSE);
  };
  const join = async (/** @type {Person} */ other) => {
    close();
    const path = `contacts/${contact.id}/join`;
    const undo = () => void done(() => call("DELETE", `${path}/${other.id}`), actions);
    if (await done(() => call("POST", path, { contact: other.id }), actions)) actions.echo(t("merged", { name: nameOf(other) }), { undo });
  };
  const pressed = (/** @type {KeyboardEvent} */ { key }) => key === "Escape" && close();
  return html`<div class="merge" role="dialog" aria-modal="true" aria-label=${t("merge_title", { name: nameOf(contact) })} @keydown=${pressed}>
    <h3>${t("merge_title", { name: nameOf(contact) })}</h3>
    <p class="soft">${t("merge_says")}</p>
    <input type="search" maxlength=${limits.contacts_search} aria-label=${t("contacts_search")} placeholder=${t("contacts_search")} @input=${typed} />
    <ul>${merging.found.map((other) => html`<li>
      <span><bdi>${nameOf(other)}</bdi> <span class="soft">${[other.email, other.phone].filter(Boolean).join(" · ")}</span></span>
      <button type="button" class="primary" @click=${() => void join(other)}>${t("merge")}</button>
    </li>`)}</ul>
    ${merging.found.length ? nothing : html`<p class="edge">${t("nothing_found")}</p>`}
    <button type="button" class="quiet" @click=${close}>${t("cancel")}</button>
  </div>`;
}
