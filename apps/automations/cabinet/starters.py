"""The five automations that a new one may start from, without the parts that the person still chooses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class Starter:
    """An automation to start from: its name, and its maker in the reader's language."""

    title: StrOrPromise
    make: Callable[[], dict[str, Any]]


def _managers(text: str) -> dict[str, Any]:
    return {"do": "notify", "whom": "managers", "by": ["console"], "text": text}


def _unanswered() -> dict[str, Any]:
    return {
        "when": {"wait": "visitor_waits", "minutes": 10, "clock": "open"},
        "if": None,
        "then": [_managers(gettext("A visitor has waited for 10 minutes."))],
    }


def _refund() -> dict[str, Any]:
    asked = [gettext("refund"), gettext("money back")]
    return {
        "when": {"event": "visitor.wrote"},
        "if": {"any": [{"field": "text", "op": "contains", "value": words} for words in asked]},
        "then": [{"do": "priority", "value": "urgent"}, {"do": "send_to"}],
    }


def _silent() -> dict[str, Any]:
    text = gettext("Is everything solved? We close this chat for now. Write, and it is open again.")
    return {
        "when": {"wait": "visitor_silent", "minutes": 1_440, "clock": "always"},
        "if": None,
        "then": [{"do": "reply", "text": text}, {"do": "close"}],
    }


def _low_rating() -> dict[str, Any]:
    return {
        "when": {"event": "chat.rated"},
        "if": {"all": [{"field": "rating", "op": "lte", "value": 2}]},
        "then": [
            {"do": "note", "text": gettext("The visitor gave a low rating: see what went wrong.")},
            _managers(gettext("A visitor gave a low rating.")),
        ],
    }


def _outside_hours() -> dict[str, Any]:
    text = gettext("We are closed now. Leave your question here: we answer as soon as we are back.")
    return {
        "when": {"event": "visitor.wrote"},
        "if": {
            "all": [
                {"field": "is_open", "op": "is", "value": False},
                {"field": "messages", "op": "is", "value": 1},
            ]
        },
        "then": [{"do": "reply", "text": text}, {"do": "priority", "value": "high"}],
    }


STARTERS: Mapping[str, Starter] = {
    "unanswered": Starter(_("Nobody answered for 10 minutes: tell the managers"), _unanswered),
    "refund": Starter(_("Asks for a refund: urgent, to a department"), _refund),
    "silent": Starter(_("Silent for a day: ask once, then close"), _silent),
    "low_rating": Starter(_("A low rating: leave a note and tell the managers"), _low_rating),
    "outside_hours": Starter(_("Outside open hours: reply, high priority"), _outside_hours),
}
