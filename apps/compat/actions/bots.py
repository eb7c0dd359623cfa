"""A widget's bot: registering it, and who has a chat.

A person has a chat from when they take it until it is closed; every other chat is the bot's, which is told what
visitors write there. A widget without an active bot has no such records either.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import orjson
from django.db import transaction

from apps.accounts.actions import set_answerer
from apps.accounts.audit.records import record_secret
from apps.accounts.rules import Answerer
from apps.compat import rules
from apps.compat.models import ClaimedChat, LegacyBot
from apps.compat.payloads import BotEventBody
from apps.compat.rules import Talk
from apps.core import destinations
from apps.core.bus import Cte
from apps.core.destinations import OutgoingEvent
from apps.messengers.rules import new_secret


@transaction.atomic
def register_bot(*, widget_id: int, url: str, target: str) -> LegacyBot:
    """Registers the widget's bot, whose events go to a url, vetted before; `target` is its canonical spelling."""
    bot = LegacyBot.objects.create(widget_id=widget_id, url=url, target=target, secret=new_secret())
    set_answerer(widget_id=widget_id, answerer=Answerer.LEGACY_BOT, answers=True)
    return bot


@transaction.atomic
def set_bot(*, bot: LegacyBot, changes: Mapping[str, Any]) -> None:
    """Changes a bot's address (`url` with its `target`), and whether it is told (`is_active`), as far as it is given.

    Waiting events go to the new address, or are dropped.
    """
    for name, value in changes.items():
        setattr(bot, name, value)
    bot.save(update_fields=list(changes))
    if not bot.is_active:
        ClaimedChat.objects.for_widget(bot.widget_id).delete()
    set_answerer(widget_id=bot.widget_id, answerer=Answerer.LEGACY_BOT, answers=bot.is_active)


@transaction.atomic
def replace_secret(*, bot: LegacyBot) -> str:
    """Gives a bot another secret, which signs at once, also what waits; returns it in plain text."""
    secret = new_secret()
    bot.secret = secret
    bot.save(update_fields=["secret"])
    record_secret(bot, "secret", "replaced")
    return secret


@transaction.atomic
def delete_bot(*, bot: LegacyBot) -> None:
    """Deletes a bot; what waits for it is dropped when it comes up."""
    ClaimedChat.objects.for_widget(bot.widget_id).delete()
    bot.delete()
    set_answerer(widget_id=bot.widget_id, answerer=Answerer.LEGACY_BOT, answers=False)


def queue_bot_event(talk: Talk, body: BotEventBody) -> bool:
    """Queues an event for the widget's bot; False, and nothing is done, for a widget that has none."""
    outgoing = _outgoing(talk, body)
    if outgoing is None:
        return False
    destinations.queue(destinations.kinds()[rules.DESTINATIONS], [outgoing])
    return True


def take_chat(talk: Talk, *, agent_id: int) -> None:
    """Records that a person has a chat, and tells the bot; nothing without a bot, or where a person has it already."""
    joined = _outgoing(talk, rules.agent_joined(talk, uuid4(), agent_id=agent_id))
    if joined and ClaimedChat.objects.unscoped("read with its widget before").get_or_create(chat_id=talk.chat_id)[1]:
        destinations.queue(destinations.kinds()[rules.DESTINATIONS], [joined])


def close_chat(talk: Talk) -> None:
    """Tells the bot that a chat is closed. The visitor's next message goes to the bot again."""
    if queue_bot_event(talk, rules.chat_closed(talk, uuid4())):
        ClaimedChat.objects.for_widget(talk.widget_id).filter(chat_id=talk.chat_id).delete()


class Told(NamedTuple):
    """The bot's event for a message in a chat, by which a person has taken the chat or not."""

    talk: Talk
    bot_id: int
    body: BotEventBody
    takes_chat: bool


def telling_cte(messages: Sequence[Told]) -> Cte | None:
    """Tells bots of messages as part of the statement that stores them, and records whose chats persons have taken."""
    if not messages or not destinations.is_available():
        return None
    outgoing = [_to_bot(told.bot_id, told.talk, told.body) for told in messages]
    queued = destinations.queue_cte(destinations.kinds()[rules.DESTINATIONS], outgoing)
    taken = [told.talk.chat_id for told in messages if told.takes_chat]
    if not taken:
        return queued
    return queued._replace(sql=f"{_TAKE}, {queued.sql}", parameters={**queued.parameters, "compat_taken": taken})


def _outgoing(talk: Talk, body: BotEventBody) -> OutgoingEvent | None:
    """An event for the widget's active bot; None without one, or without an app that delivers."""
    bot_id = LegacyBot.objects.for_widget(talk.widget_id).active().values_list("pk", flat=True).first()
    if bot_id is None or not destinations.is_available():
        return None
    return _to_bot(bot_id, talk, body)


def _to_bot(bot_id: int, talk: Talk, body: BotEventBody) -> OutgoingEvent:
    return OutgoingEvent(
        widget_id=talk.widget_id,
        destination_ids=[bot_id],
        event_id=UUID(body["id"]),
        event_type=body["event"],
        body=orjson.dumps(body).decode(),
    )


# By hand: a part of the statement that stores a message (bench: post).
_TAKE = """
compat_taken AS (
    INSERT INTO compat_takenchat (chat_id)
    SELECT chat_id FROM unnest(%(compat_taken)s::bigint[]) AS taken (chat_id) WHERE EXISTS (SELECT FROM written)
    ON CONFLICT DO NOTHING
)"""
