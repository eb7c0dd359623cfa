"""From a model's answer to what is shown: one line of the table for each case (docs/guides/ai.md)."""

import json
import re
from typing import Literal, NamedTuple

from apps.ai.rules.prompts import Presence

Transformation = Literal[
    "answer",
    "social_reply",
    "empty_response",
    "answer_only_recovery",
    "untrusted_handoff_fallback",
    "escalation_outcome",
]
"""What was made of a model's words; `escalation_outcome` also where none was asked, or none answered."""
Classifier = Literal["not_needed", "unavailable", "escalate", "no_escalation"]
Phrase = Literal["handoff_to_human", "handover_notice", "handover_offline", "handover_unknown"]
Outcome = Literal["handover_notice", "handover_offline", "handover_unknown"]


class Decision(NamedTuple):
    """The decision on what is shown: the model's text (`answer`), the phrase for courtesies, or a handover's phrase.

    `excuse` is the handover's phrase for people who are away, said without handing over. reason: why the chat is handed
    over, None where it is not.
    """

    shown: Literal["text", "social_reply", "handover", "excuse"]
    transformation: Transformation
    reason: str | None = None
    suppressed: bool = False


def asks_classifier(*, marked: bool, social: bool) -> bool:
    """Whether the marker is to be judged by a second call that sees the burst alone."""
    return marked and not social


def decide(
    *, marked: bool, has_text: bool, social: bool, classifier: Classifier, answer_only: bool, operators: Presence
) -> Decision | None:
    """The table's line. None: a recovery call is to be made, and `recovered` decides.

    answer_only: `offline_outcome_mode` is `answer_only`.
    """
    if social and (marked or not has_text):
        return Decision("social_reply", "social_reply")
    if not marked:
        if has_text:
            return Decision("text", "answer")
        return Decision("handover", "empty_response", "empty_response")
    if classifier == "escalate":
        if answer_only and operators == "offline" and has_text:
            return Decision("text", "answer_only_recovery", suppressed=True)
        return Decision("handover", "escalation_outcome", "model_request")
    if classifier == "unavailable":
        return Decision("handover", "escalation_outcome", "classifier_unavailable")
    return Decision("text", "answer_only_recovery") if has_text else None


def in_peoples_stead(*, marked: bool, has_text: bool, social: bool) -> Decision:
    """The decision on an answer that takes a chat over from people: nothing hands it back, the marker is cut off."""
    if has_text:
        return Decision("text", "answer_only_recovery" if marked else "answer")
    return Decision("social_reply", "social_reply") if social else Decision("excuse", "empty_response")


def while_away(*, marked: bool, has_text: bool, social: bool) -> Decision | None:
    """The exception while people have been called and are away: a marker beside a text is cut off, unjudged."""
    return Decision("text", "answer_only_recovery") if marked and has_text and not social else None


def recovered(*, has_text: bool, marked: bool) -> Decision:
    """The decision after the recovery call; a call that failed has no text."""
    if has_text and not marked:
        return Decision("text", "answer_only_recovery")
    return Decision("handover", "untrusted_handoff_fallback", "untrusted_handoff")


def at_floor(reason: str) -> Decision:
    """The decision for a floor on the burst, a limit, or a vendor that failed: a handover without a model's words."""
    return Decision("handover", "escalation_outcome", reason)


def phrase_of(
    operators: Presence, *, presence_context: bool, is_stopped: bool = False
) -> tuple[Phrase, Outcome | None]:
    """The phrase of a handover, and the outcome that it is: by presence, or always the same without it.

    An AI that is stopped (`is_stopped`) doesn't invite to ask it, as the phrase for people who are away does.
    """
    if not presence_context:
        return "handoff_to_human", None
    outcomes: dict[Presence, Outcome] = {
        "online": "handover_notice",
        "offline": "handover_offline",
        "unknown": "handover_unknown",
    }
    outcome = outcomes[operators]
    return "handover_unknown" if is_stopped and outcome == "handover_offline" else outcome, outcome


_OBJECT = re.compile(r"\{[^{}]*\}")


def classified(answer: str) -> Classifier:
    """The verdict in a classifier's words: the first JSON object with the boolean `escalate` counts."""
    for found in _OBJECT.finditer(answer):
        try:
            escalate = json.loads(found[0]).get("escalate")
        except ValueError:
            continue
        if isinstance(escalate, bool):
            return "escalate" if escalate else "no_escalation"
    return "unavailable"
