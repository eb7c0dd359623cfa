"""Sending and editing an operator's messages and notes, with the words that they wrote themselves, and what each was
made from.
"""

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any
from uuid import UUID

from django.apps import apps as django_apps
from django.db import transaction

from apps.agents.models import Agent
from apps.chats import actions as chats
from apps.chats.actions.messages import PostedMessage
from apps.chats.rules import Via
from apps.chats.rules.translations import translations_of
from apps.console.actions.translations import with_own_words


def send_message(
    *,
    operator: Agent,
    chat_id: int,
    client_id: UUID,
    content: Mapping[str, Any],
    is_note: bool = False,
    and_close: bool = False,
    source: Mapping[str, str] | None = None,
    made_from: Mapping[str, int] | None = None,
) -> PostedMessage:
    """Posts an operator's message, or note; with `and_close` the chat is closed by it, in one transaction.

    `source`: the operator's own words, of which the text is the translation. `made_from`: the `assist_id` or
    `from_message_id` that it began with.

    Raises TRANSLATION_DIFFERS (422), and what posting and closing raise: then nothing is stored.
    """
    if not is_note:
        content = with_own_words(content, source)
    post = chats.post_note if is_note else chats.post_agent_message
    about: dict[str, Any] = {"widget_id": operator.widget_id, "chat_id": chat_id}
    with transaction.atomic() if and_close else nullcontext():
        posted = post(agent_id=operator.pk, content=content, client_id=client_id, via=Via.CONSOLE, **about)
        if and_close and posted.is_new:
            chats.close_chat(by_agent_id=operator.pk, **about)
    if made_from and not is_note and django_apps.is_installed("apps.assists"):
        from apps.assists.actions.outcomes import note_sent

        body = source["text"] if source else posted.message["body"]
        note_sent(agent=operator, chat_id=chat_id, message_id=posted.id, body=body, client_id=client_id, **made_from)
    return posted


def edit_own_message(
    *, operator: Agent, message_id: int, body: str, markdown: str | None, source: Mapping[str, str] | None = None
) -> None:
    """Gives an operator's message another text. One of which the former text was a translation has their new words from
    `source`, and without it none.

    Raises TRANSLATION_DIFFERS (422), and what `chats.edit_message` raises: then nothing is changed.
    """
    content = with_own_words({"body": body}, source)
    chats.edit_message(
        widget_id=operator.widget_id,
        message_id=message_id,
        agent_id=operator.pk,
        body=body,
        markdown=markdown,
        translations=translations_of(content.get("details")),
    )
