/** Pictures of people, or the beginnings of their names. */

import { html } from "../vendor/lit-html/lit-html.js";

/** @import {Agent} from "./types.js" */

const words = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** At most two letters. @param {string} name */
export function initials(name) {
  const first = (/** @type {string} */ word) => [...words.segment(word)][0]?.segment ?? "";
  const [one = "", ...others] = name.slice(0, 200).trim().split(/\s+/);
  return (first(one) + first(others.at(-1) ?? "")).toLocaleUpperCase();
}

/** One of six quiet colours, always the same for a person. @param {string | number} id */
const tint = (id) => [...String(id)].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 6, 0);

/** @param {string} name @param {string | number} id */
export const letters = (name, id) => html`<span class="face tint-${tint(id)}" aria-hidden="true">${initials(name) || "?"}</span>`;

/** @param {Agent} agent */
export const faceOf = (agent) =>
  agent.avatar_url && /^(https?:)?\/\//.test(agent.avatar_url)
    ? html`<img class="face" src=${agent.avatar_url} alt="" @error=${hide} />`
    : letters(agent.name, agent.id);

/** @param {Event} event */
function hide({ target }) {
  if (target instanceof HTMLElement) target.classList.add("broken");
}
