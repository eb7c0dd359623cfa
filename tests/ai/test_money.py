"""What strangers can make a widget's owner pay: bursts, replies a minute, tokens a day (docs/guides/ai.md, "Money")."""

import contextlib
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.ai.actions.conversing import ask_with_tools, sources_for, speak, transcribe
from apps.ai.actions.embedding import EMBEDDINGS
from apps.ai.actions.model_calls import CHAT_MODEL
from apps.ai.actions.usage import TokenEstimate, vendor_call
from apps.ai.drivers.conversing import Utterance
from apps.ai.models import AiSettings, Alert, ReplyJob, Turn, Usage
from apps.ai.rules import budgets, handover_rules
from apps.ai.rules.prompts import MAX_BURST_TOKENS, bounded, tokens_of
from apps.chats.actions import post_client_message
from apps.chats.models import Chat, Message
from apps.core.models import QuotaUse
from apps.demo.servers.language_models import Vendor, chat, heard, vectors
from apps.demo.servers.played import Says
from apps.egress.call_budget import CallBudget
from apps.kb.questions import BudgetExhausted, ModelFailed
from tests.ai.desk import Desk
from tests.ai.external_desk import ExternalDesk
from tests.client import ApiClient, assert_problem
from tests.factories import ChatFactory
from tests.factories.ai import AssistantFactory, CredentialFactory
from tests.factories.widget import VisitorSessionFactory

HOME = "203.0.113.7"


def budget() -> CallBudget:
    return CallBudget(operations=10, seconds=30)


def floods(chat: Chat, messages: int = 115, characters: int = 10_000) -> None:
    """A stranger writes as much as the calls of a minute let them."""
    for number in range(messages):
        body = f"{number} " + "wonder " * (characters // 7)
        post_client_message(contact=chat.contact, content={"type": "text", "body": body[:characters]})


class TestBursts:
    def test_a_flood_of_long_messages_is_cut_to_the_newest(self, desk: Desk) -> None:
        floods(desk.chat)
        desk.quiet()
        desk.works()
        (asked,) = desk.vendor.asked
        system, *_, burst = asked.json["messages"]
        assert tokens_of(burst["content"]) <= MAX_BURST_TOKENS
        assert burst["content"].splitlines()[-1].startswith("114 ")
        assert "The visitor wrote more than fits here" in system["content"]
        assert len(asked.raw) < 40_000, "it was 1.15 MB"

    def test_the_question_of_the_knowledge_base_and_of_the_classifier_is_cut_alike(self, desk: Desk) -> None:
        desk.vendor.will_say(chat("[KEY_TO_OPERATOR]"), chat('{"escalate": true}'))
        floods(desk.chat, messages=20)
        desk.quiet()
        desk.works()
        purposes = {asked.headers["x-service-purpose"]: len(asked.raw) for asked in desk.vendor.asked}
        assert purposes.keys() == {"reply", "classifier"}
        assert purposes["classifier"] < 40_000
        assert len(desk.exchange.question) <= 4 * MAX_BURST_TOKENS

    def test_the_floors_look_at_what_is_kept(self, desk: Desk) -> None:
        floods(desk.chat, messages=9)
        assert desk.answers("Позовите оператора") != ["По 90 рублей."]
        assert desk.vendor.asked == []

    @pytest.mark.parametrize("text", ["wonder " * 1_500, "спасибо " * 1_300, "\ufdfa" * 10_000, "e\u0301" * 5_000])
    def test_a_look_costs_less_than_half_a_second_of_our_own(self, text: str) -> None:
        handover_rules.floor_of("the patterns are compiled")
        handover_rules.is_social("the patterns are compiled")
        began = time.process_time()
        cut = bounded([text] * 600).text
        handover_rules.floor_of(cut)
        handover_rules.is_social(cut)
        assert time.process_time() - began < 0.5, "115 messages took 5.8 s"

    def test_an_external_operators_turn_is_bounded_by_messages_too(self, robin: ExternalDesk) -> None:
        floods(robin.desk.chat, messages=60)
        robin.desk.quiet()
        robin.desk.works()
        robin.delivers()
        (turn,) = robin.bot.turns
        ids = [message["id"] for message in turn["messages"]]
        newest = Message.objects.filter(sender_kind="client").order_by("-id").values_list("id", flat=True)
        assert ids == sorted(newest[: len(ids)])
        assert 10 < len(ids) < 26, "256 KiB hold no more"
        assert turn["history"] == []
        assert Turn.objects.get().last_message_id == ids[-1]


class TestRepliesAMinute:
    @pytest.fixture
    def strangers(self, desk: Desk, settings: Settings) -> Callable[..., list[Chat]]:
        """So many chats, each of another contact of one address."""
        settings.AI_REPLY_LIMIT = 3

        def write(many: int, address: str = HOME) -> list[Chat]:
            made = []
            for _ in range(many):
                one = ChatFactory.create(contact__widget=desk.widget)
                VisitorSessionFactory.create(contact=one.contact, address=address)
                post_client_message(contact=one.contact, content={"type": "text", "body": "Сколько стоят розы?"})
                made.append(Chat.objects.get(contact=one.contact))
            desk.quiet()
            desk.works()
            return made

        return write

    def test_more_of_one_address_wait_for_their_turn(self, desk: Desk, strangers: Callable[..., list[Chat]]) -> None:
        chats = strangers(5)
        assert len(desk.vendor.asked) == 3
        waiting = ReplyJob.objects.filter(chat__in=chats, due_at__gt=timezone.now() + timedelta(seconds=50))
        assert waiting.count() == 2
        assert not any(one.handed_over_at for one in Chat.objects.all()), "no person is called for that"
        strangers(1, address="203.0.113.8")
        assert len(desk.vendor.asked) == 4, "others are answered"
        QuotaUse.objects.update(at=timezone.now() - timedelta(seconds=61))
        ReplyJob.objects.filter(due_at__isnull=False).update(due_at=timezone.now())
        desk.works()
        assert len(desk.vendor.asked) == 6

    def test_a_widget_has_200_whatever_the_addresses(
        self, desk: Desk, strangers: Callable[..., list[Chat]], settings: Settings
    ) -> None:
        settings.AI_REPLY_LIMIT = 40
        QuotaUse.objects.bulk_create(
            QuotaUse(scope="ai_replies_of_widget", key=str(desk.widget.pk), weight=1) for _ in range(199)
        )
        strangers(2, address="")
        assert len(desk.vendor.asked) == 1

    def test_a_threat_to_ones_life_waits_for_nothing(self, desk: Desk, strangers: Callable[..., list[Chat]]) -> None:
        strangers(3)
        VisitorSessionFactory.create(contact=desk.chat.contact, address=HOME)
        assert len(desk.answers("Я хочу умереть")) == 1
        assert desk.now.handover_reason == "safety_floor"


@pytest.fixture
def limited(shop: Widget, vendor: Vendor) -> Callable[[int | None], None]:
    """The shop has a credential of the vendor, and so many tokens a day."""
    url = f"{vendor.url}/v1"
    CredentialFactory.create(widget=shop, provider="openai", base_url="", target=url, model="m-1")
    AiSettings.objects.create(widget=shop)

    def limit(tokens: int | None) -> None:
        AiSettings.objects.update(daily_token_budget=tokens)

    return limit


def completes(shop: Widget) -> None:
    """Drafts of wishes, cycles of self-learning and translations ask so."""
    CHAT_MODEL.complete(
        shop.pk, purpose="tuning", system="s", messages=[("user", "a")], max_tokens=100, budget=budget()
    )


def embeds(shop: Widget) -> None:
    EMBEDDINGS.embed(shop.pk, ["Розы по 90 рублей."], task="document", budget=budget())


def converses(shop: Widget) -> None:
    sources = sources_for(shop.pk, "openai", None)
    utterances = [Utterance("user", "Где заказ?")]
    ask_with_tools(
        widget_id=shop.pk,
        sources=sources,
        assistant=None,
        system="s",
        utterances=utterances,
        tools=[],
        budget=budget(),
    )


def transcribes(shop: Widget) -> None:
    sources, audio = sources_for(shop.pk, "openai", None), b"ID3" * 1_000
    transcribe(
        widget_id=shop.pk,
        sources=sources,
        audio=audio,
        name="a.mp3",
        mime_type="audio/mpeg",
        language=None,
        budget=budget(),
    )


def speaks(shop: Widget) -> None:
    sources = sources_for(shop.pk, "openai", None)
    speak(widget_id=shop.pk, sources=sources, text="В пути.", voice="nova", format="mp3", budget=budget())


DOORS: list[tuple[Callable[[Widget], None], Any]] = [
    (completes, lambda _: chat("Да.")),
    (embeds, vectors),
    (converses, lambda _: chat("Да.")),
    (transcribes, heard),
    (speaks, heard),
]


class TestTheDaysTokens:
    @pytest.mark.parametrize(("door", "says"), DOORS, ids=[door.__name__ for door, _ in DOORS])
    def test_every_paid_call_asks_and_is_counted(
        self, shop: Widget, vendor: Vendor, limited: Callable[[int | None], None], door: Any, says: Any
    ) -> None:
        vendor.answer = says
        limited(1)
        with pytest.raises(BudgetExhausted):
            door(shop)
        assert vendor.asked == []
        assert not Usage.objects.exists()
        limited(10_000)
        door(shop)
        used = Usage.objects.get()
        assert len(vendor.asked) == 1
        assert used.prompt_tokens + used.completion_tokens + used.reserved_tokens > 0

    def test_what_the_vendor_tells_takes_the_estimates_place(
        self, shop: Widget, vendor: Vendor, limited: Callable[[int | None], None]
    ) -> None:
        vendor.will_say(chat("Да."))
        limited(1_000)
        completes(shop)
        used = Usage.objects.get()
        assert (used.prompt_tokens, used.completion_tokens, used.reserved_tokens) == (11, 7, 0)

    @pytest.mark.parametrize(
        ("says", "counted"),
        [
            (Says({}, status=401), 0),
            (Says({}, status=503), 0),
            (Says(b"not json"), 106),
            (Says({**chat("Розы."), "usage": None}), 6 + 3),
        ],
        ids=["refused", "broken", "an answer that can't be read", "an answer without usage"],
    )
    def test_a_call_without_told_tokens_counts_with_what_it_may_have_cost(
        self, shop: Widget, vendor: Vendor, limited: Callable[[int | None], None], says: Says, counted: int
    ) -> None:
        vendor.will_say(says)
        limited(1_000)
        with contextlib.suppress(ModelFailed):
            completes(shop)
        assert Usage.objects.get().reserved_tokens == counted

    def test_the_installations_limit_holds_where_the_widget_has_none(
        self, shop: Widget, vendor: Vendor, limited: Callable[[int | None], None], settings: Settings
    ) -> None:
        assert settings.AI_DAILY_TOKEN_BUDGET == 25_000_000
        vendor.will_say(chat("Да."))
        settings.AI_DAILY_TOKEN_BUDGET = 1
        limited(None)
        with pytest.raises(BudgetExhausted):
            completes(shop)
        limited(0)
        completes(shop)
        settings.AI_DAILY_TOKEN_BUDGET = 0
        limited(None)
        completes(shop)
        assert len(vendor.asked) == 2

    def test_the_owner_is_told_at_four_fifths_and_at_the_end(
        self, shop: Widget, vendor: Vendor, limited: Callable[[int | None], None]
    ) -> None:
        vendor.will_say({**chat("Да."), "usage": {"prompt_tokens": 700, "completion_tokens": 0, "total_tokens": 700}})
        limited(1_000)
        completes(shop)
        assert not Alert.objects.exists()
        completes(shop)
        assert {alert.code for alert in Alert.objects.all()} == {"budget_low", "budget_exhausted"}, "1,400 of 1,000"
        with pytest.raises(BudgetExhausted) as refused:
            completes(shop)
        assert 0 < (refused.value.retry_after or 0) <= 86_400
        told = {alert.code: alert.occurrences for alert in Alert.objects.all()}
        assert told == {"budget_low": 1, "budget_exhausted": 2}

    def test_a_new_day_has_all_of_it(self, shop: Widget, vendor: Vendor, limited: Callable[[int | None], None]) -> None:
        vendor.will_say(chat("Да."))
        limited(120)
        completes(shop)
        with pytest.raises(BudgetExhausted):
            completes(shop)
        Usage.objects.update(at=timezone.now() - timedelta(days=1))
        completes(shop)

    def test_lists_of_models_are_free(
        self, api: ApiClient, shop: Widget, vendor: Vendor, limited: Callable[[int | None], None]
    ) -> None:
        from apps.demo.servers.language_models import only_model

        vendor.will_say(only_model())
        limited(1)
        Usage.objects.create(widget=shop, purpose="x", model="m", latency_ms=1, outcome="ok", prompt_tokens=9)
        credential = shop.ai_credentials.get()
        assert api.get(f"/ai/credentials/{credential.pk}/models").status_code == 200

    def test_the_limit_is_exact_under_calls_at_once(self, vendor: Vendor, limited_for_all: Widget) -> None:
        """Eight calls that may cost 100 each, of 450: four go out, and none costs before it is reserved."""
        done: list[str] = []

        def call() -> None:
            try:
                with vendor_call(
                    widget_id=limited_for_all.pk,
                    purpose="x",
                    model="m",
                    estimate=TokenEstimate(100),
                    budget=budget(),
                    requests=1,
                ) as asked:
                    barrier.wait(timeout=1)
                    asked.answered()
                    done.append("went out")
            except (BudgetExhausted, threading.BrokenBarrierError) as error:
                done.append(type(error).__name__)
            finally:
                connection.close()

        barrier = threading.Barrier(5)
        threads = [threading.Thread(target=call) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert done.count("BudgetExhausted") == 4
        assert Usage.objects.count() == 4

    @pytest.fixture
    def limited_for_all(self, transactional_db: None) -> Widget:
        from tests.factories import WidgetFactory

        widget: Widget = WidgetFactory.create()
        AiSettings.objects.create(widget=widget, daily_token_budget=450)
        return widget


class TestWhoWaits:
    def test_a_detached_test_is_429_and_claims_no_key(
        self, api: ApiClient, shop: Widget, vendor: Vendor, limited: Callable[[int | None], None]
    ) -> None:
        assistant = AssistantFactory.create(widget=shop)
        limited(10)
        Usage.objects.create(widget=shop, purpose="x", model="m", latency_ms=1, outcome="ok", prompt_tokens=10)
        refused = api.post(
            f"/ai/assistants/{assistant.pk}/test", json={"question": "?"}, idempotency_key="k-1-0123456789abcdef"
        )
        assert_problem(refused, 429, "ai_budget_exhausted")
        assert 0 < int(refused.headers["Retry-After"]) <= 86_400
        vendor.will_say(chat("Да."))
        limited(None)
        assert (
            api.post(
                f"/ai/assistants/{assistant.pk}/test", json={"question": "?"}, idempotency_key="k-1-0123456789abcdef"
            ).status_code
            == 200
        )

    def test_a_detached_test_that_does_not_fit_is_429(
        self, api: ApiClient, shop: Widget, vendor: Vendor, limited: Callable[[int | None], None]
    ) -> None:
        assistant = AssistantFactory.create(widget=shop)
        limited(10)
        refused = api.post(f"/ai/assistants/{assistant.pk}/test", json={"question": "?"})
        assert_problem(refused, 429, "ai_budget_exhausted")
        assert vendor.asked == []

    def test_a_rule_that_would_be_embedded_is_429(
        self, api: ApiClient, vendor: Vendor, limited: Callable[[int | None], None]
    ) -> None:
        limited(1)
        refused = api.post("/kb/rules", json={"content": "Розы по 90 рублей."})
        assert_problem(refused, 429, "ai_budget_exhausted")
        assert vendor.asked == []


class TestChats:
    def test_a_call_that_does_not_fit_hands_the_chat_over_once(self, desk: Desk, alice: Agent) -> None:
        AiSettings.objects.update(daily_token_budget=500)
        assert len(desk.answers()) == 1
        assert desk.now.handover_reason == "budget_exhausted"
        assert desk.answers("А тюльпаны?") == [], "what is known isn't said twice"
        assert desk.vendor.asked == []
        assert {alert.code for alert in Alert.objects.all()} == {"budget_exhausted"}

    def test_a_classifier_that_does_not_fit_is_as_one_that_fails(self, desk: Desk) -> None:
        desk.vendor.will_say(
            {
                **chat("Спрошу. [KEY_TO_OPERATOR]"),
                "usage": {"prompt_tokens": 1_990, "completion_tokens": 0, "total_tokens": 1_990},
            }
        )
        AiSettings.objects.update(daily_token_budget=2_000)
        assert len(desk.answers()) == 1
        assert len(desk.vendor.asked) == 1
        assert desk.exchange.classifier == "unavailable"


@pytest.mark.parametrize(
    ("own", "of_installation", "limit"),
    [(None, 25, 25), (None, 0, None), (0, 25, None), (7, 25, 7), (70, 25, 70), (7, 0, 7)],
)
def test_the_widgets_own_limit_goes_before_the_installations(
    own: int | None, of_installation: int, limit: int | None
) -> None:
    assert budgets.limit_of(own, of_installation) == limit
