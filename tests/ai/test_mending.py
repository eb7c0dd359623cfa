"""A mended cause is tried at once, its alert ends by itself; what a model refuses is asked for once; slow servers."""

from datetime import timedelta
from threading import Event
from typing import Any

import pytest
from django.utils import timezone, translation

from apps.accounts.models import Widget
from apps.ai.actions.advice import OF_CAUSES, in_words
from apps.ai.actions.credentials import change_credential, create_credential
from apps.ai.actions.model_calls import sources_of
from apps.ai.drivers import Cause
from apps.ai.models import Alert, Credential
from apps.ai.rules.configuration import reply_seconds
from apps.ai.rules.embedders import is_for_embeddings
from apps.ai.rules.fitting import LEFT_OUT, fitted
from apps.ai.rules.prompts import Prompt, PromptMessage
from apps.ai.tasks import QUEUE
from apps.demo.servers.language_models import chat
from apps.demo.servers.played import PlayedRequest, Says
from apps.kb.models import KnowledgeBase
from tests.ai.desk import Desk
from tests.client import ApiClient, assert_problem

KEY = "sk-secret-0123456789"


def open_alerts() -> dict[str, str]:
    return dict(Alert.objects.filter(acknowledged_at=None).values_list("code", "message"))


def error(message: str, status: int) -> Says:
    return Says({"error": {"message": message}}, status=status)


class TestAlerts:
    @pytest.mark.parametrize(
        ("says", "cause"),
        [
            (error("Incorrect API key provided", 401), Cause.WRONG_KEY),
            (error("Your credit balance is too low", 400), Cause.NO_MONEY),
            (error('model "x" not found, try pulling it first', 404), Cause.MODEL_GONE),
            (error("404 page not found", 404), Cause.WRONG_ADDRESS),
            (Says(b"<html>welcome</html>"), Cause.WRONG_ADDRESS),
        ],
    )
    def test_says_what_to_do_and_ends_when_an_answer_comes(self, desk: Desk, says: Says, cause: Cause) -> None:
        desk.vendor.will_say(says)
        desk.answers()
        assert open_alerts() == {OF_CAUSES[cause].code.value: OF_CAUSES[cause].words}
        desk.vendor.will_say(chat("По 90 рублей."))
        desk.answers("Ещё вопрос")
        assert open_alerts() == {}

    def test_of_a_credential_ends_when_it_is_changed(self, desk: Desk) -> None:
        desk.vendor.will_say(error("Incorrect API key provided", 401))
        desk.answers()
        change_credential(widget_id=desk.widget.pk, credential_id=desk.credential.pk, changes={"api_key": KEY})
        assert open_alerts() == {}

    def test_names_what_is_missing_and_ends_when_it_is_there(self, desk: Desk) -> None:
        change_credential(widget_id=desk.widget.pk, credential_id=desk.credential.pk, changes={"model": ""})
        desk.answers()
        assert "names no model" in open_alerts()["not_configured"]
        change_credential(widget_id=desk.widget.pk, credential_id=desk.credential.pk, changes={"for_answers": False})
        desk.answers("Ещё")
        assert "for the knowledge base alone" in open_alerts()["not_configured"]
        changes = {"for_answers": True, "model": "m-1"}
        change_credential(widget_id=desk.widget.pk, credential_id=desk.credential.pk, changes=changes)
        assert open_alerts() == {}

    def test_every_cause_has_advice_in_russian(self) -> None:
        assert OF_CAUSES.keys() == set(Cause)
        with translation.override("ru"):
            untold = [cause for cause, advice in OF_CAUSES.items() if in_words(advice.words) == advice.words]
        assert untold == []


class TestKnowledge:
    def waiting(self, widget: Widget) -> KnowledgeBase:
        """A knowledge base that waits after failures."""
        later = timezone.now() + timedelta(minutes=30)
        base, _ = KnowledgeBase.objects.update_or_create(widget=widget, defaults={"due_at": later, "attempts": 3})
        return base

    def is_due(self, widget: Widget) -> bool:
        base = KnowledgeBase.objects.get(widget=widget)
        return base.due_at is not None and base.due_at <= timezone.now() and base.attempts == 0

    def test_waits_no_longer_when_a_credential_changes(self, desk: Desk) -> None:
        self.waiting(desk.widget)
        change_credential(widget_id=desk.widget.pk, credential_id=desk.credential.pk, changes={"api_key": KEY})
        assert self.is_due(desk.widget)
        self.waiting(desk.widget)
        create_credential(widget_id=desk.widget.pk, provider="openai", api_key=KEY)
        assert self.is_due(desk.widget)

    def test_waits_no_longer_when_an_answer_works_again(self, desk: Desk) -> None:
        desk.vendor.will_say(error("Insufficient Balance", 402))
        desk.answers()
        self.waiting(desk.widget)
        desk.vendor.will_say(chat("По 90 рублей."))
        desk.answers("Ещё вопрос")
        assert self.is_due(desk.widget)


class TestWhatAModelRefuses:
    def test_is_asked_for_once_and_never_again(self, desk: Desk) -> None:
        desk.assistant.temperature = 0.4
        desk.assistant.save(update_fields=["temperature"])

        def strict(request: PlayedRequest) -> Says | dict[str, Any]:
            if "temperature" in request.json:
                return Says({"detail": "temperature: Extra inputs are not permitted"}, status=422)
            if request.json["messages"][0]["role"] == "system":
                return Says({"object": "error", "message": "System role not supported"}, status=400)
            return chat("По 90 рублей.")

        desk.vendor.answer = strict
        assert desk.answers() == ["По 90 рублей."]
        assert len(desk.vendor.asked) == 3
        assert desk.answers("Ещё вопрос") == ["По 90 рублей."]
        assert len(desk.vendor.asked) == 4
        assert desk.prompt()["messages"][0]["content"].startswith("You answer visitors")
        learnt = Credential.objects.get(pk=desk.credential.pk).learnt
        assert learnt["m-1"]["left_out"] == ["system", "temperature"]
        change_credential(widget_id=desk.widget.pk, credential_id=desk.credential.pk, changes={"model": "m-2"})
        assert Credential.objects.get(pk=desk.credential.pk).learnt == {}

    def test_a_strict_template_takes_every_conversation(self, desk: Desk) -> None:
        """Gemma's and Mistral's: roles alternate, and the first after the system is a user's."""

        def strict(request: PlayedRequest) -> Says | dict[str, Any]:
            roles = [line["role"] for line in request.json["messages"] if line["role"] != "system"]
            expected = ["user", "assistant"] * len(roles)
            if roles != expected[: len(roles)] or roles[-1] != "user":
                return error("Conversation roles must alternate user/assistant/user/assistant/...", 400)
            return chat("По 90 рублей.")

        desk.vendor.answer = strict
        for text in ("Раз", "Два"):
            desk.writes(text)
            assert desk.answers("Сколько стоят розы?") == ["По 90 рублей."]
        assert all(line["role"] != "system" for asked in desk.vendor.asked for line in asked.json["messages"][1:])

    def test_thoughts_without_an_answer_are_told_to_the_owner(self, desk: Desk) -> None:
        desk.vendor.will_say(chat("<think>Скрытая наценка", finish="length"))
        (said,) = desk.answers()
        assert "наценка" not in said
        assert open_alerts() == {"provider_failure": OF_CAUSES[Cause.ONLY_THOUGHTS].words}
        assert desk.prompt()["max_tokens"] > desk.prompt(0)["max_tokens"]


class TestUses:
    def test_one_for_knowledge_never_answers(self, desk: Desk) -> None:
        first = Credential.objects.get(pk=desk.credential.pk)
        Credential.objects.filter(pk=first.pk).update(for_answers=False)
        second = create_credential(widget_id=desk.widget.pk, provider="openai", api_key=KEY)
        (source,) = sources_of(desk.widget.pk, desk.assistant)
        assert source.credential_id == second.pk

    def test_none_for_answers_is_named_in_words(self, desk: Desk, api: ApiClient) -> None:
        change_credential(widget_id=desk.widget.pk, credential_id=desk.credential.pk, changes={"for_answers": False})
        refused = api.post(f"/ai/assistants/{desk.assistant.pk}/test", json={"question": "Да?"})
        problem = assert_problem(refused, 409, "credential_unavailable")
        assert "for the knowledge base alone" in problem["detail"]

    def test_a_models_name_says_that_it_embeds(self) -> None:
        embed = ("bge-m3:latest", "multilingual-e5-large", "nomic-embed-text", "USER-bge-m3", "all-minilm", "gte-large")
        assert all(is_for_embeddings(name) for name in embed)
        assert not any(is_for_embeddings(name) for name in ("llama3.1:8b", "qwen3-4b", "gpt-5.4-mini", "gemma3:4b"))

    def test_is_written_and_read(self, api: ApiClient) -> None:
        body = {"provider": "openai", "api_key": KEY, "uses": ["knowledge"], "embedding_model": "e-1"}
        made = api.post("/ai/credentials", json=body | {"timeout_s": 120, "context_tokens": 8192}).json()["data"]
        assert (made["uses"], made["embedding_model"], made["timeout_s"], made["context_tokens"]) == (
            ["knowledge"],
            "e-1",
            120,
            8192,
        )
        cleared = {"uses": None, "embedding_model": None, "timeout_s": None, "context_tokens": None}
        read = api.patch(f"/ai/credentials/{made['id']}", json=cleared).json()["data"]
        assert {name: read[name] for name in cleared} == {
            "uses": ["answers", "knowledge"],
            "embedding_model": None,
            "timeout_s": 20,
            "context_tokens": None,
        }

    @pytest.mark.parametrize(
        ("member", "value"),
        [
            ("uses", []),
            ("uses", ["answers", "answers"]),
            ("uses.0", ["songs"]),
            ("uses", "answers"),
            ("timeout_s", 4),
            ("timeout_s", 301),
            ("timeout_s", 20.5),
            ("context_tokens", 0),
            ("context_tokens", 10**9),
            ("embedding_model", ""),
        ],
    )
    def test_what_is_wrong_is_422_by_name(self, api: ApiClient, member: str, value: Any) -> None:
        refused = api.post("/ai/credentials", json={"provider": "openai", "api_key": KEY, member.split(".")[0]: value})
        assert_problem(refused, 422, "invalid_input", errors=[member])


class TestSlowServers:
    def test_a_reply_may_take_twice_the_time_limit_and_45_s_at_least(self) -> None:
        assert [reply_seconds(limits) for limits in ([], [5], [20, 30], [120, 20], [300])] == [45, 45, 60, 240, 600]
        assert QUEUE.longest_s > reply_seconds([300])

    def test_the_time_limit_of_the_credential_holds(self, desk: Desk) -> None:
        Credential.objects.filter(pk=desk.credential.pk).update(timeout_s=120)
        (source,) = sources_of(desk.widget.pk, desk.assistant)
        assert source.endpoint.timeout_s == 120


def test_a_prompt_fits_into_the_context_of_the_model() -> None:
    history = [PromptMessage("user" if n % 2 == 0 else "assistant", f"{n}" * 400) for n in range(9)]
    knowledge, burst = PromptMessage("user", "Знание. " * 900), PromptMessage("user", "Сколько стоят розы?")
    asked = Prompt("Ты Флора.", [*history, knowledge, burst])
    assert fitted(asked, context_tokens=None, max_tokens=1_000) is asked
    assert fitted(asked, context_tokens=100_000, max_tokens=1_000) == asked
    for context in (1_024, 2_048, 4_096):
        made = fitted(asked, context_tokens=context, max_tokens=1_000)
        assert made.tokens <= context - min(1_000, context // 4)
        assert made.lines[-1] == burst
        assert made.system == asked.system
    assert LEFT_OUT in fitted(asked, context_tokens=1_024, max_tokens=1_000).lines[0].content


def test_an_answer_that_is_too_long_to_show_ends_with_a_whole_sentence(desk: Desk) -> None:
    desk.vendor.will_say(chat(" ".join(f"Роза {'абвгдежз'[n % 8] * (n // 8 + 1)} свежая." for n in range(200))))
    (said,) = desk.answers()
    assert 3_000 < len(said) <= 4_000
    assert said.endswith("свежая.")


def test_an_answer_after_the_deadline_is_none(desk: Desk) -> None:
    Credential.objects.filter(pk=desk.credential.pk).update(timeout_s=1)
    silent = Event()
    desk.vendor.will_say(Says(chat("Поздно."), wait=silent))
    assert "Поздно." not in desk.answers()
    silent.set()
    assert open_alerts() == {"provider_failure": OF_CAUSES[Cause.TIMEOUT].words}
