"""Test questions and their runs over the API: what is kept, started, put live and refused (design of proof, 6)."""

from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.ai.actions.evaluation_cases import create_case
from apps.ai.models import (
    AiSettings,
    AnswerFeedback,
    Assistant,
    Credential,
    EvaluationCase,
    EvaluationResult,
    EvaluationRun,
)
from apps.assists.models import Assist
from apps.chats.actions.erasure import erase_contact
from apps.chats.models import Chat
from apps.demo.servers.language_models import Vendor
from tests.ai.examining import answering, flora, knows_roses, works
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories.accounts import ApiTokenFactory, plain_text
from tests.factories.ai import AssistantFactory
from tests.factories.chats import ChatFactory, MessageFactory
from tests.rows import snapshot

CASES, RUNS = "/ai/evaluation-cases", "/ai/evaluations"
ROSE = {"question": "Сколько стоят розы?", "must": ["90"]}


def data(response: Any, status: int = 200) -> Any:
    assert response.status_code == status, response.content
    return response.json()["data"]


@pytest.fixture
def assistant(shop: Widget, vendor: Vendor) -> Assistant:
    return flora(shop, vendor)


@pytest.mark.django_db
class TestCases:
    def test_a_case_is_made_read_changed_and_deleted(self, api: ApiClient, assistant: Assistant) -> None:
        body = {
            **ROSE,
            "assistant_id": assistant.pk,
            "language": "ru",
            "must_not": ["бесплатно"],
            "sources": ["Цены"],
            "judge": "It names a price.",
        }
        made = data(api.post(CASES, json=body), 201)
        assert made == {
            **body,
            "id": made["id"],
            "expects": "answer",
            "is_active": True,
            "born": {"from": "api", "chat_id": None, "message_id": None},
            "created_at": made["created_at"],
        }
        assert data(api.get(f"{CASES}/{made['id']}")) == made
        assert data(api.get(CASES)) == [made]
        changes = {"judge": None, "language": None, "is_active": False, "assistant_id": None, "expects": "refusal"}
        assert data(api.patch(f"{CASES}/{made['id']}", json=changes)) == {**made, **changes}
        assert api.delete(f"{CASES}/{made['id']}").status_code == 204
        assert_problem(api.delete(f"{CASES}/{made['id']}"), 404, "not_found")

    @pytest.mark.parametrize(
        ("member", "value"),
        [
            ("question", ""),
            ("question", "x" * 4_001),
            ("language", "fr"),
            ("expects", "answers"),
            ("must", ["x" * 201]),
            ("must", [str(number) for number in range(21)]),
            ("must_not", ["a", "a"]),
            ("sources", ["1", "2", "3", "4", "5", "6"]),
            ("judge", "x" * 501),
            ("is_active", None),
            ("assistant_id", 10**12),
            ("born", {"from": "chat"}),
        ],
    )
    def test_what_is_wrong_is_422_by_name(self, api: ApiClient, shop: Widget, member: str, value: Any) -> None:
        kept = create_case(widget_id=shop.pk, question="Who?")
        before = snapshot()
        for refused in (
            api.post(CASES, json={**ROSE, member: value}),
            api.patch(f"{CASES}/{kept.pk}", json={member: value}),
        ):
            assert_problem(refused, 422, "invalid_input")
            assert {name.split(".")[0] for name in refused.json()["errors"]} == {member}
        assert snapshot() == before

    def test_the_201st_is_refused(self, api: ApiClient, shop: Widget, rival: Rival) -> None:
        rows = [EvaluationCase(widget=shop, question=f"Rose {number}?") for number in range(200)]
        EvaluationCase.objects.bulk_create(rows)
        assert_problem(api.post(CASES, json=ROSE), 409, "too_many_cases")
        assert EvaluationCase.objects.count() == 200
        assert api.delete(f"{CASES}/{rows[0].pk}").status_code == 204
        data(api.post(CASES, json=ROSE), 201)

    def test_another_widgets_are_not_found_and_its_assistant_is_422(self, api: ApiClient, rival: Rival) -> None:
        theirs = create_case(widget_id=rival.widget.pk, question="Ours?")
        foreign = AssistantFactory.create(widget=rival.widget)
        for refused in (
            api.get(f"{CASES}/{theirs.pk}"),
            api.patch(f"{CASES}/{theirs.pk}", json={"is_active": False}),
            api.delete(f"{CASES}/{theirs.pk}"),
        ):
            assert_problem(refused, 404, "not_found")
        for refused in (
            api.post(CASES, json={**ROSE, "assistant_id": foreign.pk}),
            api.get(CASES, query={"assistant_id": str(foreign.pk)}),
            api.get(RUNS, query={"assistant_id": str(foreign.pk)}),
            api.post(RUNS, json={"assistant_id": foreign.pk}),
        ):
            assert_problem(refused, 422, "invalid_input", errors=["assistant_id"])
        assert EvaluationCase.objects.get().question == "Ours?"

    def test_the_list_narrows_to_an_assistant(self, api: ApiClient, shop: Widget, assistant: Assistant) -> None:
        create_case(widget_id=shop.pk, question="Of all?")
        own = create_case(widget_id=shop.pk, question="Of Flora?", assistant=assistant)
        found = data(api.get(CASES, query={"assistant_id": str(assistant.pk)}))
        assert [row["id"] for row in found] == [own.pk]


@pytest.mark.django_db
class TestBirths:
    def test_a_messages_burst_becomes_the_question_redacted(self, api: ApiClient, shop: Widget) -> None:
        chat = ChatFactory.create(contact__widget=shop)
        MessageFactory.create(chat=chat, body="Здравствуйте")
        MessageFactory.create(chat=chat, body="Добрый день!", sender_kind="agent")
        MessageFactory.create(chat=chat, body="Пишите на ivan@mail.test")
        MessageFactory.create(chat=chat, body="a note", sender_kind="agent", is_internal=True)
        MessageFactory.create(chat=chat, body="Почём розы?")
        MessageFactory.create(chat=chat, body="Секунду", sender_kind="agent")
        answer = MessageFactory.create(chat=chat, body="По 90.", sender_kind="agent")
        made = data(api.post(CASES, json={"from_message_id": answer.pk, "must": ["90"]}), 201)
        assert made["question"] == "Пишите на [EMAIL_1]\nПочём розы?"
        assert made["born"] == {"from": "chat", "chat_id": chat.pk, "message_id": answer.pk}
        assert (made["assistant_id"], made["must"]) == (None, ["90"])

    def test_it_is_for_the_assistant_that_wrote_the_message(
        self, api: ApiClient, shop: Widget, assistant: Assistant
    ) -> None:
        chat = ChatFactory.create(contact__widget=shop)
        MessageFactory.create(chat=chat, body="Почём розы?")
        answer = MessageFactory.create(chat=chat, sender_kind="ai", assistant_id=assistant.pk)
        gone = MessageFactory.create(chat=chat, sender_kind="ai", assistant_id=10**9)
        assert data(api.post(CASES, json={"from_message_id": answer.pk}), 201)["assistant_id"] == assistant.pk
        assert data(api.post(CASES, json={"from_message_id": gone.pk}), 201)["assistant_id"] is None

    def test_a_thumb_and_an_edited_draft_are_told(self, api: ApiClient, shop: Widget) -> None:
        chat = ChatFactory.create(contact__widget=shop)
        MessageFactory.create(chat=chat, body="Почём розы?")
        rated, edited, used = (MessageFactory.create(chat=chat, sender_kind="agent") for _ in range(3))
        AnswerFeedback.objects.create(message_id=rated.pk, widget=shop, chat=chat, helpful=False)
        for message, outcome in ((edited, "edited"), (used, "used")):
            Assist.objects.create(
                widget=shop,
                chat=chat,
                client_id="00000000-0000-0000-0000-000000000001",
                kind="draft",
                outcome=outcome,
                sent_message_id=message.pk,
            )
        born = [data(api.post(CASES, json={"from_message_id": one.pk}), 201)["born"] for one in (rated, edited, used)]
        assert [one["from"] for one in born] == ["thumb", "draft", "chat"]

    def test_without_a_visitors_words_or_a_message_it_is_422(self, api: ApiClient, shop: Widget, rival: Rival) -> None:
        chat = ChatFactory.create(contact__widget=shop)
        greeting = MessageFactory.create(chat=chat, sender_kind="agent")
        theirs = MessageFactory.create(chat=rival.chat)
        before = snapshot()
        for message_id in (greeting.pk, theirs.pk, 10**12):
            refused = api.post(CASES, json={"from_message_id": message_id})
            assert_problem(refused, 422, "invalid_input", errors=["from_message_id"])
        for body in ({}, {**ROSE, "from_message_id": greeting.pk}):
            assert_problem(api.post(CASES, json=body), 422, "invalid_input", errors=["question"])
        assert snapshot() == before


@pytest.fixture
def asked(shop: Widget) -> EvaluationCase:
    return create_case(widget_id=shop.pk, **ROSE)


def started(api: ApiClient, assistant: Assistant, **body: Any) -> dict[str, Any]:
    made: dict[str, Any] = data(api.post(RUNS, json={"assistant_id": assistant.pk, **body}), 202)
    return made


def finished(api: ApiClient, assistant: Assistant, **body: Any) -> dict[str, Any]:
    run = started(api, assistant, **body)
    works()
    found: dict[str, Any] = data(api.get(f"{RUNS}/{run['id']}"))
    assert (found["state"], found["reason"]) == ("finished", None)
    return found


@pytest.mark.django_db
class TestRuns:
    def test_a_run_is_started_and_read_with_its_results(
        self, api: ApiClient, assistant: Assistant, asked: EvaluationCase
    ) -> None:
        queued = started(api, assistant)
        assert (queued["state"], queued["cause"], queued["cases"], queued["right"]) == ("queued", "person", 1, 0)
        assert "results" not in queued
        works()
        run = data(api.get(f"{RUNS}/{queued['id']}"))
        results = run.pop("results")
        assert data(api.get(RUNS)) == [run]
        assert run == {
            "id": queued["id"],
            "assistant_id": assistant.pk,
            "cause": "person",
            "state": "finished",
            "reason": None,
            "draft": None,
            "wish_id": None,
            "model": "m-1",
            "persona_version": 1,
            "cases": 1,
            "right": 1,
            "wrong": 0,
            "failed": 0,
            "unsure": 0,
            "lost": [],
            "won": [],
            "previous_id": None,
            "prompt_tokens": 11,
            "completion_tokens": run["completion_tokens"],
            "queued_at": queued["queued_at"],
            "finished_at": run["finished_at"],
        }
        names = ("outcome", "must", "must_not", "language", "sources", "facts")
        assert results == [
            {
                "case_id": asked.pk,
                "question": ROSE["question"],
                "answer": "По 90 рублей.",
                "outcome": "answer",
                "verdict": "right",
                "change": "new",
                "checks": [{"name": name, "ok": True, "detail": None} for name in names],
            }
        ]

    def test_a_draft_is_asked_and_nothing_of_it_is_live(
        self, api: ApiClient, assistant: Assistant, asked: EvaluationCase, vendor: Vendor
    ) -> None:
        run = finished(api, assistant, draft={"persona": "Ты Роза.", "temperature": 0.5, "model": "m-2"})
        assert (run["cause"], run["draft"]) == ("draft", {"persona": "Ты Роза.", "temperature": 0.5, "model": "m-2"})
        sent = vendor.asked[-1].json
        assert (sent["model"], sent["temperature"], "Ты Роза." in str(sent["messages"])) == ("m-2", 0.5, True)
        assistant.refresh_from_db()
        assert (assistant.persona, assistant.model, assistant.persona_version) == ("Ты Флора. Роза: 90 рублей.", "", 1)

    @pytest.mark.parametrize(
        ("draft", "named"),
        [
            ({}, "draft"),
            ({"persona": "x" * 65_537}, "draft.persona"),
            ({"temperature": 3}, "draft.temperature"),
            ({"provider": "nobody"}, "draft.provider"),
            ({"rag_enabled": None}, "draft.rag_enabled"),
            ({"escalation_triggers": ["a", "a"]}, "draft.escalation_triggers"),
            ({"greeting": "Hi"}, "draft.greeting"),
            ({"name": "Rosa"}, "draft.name"),
        ],
    )
    def test_a_draft_follows_the_assistants_rules(
        self, api: ApiClient, assistant: Assistant, asked: EvaluationCase, draft: dict[str, Any], named: str
    ) -> None:
        refused = api.post(RUNS, json={"assistant_id": assistant.pk, "draft": draft})
        assert_problem(refused, 422, "invalid_input", errors=[named])
        assert not EvaluationRun.objects.exists()

    def test_a_draft_and_a_wish_are_not_sent_together_and_a_wish_must_exist(
        self, api: ApiClient, assistant: Assistant, asked: EvaluationCase
    ) -> None:
        for body in ({"wish_id": 10**12}, {"wish_id": 1, "draft": {"persona": "Ты Роза."}}):
            refused = api.post(RUNS, json={"assistant_id": assistant.pk, **body})
            assert_problem(refused, 422, "invalid_input", errors=["wish_id"])

    def test_refusals_start_nothing(self, api: ApiClient, assistant: Assistant, shop: Widget) -> None:
        def refused(code: str) -> None:
            runs = EvaluationRun.objects.count()
            assert_problem(api.post(RUNS, json={"assistant_id": assistant.pk}), 409, code)
            assert EvaluationRun.objects.count() == runs

        refused("no_cases")
        made = create_case(widget_id=shop.pk, **ROSE, is_active=False)
        refused("no_cases")
        EvaluationCase.objects.filter(pk=made.pk).update(is_active=True)
        Credential.objects.update(is_active=False)
        refused("credential_unavailable")
        Credential.objects.update(is_active=True)
        started(api, assistant)
        refused("evaluation_running")

    def test_scopes_are_asked_for(self, shop: Widget, assistant: Assistant, asked: EvaluationCase) -> None:
        tokens = (ApiTokenFactory.create(widget=shop, scopes=[scope]) for scope in ("ai:read", "ai:write"))
        reader, writer = (ApiClient(plain_text(token)) for token in tokens)
        run = EvaluationRun.objects.create(widget=shop, assistant=assistant, state="finished", draft={"model": "m-2"})
        assert_problem(reader.post(CASES, json=ROSE), 403, "missing_scope")
        assert_problem(writer.get(CASES), 403, "missing_scope")
        assert_problem(writer.post(f"{RUNS}/{run.pk}/apply"), 403, "missing_scope")
        assistant.refresh_from_db()
        assert assistant.model == ""


@pytest.mark.django_db
class TestApplying:
    def test_a_draft_that_loses_nothing_goes_live(
        self, api: ApiClient, assistant: Assistant, asked: EvaluationCase
    ) -> None:
        finished(api, assistant)
        run = finished(api, assistant, draft={"persona": "Ты Роза. Роза: 90 рублей."})
        assert run["lost"] == []
        applied = data(api.post(f"{RUNS}/{run['id']}/apply"))
        assert (applied["id"], applied["draft"], applied["persona_version"]) == (run["id"], None, 2)
        assistant.refresh_from_db()
        assert (assistant.persona, assistant.persona_version) == ("Ты Роза. Роза: 90 рублей.", 2)
        assert_problem(api.post(f"{RUNS}/{run['id']}/apply"), 409, "nothing_to_apply")

    def test_one_that_loses_cases_asks_for_exactly_that_number(
        self, api: ApiClient, assistant: Assistant, asked: EvaluationCase, vendor: Vendor, shop: Widget
    ) -> None:
        create_case(widget_id=shop.pk, question="Кто вы по знаку?", expects="refusal")
        finished(api, assistant)
        vendor.answer = answering(says=lambda words: "Я не знаю.")
        run = finished(api, assistant, draft={"persona": "Ты Роза."})
        assert (run["lost"], run["won"], run["cases"]) == ([asked.pk], [], 2)
        before = snapshot()
        for body in ({}, {"accept_lost": 0}, {"accept_lost": 2}):
            refused = api.post(f"{RUNS}/{run['id']}/apply", json=body)
            assert_problem(refused, 409, "loses_cases")
            assert (refused.json()["lost"], refused.json()["of"]) == (1, 2)
        assert snapshot() == before
        data(api.post(f"{RUNS}/{run['id']}/apply", json={"accept_lost": 1}))
        assistant.refresh_from_db()
        assert assistant.persona == "Ты Роза."

    def test_only_a_finished_draft_of_the_live_text_is_applied(
        self, api: ApiClient, assistant: Assistant, asked: EvaluationCase
    ) -> None:
        live = finished(api, assistant)
        assert_problem(api.post(f"{RUNS}/{live['id']}/apply"), 409, "nothing_to_apply")
        queued = started(api, assistant, draft={"persona": "Ты Роза. Роза: 90 рублей."})
        assert_problem(api.post(f"{RUNS}/{queued['id']}/apply"), 409, "nothing_to_apply")
        works()
        data(api.patch(f"/ai/assistants/{assistant.pk}", json={"persona": "Ты Ия."}))
        assert_problem(api.post(f"{RUNS}/{queued['id']}/apply"), 409, "persona_changed")
        assistant.refresh_from_db()
        assert assistant.persona == "Ты Ия."

    def test_a_persons_own_edit_applies_at_once(
        self, api: ApiClient, assistant: Assistant, asked: EvaluationCase, vendor: Vendor
    ) -> None:
        finished(api, assistant)
        vendor.answer = answering(says=lambda words: "Я не знаю.")
        changed = data(api.patch(f"/ai/assistants/{assistant.pk}", json={"persona": "Ты Роза."}))
        assert changed["persona"] == "Ты Роза."
        vendor.answer = answering(says=knows_roses)


@pytest.mark.django_db
class TestTheGateSetting:
    def test_asks_by_default_and_is_changed(self, api: ApiClient) -> None:
        assert data(api.get("/ai/settings"))["evaluation_gate"] == "ask"
        assert data(api.patch("/ai/settings", json={"evaluation_gate": "off"}))["evaluation_gate"] == "off"
        assert AiSettings.objects.get().evaluation_gate == "off"
        refused = api.patch("/ai/settings", json={"evaluation_gate": "on"})
        assert_problem(refused, 422, "invalid_input", errors=["evaluation_gate"])


@pytest.mark.django_db
def test_a_person_who_is_erased_takes_the_questions_made_of_their_chats(
    api: ApiClient, chat: Chat, shop: Widget, assistant: Assistant
) -> None:
    MessageFactory.create(chat=chat, body="Сколько стоят розы?")
    answer = MessageFactory.create(chat=chat, sender_kind="agent")
    data(api.post(CASES, json={"from_message_id": answer.pk}), 201)
    kept = create_case(widget_id=shop.pk, question="Кто вы?")
    finished(api, assistant)
    erase_contact(widget_id=shop.pk, guid=str(chat.contact.guid))
    assert list(EvaluationCase.objects.values_list("pk", flat=True)) == [kept.pk]
    assert list(EvaluationResult.objects.values_list("case_id", flat=True)) == [kept.pk]
