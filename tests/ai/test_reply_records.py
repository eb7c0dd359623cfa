"""A reply reads once and writes once: its verdict sees all that was committed before it had the chat's lock, limits and
the day's budget are taken together or not at all, and a paid call is written down whatever becomes of its answer.
"""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection, transaction

from apps.agents.models import Agent
from apps.ai.actions.replies.reading import ReplyContext, read, read_again
from apps.ai.actions.usage import LimitReached, TokenEstimate, VendorCall, take, vendor_call
from apps.ai.models import AiSettings, Assistant, Credential, Exchange, ReplyJob, Usage
from apps.chats.models import Chat
from apps.core.errors import RATE_LIMITED
from apps.core.models import QuotaUse
from apps.core.quotas import Quota
from apps.egress.call_budget import CallBudget
from apps.kb.questions import BudgetExhausted
from tests.ai.desk import Desk
from tests.waits import wait_until_somebody_waits

Meanwhile = Callable[[Callable[[], object]], None]
HOUR = timedelta(hours=1)
TEN, ONE = Quota("tests.ten", 10, HOUR, RATE_LIMITED), Quota("tests.one", 1, HOUR, RATE_LIMITED)


@pytest.mark.django_db(transaction=True)
def test_a_verdict_that_waited_for_the_chat_sees_what_was_said_before(desk: Desk, alice: Agent) -> None:
    desk.writes()
    asked = read(widget_id=desk.widget.pk, chat_id=desk.chat.pk)
    found: list[ReplyContext] = []

    def judge() -> None:
        with transaction.atomic():
            found.append(read_again(asked, operator_id=desk.operator.pk, assistant_id=desk.assistant.pk))
        connection.close()

    judging = threading.Thread(target=judge)
    with transaction.atomic():
        Chat.objects.select_for_update().get(pk=desk.chat.pk)
        judging.start()
        wait_until_somebody_waits()
        desk.person_writes(alice)
    judging.join()
    (context,) = found
    assert (context.owner_id, context.burst, context.is_able) == (alice.pk, [], True)
    assert context.messages[-1].is_persons


@pytest.mark.django_db
def test_the_context_has_all_that_an_answer_is_made_of(desk: Desk) -> None:
    desk.writes()
    Credential.objects.update(prompt_price="0.150", completion_price="0.600", price_currency="USD")
    context = read(widget_id=desk.widget.pk, chat_id=desk.chat.pk)
    (assistant,), (operator,), (credential,) = context.assistants, context.operators, context.credentials
    stored = [Assistant.objects.get(), Agent.objects.get(pk=desk.operator.pk), Credential.objects.get(), desk.now]
    for row, of_orm in zip([assistant, operator, credential, context.chat], stored, strict=True):
        names = [field.attname for field in row._meta.concrete_fields]
        assert {name: getattr(row, name) for name in names} == {name: getattr(of_orm, name) for name in names}
    assert credential.price == Credential.objects.get().price
    assert context.chat.widget.allowed_origins == desk.widget.allowed_origins


@pytest.mark.django_db
class TestLimitsAndBudget:
    def test_one_of_each_is_taken_or_none_of_any(self, desk: Desk) -> None:
        limits = [(TEN, 7), (ONE, "a")]
        assert take(desk.widget.pk, limits) == 0
        assert (TEN.remaining(7), ONE.remaining("a")) == (9, 0)
        assert 3_595 <= take(desk.widget.pk, limits) <= 3_600
        assert TEN.remaining(7) == 9

    def test_a_call_takes_of_all(self, desk: Desk) -> None:
        with self.call(desk) as call:
            call.answered(prompt_tokens=5, completion_tokens=2)
        assert Usage.objects.get().outcome == "ok"
        assert (TEN.remaining(7), ONE.remaining("a")) == (9, 0)

    def test_without_room_in_a_limit_nothing_is_taken(self, desk: Desk) -> None:
        take(desk.widget.pk, [(ONE, "a")])
        with pytest.raises(LimitReached) as reached, self.call(desk):
            raise AssertionError("the call went out")
        assert 3_595 <= reached.value.wait_s <= 3_600
        assert (Usage.objects.count(), TEN.remaining(7)) == (0, 10)

    def test_without_room_in_the_day_nothing_is_taken(self, desk: Desk) -> None:
        AiSettings.objects.update(daily_token_budget=99)
        with pytest.raises(BudgetExhausted), self.call(desk):
            raise AssertionError("the call went out")
        assert (Usage.objects.count(), QuotaUse.objects.count()) == (0, 0)

    @staticmethod
    def call(desk: Desk) -> AbstractContextManager[VendorCall]:
        return vendor_call(
            widget_id=desk.widget.pk,
            purpose="x",
            model="m",
            estimate=TokenEstimate(100),
            budget=CallBudget(operations=1, seconds=1),
            requests=1,
            limits=[(TEN, 7), (ONE, "a")],
        )


@pytest.mark.django_db
class TestAPaidCall:
    def test_is_written_down_though_its_lease_is_lost(self, desk: Desk, meanwhile: Meanwhile) -> None:
        question = desk.writes()
        meanwhile(lambda: ReplyJob.objects.update(claim_id=uuid4()))
        desk.take().run()
        assert desk.said(after=question) == []
        assert not Exchange.objects.exists()
        usage = Usage.objects.get()
        assert (usage.outcome, usage.prompt_tokens, usage.reserved_tokens) == ("ok", 11, 0)

    def test_of_a_dropped_answer_is_written_with_the_exchange(
        self, desk: Desk, meanwhile: Meanwhile, alice: Agent
    ) -> None:
        desk.writes()
        meanwhile(lambda: desk.person_writes(alice))
        desk.take().run()
        assert (desk.exchange.outcome, Usage.objects.get().outcome) == ("dropped", "ok")
