"""A widget's bot: registering it, and who has a chat.

A person has a chat from when they take it until it is closed; every other chat is the bot's, which is told what
visitors write there. Whoever has no active bot has no such records either.
"""

import time
from collections.abc import Mapping
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import orjson
from django.db import transaction

from apps.accounts.audit.records import record_secret
from apps.compat import rules
from apps.compat.models import LegacyBot, TakenChat
from apps.compat.payloads import BotEventBody
from apps.compat.rules import Talk
from apps.core import database, destinations
from apps.core.bus import Cte
from apps.core.destinations import Outgoing
from apps.messengers.rules import new_secret

KNOWN_FOR = 5.0  # seconds


class Known(NamedTuple):
    """The active bots, by their widgets, as they are known until then by the monotonic clock."""

    by_widget: Mapping[int, int]
    until: float


_known = Known({}, until=0)


@transaction.atomic
def register_bot(*, widget_id: int, url: str, target: str) -> LegacyBot:
    """Registers the widget's bot, whose events go to a url, vetted before; `target` is its canonical spelling.

    Other processes tell it from some seconds later on (`bot_of`).
    """
    bot = LegacyBot.objects.create(widget_id=widget_id, url=url, target=target, secret=new_secret())
    database.after_commit(forget_bots)
    return bot


@transaction.atomic
def set_bot(*, bot: LegacyBot, changes: Mapping[str, Any]) -> None:
    """Changes where a bot is told (`url` with its `target`), and whether it is (`is_active`), as far as it is given.

    What waits for it goes to the new address, or is dropped.
    """
    for name, value in changes.items():
        setattr(bot, name, value)
    bot.save(update_fields=list(changes))
    if not bot.is_active:
        TakenChat.objects.of(bot.widget_id).delete()
    database.after_commit(forget_bots)


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
    TakenChat.objects.of(bot.widget_id).delete()
    bot.delete()
    database.after_commit(forget_bots)


def bot_of(widget_id: int) -> int | None:
    """The id of the widget's active bot, if it has one.

    Asked for at every message, of which Django's cache would take 2.8 % (bench: post): so each process remembers the
    bots of all widgets, few rows, for KNOWN_FOR seconds.
    """
    global _known
    before = known = _known  # once: another thread may forget meanwhile
    if time.monotonic() > known.until:
        found = dict(LegacyBot.objects.active().values_list("widget_id", "pk"))
        known = Known(found, time.monotonic() + KNOWN_FOR)
        if _known is before:  # else what was found may be old by now
            _known = known
    return known.by_widget.get(widget_id)


def forget_bots() -> None:
    """Has this process read the bots anew at the next message."""
    global _known
    _known = Known({}, until=0)


def tell_bot(talk: Talk, body: BotEventBody) -> Cte | None:
    """Queues an event for the widget's bot, as part of a statement; None for a widget that has none."""
    bot_id = bot_of(talk.widget_id)
    if bot_id is None or not destinations.is_available():
        return None
    outgoing = Outgoing(
        widget_id=talk.widget_id,
        destination_ids=[bot_id],
        event_id=UUID(body["id"]),
        event_type=body["event"],
        body=orjson.dumps(body).decode(),
    )
    return destinations.queue_cte(destinations.kinds()[rules.DESTINATIONS], [outgoing])


def take_chat(talk: Talk, *, agent_id: int) -> None:
    """Records that a person has a chat, and tells the bot; nothing without a bot, or where a person has it already."""
    joined = tell_bot(talk, rules.agent_joined(talk, uuid4(), agent_id=agent_id))
    if joined and TakenChat.objects.get_or_create(chat_id=talk.chat_id)[1]:
        joined.run()


def taking_cte(talk: Talk, *, agent_id: int) -> Cte | None:
    """The same as part of the statement that stores what the person wrote, for a chat that no person has."""
    joined = tell_bot(talk, rules.agent_joined(talk, uuid4(), agent_id=agent_id))
    if joined is None:
        return None
    parameters = {**joined.parameters, "compat_chat_id": talk.chat_id}
    return Cte(f"{_TAKE}, {joined.sql}", parameters, value=joined.value, then=joined.then)


def close_chat(talk: Talk) -> None:
    """Tells the bot that a chat is closed. What its visitor writes next is the bot's again."""
    if closed := tell_bot(talk, rules.chat_closed(talk, uuid4())):
        TakenChat.objects.of(talk.widget_id).filter(chat_id=talk.chat_id).delete()
        closed.run()


# By hand: a part of the statement that stores a message (bench: post).
_TAKE = """
compat_taken AS (
    INSERT INTO compat_takenchat (chat_id) SELECT %(compat_chat_id)s WHERE EXISTS (SELECT FROM written)
    ON CONFLICT DO NOTHING
)"""
