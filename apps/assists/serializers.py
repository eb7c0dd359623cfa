"""Assists as operators see them, over HTTP and in frames."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from apps.assists.rules.kinds import ASKED_BESIDE_A_CHAT, OVER, AssistKind, AssistOutcome, AssistState
from apps.chats.serializers.chats import FactDifferenceSerializer
from apps.core.endpoints.row_serializers import IntegerList, RowSerializer, TextList, TextOrNull, Time
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Number, Text

if TYPE_CHECKING:
    from apps.assists.models import Assist


class SentenceSerializer(RowSerializer):
    """A sentence, and the numbers of the pieces that it names as its sources."""

    text = Text()
    sources = IntegerList(help_text="Numbers of `sources`.")


class DraftSourceSerializer(RowSerializer):
    """A numbered piece that the model was given."""

    n = Integer()
    kind = Choice(choices=["knowledge", "past", "card"])
    title = Text(allow_blank=True)
    url = TextOrNull()
    ref = Text(allow_blank=True)
    is_public = Boolean(help_text="Visitors may be told of it.")


class SummaryTextSerializer(RowSerializer):
    """A summary of a chat."""

    wants = Text()
    done = Text(allow_blank=True)
    open = TextList()
    promised = TextList()


class AssistSerializer(RowSerializer):
    """A question to a model for an operator, and its result."""

    id = Integer()
    chat_id = Integer()
    kind = Choice(choices=list(ASKED_BESIDE_A_CHAT))
    tool = TextOrNull()
    state = Choice(choices=list(AssistState))
    is_stale = Boolean(help_text="The chat has gone on since.")
    text = Text(allow_blank=True)
    sentences = SentenceSerializer(many=True)
    sources = DraftSourceSerializer(many=True)
    unsupported = TextList(help_text="Facts that stand in no source.")
    differs = FactDifferenceSerializer(many=True)
    summary = SummaryTextSerializer(allow_null=True)
    tags = TextList()
    language = TextOrNull()
    based_on = Integer(help_text="The newest visible message that it knows; 0 for none.")
    reason = TextOrNull(help_text="Why there is no result.")
    outcome = Choice(choices=list(AssistOutcome), allow_null=True)
    distance = Number(allow_null=True, help_text="How far what was sent is from it, 0 to 1.")
    created_at = Time()
    finished_at = Time(allow_null=True)


class ToolSerializer(RowSerializer):
    """A tool for texts."""

    id = Text()
    name = Text()
    is_builtin = Boolean()


def shown(assist: "Assist") -> dict[str, Any]:
    """An assist that `for_api` has read, as operators see it. After a day only its redacted words are left."""
    made: dict[str, Any] = json.loads(assist.result or "{}")
    is_over = assist.state in OVER
    sentences: Sequence[Any] = made.get("sentences", [])
    return {
        "id": assist.pk,
        "chat_id": assist.chat_id,
        "kind": assist.kind,
        "tool": assist.tool or None,
        "state": assist.state,
        "is_stale": is_stale(assist),
        "text": made.get("text", assist.answer) if is_over else "",
        "sentences": sentences,
        "sources": made.get("sources", []),
        "unsupported": made.get("unsupported", []),
        "differs": made.get("differs", []),
        "summary": made.get("summary"),
        "tags": made.get("tags", []),
        "language": assist.language or None,
        "based_on": assist.based_on,
        "reason": assist.reason or None,
        "outcome": assist.outcome or None,
        "distance": assist.distance,
        "created_at": assist.created_at,
        "finished_at": assist.finished_at,
    }


def is_stale(assist: "Assist") -> bool:
    """Whether the chat has gone on since a draft was made of it."""
    has_newer: bool = getattr(assist, "has_newer", False)
    return has_newer and assist.kind == AssistKind.DRAFT and assist.state in (AssistState.DONE, AssistState.RUNNING)
