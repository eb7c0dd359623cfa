"""How the next answer reaches a visitor. Pure. Source: design of letters, 4."""

from dataclasses import dataclass
from typing import Any, Literal

By = Literal["here", "mail", "messenger", "push", "nothing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachFacts:
    """The facts about a chat: the address that letters would go to, and what stands against it.

    `minutes` is how long it takes until a letter goes.
    """

    is_here: bool
    is_on_site: bool
    answers: str
    has_server: bool
    address: str = ""
    asked_for: bool = False
    proven: bool = False
    dead: str | None = None
    stopped: bool = False
    without_sign: bool = False
    minutes: int = 0


def reach_of(facts: ReachFacts) -> dict[str, Any]:
    """The members of a card's `reach`."""
    reason = _reason(facts)
    by: By = "mail" if reason is None else "nothing"
    if facts.is_here:
        by, reason = "here", None
    elif not facts.is_on_site:
        by, reason = "messenger", None
    mails = by == "mail"
    return {
        "by": by,
        "address": facts.address or None,
        "minutes": facts.minutes if mails else None,
        "proven": facts.proven,
        "reason": reason,
        "detail": facts.dead if reason == "dead" else None,
    }


def _reason(facts: ReachFacts) -> str | None:
    """Why no letter goes; None if one does."""
    if facts.answers == "off":
        return "off"
    if not facts.has_server:
        return "no_server"
    if not facts.address:
        return "no_address"
    if facts.answers == "ask" and not facts.asked_for:
        return "not_asked"
    if facts.dead is not None:
        return "dead"
    if facts.stopped:
        return "stopped"
    return "no_sign" if facts.without_sign else None
