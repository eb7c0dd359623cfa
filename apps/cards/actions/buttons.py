"""The buttons of cards: pressed by an operator, told to the shop once, never again."""

from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from apps.accounts.audit.records import record_of_card
from apps.agents.models import Agent
from apps.cards.actions.calls import ShopAnswer, call_shop
from apps.cards.actions.facts import facts_of
from apps.cards.actions.reading import keep, kept_of, shown_action
from apps.cards.actions.settings import settings_of
from apps.cards.events import CardsUpdated
from apps.cards.models import CardAction, CardSettings, ChatCards
from apps.cards.rules.components import button_of
from apps.cards.rules.states import CardsRead, message_of, read_answer
from apps.chats.actions.changes import locked_chat, record_change, record_step
from apps.chats.rules.activities import StepKind
from apps.core import bus
from apps.core.errors import NOT_FOUND
from apps.leases import Lease, wake_workers
from apps.leases.queues import CRASHED

SECONDS = 10.0


class Pressed(NamedTuple):
    """The button's action, and whether this call made it."""

    action: dict[str, Any]
    is_new: bool


@transaction.atomic
def press_button(*, agent: Agent, chat_id: int, key: str, action: str, client_id: UUID, locale: str) -> Pressed:
    """Has the shop told that an operator pressed a button of a card, with a step in the thread and a line in the trail.

    A known `client_id` does nothing more. Raises NOT_FOUND (404): no such chat, or no such button in what is kept.
    """
    widget_id = agent.widget_id
    chat = locked_chat(widget_id, chat_id)
    known = CardAction.objects.for_widget(widget_id).filter(client_id=client_id).first()
    if known is not None:
        if (known.chat_id, known.key, known.agent_id) != (chat_id, key, agent.pk):
            raise NOT_FOUND()
        return Pressed(shown_action(known), is_new=False)
    settings = settings_of(widget_id)
    titles = {card["key"]: card["title"] for card in settings.cards} if settings else {}
    card = kept_of(ChatCards.objects.for_widget(widget_id).filter(chat_id=chat_id).first()).get(key)
    button = button_of(card["components"], action) if card and key in titles else None
    if button is None:
        raise NOT_FOUND()
    row = CardAction.objects.create(
        widget_id=widget_id,
        chat_id=chat_id,
        agent=agent,
        client_id=client_id,
        key=key,
        action=action,
        value=button.get("value"),
        locale=locale[:10],
    )
    record_step(chat, StepKind.CARD, agent_id=agent.pk, comment=f"{titles[key]}: {button['label']}")
    record_change(chat)
    record_of_card(chat.widget, f"#{chat_id} {key}: {action}", by=agent.user)
    bus.publish(CardsUpdated(widget_id=widget_id, chat_id=chat_id))
    wake_workers()
    return Pressed(shown_action(row), is_new=True)


def work(lease: Lease[CardAction]) -> None:
    """Tells the shop. A worker that died on the way leaves it unknown whether it was done."""
    row = lease.row
    settings, facts = settings_of(row.widget_id), facts_of(row.widget_id, row.chat_id)
    if row.sent_at is not None:
        _end(lease, CardAction.State.UNKNOWN)
        return
    if settings is None or facts is None:
        _end(lease, CardAction.State.FAILED)
        return
    agent = Agent.objects.for_widget(row.widget_id).filter(pk=row.agent_id or 0).first()
    written = CardAction.objects.for_widget(row.widget_id).filter(pk=row.pk, claim_id=lease.claim_id, sent_at=None)
    if not written.update(sent_at=timezone.now()):
        return
    data = {
        **facts.data,
        "key": row.key,
        "action": row.action,
        "value": row.value,
        "client_id": str(row.client_id),
        "agent": {"id": row.agent_id, "name": agent.name if agent else None},
        "agent_id": row.agent_id,
        "locale": row.locale,
    }
    answer = call_shop(
        settings, "cards.action", data, widget_guid=facts.widget_guid, event_id=row.client_id, seconds=SECONDS
    )
    _end(lease, _state_after(answer), answer, settings=settings, is_proved=facts.is_proved)


def given_up(lease: Lease[CardAction], reason: str) -> None:
    was_sent = reason == CRASHED or lease.row.sent_at is not None
    _end(lease, CardAction.State.UNKNOWN if was_sent else CardAction.State.FAILED)


def _state_after(answer: ShopAnswer) -> CardAction.State:
    if answer.error is None:
        return CardAction.State.DONE
    return CardAction.State.UNKNOWN if answer.was_sent else CardAction.State.FAILED


def _end(
    lease: Lease[CardAction],
    state: CardAction.State,
    answer: ShopAnswer | None = None,
    *,
    settings: CardSettings | None = None,
    is_proved: bool = False,
) -> None:
    row = lease.row
    document = answer.document if answer else None
    with transaction.atomic():
        CardAction.objects.for_widget(row.widget_id).filter(pk=row.pk).update(
            state=state, message=message_of(document) or None
        )
        if settings is not None and isinstance(document, dict) and "cards" in document:
            given = document["cards"] if isinstance(document["cards"], list) else []
            told = {each["key"] for each in given if isinstance(each, dict) and isinstance(each.get("key"), str)}
            keys = [card["key"] for card in settings.cards if card["key"] in told]
            keep(settings, row.chat_id, read_answer(document, keys) if keys else CardsRead({}, {}), is_proved=is_proved)
        else:
            bus.publish(CardsUpdated(widget_id=row.widget_id, chat_id=row.chat_id))
        lease.done(though_overtaken=True)
