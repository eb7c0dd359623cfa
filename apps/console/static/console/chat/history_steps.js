/** What happened to the chat between two messages, as a line of the thread. */

import { dayOf, momentOf, timeOf } from "../base/formats.js";
import { t } from "../base/texts.js";
import { mayUndo, undoRun } from "../composer/canned_reply_loader.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Item} from "./message.js" */
/** @import {TextKey} from "../base/texts.js" */
/** @import {Actions} from "../actions.js" */
/** @import {State, Step} from "../base/types.js" */

/** @param {Item} item @param {Step} step @param {State} state @param {Actions} actions */
export function stepRow({ key, startsDay }, step, state, actions) {
  const day = startsDay ? html`<h3 class="day"><span>${dayOf(step.at)}</span></h3>` : nothing;
  const said = step.kind === "transferred" && step.comment ? html`<q>${step.comment}</q>` : nothing;
  return html`<div class="msg system step" data-key=${key}>
    ${day}
    <p>${lineOf(step, state)} ${said} <time datetime=${step.at} title=${momentOf(step.at)}>${timeOf(step.at)}</time>
      ${mayUndo(step, state) ? html`<button type="button" class="quiet" @click=${() => undoRun(step, actions)}>${t("undo")}</button>` : nothing}</p>
    ${summedUp(step, state)}
  </div>`;
}

/** What the chat is about and what is open, at the step by which it changed hands last. @param {Step} step @param {State} state */
function summedUp(step, { open }) {
  const card = open?.card;
  const last = card?.steps.findLast(({ kind }) => kind === "transferred" || kind === "assigned" || kind === "waits");
  if (!card?.summary || last?.id !== step.id || Date.parse(card.summary.at) < Date.parse(step.at)) return nothing;
  const { wants, open: left } = card.summary;
  return html`<p class="sum" dir="auto">${wants}${left.map((line) => html`<br />• ${line}`)}</p>`;
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
  if (kind === "returned" && comment === "owner_gone") return t("step_owner_gone");
  if (kind === "waits" && comment) return `${t("step_waits")}. ${reasonOf(comment)}`;
  if (kind === "priority") return t("step_priority", { who: name(agent_id), priority: t(/** @type {TextKey} */ (`priority_${comment}`)) });
  if (kind === "automation") return t(agent_id === null ? "step_automation" : "step_macro", { who: name(agent_id), name: comment ?? "" });
  return t(`step_${kind}`, { who: name(agent_id), to, stars: comment ?? "" });
}
