/** The keys of a review: digits score, J and K move between criteria; the keys of the page beneath are not heard. */

import { put, valuesOf } from "./scores_form.js";

/** @import {Criterion, Given, Suggested} from "./scores_form.js" */

/**
 * The form that is open.
 *
 * @typedef {{ criteria: Criterion[], given: Given, suggested: Suggested[], isReadOnly: boolean, changed: () => void, save: () => void, leave: () => void }} OpenForm
 */

/** @param {Criterion[]} criteria @param {Given} given The criterion that has the focus, else the first without a score. */
function currentOf(criteria, given) {
  const within = document.activeElement?.closest("fieldset[data-criterion]")?.getAttribute("data-criterion");
  const place = criteria.findIndex(({ key }) => key === within);
  if (place >= 0) return place;
  return Math.max(0, criteria.findIndex(({ key }) => given.get(key)?.value === undefined));
}

/** Puts the focus on a criterion's chosen button, else its first. @param {Criterion[]} criteria @param {number} place */
export function focusOn(criteria, place) {
  const { key } = criteria[Math.min(Math.max(place, 0), criteria.length - 1)] ?? {};
  const group = document.querySelector(`fieldset[data-criterion="${CSS.escape(key ?? "")}"]`);
  const found = group?.querySelector("input:checked") ?? group?.querySelector("input[type=radio]");
  if (found instanceof HTMLElement) found.focus();
  group?.scrollIntoView({ block: "nearest" });
}

/** The Latin letter of a key of any keyboard. @param {KeyboardEvent} event */
const letterOf = ({ key, code }) => (code.startsWith("Key") ? code.slice(3).toLowerCase() : key);

/** Whether the key was the form's. @param {KeyboardEvent} event @param {OpenForm} form */
export function pressed(event, form) {
  const { criteria, given, suggested, isReadOnly, changed } = form;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    form.save();
    return true;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const isWriting = event.target instanceof HTMLElement && event.target.matches("textarea, input:not([type=radio])");
  if (event.key === "Escape") {
    if (isWriting && event.target instanceof HTMLElement) event.target.blur();
    else form.leave();
    return true;
  }
  if (isWriting || !criteria.length) return false;
  const place = currentOf(criteria, given);
  const letter = letterOf(event);
  if (letter === "j" || letter === "k") {
    const isIn = document.activeElement?.closest("fieldset[data-criterion]");
    focusOn(criteria, isIn ? place + (letter === "j" ? 1 : -1) : place);
    return true;
  }
  const criterion = criteria[place];
  const value = isReadOnly || !criterion ? undefined : chosenBy(letter, criterion, suggested);
  if (!criterion || value === undefined) return false;
  put(given, criterion.key, value);
  changed();
  focusOn(criteria, place + 1);
  return true;
}

/** @param {string} letter @param {Criterion} criterion @param {Suggested[]} suggested @returns {number | null | undefined} */
function chosenBy(letter, criterion, suggested) {
  if (letter === "n") return null;
  if (letter === "s") return suggested.find(({ key }) => key === criterion.key)?.value ?? undefined;
  const digit = /^[0-5]$/.test(letter) ? Number(letter) : undefined;
  return valuesOf(criterion).find((value) => value === digit);
}
