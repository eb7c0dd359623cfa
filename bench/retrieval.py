"""The results of four ways of looking in two collections of help: `python -m bench.retrieval FILES VENDOR_URL` prints
it as JSON: `{collection: {track: {way: [recall@5, nDCG@10]}}}`, and under `sizes` how much was asked and looked
through.

Each document answers as its best chunk does. One document answers a question, so its recall at 5 is whether its place
is among the first five, and its nDCG at 10 is 1 / log2(place + 1) where that is among the first ten, else 0.
"""

import json
import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import django

from bench.topics import Collection, Query, Topic, collections, tracks

VECTOR, WORDS, TEXT, HYBRID = WAYS = ("plain vector", "plain full text", "ours on text", "ours hybrid")

_BY_VECTOR = """SELECT r.source_id FROM kb_embedding e
JOIN kb_rule r ON r.widget_id = e.widget_id AND r.digest = e.digest
WHERE e.widget_id = %s ORDER BY e.vector <=> %s::halfvec, r.id LIMIT 60"""
_BY_WORDS = """WITH asked AS (
    SELECT string_agg(quote_literal(lexeme), ' | ')::tsquery AS query FROM unnest(to_tsvector('russian', %s))
) SELECT r.source_id FROM kb_rule r CROSS JOIN asked WHERE r.widget_id = %s AND r.searched @@ asked.query
ORDER BY ts_rank_cd(r.searched, asked.query) DESC, r.id LIMIT 60"""


def measure(files: Path, vendor_url: str) -> dict[str, Any]:
    found: dict[str, Any] = {"sizes": {}}
    for name, collection in collections(files).items():
        widgets = {language: _widget_of(topics, vendor_url) for language, topics in collection.items()}
        found[name] = {track: _of_track(queries, widgets) for track, queries in tracks(collection).items()}
        found["sizes"][name] = _sizes(collection, widgets)
    return found


def _sizes(collection: Collection, widgets: dict[str, int]) -> dict[str, Any]:
    from apps.kb.models import Rule

    documents = {language: len(topics) for language, topics in collection.items()}
    chunks = {language: Rule.objects.for_widget(widget_id).count() for language, widget_id in widgets.items()}
    asked = {track: len(queries) for track, queries in tracks(collection).items()}
    return {"documents": documents, "chunks": chunks, "queries": asked}


def _widget_of(topics: Sequence[Topic], vendor_url: str) -> int:
    """A widget that knows these documents, cut and embedded as uploads are."""
    from apps.accounts.models import Account, Widget
    from apps.ai.actions.credentials import create_credential
    from apps.extraction.documents import read_document
    from apps.extraction.pages import page_cage
    from apps.kb.actions.documents import replace_document
    from apps.kb.models import KnowledgeBase
    from apps.kb.rules.documents import Chunk
    from apps.kb.rules.texts import SourceType
    from apps.kb.tasks import EMBEDDING_QUEUE
    from apps.leases import claims

    account, _ = Account.objects.get_or_create(email="bench@parley.example", defaults={"name": "Bench"})
    widget_id = Widget.objects.create(account=account, name="Bench").pk
    fields: dict[str, Any] = {"base_url": f"{vendor_url}/v1", "target": f"{vendor_url}/v1", "model": "m-1"}
    create_credential(widget_id=widget_id, provider="openai_compatible", api_key="k", **fields)
    with page_cage() as cage:
        for topic in topics:
            options = {"kind": "text/markdown", "name": ""}
            answer = cage.call("apps.extraction.sandbox.formats:extract", topic.document.encode(), options)
            chunks = [Chunk(chunk.title, chunk.content) for chunk in read_document(answer).chunks]
            names: dict[str, Any] = {"title": "", "doc_id": None, "url": None}
            source = {"source_ref": f"upload:{topic.key}", "source_type": SourceType.UPLOAD}
            replace_document(widget_id=widget_id, chunks=chunks, **source, **names)
    while KnowledgeBase.objects.for_widget(widget_id).get().pending:
        for lease in claims.claim(EMBEDDING_QUEUE, wanted=4):
            lease.run()
    base = KnowledgeBase.objects.for_widget(widget_id).get()
    if base.ready != base.rules:
        raise RuntimeError(f"{base.rules - base.ready} of {base.rules} chunks have no vector")
    return int(widget_id)


def _of_track(queries: Sequence[Query], widgets: dict[str, int]) -> dict[str, list[float]]:
    places: dict[str, list[int | None]] = {way: [] for way in WAYS}
    for some in (queries[place : place + 64] for place in range(0, len(queries), 64)):
        vectors = _vectors(widgets[some[0].language], [query.text for query in some])
        for query, vector in zip(some, vectors, strict=True):
            for way, place in _places(query, vector, widgets[query.language]).items():
                places[way].append(place)
    return {way: [_recall(found), _ndcg(found)] for way, found in places.items()}


def _places(query: Query, vector: Sequence[float], widget_id: int) -> dict[str, int | None]:
    """The place of the document that answers, by each way, from 1."""
    from apps.core.database import fetch_all
    from apps.kb.actions.bases import embedder_of, space_in_use
    from apps.kb.actions.retrieval import asked_of, find
    from apps.kb.models import KnowledgeBase, Source

    right = Source.objects.for_widget(widget_id).values_list("pk", flat=True).get(ref=f"upload:{query.key}")
    asked = asked_of(widget_id, None, query.text)
    assert asked is not None
    space = space_in_use(KnowledgeBase.objects.for_widget(widget_id).get(), embedder_of(widget_id))
    ours = {
        TEXT: find(asked.query, limit=60, max_tokens=10**9),
        HYBRID: find(asked.query._replace(vector=vector, space=space), limit=60, max_tokens=10**9),
    }
    literal = "[" + ",".join(map(repr, vector)) + "]"
    return {
        VECTOR: _place(right, [row[0] for row in fetch_all(_BY_VECTOR, [widget_id, literal])]),
        WORDS: _place(right, [row[0] for row in fetch_all(_BY_WORDS, [query.text, widget_id])]),
        **{way: _place(right, [one.rule.source_id for one in found.chunks]) for way, found in ours.items()},
    }


def _place(right: int, sources: Sequence[int]) -> int | None:
    distinct = list(dict.fromkeys(sources))
    return distinct.index(right) + 1 if right in distinct else None


def _recall(places: Sequence[int | None]) -> float:
    return sum(place is not None and place <= 5 for place in places) / len(places)


def _ndcg(places: Sequence[int | None]) -> float:
    return sum(1 / math.log2(place + 1) for place in places if place is not None and place <= 10) / len(places)


def _vectors(widget_id: int, texts: Sequence[str]) -> Sequence[Sequence[float]]:
    from apps.egress.call_budget import CallBudget
    from apps.kb.actions.vectors import embedded

    return embedded(widget_id, texts, task="query", budget=CallBudget(operations=4, seconds=60)).vectors


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    print(json.dumps(measure(Path(sys.argv[1]), sys.argv[2])))
