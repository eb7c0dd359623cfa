/** Dialogs about letters, loaded when they are asked for: who gets a copy, and when letters wake the operator. */

import { call } from "../base/api.js";
import { footer, submitting, toldOf } from "../base/dialog_forms.js";
import { t } from "../base/texts.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Actions} from "../actions.js" */
/** @import {Room} from "../base/dialogs.js" */
/** @import {Dialog} from "../base/types.js" */

/** @typedef {{address: string | null, copies: string[], others: string[]}} Copies */
/** @typedef {{waiting: boolean, quiet: {from: string, to: string, zone: string} | null}} Waking */

/** What was read for a dialog; null while it is on its way, or was refused. @type {WeakMap<Dialog, any>} */
const read = new WeakMap();

/** Asks once for a dialog. @param {Dialog} dialog @param {Actions} actions @param {string} path @param {(data: any) => unknown} [of] */
function readOnce(dialog, actions, path, of = (data) => data) {
  if (!read.has(dialog)) void fill(dialog, actions, () => call("GET", path), of);
  return read.get(dialog);
}

/** @param {Dialog} dialog @param {Actions} actions @param {() => Promise<any>} ask @param {(data: any) => unknown} [of] */
async function fill(dialog, actions, ask, of = (data) => data) {
  read.set(dialog, read.get(dialog) ?? null);
  const answer = await actions.tried(ask, (refusal) => actions.say(refusal));
  if (answer) read.set(dialog, of(answer.data));
  actions.redraw();
}

/** @type {Room} */
export function copiesDialog(dialog, _state, actions) {
  const path = `chats/${dialog.chatId}/copies`;
  /** @type {Copies | null} */
  const known = readOnce(dialog, actions, path);
  if (!known) return html`<p class="edge">${t("loading")}</p>`;
  if (!known.address) return html`<p>${t("copies_none_here")}</p>`;
  const set = (/** @type {string[]} */ copies) => fill(dialog, actions, () => call("PUT", path, { copies }));
  const chips = known.copies.map(
    (one) => html`<li class="chip"><bdi>${one}</bdi>
      <button type="button" class="quiet" aria-label=${t("copies_remove", { address: one })} title=${t("copies_remove", { address: one })}
        @click=${() => void set(known.copies.filter((other) => other !== one))}>×</button></li>`,
  );
  const others = known.others.map(
    (one) => html`<li><bdi>${one}</bdi> <button type="button" @click=${() => void set([...known.copies, one])}>${t("copies_add")}</button></li>`,
  );
  return html`<p>${t("goes_to", { address: known.address })}</p>
    ${chips.length ? html`<ul class="copies">${chips}</ul>` : html`<p class="soft">${t("copies_nobody")}</p>`}
    ${others.length ? html`<ul class="others">${others}</ul>` : nothing}
    <p class="edge">${t("copies_hint")}</p>`;
}

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Half of the hours are none: the browser asks for the other. @param {Event} event */
function bothOrNone({ currentTarget }) {
  const form = /** @type {HTMLFormElement} */ (currentTarget);
  const hours = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("[type=time]")]);
  const isAny = hours.some((one) => one.value !== "");
  for (const one of hours) one.required = isAny;
}

/** @type {Room} */
export function quietDialog(dialog, _state, actions) {
  /** @type {Waking | null} */
  const known = readOnce(dialog, actions, "me", (data) => data.letters);
  if (!known) return html`<p class="edge">${t("loading")}</p>`;
  const submit = submitting(dialog, actions, async (given) => {
    const [from, to] = [String(given.get("from") ?? ""), String(given.get("to") ?? "")];
    const quiet = from && to ? { from, to, zone: String(given.get("zone")) } : null;
    const letters = { waiting: given.has("waiting"), quiet };
    return Boolean(await actions.tried(() => call("PATCH", "me", { letters }), (refusal) => actions.say(refusal)));
  });
  const zone = known.quiet?.zone ?? ZONE;
  const zones = [...new Set([zone, ZONE, ...Intl.supportedValuesOf("timeZone")])];
  return html`<form @submit=${submit} @input=${bothOrNone}>
    <label class="choice"><input type="checkbox" name="waiting" ?checked=${known.waiting} autofocus /> ${t("quiet_waiting")}</label>
    <label>${t("quiet_from")} <input type="time" name="from" .value=${known.quiet?.from ?? ""} /></label>
    <label>${t("quiet_to")} <input type="time" name="to" .value=${known.quiet?.to ?? ""} /></label>
    <label>${t("quiet_zone")}
      <select name="zone">${zones.map((one) => html`<option ?selected=${one === zone}>${one}</option>`)}</select></label>
    <p class="edge">${t("quiet_hint")}</p>
    ${footer(actions, t("save"), toldOf(dialog).isBusy)}
  </form>`;
}
