"""The question about alerts that this app asks the apps above, which report alerts of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from apps.core.plugins import HookSet, hooked


class WishDraft(NamedTuple):
    """The draft that the approval of a wish would store, of the assistant that it is for.

    `refusal`: why the wish can't be approved now; empty where it can.
    """

    assistant_id: int
    draft: Mapping[str, Any]
    refusal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AiHooks(HookSet):
    """The answers of an app to this question (its `hooks.py`)."""

    # The sentences of its alerts by their codes, marked by `gettext_noop`.
    alert_sentences: Mapping[str, str] | None = None
    # The draft of a wish of the widget; None where it has no such wish.
    wish_draft: Callable[[int, int], WishDraft | None] | None = None
    # Whether a person sent this message of a chat after they had edited a draft: (widget, chat, message).
    is_edited_draft: Callable[[int, int, int], bool] | None = None


def alert_sentences() -> Mapping[str, str]:
    """The sentences of the alerts of all apps above, by their codes."""
    return {
        code: words for of_app in hooked(lambda app: app.alert_sentences, AiHooks) for code, words in of_app.items()
    }


def wish_draft(widget_id: int, wish_id: int) -> WishDraft | None:
    """The draft of a wish; None where no app knows it."""
    drafts = (draft(widget_id, wish_id) for draft in hooked(lambda app: app.wish_draft, AiHooks))
    return next((draft for draft in drafts if draft is not None), None)


def is_edited_draft(widget_id: int, chat_id: int, message_id: int) -> bool:
    """Whether a person sent a message after they had edited a draft."""
    return any(is_one(widget_id, chat_id, message_id) for is_one in hooked(lambda app: app.is_edited_draft, AiHooks))
