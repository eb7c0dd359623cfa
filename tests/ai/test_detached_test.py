"""The detached test: what an assistant would answer (specification, "Detached test input rules" and errors)."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.ai.models import AiSettings, Alert, Assistant, DetachedTest, Usage
from apps.ai.rules.phrases import PHRASES
from apps.chats.models import Chat, Message
from apps.core.models import QuotaUse
from apps.demo.servers.language_models import Vendor, chat
from apps.demo.servers.played import PlayedRequest, Says
from apps.egress import outbound_waits
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import AgentFactory, AiAgentFactory
from tests.factories.ai import AssistantFactory, CredentialFactory
from tests.rows import snapshot

Ask = Callable[..., Any]


@pytest.fixture
def assistant(shop: Widget, vendor: Vendor) -> Assistant:
    """Flora, with a credential of the vendor, who says what is asked for."""
    vendor.will_say(chat("По 90 рублей."))
    url = f"{vendor.url}/v1"
    CredentialFactory.create(widget=shop, provider="openai_compatible", base_url=url, target=url, model="m-1")
    return AssistantFactory.create(widget=shop, persona="Ты Флора. Роза: 90 рублей.", escalation_triggers=["возврат*"])


@pytest.fixture
def ask(api: ApiClient, assistant: Assistant) -> Ask:
    """Tests the assistant."""

    def send(question: str = "Сколько стоят розы?", **members: Any) -> Any:
        return api.post(f"/ai/assistants/{assistant.pk}/test", json={"question": question, **members})

    return send


def result(response: Any) -> Any:
    assert response.status_code == 200, response.content
    return response.json()["data"]


def marked(text: str = "") -> dict[str, Any]:
    return chat(f"{text} [KEY_TO_OPERATOR]".strip())


class TestTheAnswer:
    def test_is_the_models_with_how_it_came_about(self, ask: Ask, assistant: Assistant, vendor: Vendor) -> None:
        operator = AiAgentFactory.create(widget=assistant.widget, ai_assistant_id=assistant.pk)
        chats, messages = Chat.objects.count(), Message.objects.count()
        assert result(ask(operators="online")) == {
            "answer": "По 90 рублей.",
            "assistant_id": assistant.pk,
            "operator_id": operator.pk,
            "assistant_enabled": True,
            "configured_provider": "openai_compatible",
            "configured_model": "m-1",
            "provider_path": "primary",
            "locale": "ru",
            "operators": {"state": "online", "source": "request"},
            "presence_context_enabled": True,
            "rag_status": "empty",
            "transformation": "answer",
            "classifier": "not_needed",
            "escalation": {"escalated": False, "reason": None, "trigger": None},
            "outcome": None,
            "offline_outcome_suppressed": False,
            "provider_http_operations": 1,
            "chat_created": False,
            "limitations": ["simulated", "no_chat"],
        }
        assert (Chat.objects.count(), Message.objects.count(), Alert.objects.count()) == (chats, messages, 0)
        use = Usage.objects.get()
        assert (use.purpose, use.outcome, use.prompt_tokens, use.completion_tokens) == ("reply", "ok", 11, 7)
        assert (use.assistant_id, use.operator_id, use.chat_id) == (assistant.pk, operator.pk, None)

    def test_what_goes_out_is_the_stored_configuration_and_the_conversation(
        self, ask: Ask, assistant: Assistant, vendor: Vendor
    ) -> None:
        Assistant.objects.update(temperature=0.3, system_prompt="Не обещай.", greeting="Привет!")
        history = [{"role": "user", "content": "Я ivan@example.com"}, {"role": "assistant", "content": "Слушаю."}]
        result(ask("Где заказ?", history=history, operators="offline", locale="en"))
        (asked,) = vendor.asked
        system, *lines = asked.json["messages"]
        for part in ("Ты Флора. Роза", "Не обещай.", "Привет!", "Operators now: offline", "Reply language: en"):
            assert part in system["content"]
        assert [(line["role"], line["content"]) for line in lines] == [
            ("user", "Я [EMAIL_1]"),
            ("assistant", "Слушаю."),
            ("user", "Где заказ?"),
        ]
        assert asked.json["temperature"] == 0.3

    def test_personal_data_comes_back_in_the_answer(self, ask: Ask, vendor: Vendor) -> None:
        vendor.will_say(chat("Пишу на [EMAIL_1]."))
        assert result(ask("Мой адрес ivan@example.com"))["answer"] == "Пишу на ivan@example.com."
        vendor.will_say(chat("Ваша карта [CARD_1]."))
        spoilt = result(ask("Карта 4111 1111 1111 1111"))
        assert spoilt["answer"] == PHRASES["pii_restore_fallback"]["ru"]

    def test_a_leak_of_the_prompt_is_an_empty_answer(self, ask: Ask, vendor: Vendor) -> None:
        def leaks(request: PlayedRequest) -> dict[str, Any]:
            system: str = request.json["messages"][0]["content"]
            return chat(system)

        vendor.answer = leaks
        leaked = result(ask(operators="online"))
        assert (leaked["transformation"], leaked["escalation"]["reason"]) == ("empty_response", "empty_response")

    def test_a_disabled_assistant_can_be_tested(self, ask: Ask) -> None:
        Assistant.objects.update(enabled=False)
        assert result(ask())["assistant_enabled"] is False

    def test_the_language_is_the_one_asked_for_or_the_questions(self, ask: Ask) -> None:
        assert result(ask("Do you have roses?"))["locale"] == "en"
        assert result(ask("Do you have roses?", locale="de"))["locale"] == "de"

    @pytest.mark.parametrize(("off", "expected"), [("widget", "disabled"), ("assistant", "disabled"), ("", "empty")])
    def test_knowledge_is_asked_unless_it_is_switched_off(
        self, ask: Ask, assistant: Assistant, off: str, expected: str
    ) -> None:
        if off == "widget":
            AiSettings.objects.create(widget=assistant.widget, rag_enabled=False)
        elif off == "assistant":
            Assistant.objects.update(rag_enabled=False)
        assert result(ask())["rag_status"] == expected


class TestHandovers:
    @pytest.mark.parametrize(
        ("question", "reason", "trigger"),
        [
            ("Позовите оператора", "human_request", "оператора"),
            ("Хочу покончить с собой", "safety_floor", "покончить с собой"),
            ("Оформите возвраты", "trigger", "возврат*"),
        ],
    )
    def test_a_floor_asks_no_model(self, ask: Ask, vendor: Vendor, question: str, reason: str, trigger: str) -> None:
        handed = result(ask(question, operators="online"))
        assert vendor.asked == []
        assert handed["answer"] == PHRASES["handover_notice"]["ru"]
        assert handed["escalation"] == {"escalated": True, "reason": reason, "trigger": trigger}
        assert (handed["transformation"], handed["outcome"]) == ("escalation_outcome", "handover_notice")
        assert (handed["provider_path"], handed["provider_http_operations"]) == ("none", 0)
        assert handed["rag_status"] == "empty"

    @pytest.mark.parametrize(
        ("operators", "outcome"),
        [("online", "handover_notice"), ("offline", "handover_offline"), ("unknown", "handover_unknown")],
    )
    def test_the_phrase_says_who_is_there(self, ask: Ask, operators: str, outcome: str) -> None:
        handed = result(ask("Call an operator please", operators=operators, locale="en"))
        assert (handed["outcome"], handed["answer"]) == (outcome, PHRASES[outcome]["en"])

    def test_without_presence_it_is_always_the_same(self, ask: Ask, shop: Widget) -> None:
        AiSettings.objects.create(widget=shop, presence_context_enabled=False)
        handed = result(ask("Позовите оператора"))
        assert (handed["outcome"], handed["answer"]) == (None, PHRASES["handoff_to_human"]["ru"])
        assert handed["operators"] == {"state": "unknown", "source": "disabled"}

    @pytest.mark.parametrize(
        ("says", "transformation", "reason", "operations"),
        [
            ([marked("Секунду."), chat('{"escalate": true}')], "escalation_outcome", "model_request", 2),
            ([marked(), chat("не знаю")], "escalation_outcome", "classifier_unavailable", 2),
            ([marked("По 90."), chat('{"escalate": false}')], "answer_only_recovery", None, 2),
            ([marked(), chat('{"escalate": false}'), chat("По 90.")], "answer_only_recovery", None, 3),
            ([marked(), chat('{"escalate": false}'), marked()], "untrusted_handoff_fallback", "untrusted_handoff", 3),
            ([chat("")], "empty_response", "empty_response", 1),
        ],
    )
    def test_the_marker_is_judged_by_a_second_call(
        self, ask: Ask, vendor: Vendor, says: list[Any], transformation: str, reason: str | None, operations: int
    ) -> None:
        vendor.will_say(*says)
        found = result(ask(operators="online"))
        assert (found["transformation"], found["escalation"]["reason"]) == (transformation, reason)
        assert found["provider_http_operations"] == operations == len(vendor.asked)
        purposes = [asked.headers["x-service-purpose"] for asked in vendor.asked]
        assert purposes == ["reply", "classifier", "recovery"][:operations]

    def test_the_classifier_sees_the_question_alone(self, ask: Ask, vendor: Vendor) -> None:
        vendor.will_say(marked(), chat('{"escalate": true}'))
        ask("Мой адрес ivan@example.com", history=[{"role": "user", "content": "прежнее"}])
        second = vendor.asked[1]
        assert "прежнее" not in second.raw.decode()
        assert second.json["messages"][-1]["content"] == "Мой адрес [EMAIL_1]"

    def test_courtesy_needs_no_person(self, ask: Ask, vendor: Vendor) -> None:
        vendor.will_say(marked())
        polite = result(ask("Спасибо!"))
        assert (polite["transformation"], polite["answer"]) == ("social_reply", PHRASES["social_reply"]["ru"])
        assert polite["escalation"]["escalated"] is False

    def test_answer_only_keeps_the_text_while_nobody_is_there(self, ask: Ask, shop: Widget, vendor: Vendor) -> None:
        AiSettings.objects.create(widget=shop, offline_outcome_mode="answer_only")
        vendor.will_say(marked("По 90."), chat('{"escalate": true}'))
        kept = result(ask(operators="offline"))
        assert (kept["answer"], kept["offline_outcome_suppressed"]) == ("По 90.", True)
        assert (kept["transformation"], kept["outcome"]) == ("answer_only_recovery", None)

    def test_presence_is_read_unless_it_is_told(self, ask: Ask, shop: Widget) -> None:
        from apps.agents.presence import mark_online

        assert result(ask())["operators"] == {"state": "offline", "source": "presence"}
        alice = AgentFactory.create(widget=shop)
        mark_online(widget_id=shop.pk, agent_id=alice.pk)
        assert result(ask())["operators"] == {"state": "online", "source": "presence"}
        Agent.objects.filter(pk=alice.pk).update(status="relaxation")
        assert result(ask())["operators"] == {"state": "offline", "source": "presence"}


class TestProviders:
    def test_a_declared_backup_answers(self, ask: Ask, assistant: Assistant, vendor: Vendor) -> None:
        url = f"{vendor.url}/v1"
        backup = CredentialFactory.create(widget=assistant.widget, is_active=True, provider="openai", target=url)
        CredentialFactory.create(
            widget=assistant.widget,
            assistant=assistant,
            provider="openai_compatible",
            base_url=url,
            target=url,
            model="m-2",
            backup=backup,
        )
        vendor.will_say(Says({}, status=500), chat("Да."))
        answered = result(ask())
        assert (answered["provider_path"], answered["answer"], answered["configured_model"]) == (
            "fallback",
            "Да.",
            "m-2",
        )
        assert sorted(Usage.objects.values_list("outcome", flat=True)) == ["ok", "server_error"]

    def test_when_all_fail_it_is_502_and_the_key_stays_used(
        self, api: ApiClient, assistant: Assistant, vendor: Vendor
    ) -> None:
        vendor.will_say(Says({"error": {"message": "the vendor's own words"}}, status=401))
        path, body = f"/ai/assistants/{assistant.pk}/test", {"question": "Да?"}
        failed = api.post(path, json=body, idempotency_key="once")
        assert assert_problem(failed, 502, "provider_failure")["provider_reason"] == "rejected_key"
        assert b"words" not in failed.content
        assert_problem(api.post(path, json=body, idempotency_key="once"), 409, "idempotency_reused")
        assert len(vendor.asked) == 1
        assert not DetachedTest.objects.exists()

    def test_a_context_that_is_too_long_is_asked_again_with_half_of_it(self, ask: Ask, vendor: Vendor) -> None:
        vendor.will_say(Says({"error": {"code": "context_length_exceeded"}}, status=400), chat("Да."))
        history = [{"role": "user", "content": str(n)} for n in range(6)]
        assert result(ask(history=history))["provider_http_operations"] == 2
        said = [asked.json["messages"][-1]["content"].split("\n\n") for asked in vendor.asked]
        assert said == [["0", "1", "2", "3", "4", "5", "Сколько стоят розы?"], ["3", "4", "5", "Сколько стоят розы?"]]

    def test_without_a_credential_it_is_409(self, api: ApiClient, shop: Widget) -> None:
        assistant = AssistantFactory.create(widget=shop)
        before = snapshot()
        path = f"/ai/assistants/{assistant.pk}/test"
        assert_problem(api.post(path, json={"question": "Да?"}), 409, "credential_unavailable")
        assert_problem(api.get(path), 409, "credential_unavailable")
        CredentialFactory.create(widget=shop, is_active=False)
        assert_problem(api.get(path), 409, "credential_unavailable")
        local = CredentialFactory.create(widget=shop, provider="openai_compatible", model="")
        refused = assert_problem(api.get(path), 409, "credential_unavailable")
        assert refused["detail"].startswith(f"The credential {local.pk} is active and has no model")
        assert snapshot()["core.QuotaUse"] == before["core.QuotaUse"] == []


class TestOperators:
    def test_one_that_is_bound_speaks_and_of_several_one_is_named(
        self, api: ApiClient, ask: Ask, assistant: Assistant, vendor: Vendor
    ) -> None:
        assert result(ask())["operator_id"] is None
        first = AiAgentFactory.create(widget=assistant.widget, ai_assistant_id=assistant.pk)
        AiAgentFactory.create(widget=assistant.widget, ai_assistant_id=assistant.pk, status="banned")
        assert result(ask())["operator_id"] == first.pk
        second = AiAgentFactory.create(widget=assistant.widget, ai_assistant_id=assistant.pk)
        asked = len(vendor.asked)
        assert_problem(ask(), 409, "ambiguous_operator")
        assert_problem(api.get(f"/ai/assistants/{assistant.pk}/test"), 409, "ambiguous_operator")
        assert len(vendor.asked) == asked
        assert result(ask(operator_id=second.pk))["operator_id"] == second.pk

    def test_others_are_404_and_external_ones_409(
        self, api: ApiClient, ask: Ask, assistant: Assistant, rival: Rival, alice: Agent, vendor: Vendor
    ) -> None:
        shop = assistant.widget
        other = AssistantFactory.create(widget=shop)
        unknown = {
            "a person": alice.pk,
            "of another assistant": AiAgentFactory.create(widget=shop, ai_assistant_id=other.pk).pk,
            "retired": AiAgentFactory.create(widget=shop, ai_assistant_id=assistant.pk, status="banned").pk,
            "foreign": AiAgentFactory.create(widget=rival.widget).pk,
            "nobody": 10**12,
        }
        external = AgentFactory.create(widget=shop, type="webhook")
        for pk in unknown.values():
            assert_problem(ask(operator_id=pk), 404, "operator_not_found")
            assert_problem(api.get(f"/ai/assistants/{assistant.pk}/test?operator_id={pk}"), 404, "operator_not_found")
        assert_problem(ask(operator_id=external.pk), 409, "unsupported_transport")
        assert vendor.asked == []

    def test_another_tenants_assistant_is_none(self, api: ApiClient, rival: Rival) -> None:
        foreign = AssistantFactory.create(widget=rival.widget)
        for pk in (foreign.pk, 10**12):
            path = f"/ai/assistants/{pk}/test"
            assert_problem(api.get(path), 404, "assistant_not_found")
            assert_problem(api.post(path, json={"question": "Да?"}), 404, "assistant_not_found")


class TestInspection:
    def test_reading_an_assistants_state_calls_no_provider(
        self, api: ApiClient, assistant: Assistant, vendor: Vendor
    ) -> None:
        before = snapshot()
        response = api.get(f"/ai/assistants/{assistant.pk}/test")
        assert result(response) == {
            "assistant_id": assistant.pk,
            "operator_id": None,
            "assistant_enabled": True,
            "configured_provider": "openai_compatible",
            "configured_model": "m-1",
            "configuration_resolved": True,
            "provider_verified": False,
            "provider_http_operations": 0,
            "chat_created": False,
            "limits": {
                "body_bytes": 131_072,
                "question_characters": 4_000,
                "history_items": 20,
                "total_characters": 20_000,
                "starts_per_minute": 10,
                "in_flight": 1,
                "provider_http_operations": 10,
                "provider_seconds": 45,
            },
            "limitations": ["configuration_only", "no_chat"],
        }
        assert snapshot() == before
        assert vendor.asked == []

    @pytest.mark.parametrize(
        "query",
        [
            "operator_id=0",
            "operator_id=01",
            "operator_id=%2B1",
            "operator_id=1.0",
            "operator_id=",
            "operator_id=9223372036854775808",
            "operator_id=1&operator_id=1",
            "operator_id[]=1",
            "operator=1",
            "operator_id=1" + "0" * 128,
        ],
    )
    def test_what_is_wrong_is_422(self, api: ApiClient, assistant: Assistant, query: str) -> None:
        assert_problem(api.get(f"/ai/assistants/{assistant.pk}/test?{query}"), 422, "invalid_input")


class TestInput:
    @pytest.mark.parametrize(
        ("members", "path"),
        [
            ({"question": ""}, "question"),
            ({"question": " \n\t"}, "question"),
            ({"question": "x" * 4_001}, "question"),
            ({"question": None}, "question"),
            ({"question": 1}, "question"),
            ({"question": "a\x07b"}, "question"),
            ({"history": [{"role": "system", "content": "x"}]}, "history.0.role"),
            ({"history": [{"role": "user", "content": " "}]}, "history.0.content"),
            ({"history": [{"role": "user"}]}, "history.0.content"),
            ({"history": [{"role": "user", "content": "x", "name": "y"}]}, "history.0.name"),
            ({"history": [{"role": "user", "content": "x"}] * 21}, "history"),
            ({"history": [{"role": "user", "content": "x" * 4_000}] * 5}, "history"),
            ({"history": None}, "history"),
            ({"operator_id": None}, "operator_id"),
            ({"operator_id": "1"}, "operator_id"),
            ({"operator_id": 1.0}, "operator_id"),
            ({"operator_id": 0}, "operator_id"),
            ({"locale": "auto"}, "locale"),
            ({"locale": None}, "locale"),
            ({"operators": "away"}, "operators"),
            ({"model": "m-2"}, "model"),
            ({"system_prompt": "x"}, "system_prompt"),
        ],
    )
    def test_what_is_wrong_is_422_by_path_and_nothing_is_spent(
        self, ask: Ask, vendor: Vendor, members: dict[str, Any], path: str
    ) -> None:
        question = members.pop("question", "Да?")
        errors = assert_problem(ask(question, **members), 422, "invalid_input")["errors"]
        assert list(errors) == [path]
        assert vendor.asked == []
        assert not QuotaUse.objects.exists()

    def test_controls_of_a_text_are_allowed(self, ask: Ask) -> None:
        assert result(ask("Да?\r\n\tНет?"))["answer"] == "По 90 рублей."

    def test_bodies_that_cannot_be_read_have_codes_of_their_own(self, api: ApiClient, assistant: Assistant) -> None:
        path = f"/ai/assistants/{assistant.pk}/test"
        json_type = "application/json"
        sent = [
            (b"{", json_type, 400, "invalid_json"),
            (b'{"question": "a", "question": "b"}', json_type, 422, "duplicate_member"),
            (b"[]", json_type, 422, "invalid_input"),
            (b'{"question": "a"}', "text/plain", 415, "unsupported_media_type"),
            (b'{"question": "' + b"a" * 131_072 + b'"}', json_type, 413, "body_too_large"),
        ]
        for data, content_type, status, code in sent:
            assert_problem(api.post(path, data=data, content_type=content_type), status, code)
        for key in ("a b", "x" * 65, "a\tb"):
            refused = api.post(path, json={"question": "Да?"}, idempotency_key=key)
            assert_problem(refused, 400, "invalid_idempotency_key")
        assert api.post(path, json={"question": "Да?"}, idempotency_key="x" * 64).status_code == 200


class TestAuthenticator:
    def test_ten_start_in_a_minute(self, ask: Ask, vendor: Vendor) -> None:
        for _ in range(10):
            assert ask().status_code == 200
        refused = ask()
        assert_problem(refused, 429, "test_rate_limited")
        assert 1 <= int(refused.headers["Retry-After"]) <= 60
        assert len(vendor.asked) == 10

    def test_a_refused_test_claims_no_key(self, api: ApiClient, assistant: Assistant, vendor: Vendor) -> None:
        DetachedTest.objects.create(widget=assistant.widget, lease_until=timezone.now() + timedelta(seconds=30))
        path, body = f"/ai/assistants/{assistant.pk}/test", {"question": "Да?"}
        refused = api.post(path, json=body, idempotency_key="once")
        assert_problem(refused, 429, "test_rate_limited")
        assert 25 <= int(refused.headers["Retry-After"]) <= 30
        assert not QuotaUse.objects.exists()
        DetachedTest.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        assert api.post(path, json=body, idempotency_key="once").status_code == 200, "a crashed test's place is free"

    def test_without_a_place_to_wait_it_is_503_and_nothing_is_paid(
        self, api: ApiClient, assistant: Assistant, vendor: Vendor, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(outbound_waits, "slots_each", 0)
        path, body = f"/ai/assistants/{assistant.pk}/test", {"question": "Да?"}
        refused = api.post(path, json=body, idempotency_key="once")
        assert_problem(refused, 503, "test_unavailable")
        assert "Retry-After" in refused.headers
        monkeypatch.undo()
        assert vendor.asked == []
        assert api.post(path, json=body, idempotency_key="once").status_code == 200

    def test_its_place_is_free_when_it_has_ended(self, ask: Ask, vendor: Vendor) -> None:
        assert ask().status_code == 200
        vendor.will_say(Says({}, status=500))
        assert_problem(ask(), 502, "provider_failure")
        assert not DetachedTest.objects.exists()


class TestFactsOfTheAnswer:
    """Where knowledge is in use, a fact that stands nowhere is asked about once, and then left out."""

    def test_the_model_is_asked_once_more_with_what_is_wrong(self, ask: Ask, vendor: Vendor) -> None:
        vendor.will_say(chat("Роза стоит 120 рублей."), chat("По 90 рублей."))
        shown = result(ask())
        assert (shown["answer"], shown["provider_http_operations"]) == ("По 90 рублей.", 2)
        assert "120 рублей" in vendor.asked[-1].json["messages"][0]["content"]

    def test_a_sentence_that_names_it_again_is_left_out(self, ask: Ask, vendor: Vendor) -> None:
        vendor.will_say(chat("По 120 рублей."), chat("Розы есть. По 130 рублей."))
        assert result(ask())["answer"] == "Розы есть."

    def test_an_answer_of_such_sentences_alone_goes_to_people(self, ask: Ask, vendor: Vendor) -> None:
        vendor.will_say(chat("По 120 рублей."), chat("По 130 рублей."))
        assert result(ask())["transformation"] == "empty_response"

    def test_what_the_visitor_said_may_be_said_again(self, ask: Ask, vendor: Vendor) -> None:
        vendor.will_say(chat("Ваш заказ 4711 принят."))
        assert result(ask("Где заказ 4711?"))["provider_http_operations"] == 1

    def test_without_knowledge_nothing_is_compared(self, ask: Ask, shop: Widget, vendor: Vendor) -> None:
        AiSettings.objects.create(widget=shop, rag_enabled=False)
        vendor.will_say(chat("По 120 рублей."))
        assert result(ask())["answer"] == "По 120 рублей."

    def test_another_language_is_asked_about_once(self, ask: Ask, vendor: Vendor) -> None:
        vendor.will_say(chat("Roses are 90 each, we have them."), chat("По 90 рублей."))
        assert result(ask("Сколько стоит роза?"))["answer"] == "По 90 рублей."
        assert "Answer in this language: ru." in vendor.asked[-1].json["messages"][0]["content"]
