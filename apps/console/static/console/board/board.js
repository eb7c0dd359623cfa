/** The wallboard (`#/board`): the queue of each department, read from five metres. It shows no word of a visitor. */

import { call } from "../base/api.js";
import { waitSince } from "../base/formats.js";
import { icon } from "../base/icons.js";
import { t } from "../base/texts.js";
import { words } from "./board_texts.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Actions} from "../actions.js" */
/** @import {Queue, QueueDepartment} from "../base/server_types.js" */
/** @import {Frame, State} from "../base/types.js" */

// Milliseconds. What no frame tells of, such as an hour that comes, is read anew so often.
const READ_EVERY = 30_000;
// Milliseconds from which a wait is long.
const LONG = 5 * 60_000;

/** @type {Queue | null} */
let queue = null;
/** @type {ReturnType<typeof setInterval> | undefined} */
let reading;

/** Begins to read the queue, or ends it. @param {boolean} isShown @param {Actions} actions */
export function show(isShown, actions) {
  if (isShown === (reading !== undefined)) return;
  clearInterval(reading);
  reading = isShown ? setInterval(() => void read(actions), READ_EVERY) : undefined;
  if (isShown) void read(actions);
}

/** @param {Actions} actions */
async function read(actions) {
  const answer = await actions.tried(() => call("GET", "queue"));
  if (answer) queue = answer.data;
  actions.redraw();
}

/** @param {Frame} frame @param {Actions} actions */
export function hear({ type }, actions) {
  if (reading !== undefined && (type === "queue.changed" || type === "ready")) void read(actions);
}

/** @param {State} state */
export function view({ agents, connection }) {
  const rows = queue?.departments.filter(({ department_id, waiting }) => department_id !== null || waiting || queue?.departments.length === 1) ?? [];
  return html`<main class="board" aria-label=${t("board")} data-state=${connection}>
    <header>
      <h1>${t("board")}</h1>
      ${queue ? html`<p>${words().answered(queue.answered.count, minutesOf(queue.answered.p50_seconds), minutesOf(queue.answered.p90_seconds))}</p>` : nothing}
      ${connection === "online" ? nothing : html`<p role="status">${t("state_offline")}</p>`}
      <a class="button quiet" href="#/" aria-label=${t("back")} title=${t("back")}>${icon("close")}</a>
    </header>
    ${queue ? html`<ul class="halls">${repeat(rows, ({ department_id }) => department_id, department)}</ul>` : html`<p role="status">${t("loading")}</p>`}
    ${queue ? html`<ul class="crew">${repeat(queue.operators.filter(({ agent_id }) => agents.get(agent_id)?.online), ({ agent_id }) => agent_id, (each) => operator(each, agents.get(each.agent_id)?.name ?? ""))}</ul>` : nothing}
  </main>`;
}

/** @param {number | null} seconds */
const minutesOf = (seconds) => (seconds === null ? "–" : t("minutes", { count: Math.max(1, Math.ceil(seconds / 60)) }));

/** @param {QueueDepartment} row */
function department({ name, is_open, waiting, longest_since: since, due_soon, breached, online, on_break, places }) {
  const isLong = since !== null && Date.now() - Date.parse(since) >= LONG;
  return html`<li class=${isLong || breached ? "is-long" : ""}>
    <h2><bdi>${name ?? words().rest}</bdi>${is_open ? nothing : html` <small>${words().closed}</small>`}</h2>
    <p class="big"><span>${waiting}</span> <small>${words().waiting}</small></p>
    <p>${since ? words().longest(waitSince(since)) : nothing}</p>
    ${due_soon || breached ? html`<p class="due">${words().due(due_soon, breached)}</p>` : nothing}
    <p class="soft">${words().team(online, on_break, places)}</p>
  </li>`;
}

/** @param {Queue["operators"][number]} row @param {string} name */
const operator = ({ status, load, capacity, break: pause }, name) =>
  html`<li class=${status === "active" ? "" : "is-away"}><bdi>${name}</bdi> <span>${status === "active" ? t("places_taken", { n: String(load), of: String(capacity) }) : pause?.note || t("state_break")}</span></li>`;
