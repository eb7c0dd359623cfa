"""Embedding in the background: batches, halves, waits, and another model (design of the knowledge base, 2)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.ai.models import Alert, Credential
from apps.demo.servers.language_models import Vendor, vectors
from apps.demo.servers.played import PlayedRequest, Says
from apps.kb.actions.background import notice_changes
from apps.kb.actions.documents import replace_document
from apps.kb.models import Embedding, KnowledgeBase, Rule
from apps.kb.rules.batches import fitting, wait_s
from apps.kb.rules.documents import Chunk
from apps.kb.rules.texts import SourceType
from apps.kb.tasks import EMBEDDING_QUEUE
from apps.leases import claims
from tests.client import ApiClient

pytestmark = pytest.mark.usefixtures("embedding")


def document(shop: Widget, *texts: str, ref: str = "upload:1") -> None:
    replace_document(
        widget_id=shop.pk,
        source_ref=ref,
        source_type=SourceType.UPLOAD,
        title="Prices",
        doc_id="prices.md",
        url=None,
        chunks=[Chunk("Prices", text) for text in texts],
    )


def run() -> None:
    for lease in claims.claim(EMBEDDING_QUEUE, wanted=4):
        lease.run()


def statuses(shop: Widget) -> dict[str, int]:
    base = KnowledgeBase.objects.for_widget(shop.pk).get()
    kept = {"ready": base.ready, "pending": base.pending, "failed": base.failed, "none": base.none}
    counted = dict.fromkeys(kept, 0)
    for status in Rule.objects.for_widget(shop.pk).values_list("embedding_status", flat=True):
        counted[status] += 1
    assert kept == counted
    return {name: number for name, number in kept.items() if number}


def base_of(shop: Widget) -> KnowledgeBase:
    return KnowledgeBase.objects.for_widget(shop.pk).get()


def in_s(moment: datetime | None) -> float:
    assert moment is not None
    return (moment - timezone.now()) / timedelta(seconds=1)


def test_a_document_is_embedded_with_as_few_calls_as_there_are_batches(shop: Widget, vendor: Vendor) -> None:
    document(shop, *(f"chunk {number}" for number in range(130)))
    assert statuses(shop) == {"pending": 130}
    run()
    assert statuses(shop) == {"ready": 130}
    assert [len(asked.json["input"]) for asked in vendor.asked] == [64, 64, 2]
    assert vendor.asked[0].json["input"][0] == "Prices\nchunk 129", "the newest first, with its title"
    assert base_of(shop).due_at is None


def test_equal_texts_are_embedded_once(shop: Widget, vendor: Vendor) -> None:
    document(shop, "same", "same")
    document(shop, "same", ref="upload:2")
    run()
    assert statuses(shop) == {"ready": 3}
    assert [asked.json["input"] for asked in vendor.asked] == [["Prices\nsame"]]
    document(shop, ref="upload:2")
    document(shop, "same", ref="upload:3")
    assert statuses(shop) == {"ready": 3}


def test_a_refused_batch_is_halved_down_to_the_text(shop: Widget, vendor: Vendor) -> None:
    def answer(asked: PlayedRequest) -> Says | dict[str, Any]:
        return Says({}, status=400) if any("bad" in text for text in asked.json["input"]) else vectors(asked)

    vendor.answer = answer
    document(shop, *(f"good {number}" for number in range(9)), "bad")
    run()
    assert statuses(shop) == {"ready": 9, "failed": 1}
    assert base_of(shop).due_at is None
    asked = len(vendor.asked)
    document(shop, "another", ref="upload:2")
    run()
    assert len(vendor.asked) == asked + 1, "what failed is not asked for again"


@pytest.mark.parametrize(
    ("attempts", "headers", "seconds"),
    [
        (0, {}, 10),
        (1, {}, 60),
        (2, {}, 600),
        (3, {}, 3_600),
        (0, {"Retry-After": "120"}, 120),
        (0, {"Retry-After": "9999"}, 600),
    ],
)
def test_a_failed_batch_waits(
    shop: Widget, vendor: Vendor, attempts: int, headers: dict[str, str], seconds: int
) -> None:
    vendor.answer = lambda _: Says({}, status=429, headers=headers)
    document(shop, "a")
    KnowledgeBase.objects.for_widget(shop.pk).update(attempts=attempts)
    run()
    assert statuses(shop) == {"pending": 1}
    assert seconds - 5 < in_s(base_of(shop).due_at) <= seconds
    assert Alert.objects.for_widget(shop.pk).get().code == "kb_embedding_failed"
    document(shop, "b", ref="upload:2")
    assert in_s(base_of(shop).due_at) > seconds - 5, "what comes meanwhile waits too"


def test_another_model_embeds_all_anew(shop: Widget, vendor: Vendor, embedding: Credential) -> None:
    document(shop, "a", "b")
    run()
    Credential.objects.filter(pk=embedding.pk).update(embedding_model="e-2")
    notice_changes()
    run()
    assert statuses(shop) == {"ready": 2}
    assert len({vector.space for vector in Embedding.objects.for_widget(shop.pk)}) == 1
    assert (base_of(shop).model, len(vendor.asked)) == ("e-2", 2)


def test_a_rule_that_another_model_has_embedded_already_is_not_paid_twice(
    api: ApiClient, shop: Widget, vendor: Vendor, embedding: Credential
) -> None:
    document(shop, "a")
    run()
    Credential.objects.filter(pk=embedding.pk).update(embedding_model="e-2")
    assert api.post("/kb/rules", json={"content": "b"}).json()["data"]["embedding_status"] == "ready"
    notice_changes()
    run()
    assert statuses(shop) == {"ready": 2}
    assert [asked.json["input"] for asked in vendor.asked] == [["Prices\na"], ["b"], ["Prices\na"]]
    assert (base_of(shop).model, base_of(shop).dimension) == ("e-2", 16)


def test_a_rotated_key_alone_embeds_nothing(shop: Widget, vendor: Vendor, embedding: Credential) -> None:
    document(shop, "a")
    run()
    embedding.api_key = "another"
    embedding.save()
    notice_changes()
    run()
    assert len(vendor.asked) == 1


def test_without_a_credential_there_are_no_vectors_and_with_it_the_old_ones_count(
    shop: Widget, vendor: Vendor, embedding: Credential
) -> None:
    document(shop, "a")
    run()
    for is_active, expected in ((False, {"none": 1}), (True, {"ready": 1})):
        Credential.objects.filter(pk=embedding.pk).update(is_active=is_active)
        notice_changes()
        run()
        assert statuses(shop) == expected
    assert len(vendor.asked) == 1


def test_a_model_that_begins_to_make_other_vectors(shop: Widget, vendor: Vendor) -> None:
    document(shop, "a")
    run()

    def answer(asked: PlayedRequest) -> dict[str, Any]:
        made = [{"object": "embedding", "index": n, "embedding": [1.0, 2.0]} for n, _ in enumerate(asked.json["input"])]
        return {"object": "list", "data": made, "model": "e", "usage": {"prompt_tokens": 1, "total_tokens": 1}}

    vendor.answer = answer
    document(shop, "b", ref="upload:2")
    run()
    assert statuses(shop) == {"ready": 2}
    assert base_of(shop).dimension == 2
    assert {len(vector.vector) for vector in Embedding.objects.for_widget(shop.pk)} == {2}


def test_a_model_that_is_not_known_yet_is_asked_for(shop: Widget, vendor: Vendor, embedding: Credential) -> None:
    Credential.objects.filter(pk=embedding.pk).update(embedding_model="")

    def answer(asked: PlayedRequest) -> dict[str, Any]:
        model = {"id": "my-embed", "object": "model", "created": 1, "owned_by": "me"}
        return {"object": "list", "data": [model]} if asked.method == "GET" else vectors(asked)

    vendor.answer = answer
    document(shop, "a")
    run()
    assert statuses(shop) == {"ready": 1}
    assert base_of(shop).model == "my-embed"


def test_how_many_texts_go_into_one_call() -> None:
    assert fitting([1] * 100) == 64
    assert fitting([30_000, 30_000, 1]) == 2
    assert fitting([70_000, 1]) == 1
    assert fitting([]) == 0


def test_a_provider_is_listened_to_for_ten_minutes() -> None:
    assert [wait_s(seconds) for seconds in (None, 0, 30, 1e9)] == [None, 1.0, 30, 600.0]
