"""Documents: replaced whole with equal chunks kept, and counted as they change (design of the knowledge base, 1, 4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.core.problems import Problem
from apps.kb.actions.documents import delete_source, replace_document
from apps.kb.models import KnowledgeBase, Rule, Source
from apps.kb.rules.documents import Chunk, compared
from apps.kb.rules.texts import SourceType, digest_of, is_blank
from tests.factories import WidgetFactory

pytestmark = pytest.mark.django_db
URL = "https://shop.example/delivery"


@pytest.fixture
def widget() -> Widget:
    return WidgetFactory()


def replaced(widget: Widget, *texts: str, url: str = URL) -> tuple[int, ...]:
    chunks = [Chunk("Delivery", text) for text in texts]
    return replace_document(
        widget_id=widget.pk,
        source_ref=f"crawl:{url}",
        source_type=SourceType.CRAWL,
        title="Delivery",
        doc_id=url,
        url=url,
        chunks=chunks,
        regenerates=True,
    )


def rules(widget: Widget) -> list[tuple[int, str]]:
    return list(Rule.objects.for_widget(widget.pk).order_by("chunk_index").values_list("pk", "content"))


def test_equal_chunks_keep_their_rule(widget: Widget) -> None:
    assert replaced(widget, "one", "two", "three") == (3, 0, 0)
    before = {content: pk for pk, content in rules(widget)}
    assert replaced(widget, "new", "three", "one") == (1, 2, 1)
    after = rules(widget)
    assert [content for _, content in after] == ["new", "three", "one"]
    assert (after[1][0], after[2][0]) == (before["three"], before["one"])
    assert list(Rule.objects.for_widget(widget.pk).order_by("chunk_index").values_list("chunk_index", flat=True)) == [
        0,
        1,
        2,
    ]
    source = Source.objects.for_widget(widget.pk).get()
    assert (source.chunks, source.url, source.regenerates, source.doc_id) == (3, URL, True, URL)


def test_the_same_again_writes_no_rule(widget: Widget) -> None:
    replaced(widget, "one", "one")
    before = rules(widget)
    assert replaced(widget, "one", "one") == (0, 2, 0)
    assert rules(widget) == before


def test_a_document_without_chunks_goes(widget: Widget) -> None:
    replaced(widget, "one", "two")
    assert replaced(widget) == (0, 0, 2)
    assert not Source.objects.for_widget(widget.pk).exists()


def test_a_source_is_deleted_with_its_rules(widget: Widget) -> None:
    replaced(widget, "one", "two")
    replaced(widget, "three", url="https://shop.example/other")
    assert delete_source(widget_id=widget.pk, source_ref=f"crawl:{URL}") == 2
    assert delete_source(widget_id=widget.pk, source_ref=f"crawl:{URL}") == 0
    base = KnowledgeBase.objects.for_widget(widget.pk).get()
    assert (base.rules, base.sources, base.none) == (1, 1, 1)


def test_another_widgets_source_is_unknown(widget: Widget) -> None:
    replaced(widget, "one")
    assert delete_source(widget_id=WidgetFactory().pk, source_ref=f"crawl:{URL}") == 0
    assert len(rules(widget)) == 1


def test_one_rule_too_many_stores_nothing(widget: Widget, settings: Settings) -> None:
    settings.KB_MAX_RULES = 10
    replaced(widget, *map(str, range(10)))
    replaced(widget, "new", *map(str, range(9)))  # one goes for the one that comes
    with pytest.raises(Problem) as refused:
        replaced(widget, *map(str, range(11)))
    assert refused.value.type.code == "kb_full"
    assert KnowledgeBase.objects.for_widget(widget.pk).get().rules == 10


@given(st.lists(st.sampled_from("abcd"), max_size=6), st.lists(st.sampled_from("abcd"), max_size=6))
def test_a_comparison_keeps_as_much_as_there_is(known: list[str], chunks: list[str]) -> None:
    found = compared(
        [(place, Chunk("", text)) for place, text in enumerate(known)], [Chunk("", text) for text in chunks]
    )
    assert sorted([*found.kept.values(), *found.added]) == list(range(len(chunks)))
    assert sorted([*found.kept, *found.removed]) == list(range(len(known)))
    assert len(found.kept) == sum(min(known.count(text), chunks.count(text)) for text in set(chunks))
    assert all(known[rule] == chunks[place] for rule, place in found.kept.items())


def test_what_nobody_sees_is_not_embedded() -> None:
    assert digest_of("", "te\u200bxt\U000e0041") == digest_of("", "text")
    assert is_blank("\u200b \u202e\n")
    assert not is_blank("\u200b.")
