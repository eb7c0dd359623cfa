"""The translation of a chat: its switch, which messages wait, and what models have made of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction

from apps.chats.actions.changes import locked_chat, raise_version, record_change, record_step
from apps.chats.events import ChatUpdated, TranslationsWanted
from apps.chats.models import Chat, Message
from apps.chats.rules import SenderKind
from apps.chats.rules.activities import StepKind
from apps.chats.rules.translations import (
    EARLIER,
    MOST_WAITING,
    TRANSLATIONS,
    ChatTranslation,
    LanguageSource,
    TranslationState,
    pending_of,
    says_something,
    translations_of,
    waiting,
    with_made,
)
from apps.core import bus

# People's words and the service's own are shown as they are.
_READ = (SenderKind.CLIENT, SenderKind.AI, SenderKind.EXTERNAL_OPERATOR)


@transaction.atomic
def switch_translation(
    *,
    widget_id: int,
    chat_id: int,
    agent_id: int | None,
    on: bool,
    to: Sequence[str] = (),
    language: str | None = None,
    earlier: bool = False,
) -> ChatTranslation:
    """Switches a chat's translation; a step tells who did, if it was another before.

    `to`: the languages of who reads, beside those that were there. `language`: the visitor's, as a person says it.
    `earlier`: the newest messages are translated, too. Raises NOT_FOUND (404).
    """
    chat = locked_chat(widget_id, chat_id)
    before = ChatTranslation.of(chat.translation)
    if language is not None:
        before = replace(before, language=language, source=LanguageSource.OPERATOR.value, doubt=None)
    languages = tuple(dict.fromkeys((*to, *(before.to if before.on else ())))) if on else ()
    after = replace(before, on=on, to=tuple(code for code in languages if code != before.language))
    if after.on != ChatTranslation.of(chat.translation).on:
        record_step(chat, StepKind.TRANSLATED if on else StepKind.UNTRANSLATED, agent_id=agent_id)
    record_change(chat, translation=after.as_json())
    if on and earlier:
        _want(chat, after.to)
    return after


@transaction.atomic
def add_readers(*, widget_id: int, chat_id: int, to: Sequence[str]) -> None:
    """Has what is said in a translated chat translated to these languages as well. Raises NOT_FOUND (404)."""
    chat = locked_chat(widget_id, chat_id)
    known = ChatTranslation.of(chat.translation)
    new = [code for code in to if code not in known.to and code != known.language]
    if known.on and new:
        record_change(chat, translation=replace(known, to=(*known.to, *new)).as_json())
        _want(chat, new)


def _want(chat: Chat, to: Sequence[str]) -> None:
    """Marks the newest EARLIER messages that have no translation to these languages as waiting.

    Index: chats_message_in_chat.
    """
    rows = Message.objects.for_widget(chat.widget_id).filter(chat=chat, is_internal=False, sender_kind__in=_READ)
    marked = 0
    for message in rows.order_by("-id")[:MOST_WAITING]:
        known = {each["lang"] for each in translations_of(message.details) if each["state"] != TranslationState.FAILED}
        new = [code for code in to if code not in known]
        if new and says_something(message.body):
            _wait(message, new)
            marked += 1
        if marked == EARLIER:
            break
    _tell(chat)


def _wait(message: Message, to: Sequence[str]) -> None:
    kept = [each for each in translations_of(message.details) if each["lang"] not in to]
    message.details = {**(message.details or {}), TRANSLATIONS: [*kept, *waiting(to)]}
    message.save(update_fields=["details"])


def _tell(chat: Chat) -> None:
    raise_version(chat.pk)
    bus.publish(
        ChatUpdated(widget_id=chat.widget_id, chat_id=chat.pk),
        TranslationsWanted(widget_id=chat.widget_id, chat_id=chat.pk),
    )


def waiting_messages(widget_id: int, chat_id: int) -> list[Message]:
    """The messages of a chat that wait for a translation, the oldest first. Index: chats_message_in_chat."""
    rows = Message.objects.for_widget(widget_id).filter(chat_id=chat_id, is_internal=False)
    newest = rows.order_by("-id")[:MOST_WAITING]
    return [message for message in reversed(newest) if pending_of(message.details)]


@transaction.atomic
def store_translations(
    *,
    widget_id: int,
    chat_id: int,
    lang: str,
    made: Iterable[tuple[int, str, Mapping[str, Any]]],
    visitor_language: str | None = None,
) -> bool:
    """Stores what became of messages: id, the text that was translated, and members of the translation.

    One that was changed meanwhile goes on waiting. `visitor_language`: what a model said of their words. Returns
    whether any still waits. Raises NOT_FOUND (404).
    """
    chat = locked_chat(widget_id, chat_id)
    rows = {number: (body, members) for number, body, members in made}
    messages = Message.objects.for_widget(widget_id).filter(chat=chat, pk__in=rows).order_by("pk")
    for message in messages.select_for_update(of=("self",), no_key=True):
        body, members = rows[message.pk]
        if message.body == body:
            message.details = with_made(message.details, lang, members)
            message.save(update_fields=["details"])
    changes: dict[str, Any] = {}
    if visitor_language:
        known = ChatTranslation.of(chat.translation)
        if (after := known.told(visitor_language)) != known:
            changes["translation"] = after.as_json()
    record_change(chat, **changes)
    return bool(waiting_messages(widget_id, chat_id))


def fail_waiting(*, widget_id: int, chat_id: int) -> None:
    """Says of all messages that wait that they are not translated. In a transaction. Raises NOT_FOUND (404)."""
    chat = locked_chat(widget_id, chat_id)
    _each_waiting(chat, lambda each: {**each, "state": TranslationState.FAILED.value})
    record_change(chat)


def _each_waiting(chat: Chat, changed: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    for message in waiting_messages(chat.widget_id, chat.pk):
        translations = [
            changed(each) if each["state"] == TranslationState.PENDING else each
            for each in translations_of(message.details)
        ]
        message.details = {**(message.details or {}), TRANSLATIONS: translations}
        message.save(update_fields=["details"])
