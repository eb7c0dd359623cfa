"""Invitations to chat: members, refusals, rounds, the computed holdout and the order of an offer's refusals. Pure."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from apps.chats.rules.texts import language_refusals
from apps.widget.rules.invitation_rules import Refusals, event_refusal, rule_refusals
from apps.widget.rules.patterns import MAX_NEVER_ON, NEVER_ON, patterns_refusals

MAX_INVITATIONS, MAX_LIVE = 50, 20
MAX_NAME, MAX_TEXT, MAX_BUTTON, MAX_BUTTONS = 80, 500, 60, 3
MAX_PRIORITY, MAX_HOLDOUT, MAX_TIMES, MAX_DAYS, MAX_PER_DAY, MAX_GOAL_HOURS = 100, 50, 10, 365, 1_000_000, 720
GOAL_HOURS = 72
# An offer is kept so long, and answered by a first message within a day.
KEPT, ANSWERED_WITHIN = timedelta(days=90), timedelta(days=1)
DISMISSED_FOR, VISIT, TALKED_WITHIN = timedelta(days=30), timedelta(minutes=30), timedelta(hours=24)
PREVIEW_FOR = timedelta(minutes=30)
# JavaScript counts exactly up to here. An offer's number is drawn, so that nobody finds another's.
LARGEST_OFFER = 2**53 - 1
KEY = re.compile(r"[0-9a-f]{32}")
# Whose change begins a new round: figures of two rounds never mix.
OF_ROUND = ("texts", "buttons", "from", "rule", "goal", "holdout")


class InvitationState(StrEnum):
    """Visitors meet a live one alone."""

    DRAFT = "draft"
    LIVE = "live"
    PAUSED = "paused"


class InvitationSpeaker(StrEnum):
    """In whose name an invitation speaks."""

    WIDGET = "widget"
    AI = "ai"
    AGENT = "agent"


class OfferRefusal(StrEnum):
    """Why a browser is not to show an invitation; the first that applies."""

    OFF = "off"
    BLOCKED = "blocked"
    IN_CHAT = "in_chat"
    ANSWERING = "answering"
    HOURS = "hours"
    SEEN = "seen"
    PER_VISIT = "per_visit"
    PER_DAY = "per_day"
    HOLDOUT = "holdout"


class InvitationOutcome(StrEnum):
    """The end of an offer, as a metric counts it."""

    SHOWN = "shown"
    HELD = "held"
    REFUSED = "refused"
    OPENED = "opened"
    DISMISSED = "dismissed"
    ANSWERED = "answered"
    CONVERTED = "converted"


def is_held(key: str, invitation_id: int, round_: int, holdout: int) -> bool:
    """Whether a visitor is among those who are not invited: computed of their key, not drawn."""
    digest = hashlib.sha256(f"{key}:{invitation_id}:{round_}".encode()).digest()
    return int.from_bytes(digest[:4], "big") % 100 < holdout


def runs_at(now: datetime, starts_at: datetime | None, ends_at: datetime | None) -> bool:
    """Whether a moment is within the dates of an invitation; the end is not."""
    return (starts_at is None or starts_at <= now) and (ends_at is None or now < ends_at)


def definition_refusals(values: Mapping[str, Any], *, supported: Sequence[str]) -> Refusals:
    """The refusals of the members that bodies do not check by themselves, by path."""
    found = language_refusals(values.get("texts", {}), supported, "texts")
    if "texts" in values and not values["texts"]:
        found["texts"] = "There is no text."
    for place, button in enumerate(values.get("buttons", ())):
        found |= language_refusals(button, supported, f"buttons.{place}")
    if "rule" in values:
        found |= rule_refusals(values["rule"])
    if values.get("goal") is not None:
        found |= goal_refusals(values["goal"])
    if (speaker := values.get("from")) is not None:
        found |= speaker_refusals(speaker)
    return found


def goal_refusals(goal: Any, path: str = "goal") -> Refusals:
    """The refusals of a goal: an event or pages, and the hours in which it counts."""
    if not isinstance(goal, Mapping) or ("event" in goal) == ("page" in goal):
        return {path: "`event` or `page` is expected, with `hours`."}
    found = {
        f"{path}.{str(name)[:40]}": "Known are `event`, `page` and `hours`."
        for name in list(goal)[:100]
        if name not in ("event", "page", "hours")
    }
    if "event" in goal and (refusal := event_refusal(goal["event"])):
        found[f"{path}.event"] = refusal
    if "page" in goal:
        found |= patterns_refusals(goal["page"], f"{path}.page")
    hours = goal.get("hours", GOAL_HOURS)
    if not isinstance(hours, int) or isinstance(hours, bool) or not 1 <= hours <= MAX_GOAL_HOURS:
        found[f"{path}.hours"] = f"A whole number from 1 to {MAX_GOAL_HOURS} is expected."
    return found


def read_goal(goal: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """A valid goal as it is kept."""
    return None if goal is None else {"hours": GOAL_HOURS, **goal}


def speaker_refusals(speaker: Mapping[str, Any]) -> Refusals:
    """An agent is named where one speaks, and nowhere else."""
    is_agent = speaker.get("kind") == InvitationSpeaker.AGENT
    if is_agent and speaker.get("agent_id") is None:
        return {"from.agent_id": "Name the operator who speaks."}
    if not is_agent and speaker.get("agent_id") is not None:
        return {"from.agent_id": "Only an operator has a number: the kind is another."}
    return {}


DEFAULT_SETTINGS: Mapping[str, Any] = {
    "is_on": True,
    "never_on": list(NEVER_ON),
    "per_visit": 1,
    "gap_s": 60,
}


def settings_refusals(values: Mapping[str, Any]) -> Refusals:
    """The refusals of the widget's settings of invitations that bodies do not check by themselves."""
    if "never_on" not in values:
        return {}
    return patterns_refusals(values["never_on"], "never_on", most=MAX_NEVER_ON, least=0)


def stored_settings(stored: Any) -> dict[str, Any]:
    """The settings in effect: the written ones, else the defaults."""
    return {**DEFAULT_SETTINGS, **{name: value for name, value in (stored or {}).items() if name in DEFAULT_SETTINGS}}
