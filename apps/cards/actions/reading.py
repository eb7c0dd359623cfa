"""A chat's cards as operators are shown them, and the job that asks the shop for those that are due."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.utils import timezone

from apps.cards.actions.calls import call_shop
from apps.cards.actions.facts import facts_of
from apps.cards.actions.settings import settings_of
from apps.cards.events import CardsUpdated
from apps.cards.models import CardAction, CardSettings, ChatCards
from apps.cards.rules import states
from apps.cards.rules.components import plain_text
from apps.cards.rules.states import CardsRead, Kept
from apps.core import bus
from apps.core.errors import NOT_FOUND
from apps.leases import Lease, wake_workers
from apps.leases.models import enqueue

SECONDS = 3.0
MAX_PLAIN_TEXT = 2_000


def known_cards(widget_id: int, chat_id: int) -> list[dict[str, Any]]:
    """The cards of a chat as they are known now; nothing is asked for. Without such a chat there are none."""
    facts, settings = facts_of(widget_id, chat_id), settings_of(widget_id)
    if facts is None or settings is None:
        return []
    kept = kept_of(ChatCards.objects.for_widget(widget_id).filter(chat_id=chat_id).first())
    return _shown(settings, kept, chat_id, is_proved=facts.is_proved)


@transaction.atomic
def look_at_cards(
    *, widget_id: int, chat_id: int, agent_id: int, locale: str, refresh: str | None = None
) -> list[dict[str, Any]]:
    """The cards of a chat as they are known now; those that are due, and `refresh`, are asked for by a job.

    It waits for nobody. Raises NOT_FOUND (404) for the chat of another widget.
    """
    facts = facts_of(widget_id, chat_id)
    if facts is None:
        raise NOT_FOUND()
    settings = settings_of(widget_id)
    if settings is None:
        return []
    now = timezone.now().timestamp()
    row = ChatCards.objects.for_widget(widget_id).filter(chat_id=chat_id).first()
    if refresh is not None and row is not None:
        row = ChatCards.objects.for_widget(widget_id).select_for_update().filter(chat_id=chat_id).first()
        _ask_anew(row, refresh)
    kept = kept_of(row)
    due = states.due_keys([card["key"] for card in settings.cards], kept, is_proved=facts.is_proved, now=now)
    if due and (row is None or row.due_at is None or refresh in due):
        values = {"widget_id": widget_id, "agent_id": agent_id, "locale": locale[:10]}
        enqueue(ChatCards, unique={"chat_id": chat_id}, values=values)
        wake_workers()
    # What failed and is asked for again is no failure any more.
    kept = {key: states.asked_anew(card) if key in due else card for key, card in kept.items()}
    return _shown(settings, kept, chat_id, is_proved=facts.is_proved)


def _ask_anew(cards: ChatCards | None, key: str) -> None:
    kept = kept_of(cards)
    if cards is not None and key in kept:
        cards.contents = json.dumps({**kept, key: states.asked_anew(kept[key])})
        cards.save(update_fields=["contents"])


def kept_of(cards: ChatCards | None) -> Kept:
    """The kept cards of a chat, by key."""
    kept: Kept = json.loads(cards.contents) if cards is not None and cards.contents else {}
    return kept


def _shown(settings: CardSettings, kept: Kept, chat_id: int, *, is_proved: bool) -> list[dict[str, Any]]:
    now = timezone.now().timestamp()
    last = _last_actions(settings.widget_id, chat_id)
    return [
        {
            "key": card["key"],
            "title": card["title"],
            **states.shown_card(kept.get(card["key"]), is_proved=is_proved, now=now),
            "last_action": last.get(card["key"]),
        }
        for card in settings.cards
    ]


def _last_actions(widget_id: int, chat_id: int) -> dict[str, dict[str, Any]]:
    """The newest button of each card. Index: cards_cardaction_in_chat."""
    rows = CardAction.objects.for_widget(widget_id).filter(chat_id=chat_id).order_by("key", "-id").distinct("key")
    return {row.key: shown_action(row) for row in rows}


def shown_action(row: CardAction) -> dict[str, Any]:
    """A button that was pressed, as operators are shown it."""
    return {
        "client_id": row.client_id,
        "action": row.action,
        "state": row.state,
        "message": row.message or None,
    }


def work(lease: Lease[ChatCards]) -> None:
    """Asks the shop for all that is due of a chat, by one request."""
    row = lease.row
    settings, facts = settings_of(row.widget_id), facts_of(row.widget_id, row.chat_id)
    if settings is None or facts is None:
        return
    now = timezone.now().timestamp()
    keys = [card["key"] for card in settings.cards]
    due = states.due_keys(keys, kept_of(row), is_proved=facts.is_proved, now=now)
    if not due:
        return
    data = {**facts.data, "keys": due, "agent_id": row.agent_id, "locale": row.locale}
    answer = call_shop(
        settings, "cards.requested", data, widget_guid=facts.widget_guid, event_id=uuid4(), seconds=SECONDS
    )
    if answer.error is not None:
        read = CardsRead({}, dict.fromkeys(due, answer.error))
    else:
        read = states.read_answer(answer.document, due)
    with transaction.atomic():
        keep(settings, row.chat_id, read, is_proved=facts.is_proved)
        lease.done(though_overtaken=True)


def keep(settings: CardSettings, chat_id: int, read: CardsRead, *, is_proved: bool) -> None:
    """Keeps what was read, and tells of it. In the transaction under way; without a row there is nothing to keep."""
    row = ChatCards.objects.for_widget(settings.widget_id).select_for_update().filter(chat_id=chat_id).first()
    if row is not None:
        ttls = {card["key"]: card["ttl_seconds"] for card in settings.cards}
        now = timezone.now().timestamp()
        kept = states.after_call(kept_of(row), read, ttls, is_proved=is_proved, now=now)
        row.contents = json.dumps(kept)
        row.kept_since = datetime.fromtimestamp(states.oldest(kept, now), UTC)
        row.save(update_fields=["contents", "kept_since"])
    bus.publish(CardsUpdated(widget_id=settings.widget_id, chat_id=chat_id))


def fresh_cards(widget_id: int, chat_id: int) -> list[tuple[str, str]]:
    """Title and plain text (at most 2,000 characters) of a chat's fresh cards, of a contact who is proved."""
    return [
        (card["title"], plain_text(card["title"], card["components"], longest=MAX_PLAIN_TEXT))
        for card in known_cards(widget_id, chat_id)
        if card["state"] == "fresh" and card["is_proved"] and card["components"]
    ]


def forget_old() -> None:
    """Deletes what was read of cards, and the buttons pressed, 24 hours after it."""
    now = timezone.now()
    old = ChatCards.objects.unscoped("every widget's rows").read_before(now - timedelta(seconds=states.KEPT_S))
    old.delete()
    CardAction.objects.unscoped("every widget's rows").ended_before(now - timedelta(hours=24)).delete()
