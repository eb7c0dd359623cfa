/** Contacts' attributes by the kinds that owners have declared: fetched, edited and filtered by. */

import { call, limits } from "../base/api.js";
import { t } from "../base/texts.js";
import { link } from "../chat/message.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Actions} from "../actions.js" */
/** @import {Refusal} from "../base/types.js" */

/** @typedef {{key: string, kind: "text" | "number" | "boolean" | "date" | "link" | "choice", choices: string[]}} Declared */
/** @typedef {string | number | boolean} Value */

/** @type {Declared[]} */
let declared = [];

/** Asks which kinds there are. @param {() => void} then */
export async function loadKinds(then) {
  try {
    declared = (await call("GET", "attributes")).data.attributes;
    then();
  } catch {
    // All are texts until the page is loaded again.
  }
}

/** The names of all that are declared. */
export const declaredKeys = () => declared.map(({ key }) => key);

/** @param {string} name */
const kindOf = (name) => declared.find(({ key }) => key === name);

/** The value that is typed, by its kind; null for none. @param {string} text @param {Declared} of @returns {Value | null} */
function typed(text, { kind }) {
  const value = text.trim();
  if (value === "") return null;
  if (kind === "number") return Number.isFinite(Number(value.replace(",", "."))) ? Number(value.replace(",", ".")) : value;
  return kind === "boolean" ? value === "true" : value;
}

const TYPES = { text: "text", number: "text", boolean: "text", choice: "text", date: "date", link: "url" };

/** A field for a value of that kind. @param {Declared} of @param {string} label @param {Value | undefined} known @param {(text: string) => void} changed */
function field({ kind, choices }, label, known, changed) {
  const now = known === undefined ? "" : String(known);
  const set = (/** @type {Event} */ { currentTarget }) => changed(/** @type {HTMLInputElement} */ (currentTarget).value);
  if (kind === "boolean" || kind === "choice") {
    const values = kind === "boolean" ? ["true", "false"] : choices;
    const shown = (/** @type {string} */ value) => (kind === "boolean" ? t(value === "true" ? "yes" : "no") : value);
    // What it was before it was declared stays to be seen.
    const all = now && !values.includes(now) ? [...values, now] : values;
    return html`<select aria-label=${label} @change=${set}>
      <option value="" ?selected=${now === ""}>—</option>
      ${all.map((value) => html`<option value=${value} ?selected=${value === now}>${shown(value)}</option>`)}
    </select>`;
  }
  return html`<input type=${TYPES[kind]} inputmode=${kind === "number" ? "decimal" : nothing} maxlength=${limits.attribute} autocomplete="off" aria-label=${label} .value=${live(now)} @change=${set} />`;
}

/**
 * The field of a declared attribute of a contact; null for any other.
 *
 * @param {string} name @param {Value | undefined} known @param {(value: Value | null) => Promise<Refusal | null>} write @param {Actions} actions
 */
export function attributeField(name, known, write, actions) {
  const of = kindOf(name);
  if (!of) return null;
  const changed = async (/** @type {string} */ text) => {
    const refusal = await write(typed(text, of));
    if (refusal) actions.say(refusal);
    actions.redraw();
  };
  const shown = of.kind === "link" && known ? link(known, "↗") : nothing;
  return html`${field(of, name, known, (text) => void changed(text))} ${shown}`;
}

/**
 * A filter by one of the declared attributes.
 *
 * @param {{key: string, value: string}} filter @param {(filter: {key: string, value: string}) => void} set
 */
export function attributeFilter({ key, value }, set) {
  if (!declared.length) return nothing;
  const of = kindOf(key);
  const chosen = (/** @type {Event} */ { currentTarget }) => set({ key: /** @type {HTMLSelectElement} */ (currentTarget).value, value: "" });
  return html`<select aria-label=${t("contacts_attribute")} @change=${chosen}>
      <option value="" ?selected=${!of}>${t("contacts_attribute")}</option>
      ${declared.map((one) => html`<option value=${one.key} ?selected=${one.key === key}>${one.key}</option>`)}
    </select>
    ${of ? field(of, of.key, value || undefined, (text) => set({ key, value: String(typed(text, of) ?? "") })) : nothing}`;
}
