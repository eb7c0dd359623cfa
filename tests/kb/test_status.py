"""The status, and counts that agree with a recount whatever was done (design of the knowledge base, 6)."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.accounts.models import Widget
from apps.ai.models import AiSettings, Credential
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.problems import Problem
from apps.kb import questions
from apps.kb.actions.documents import delete_source, replace_document
from apps.kb.actions.writing import change_rule, create_rule, delete_rule
from apps.kb.models import CrawlRun, KnowledgeBase, Rule, Source
from apps.kb.rules.documents import Chunk
from apps.kb.rules.status import unused_because
from apps.kb.rules.texts import SourceType
from tests.client import ApiClient
from tests.factories import WidgetFactory
from tests.factories.ai import AssistantFactory
from tests.factories.kb import UploadFactory


def status(api: ApiClient) -> Any:
    response = api.get("/kb/status")
    assert response.status_code == 200, response.content
    return response.json()["data"]


def test_an_empty_knowledge_base_has_a_status(api: ApiClient) -> None:
    assert status(api) == {
        "indexed": False,
        "in_use": False,
        "reason": "empty",
        "retrieval": "text",
        "rules": 0,
        "sources": 0,
        "embeddings": {"ready": 0, "pending": 0, "failed": 0, "none": 0},
        "embedding": None,
        "crawler": {"configured": False, "state": None, "last_finished_at": None},
        "uploads": {"queued": 0, "extracting": 0, "embedding": 0, "ready": 0, "failed": 0},
        "last_indexed_at": None,
        "limits": {"rules": 50_000, "rule_characters": 4_000, "upload_bytes": 10_485_760, "crawl_pages": 2_000},
    }


def test_one_that_is_indexed_and_in_use(api: ApiClient, shop: Widget, embedding: Credential) -> None:
    assert status(api)["embedding"] == {
        "provider": "openai_compatible",
        "model": "e-1",
        "dimension": None,
        "credential_id": embedding.pk,
        "assistant_id": None,
    }
    rule = api.post("/kb/rules", json={"content": "Open."}).json()["data"]
    AssistantFactory.create(widget=shop)
    AiSettings.objects.create(widget=shop, enabled=True)
    found = status(api)
    assert (found["indexed"], found["in_use"], found["reason"], found["retrieval"]) == (True, True, None, "hybrid")
    assert (found["rules"], found["sources"], found["embeddings"]["ready"]) == (1, 1, 1)
    assert (found["embedding"]["dimension"], found["last_indexed_at"]) == (16, rule["created_at"])


def test_a_document_on_its_way(api: ApiClient, shop: Widget) -> None:
    api.post("/kb/rules", json={"content": "Open."})
    assert status(api)["indexed"]
    UploadFactory.create(widget=shop, state="queued")
    found = status(api)
    assert (found["indexed"], found["uploads"]["queued"]) == (False, 1)


def test_a_crawl_under_way(api: ApiClient, shop: Widget) -> None:
    api.post("/kb/rules", json={"content": "Open."})
    run = CrawlRun.objects.create(widget=shop, trigger="put")
    assert (status(api)["indexed"], status(api)["crawler"]["state"]) == (False, "queued")
    CrawlRun.objects.filter(pk=run.pk).update(state="done", finished_at=timezone.now())
    assert status(api)["indexed"]
    assert status(api)["crawler"]["last_finished_at"]


@pytest.mark.parametrize(
    ("enabled", "rag", "assistants", "rules", "reason"),
    [
        (True, True, [(True, True)], 1, None),
        (True, True, [(False, True), (True, False)], 1, "no_assistant"),
        (True, True, [], 1, "no_assistant"),
        (True, False, [], 1, "rag_disabled"),
        (False, False, [], 1, "ai_disabled"),
        (False, False, [], 0, "empty"),
    ],
)
def test_why_it_is_not_in_use(
    enabled: bool, rag: bool, assistants: list[tuple[bool, bool]], rules: int, reason: str | None
) -> None:
    found = [questions.AnsweringAssistant(n, *each) for n, each in enumerate(assistants)]
    assert unused_because(questions.Answering(enabled, rag, found), rules=rules) == reason


TEXTS = st.sampled_from(["a", "b", "c"])
DOCUMENTS = st.sampled_from([None, "x", "y"])
STEPS = st.one_of(
    st.tuples(st.just("create"), TEXTS, DOCUMENTS),
    st.tuples(st.just("change"), TEXTS, DOCUMENTS),
    st.tuples(st.just("delete")),
    st.tuples(st.just("replace"), st.sampled_from(["crawl:1", "crawl:2"]), st.lists(TEXTS, max_size=4)),
    st.tuples(st.just("delete source"), st.sampled_from(["crawl:1", "manual", "manual:x"])),
)


def take(widget: Widget, step: Any) -> None:
    kind, *more = step
    outbound = ExternalCall(widget.pk)
    some = Rule.objects.for_widget(widget.pk).order_by("pk").first()
    if kind == "create":
        create_rule(content=more[0], doc_id=more[1], outbound=outbound)
    elif kind == "replace":
        replace_document(
            widget_id=widget.pk,
            source_ref=more[0],
            source_type=SourceType.CRAWL,
            title="",
            doc_id=more[0],
            url=more[0],
            chunks=[Chunk("", text) for text in more[1]],
        )
    elif kind == "delete source":
        delete_source(widget_id=widget.pk, source_ref=more[0])
    elif some is not None and kind == "change":
        change_rule(rule_id=some.pk, changes={"content": more[0], "doc_id": more[1]}, outbound=outbound)
    elif some is not None:
        delete_rule(widget_id=widget.pk, rule_id=some.pk)


@pytest.mark.django_db
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEPS, max_size=12))
def test_counts_agree_with_a_recount(settings: Any, steps: list[Any]) -> None:
    settings.KB_MAX_RULES = 10
    widget = WidgetFactory.create()
    for step in steps:
        try:
            take(widget, step)
        except Problem as refused:
            assert refused.type.code == "kb_full"  # noqa: PT017 - which of the steps are refused is not known
    rules = Rule.objects.for_widget(widget.pk)
    base = KnowledgeBase.objects.for_widget(widget.pk).first() or KnowledgeBase()
    sources = {source.pk: source.chunks for source in Source.objects.for_widget(widget.pk)}
    assert sources == {pk: rules.filter(source=pk).count() for pk in sources}
    assert 0 not in sources.values()
    assert (base.rules, base.sources, base.none) == (rules.count(), len(sources), rules.count())
