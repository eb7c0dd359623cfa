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
from apps.kb.rules.batches import fitting, may_be_about_a_text, wait_s
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
    def answer(request: PlayedRequest) -> Says | dict[str, Any]:
        return Says({}, status=400) if any("bad" in text for text in request.json["input"]) else vectors(request)

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
        (3, {}, 300),
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

    def answer(request: PlayedRequest) -> dict[str, Any]:
        made = [
            {"object": "embedding", "index": n, "embedding": [1.0, 2.0]} for n, _ in enumerate(request.json["input"])
        ]
        return {"object": "list", "data": made, "model": "e", "usage": {"prompt_tokens": 1, "total_tokens": 1}}

    vendor.answer = answer
    document(shop, "b", ref="upload:2")
    run()
    assert statuses(shop) == {"ready": 2}
    assert base_of(shop).dimension == 2
    assert {len(vector.vector) for vector in Embedding.objects.for_widget(shop.pk)} == {2}


def test_a_model_that_is_not_known_yet_is_asked_for(shop: Widget, vendor: Vendor, embedding: Credential) -> None:
    Credential.objects.filter(pk=embedding.pk).update(embedding_model="")

    def answer(request: PlayedRequest) -> dict[str, Any]:
        model = {"id": "my-embed", "object": "model", "created": 1, "owned_by": "me"}
        return {"object": "list", "data": [model]} if request.method == "GET" else vectors(request)

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


def refusing(status: int, body: dict[str, Any] | None = None) -> Any:
    """A server that refuses any call with a text that says "bad"."""

    def answer(request: PlayedRequest) -> Says | dict[str, Any]:
        is_bad = any("bad" in text for text in request.json["input"])
        return Says(body or {}, status=status) if is_bad else vectors(request)

    return answer


LLAMA_CPP = {"error": {"message": "input (681 tokens) is too large to process. increase the physical batch size"}}


class TestOneBadText:
    @pytest.mark.parametrize(
        ("status", "body", "reason"),
        [
            (500, LLAMA_CPP, "bad_answer"),
            (500, {"error": "boom"}, "server_error"),
            (422, {"detail": "batch size 64 > maximum allowed batch size 32"}, "bad_answer"),
            (413, {"error": "too large"}, "bad_answer"),
            (200, {"object": "list", "data": [], "model": "e-1"}, "bad_answer"),
        ],
    )
    def test_it_holds_up_no_other_whatever_the_refusal(
        self, shop: Widget, vendor: Vendor, status: int, body: dict[str, Any], reason: str
    ) -> None:
        vendor.answer = refusing(status, body)
        document(shop, *(f"good {number}" for number in range(70)), "bad")
        run()
        assert statuses(shop) == {"ready": 70, "failed": 1}
        assert base_of(shop).due_at is None
        assert Rule.objects.for_widget(shop.pk).get(embedding_status="failed").embedding_error == reason

    def test_a_server_that_takes_none_is_down_and_no_text_is_to_blame(self, shop: Widget, vendor: Vendor) -> None:
        vendor.answer = lambda _: Says({"error": "boom"}, status=500)
        document(shop, *(f"good {number}" for number in range(20)))
        run()
        assert statuses(shop) == {"pending": 20}
        assert [asked.json["input"] for asked in vendor.asked][1:] == [["OK"]], "one more text is tried, and no half"
        assert 5 < in_s(base_of(shop).due_at) <= 10

    def test_a_server_that_goes_down_meanwhile_blames_nobody(self, shop: Widget, vendor: Vendor) -> None:
        def answer(request: PlayedRequest) -> Says | dict[str, Any]:
            return (
                vectors(request) if request.json["input"] == ["OK"] and len(vendor.asked) < 4 else Says({}, status=500)
            )

        vendor.answer = answer
        document(shop, "a", "b")
        run()
        assert statuses(shop) == {"pending": 2}

    def test_a_text_that_has_no_answer_is_found_when_the_server_is_asked_again(
        self, shop: Widget, vendor: Vendor
    ) -> None:
        vendor.answer = refusing(504)
        document(shop, "good", "bad")
        run()
        assert statuses(shop) == {"pending": 2}, "it may be down"
        KnowledgeBase.objects.for_widget(shop.pk).update(due_at=timezone.now())
        run()
        assert statuses(shop) == {"ready": 1, "failed": 1}

    def test_a_server_of_small_batches_is_asked_by_small_batches(self, shop: Widget, vendor: Vendor) -> None:
        def answer(request: PlayedRequest) -> Says | dict[str, Any]:
            return vectors(request) if len(request.json["input"]) <= 32 else Says({"detail": "too many"}, status=422)

        vendor.answer = answer
        document(shop, *(f"good {number}" for number in range(128)))
        run()
        assert statuses(shop) == {"ready": 128}
        assert [len(asked.json["input"]) for asked in vendor.asked] == [64, 1, 32, 32, 32, 32]

    def test_vectors_without_places_are_in_the_order_of_the_texts(self, shop: Widget, vendor: Vendor) -> None:
        def answer(request: PlayedRequest) -> dict[str, Any]:
            said = vectors(request)
            return {**said, "data": [{**one, "index": None} for one in said["data"]]}

        vendor.answer = answer
        document(shop, "a", "b")
        run()
        assert statuses(shop) == {"ready": 2}

    @pytest.mark.parametrize(
        ("reason", "status", "attempts", "may_be"),
        [
            ("rejected_key", 401, 5, False),
            ("rate_limited", 429, 5, False),
            ("model_not_found", 404, 5, False),
            ("bad_answer", None, 0, True),
            ("server_error", 500, 0, True),
            ("server_error", 503, 0, False),
            ("timeout", None, 0, False),
            ("timeout", None, 1, True),
        ],
    )
    def test_which_refusals_may_be_about_a_text(
        self, reason: str, status: int | None, attempts: int, may_be: bool
    ) -> None:
        assert may_be_about_a_text(reason, status, attempts=attempts) is may_be


class TestAnotherModel:
    """A change is followed when it is made: no job runs in these."""

    def test_rules_are_ready_only_for_the_model_in_use(
        self, api: ApiClient, shop: Widget, embedding: Credential
    ) -> None:
        document(shop, "a", "b")
        run()
        assert statuses(shop) == {"ready": 2}
        path = f"/ai/credentials/{embedding.pk}"
        assert api.patch(path, json={"embedding_model": "e-2"}).status_code == 200
        assert statuses(shop) == {"pending": 2}
        assert (base_of(shop).model, base_of(shop).dimension) == ("e-2", None)
        run()
        assert statuses(shop) == {"ready": 2}
        assert api.patch(path, json={"is_active": False}).status_code == 200
        assert statuses(shop) == {"none": 2}
        assert api.patch(path, json={"is_active": True}).status_code == 200
        assert statuses(shop) == {"ready": 2}, "their vectors are still of the model in use"

    def test_equal_texts_are_paid_once_right_after_a_change(
        self, api: ApiClient, shop: Widget, vendor: Vendor, embedding: Credential
    ) -> None:
        document(shop, "a")
        run()
        Credential.objects.filter(pk=embedding.pk).update(embedding_model="e-2")  # as no event tells
        for _ in range(2):
            answer = api.post("/kb/rules", json={"content": "same"})
            assert answer.json()["data"]["embedding_status"] == "ready"
        assert [asked.json["input"] for asked in vendor.asked] == [["Prices\na"], ["same"]]

    def test_an_emptied_base_is_bound_to_no_model(
        self, api: ApiClient, shop: Widget, vendor: Vendor, embedding: Credential
    ) -> None:
        made = api.post("/kb/rules", json={"content": "a"}).json()["data"]
        assert api.delete(f"/kb/rules/{made['id']}").status_code == 204
        assert api.get("/kb/status").json()["data"]["embedding"]["dimension"] is None
        Credential.objects.filter(pk=embedding.pk).update(embedding_model="e-2")
        assert api.post("/kb/rules", json={"content": "b"}).status_code == 201
        assert (base_of(shop).model, base_of(shop).dimension) == ("e-2", 16)
        assert api.get("/kb/status").json()["data"]["retrieval"] == "hybrid"
        assert api.post("/kb/rules", json={"content": "b"}).status_code == 201
        assert len(vendor.asked) == 2


def long_vectors(length: int) -> Any:
    def answer(request: PlayedRequest) -> dict[str, Any]:
        made = [
            {"object": "embedding", "index": n, "embedding": [3.0, 4.0] * (length // 2)}
            for n, _ in enumerate(request.json["input"])
        ]
        return {"object": "list", "data": made, "model": "e", "usage": {"prompt_tokens": 1, "total_tokens": 1}}

    return answer


class TestLongVectors:
    @pytest.mark.parametrize(
        ("model", "length", "kept"),
        [
            ("qwen3-embedding:8b", 4_096, 1_024),
            ("Qwen/Qwen3-Embedding-4B", 2_560, 1_024),
            ("text-embedding-3-large", 3_072, 1_024),
            ("gemini-embedding-001", 3_072, 1_536),
            ("any-embed", 1_536, 1_536),
        ],
    )
    def test_they_are_cut_where_the_models_card_allows_it(
        self, api: ApiClient, shop: Widget, vendor: Vendor, embedding: Credential, model: str, length: int, kept: int
    ) -> None:
        Credential.objects.filter(pk=embedding.pk).update(own_embedding_model=model)
        vendor.answer = long_vectors(length)
        assert api.post("/kb/rules", json={"content": "a"}).json()["data"]["embedding_status"] == "ready"
        vector = Embedding.objects.for_widget(shop.pk).get().vector
        assert len(vector) == kept == base_of(shop).dimension
        if length > kept:
            assert sum(number * number for number in vector) == pytest.approx(1, abs=0.01)

    def test_others_are_refused_by_a_sentence_and_rules_can_still_be_written(
        self, api: ApiClient, shop: Widget, vendor: Vendor, embedding: Credential
    ) -> None:
        Credential.objects.filter(pk=embedding.pk).update(own_embedding_model="e5-mistral-7b")
        vendor.answer = long_vectors(4_096)
        assert api.post("/kb/rules", json={"content": "a"}).json()["data"]["embedding_status"] == "none"
        alert = Alert.objects.for_widget(shop.pk).get()
        assert alert.code == "kb_embeddings_unsupported"
        assert alert.message.endswith("e5-mistral-7b: 4096")


class TestWhichModel:
    def test_a_model_whose_name_tells_nothing_is_found_by_asking(
        self, shop: Widget, vendor: Vendor, embedding: Credential
    ) -> None:
        Credential.objects.filter(pk=embedding.pk).update(embedding_model="")

        def answer(request: PlayedRequest) -> Says | dict[str, Any]:
            if request.method == "GET":
                names = ("llama3.1:8b", "anna-voice", "house-vectors")
                listed = [{"id": name, "object": "model", "created": 1, "owned_by": "me"} for name in names]
                return {"object": "list", "data": listed}
            return vectors(request) if request.json["model"] == "house-vectors" else Says({"error": "no"}, status=400)

        vendor.answer = answer
        document(shop, "a")
        run()
        assert (statuses(shop), base_of(shop).model) == ({"ready": 1}, "house-vectors")
        asked = [one.json["model"] for one in vendor.asked if one.method == "POST"]
        assert asked == ["anna-voice", "house-vectors", "house-vectors"]

    def test_a_credential_for_knowledge_comes_before_one_that_answers(
        self, api: ApiClient, shop: Widget, vendor: Vendor, embedding: Credential
    ) -> None:
        base_url = f"{vendor.url}/v1"
        body = {"provider": "openai_compatible", "base_url": base_url, "api_key": "k" * 20}
        second = api.post("/ai/credentials", json={**body, "embedding_model": "bge-m3"}).json()["data"]["id"]
        embedder = api.get("/kb/status").json()["data"]["embedding"]
        assert (embedder["credential_id"], embedder["model"]) == (second, "bge-m3")

    def test_a_refused_length_is_asked_for_once(self, shop: Widget, vendor: Vendor, embedding: Credential) -> None:
        Credential.objects.filter(pk=embedding.pk).update(provider="openai", own_embedding_model="e-1")

        def answer(request: PlayedRequest) -> Says | dict[str, Any]:
            refused = Says({"error": {"message": "This model does not support dimensions", "param": "dimensions"}}, 400)
            return refused if "dimensions" in request.json else vectors(request)

        vendor.answer = answer
        document(shop, *(f"chunk {number}" for number in range(130)))
        run()
        assert statuses(shop) == {"ready": 130}
        assert ["dimensions" in asked.json for asked in vendor.asked] == [True, False, False, False]
