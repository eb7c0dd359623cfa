/** Above all rooms: which widget, whether there is a connection, who I am and whether I am there for visitors. */

import { faceOf } from "./avatars.js";
import { icon } from "./icons.js";
import { t } from "./texts.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Actions} from "../actions.js" */
/** @import {Config, State} from "./types.js" */

/** @param {State} state @param {Actions} actions @param {Config} config */
export function view(state, actions, config) {
  return html`<header class="top">
    <span class="mark" aria-hidden="true">${icon("chat")}</span>
    ${widgets(config)} ${connection(state)}
    <span class="gap"></span>
    <a class="button quiet to-contacts" href="#/contacts" title=${t("contacts")} aria-label=${t("contacts")}>${icon("people")}</a>
    ${sound(state, actions)} ${presence(state, actions)}
    <button class="quiet wide-only" title=${t("shortcuts")} aria-label=${t("shortcuts")} @click=${() => actions.showDialog({ name: "shortcuts" })}>
      ${icon("key")}
    </button>
    ${person(state, actions, config)}
  </header>`;
}

/** @param {Config} config */
function widgets({ widgets }) {
  const current = widgets.find((widget) => widget.is_current);
  if (widgets.length < 2) return html`<h1 class="widget" title=${current?.name ?? ""}><bdi>${current?.name}</bdi></h1>`;
  const go = (/** @type {Event} */ { target }) => {
    if (target instanceof HTMLSelectElement) location.assign(`?widget=${encodeURIComponent(target.value)}`);
  };
  return html`<h1 class="widget">
    <select aria-label=${t("widget")} @change=${go}>
      ${widgets.map((widget) => html`<option value=${widget.guid} ?selected=${widget.is_current}>${widget.name}</option>`)}
    </select>
  </h1>`;
}

/** @param {State} state */
function connection({ connection, me, outbox }) {
  const waiting = outbox.filter((unsent) => !unsent.refusal).length;
  const isOnBreak = me?.status === "relaxation";
  const says = connection !== "online" ? "offline" : isOnBreak ? "break" : "online";
  return html`<p class="connection" role="status" data-state=${says} title=${t(`state_${says}_long`)}>
    <span>${t(`state_${says}`)}</span>
    ${connection !== "online" && waiting ? html`<span> ${t("waiting_to_be_sent", { n: waiting })}</span>` : nothing}
  </p>`;
}

/** @param {State} state @param {Actions} actions */
function sound({ habits }, actions) {
  const says = t(habits.isSounding ? "sound_on" : "sound_off");
  return html`<button
    class="quiet sounding"
    role="switch"
    aria-checked=${habits.isSounding}
    aria-label=${t("sound")}
    title=${says}
    @click=${() => actions.settings.setSounding(!habits.isSounding)}
  >
    ${icon(habits.isSounding ? "sound" : "mute")}
  </button>`;
}

/** @param {State} state @param {Actions} actions */
function presence({ me }, actions) {
  if (!me) return nothing;
  const isActive = me.status === "active";
  return html`<button
    class="switch"
    role="switch"
    aria-checked=${isActive}
    title=${t(isActive ? "take_a_break" : "back_to_work")}
    @click=${() => actions.settings.setStatus(isActive ? "relaxation" : "active")}
  >
    <span class="knob" aria-hidden="true"></span><span class="wide-only">${t("available")}</span>
    <span class="hear phone-only">${t("available")}</span>
  </button>`;
}

/** How many of one's places are taken, where chats are routed: "5 of 5". @param {State} state @param {Config} config */
function places({ counts, rows, me }, { capacity }) {
  if (capacity === null || !counts) return nothing;
  const offered = [...rows.values()].filter(({ offer }) => offer?.agent_id === me?.id).length;
  const says = t("places_taken", { n: String(counts.mine + offered), of: String(capacity) });
  return html` <span class="load" title=${t("places_hint")}>${says}</span>`;
}

/** The menu would lie over a page that one of its links opens. */
const close = () => document.getElementById("person")?.hidePopover();

/** @param {State} state @param {Actions} actions @param {Config} config */
function person(state, actions, config) {
  const { me, habits, choices } = state;
  const name = me?.name ?? config.person.name;
  return html`<button class="person" popovertarget="person" aria-label=${t("menu_of", { name })}>
      ${faceOf(me ?? { id: 0, name, avatar_url: null, status: "active", online: false, break: null, department_ids: [] })}${places(state, config)}
    </button>
    <div class="menu" id="person" popover>
      <p><strong><bdi>${name}</bdi></strong><br /><span class="soft">${config.person.email}</span></p>
      <label class="choice">
        <input type="checkbox" .checked=${habits.isNotifying} @change=${() => actions.settings.setNotifying(!habits.isNotifying)} />
        ${icon("bell")} ${t("notify")}
      </label>
      <label class="choice">
        <input
          type="checkbox"
          .checked=${choices.next_after_close}
          @change=${() => void actions.settings.choose({ next_after_close: !choices.next_after_close })}
        />
        ${icon("next")} ${t("next_after_close")}
      </label>
      <button class="item" popovertarget="person" popovertargetaction="hide" @click=${() => actions.showDialog({ name: "break" })}>${icon("clock")} ${t("break_open")}</button>
      <button class="item" popovertarget="person" popovertargetaction="hide" @click=${() => actions.showDialog({ name: "quiet" })}>${icon("mail")} ${t("quiet_open")}</button>
      <button class="item" popovertarget="person" popovertargetaction="hide" @click=${() => actions.showDialog({ name: "reads" })}>${icon("globe")} ${t("reads_open")}</button>
      <button class="item" popovertarget="person" popovertargetaction="hide" @click=${() => actions.showDialog({ name: "shortcuts" })}>${icon("key")} ${t("shortcuts")}</button>
      ${config.has_queue ? html`<a class="item wide-only" href="#/board" @click=${close}>${icon("queue")} ${t("board")}</a>` : nothing}
      ${config.has_reports ? html`<a class="item" href="#/me/report" @click=${close}>${icon("report")} ${t("own_report")}</a>` : nothing}
      ${config.has_reviews ? html`<a class="item" href="#/reviews" @click=${close}>${icon("checks")} ${t("reviews")}</a>` : nothing}
      ${config.cabinet_url ? html`<a class="item" href=${config.cabinet_url}>${icon("gear")} ${t("cabinet")}</a>` : nothing}
      <a class="item" href=${config.password_url}>${icon("lock")} ${t("change_password")}</a>
      <a class="item" href=${config.two_factor_url}>${icon("shield")} ${t("two_factor")}</a>
      <button class="item" @click=${() => actions.settings.signOut(config.sign_out_url, config.sign_in_url)}>
        ${icon("leave")} ${t("sign_out")}
      </button>
    </div>`;
}
