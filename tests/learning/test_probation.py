"""Probation: its figures, and what they lead to (design of learning, 7)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from apps.accounts.models import Widget
from apps.ai.models import Alert, Assistant, Exchange, PersonaHistory, PersonaVersion
from apps.ai.rules.actors import SYSTEM
from apps.chats.models import Rating
from apps.learning.actions.wishes import approve_wish, submit_wish
from apps.learning.models import Probation, Wish
from apps.learning.rules.probation import Metrics, is_worse, metrics_of
from tests.factories.ai import ExchangeFactory
from tests.factories.chats import ChatFactory, MessageFactory
from tests.learning.conftest import PERSONA

pytestmark = pytest.mark.django_db


def answered(assistant: Assistant, version: int, *, many: int, escalated: int = 0, rated: int | None = None) -> None:
    """Chats that the version answered first, the first of them taken by a person after."""
    for number in range(many):
        chat = ChatFactory.create(contact__widget=assistant.widget)
        exchange = ExchangeFactory.create(chat=chat)
        Exchange.objects.filter(pk=exchange.pk).update(
            assistant=assistant, persona_version=version, outcome="shown", at=timezone.now()
        )
        if number < escalated:
            MessageFactory.create(chat=chat, sender_kind="agent", created_at=timezone.now() + timedelta(minutes=1))
        if rated is not None:
            Rating.objects.create(widget=assistant.widget, chat=chat, value=rated, rated_at=timezone.now())


def approved(assistant: Assistant) -> Wish:
    wish = submit_wish(widget_id=assistant.widget_id, text="Be rude to everybody.", author=SYSTEM)
    approve_wish(widget_id=assistant.widget_id, wish_id=wish.pk, actor=SYSTEM)
    return wish


def in_hours(hours: float) -> str:
    return (timezone.now() + timedelta(hours=hours)).isoformat()


def test_ten_spoiled_chats_bring_the_old_text_back(assistant: Assistant, shop: Widget) -> None:
    answered(assistant, 1, many=10, escalated=1)
    wish = approved(assistant)
    answered(assistant, 2, many=9, escalated=9)
    call_command("review_probations", as_of=in_hours(1))
    assert Probation.objects.get().state == "running"
    answered(assistant, 2, many=1, escalated=1)
    for _ in range(2):
        call_command("review_probations", as_of=in_hours(1))
    assistant.refresh_from_db()
    assert (assistant.persona, assistant.persona_version) == (PERSONA, 3)
    wish.refresh_from_db()
    assert (wish.status, wish.decisions.latest("pk").action) == ("reverted", "rolled_back")
    made = PersonaVersion.objects.get(assistant=assistant, version=3)
    assert (made.cause, made.restores, made.wish_id) == ("rollback", 1, wish.pk)
    line = PersonaHistory.objects.latest("pk")
    assert line.action == "rolled_back"
    assert line.metrics is not None
    assert (line.metrics["baseline"]["escalation_rate"], line.metrics["current"]["escalation_rate"]) == (0.1, 1.0)
    assert Alert.objects.for_widget(shop.pk).get().code == "learning_rolled_back"


def test_low_ratings_do_too(assistant: Assistant) -> None:
    answered(assistant, 1, many=5, rated=5)
    approved(assistant)
    answered(assistant, 2, many=5, rated=4)
    call_command("review_probations", as_of=in_hours(1))
    assert Probation.objects.get().state == "rolled_back"


def test_good_ones_are_kept_after_72_hours(assistant: Assistant) -> None:
    answered(assistant, 1, many=10, escalated=5)
    approved(assistant)
    answered(assistant, 2, many=20, escalated=13)
    call_command("review_probations", as_of=in_hours(71.9))
    assert Probation.objects.get().state == "running"
    call_command("review_probations", as_of=in_hours(72.1))
    probation = Probation.objects.get()
    assert (probation.state, probation.current["chats"]) == ("kept", 20)


def test_chats_of_other_versions_do_not_count(assistant: Assistant) -> None:
    approved(assistant)
    answered(assistant, 1, many=20, escalated=20)
    call_command("review_probations", as_of=in_hours(1))
    assert (Probation.objects.get().state, Probation.objects.get().current["chats"]) == ("running", 0)


@pytest.mark.parametrize(
    ("current", "baseline", "worse"),
    [
        ((9, 9, 0, 0), (10, 0, 0, 0), False),
        ((10, 3, 0, 0), (10, 1, 0, 0), True),
        ((20, 5, 0, 0), (10, 1, 0, 0), False),
        ((10, 6, 0, 0), (9, 0, 0, 0), False),
        ((10, 7, 0, 0), (9, 0, 0, 0), True),
        ((0, 0, 5, 20), (0, 0, 5, 25), True),
        ((0, 0, 4, 4), (0, 0, 5, 25), False),
        ((0, 0, 5, 5), (0, 0, 4, 20), False),
        ((0, 0, 10, 45), (0, 0, 10, 50), False),
    ],
)
def test_when_a_text_is_worse(
    current: tuple[int, int, int, int], baseline: tuple[int, int, int, int], worse: bool
) -> None:
    names = ("chats", "escalations", "ratings", "rating_sum")
    both = [metrics_of(**dict(zip(names, told, strict=True))) for told in (current, baseline)]
    assert is_worse(*both) == worse
    assert not is_worse(Metrics(), Metrics())
