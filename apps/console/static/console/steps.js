/** What happened to the chat between two messages, as a line of the thread. */

import { t } from "./texts.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";
import { dayOf, momentOf, timeOf } from "./words.js";

/** @import {Item} from "./message.js" */
/** @import {TextKey} from "./texts.js" */
/** @import {State, Step} from "./types.js" */

/** @param {Item} item @param {Step} step @param {State} state */
export function stepRow({ key, startsDay }, step, state) {
  const day = startsDay ? html`<h3 class="day"><span>${dayOf(step.at)}</span></h3>` : nothing;
  const said = step.kind === "transferred" && step.comment ? html`<q>${step.comment}</q>` : nothing;
  return html`<div class="msg system step" data-key=${key}>
    ${day}
    <p>${lineOf(step, state)} ${said} <time datetime=${step.at} title=${momentOf(step.at)}>${timeOf(step.at)}</time></p>
  </div>`;
}

/** @type {Record<string, TextKey>} */
const REASONS = {
  safety_floor: "reason_safety",
  human_request: "reason_asked",
  model_request: "reason_asked",
  trigger: "reason_trigger",
  empty_response: "reason_unanswered",
  classifier_unavailable: "reason_unanswered",
  untrusted_handoff: "reason_unanswered",
  provider_failure: "reason_failed",
  requested: "reason_bot",
  marker: "reason_bot",
  empty_content: "reason_unanswered",
  held_back: "reason_held_back",
  reply_limit: "reason_limit",
  budget_exhausted: "reason_budget",
  not_configured: "reason_nobody",
  bot_invited: "reason_bot",
};

/** Why a chat was handed to people, in words; a slug that nobody knows here as it is. @param {string} slug */
export const reasonOf = (slug) => (REASONS[slug] ? t(REASONS[slug]) : slug);

/** @param {Step} step @param {State} state */
export function lineOf({ kind, agent_id, to_agent_id, department_id, comment }, { agents, departments, me }) {
  const name = (/** @type {number | null} */ id) =>
    id === null ? t("a_program") : id === me?.id ? t("me") : (agents.get(id)?.name ?? t("operator"));
  const department = departments.find(({ id }) => id === department_id)?.name ?? t("a_department");
  const to = to_agent_id === null ? department : name(to_agent_id);
  if (kind === "waits" && comment) return `${t("step_waits")}. ${reasonOf(comment)}`;
  return t(`step_${kind}`, { who: name(agent_id), to, stars: comment ?? "" });
}
