"""What the AI answers other apps: a model's words, vectors, who answers; and that it costs nobody else's start."""

import os
import subprocess
import sys
from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.ai.actions.model_calls import CHAT_MODEL
from apps.ai.models import AiSettings, Alert, Credential, Usage
from apps.demo.servers.language_models import BEHAVIOURS, Vendor, behaving, chat, vectors
from apps.demo.servers.played import PlayedRequest, Says
from apps.egress.call_budget import CallBudget
from apps.kb import questions
from config.environment import PROJECT_ROOT
from tests.factories.ai import AssistantFactory, CredentialFactory

SDKS = {"openai", "anthropic", "google.genai", "httpx2"}


def budget() -> CallBudget:
    return CallBudget(operations=10, seconds=30)


def at(vendor: Vendor, widget: Widget, **fields: Any) -> Credential:
    url = f"{vendor.url}/v1"
    defaults = {"provider": "openai_compatible", "base_url": url, "target": url, "model": "m-1"}
    made: Credential = CredentialFactory.create(widget=widget, **{**defaults, **fields})
    return made


class TestChatModel:
    def test_asks_a_widget_wide_credential(self, shop: Widget, vendor: Vendor) -> None:
        assert not CHAT_MODEL.available(shop.pk)
        with pytest.raises(questions.NoModel):
            CHAT_MODEL.complete(
                shop.pk, purpose="translation", system="s", messages=[("user", "a")], max_tokens=9, budget=budget()
            )
        at(vendor, shop)
        vendor.will_say(chat("Hallo"))
        assert CHAT_MODEL.available(shop.pk)
        reply = CHAT_MODEL.complete(
            shop.pk, purpose="translation", system="s", messages=[("user", "Hello")], max_tokens=9, budget=budget()
        )
        assert reply == ("Hallo", "m-1", 11, 7)
        (asked,) = vendor.asked
        assert asked.headers["x-service-purpose"] == "translation"
        assert Usage.objects.get().purpose == "translation"

    def test_an_assistants_own_credential_counts_for_it_alone(self, shop: Widget, vendor: Vendor) -> None:
        assistant = AssistantFactory.create(widget=shop)
        at(vendor, shop, assistant=assistant)
        assert not CHAT_MODEL.available(shop.pk)
        assert CHAT_MODEL.available(shop.pk, assistant.pk)

    def test_a_failure_has_a_reason(self, shop: Widget, vendor: Vendor) -> None:
        at(vendor, shop)
        vendor.will_say(Says({}, status=503))
        with pytest.raises(questions.ModelFailed, match="server_error"):
            CHAT_MODEL.complete(
                shop.pk, purpose="x", system="s", messages=[("user", "a")], max_tokens=9, budget=budget()
            )


class TestEmbeddings:
    def test_nobody_embeds_without_a_credential_that_can(self, shop: Widget, vendor: Vendor) -> None:
        embeddings = questions.embeddings()
        assert embeddings is not None
        CredentialFactory.create(widget=shop, provider="anthropic")
        CredentialFactory.create(widget=shop, is_active=False)
        assert embeddings.which(shop.pk) is None
        with pytest.raises(questions.NoEmbeddings):
            embeddings.embed(shop.pk, ["a"], task="query", budget=budget())

    def test_a_server_is_asked_for_its_model_once(self, shop: Widget, vendor: Vendor) -> None:
        def answer(request: PlayedRequest) -> dict[str, Any]:
            names = ("m-1", "nomic-embed-text")
            models = [{"id": name, "object": "model", "created": 1, "owned_by": "me"} for name in names]
            return {"object": "list", "data": models} if request.method == "GET" else vectors(request)

        vendor.answer = answer
        credential = at(vendor, shop)
        embeddings = questions.embeddings()
        assert embeddings is not None
        assert embeddings.which(shop.pk) == (credential.pk, "openai_compatible", f"{vendor.url}/v1", "", None)
        made = embeddings.embed(shop.pk, ["розы", "тюльпаны"], task="document", budget=budget())
        assert (len(made.vectors), made.model, made.dimension) == (2, "nomic-embed-text", 16)
        embeddings.embed(shop.pk, ["розы"], task="query", budget=budget())
        assert [asked.method for asked in vendor.asked] == ["GET", "POST", "POST"]
        assert embeddings.which(shop.pk) == (
            credential.pk,
            "openai_compatible",
            f"{vendor.url}/v1",
            "nomic-embed-text",
            None,
        )

    @pytest.mark.parametrize("status", [404, 405, 501])
    def test_a_server_without_any_is_remembered(self, shop: Widget, vendor: Vendor, status: int) -> None:
        at(vendor, shop)
        vendor.will_say(Says({}, status=status))
        embeddings = questions.embeddings()
        assert embeddings is not None
        with pytest.raises(questions.NoEmbeddings):
            embeddings.embed(shop.pk, ["a"], task="query", budget=budget())
        asked = len(vendor.asked)
        with pytest.raises(questions.NoEmbeddings):
            embeddings.embed(shop.pk, ["a"], task="query", budget=budget())
        assert len(vendor.asked) == asked
        assert Alert.objects.get().code == "kb_embeddings_unsupported"

    @pytest.mark.parametrize("vector", [[], [1.0], [0.0, 0.0]])
    def test_vectors_that_cannot_be_compared_are_a_failure(
        self, shop: Widget, vendor: Vendor, vector: list[float]
    ) -> None:
        at(vendor, shop, embedding_model="e-1")
        data = [{"object": "embedding", "index": 0, "embedding": vector}]
        vendor.will_say({"object": "list", "data": data, "model": "e", "usage": {}})
        embeddings = questions.embeddings()
        assert embeddings is not None
        with pytest.raises(questions.ModelFailed, match="bad_answer"):
            embeddings.embed(shop.pk, ["a"], task="query", budget=budget())

    def test_a_model_whose_vectors_are_too_long_is_remembered(self, shop: Widget, vendor: Vendor) -> None:
        at(vendor, shop, embedding_model="e-1")
        data = [{"object": "embedding", "index": 0, "embedding": [1.0] * 1_537}]
        vendor.will_say({"object": "list", "data": data, "model": "e", "usage": {}})
        embeddings = questions.embeddings()
        assert embeddings is not None
        for _ in range(2):
            with pytest.raises(questions.NoEmbeddings):
                embeddings.embed(shop.pk, ["a"], task="query", budget=budget())
        assert len(vendor.asked) == 1
        assert Alert.objects.get().code == "kb_embeddings_unsupported"


def test_others_are_told_who_answers(shop: Widget) -> None:
    assert questions.answering(shop.pk) == (False, True, [])
    assistant = AssistantFactory.create(widget=shop, rag_enabled=False)
    AiSettings.objects.create(widget=shop, enabled=True, rag_enabled=False)
    assert questions.answering(shop.pk) == (True, False, [(assistant.pk, True, False)])


@pytest.mark.parametrize("process", ["config.web", "config.asgi", "config.celery"])
def test_no_process_imports_an_sdk_at_its_start(process: str) -> None:
    script = f"import {process}, django, sys; django.setup(); print(*({SDKS!r} & set(sys.modules)))"
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=PROJECT_ROOT, env=os.environ, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == ""


@pytest.mark.parametrize("behaviour", [name for name in BEHAVIOURS if name != "slow"])  # which takes ten seconds
def test_a_played_model_behaves(behaviour: str) -> None:
    asked = PlayedRequest("POST", "/v1/chat/completions", {}, b'{"messages": [{"role": "user", "content": "hi"}]}')
    said = behaving(behaviour)(asked)
    if behaviour == "broken":
        assert isinstance(said, Says)
        return
    assert isinstance(said, dict)
    text = said["choices"][0]["message"]["content"]
    thoughts = "<think>They ask: hi</think>hi"
    answers = {"echo": "hi", "tools": "hi", "wrong-number": "hi", "handoff": "[KEY_TO_OPERATOR]", "thinking": thoughts}
    assert text == answers[behaviour]
