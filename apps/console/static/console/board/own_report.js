/** One's own report (`#/me/report`): the figures of the chats that one answered, beside the team's times; no ranking. */

import { call } from "../base/api.js";
import { icon } from "../base/icons.js";
import { spoken, t } from "../base/texts.js";
import { words } from "./own_report_texts.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Actions} from "../actions.js" */
/** @import {OwnReport} from "../base/server_types.js" */
/** @import {Frame, State} from "../base/types.js" */
/** @typedef {{ n: number, p50: number | null, p90: number | null }} Times */

const WINDOWS = [7, 28, 90];
const COUNTS = /** @type {const} */ (["episodes", "by_person", "open", "durable", "reopened", "rated", "good", "low"]);
const TIMES = /** @type {const} */ (["first_reply", "person_reply", "longest_wait", "duration"]);

/** @type {OwnReport | null} */
let report = null;
let days = 28;
let isShown = false;
/** @type {Actions | undefined} */
let page;

/** Reads the report once it is opened. @param {boolean} isOpen @param {Actions} actions */
export function show(isOpen, actions) {
  if (isOpen === isShown) return;
  isShown = isOpen;
  page = actions;
  if (isShown) void read();
}

async function read() {
  const from = new Date(Date.now() - (days - 1) * 86_400_000);
  const day = [from.getFullYear(), from.getMonth() + 1, from.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
  const answer = await page?.tried(() => call("GET", `report?from=${day}`));
  if (answer) report = answer.data;
  page?.redraw();
}

/** Nothing of a frame changes the report: it is read when it is opened. @param {Frame} _frame @param {Actions} _actions */
export function hear(_frame, _actions) {}

/** @param {State} _state */
export function view(_state) {
  return html`<main class="own-report" aria-label=${t("own_report")}>
    <header>
      <h1>${t("own_report")}</h1>
      <label>
        ${words().days}
        <select
          @change=${(/** @type {Event} */ { target }) => {
            days = Number(/** @type {HTMLSelectElement} */ (target).value);
            void read();
          }}
        >
          ${WINDOWS.map((each) => html`<option value=${each} ?selected=${each === days}>${words().last(each)}</option>`)}
        </select>
      </label>
      <a class="button quiet" href="#/" aria-label=${t("back")} title=${t("back")}>${icon("close")}</a>
    </header>
    ${report ? tables(report) : html`<p role="status">${t("loading")}</p>`}
  </main>`;
}

/** @param {OwnReport} given */
function tables({ figures, team, settled_until }) {
  if (!figures.episodes.value) return html`<p>${words().empty}</p>`;
  const settled = new Date(settled_until).toLocaleDateString(spoken(), { day: "numeric", month: "long" });
  return html`<table>
      <caption>${words().counts}</caption>
      ${COUNTS.map((name) => html`<tr><th scope="row">${words().figures[name]}</th><td>${figures[name].value}</td><td>${share(figures[name])}</td></tr>`)}
    </table>
    <table>
      <caption>${words().times}</caption>
      <thead><tr><td></td><th scope="col">${words().mine}</th><th scope="col">${words().team}</th></tr></thead>
      ${TIMES.map((name) => html`<tr><th scope="row">${words().figures[name]}</th><td>${wait(figures[name])}</td><td>${name in team ? wait(team[/** @type {keyof typeof team} */ (name)]) : nothing}</td></tr>`)}
    </table>
    <p class="soft">${words().note} ${words().moves(settled)}</p>`;
}

/** @param {{ of: number | null, rate: number | null }} count */
const share = ({ of, rate }) => (rate === null ? "" : words().share(new Intl.NumberFormat(spoken(), { style: "percent", maximumFractionDigits: 1 }).format(rate), of ?? 0));

/** @param {Times} times */
const wait = ({ n, p50, p90 }) => (n ? `${duration(p50 ?? 0)} / ${duration(p90 ?? 0)}` : "—");

/** @param {number} seconds */
function duration(seconds) {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return words().seconds(seconds);
  return minutes < 60 ? t("minutes", { count: minutes }) : words().hours(Math.floor(minutes / 60), minutes % 60);
}
