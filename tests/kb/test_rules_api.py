"""Rules over the API (specification, "Knowledge base"; design of the knowledge base, 1)."""

from __future__ import annotations

import base64
import struct
import time
from threading import Event
from typing import Any

import pytest
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.ai.models import Credential
from apps.core.models import IdempotencyKey
from apps.demo.servers.language_models import Vendor
from apps.demo.servers.played import Says
from apps.kb.actions import writing
from apps.kb.models import Embedding, KnowledgeBase, Rule, Source
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.egress.receivers import Receiver, drips
from tests.factories.kb import RuleFactory, SourceFactory

READ_ONLY = ("id", "source_ref", "button_id", "operator_id", "chunk_index", "title", "regenerates", "created_at")


def written(api: ApiClient, content: str = "Delivery is free.", **more: Any) -> Any:
    response = api.post("/kb/rules", json={"content": content, **more})
    assert response.status_code == 201, response.content
    return response.json()["data"]


def listed(api: ApiClient, **query: Any) -> list[int]:
    response = api.get("/kb/rules", query=query)
    assert response.status_code == 200, response.content
    return [rule["id"] for rule in response.json()["data"]]


class TestWriting:
    def test_a_rule_is_as_it_was_sent(self, api: ApiClient, shop: Widget) -> None:
        rule = written(api, " Доставка\u200b бесплатна.\n", doc_id="faq")
        assert api.get(f"/kb/rules/{rule['id']}").json()["data"] == rule
        assert {name: rule[name] for name in rule if name not in ("id", "created_at", "updated_at")} == {
            "content": " Доставка\u200b бесплатна.\n",
            "doc_id": "faq",
            "source_ref": "manual:faq",
            "source_type": "manual",
            "title": "",
            "url": None,
            "chunk_index": 0,
            "button_id": shop.pk,
            "operator_id": None,
            "embedding_status": "none",
            "regenerates": False,
        }

    @pytest.mark.parametrize(
        ("member", "value"),
        [
            *[("content", value) for value in ("", " \n", "\u200b\u202e", "\U000e0041", "x" * 4_001, None, 5)],
            *[("doc_id", value) for value in ("", " ", "a\nb", "x" * 256, 5)],
        ],
    )
    def test_what_is_no_rule_is_refused(self, api: ApiClient, shop: Widget, member: str, value: Any) -> None:
        body = {"content": "Good.", member: value}
        assert_problem(api.post("/kb/rules", json=body), 422, "invalid_input", errors=[member])
        assert not Rule.objects.for_widget(shop.pk).exists()

    def test_the_longest_rule_is_accepted(self, api: ApiClient) -> None:
        assert written(api, "ё" * 4_000, doc_id="я" * 255)["source_ref"] == "manual:" + "я" * 255

    @pytest.mark.parametrize("member", READ_ONLY)
    def test_other_members_of_a_rule_are_read_only(self, api: ApiClient, member: str) -> None:
        rule = written(api)
        bodies: list[tuple[Any, str]] = [(api.post, "/kb/rules"), (api.patch, f"/kb/rules/{rule['id']}")]
        for send, path in bodies:
            response = send(path, json={"content": "New.", member: rule[member], "strange": 1})
            assert_problem(response, 422, "kb_read_only_field", errors=[member])
        assert api.get(f"/kb/rules/{rule['id']}").json()["data"] == rule

    def test_a_whole_rule_cannot_be_sent_back(self, api: ApiClient) -> None:
        rule = written(api)
        response = api.patch(f"/kb/rules/{rule['id']}", json=rule)
        assert_problem(response, 422, "kb_read_only_field", errors=sorted(set(rule) - {"content", "doc_id"}))

    def test_a_member_that_no_rule_has(self, api: ApiClient) -> None:
        assert_problem(api.post("/kb/rules", json={"content": "a", "strange": 1}), 422, "invalid_input")

    def test_a_rule_over_the_limit_is_409(self, api: ApiClient, shop: Widget, settings: Settings) -> None:
        settings.KB_MAX_RULES = 10
        for number in range(10):
            written(api, str(number))
        assert_problem(api.post("/kb/rules", json={"content": "11"}), 409, "kb_full")
        assert KnowledgeBase.objects.for_widget(shop.pk).get().rules == 10


@pytest.mark.usefixtures("embedding")
class TestEmbedding:
    def test_it_is_embedded_before_the_answer(self, api: ApiClient, shop: Widget, vendor: Vendor) -> None:
        rule = written(api, "Текст\u200b.")
        assert rule["embedding_status"] == "ready"
        (asked,) = vendor.asked
        assert (asked.json["input"], asked.headers["x-service-purpose"]) == (["Текст."], "embedding")
        assert Embedding.objects.for_widget(shop.pk).count() == 1
        assert KnowledgeBase.objects.for_widget(shop.pk).get().dimension == 16

    def test_equal_text_is_not_paid_twice(self, api: ApiClient, vendor: Vendor) -> None:
        first = written(api)
        api.delete(f"/kb/rules/{first['id']}")
        assert written(api)["embedding_status"] == "ready"
        assert len(vendor.asked) == 1

    def test_a_change_of_the_text_alone_is_embedded(self, api: ApiClient, vendor: Vendor) -> None:
        rule = written(api)
        path = f"/kb/rules/{rule['id']}"
        for body in ({}, {"content": rule["content"]}, {"doc_id": "faq"}):
            assert api.patch(path, json=body).status_code == 200
        assert len(vendor.asked) == 1
        assert api.patch(path, json={"content": "New."}).json()["data"]["embedding_status"] == "ready"
        assert vendor.asked[-1].json["input"] == ["New."]

    @pytest.mark.parametrize(
        ("says", "reason"),
        [
            (Says({}, status=500), "server_error"),
            (Says({}, status=401), "rejected_key"),
            (Says({}, status=429), "rate_limited"),
            (Says({"object": "list", "data": [], "model": "e", "usage": {}}), "bad_answer"),
            (Says(b"<html>"), "bad_answer"),
            (
                Says(b'{"object": "list", "data": [{"object": "embedding", "index": 0, "embedding": "!"}]}'),
                "bad_answer",
            ),
            (
                Says(b'{"object": "list", "data": [{"object": "embedding", "index": 0, "embedding": [NaN, 1]}]}'),
                "bad_answer",
            ),
            (
                Says(b'{"object": "list", "data": [{"object": "embedding", "index": 0, "embedding": [0, 0]}]}'),
                "bad_answer",
            ),
            (
                Says(b'{"object": "list", "data": [{"object": "embedding", "index": 0, "embedding": [1]}]}'),
                "bad_answer",
            ),
        ],
    )
    def test_a_failure_stores_nothing_and_frees_the_key(
        self, api: ApiClient, shop: Widget, vendor: Vendor, says: Says, reason: str
    ) -> None:
        answer, vendor.answer = vendor.answer, lambda _: says
        response = api.post("/kb/rules", json={"content": "a"}, idempotency_key="k-1")
        assert_problem(response, 502, "kb_embed_provider_failed")
        assert response.json()["provider_reason"] == reason
        assert not Rule.objects.for_widget(shop.pk).exists()
        assert not IdempotencyKey.objects.filter(key="k-1").exists()
        vendor.answer = answer
        assert api.post("/kb/rules", json={"content": "a"}, idempotency_key="k-1").status_code == 201
        asked = len(vendor.asked)
        again = api.post("/kb/rules", json={"content": "a"}, idempotency_key="k-1")
        assert_problem(again, 409, "idempotency_key_reused")
        assert len(vendor.asked) == asked

    def test_floats_in_base64_are_read(self, api: ApiClient, shop: Widget, vendor: Vendor) -> None:
        floats = base64.b64encode(struct.pack("<3f", 1.0, 0.5, -2.0)).decode()
        data = [{"object": "embedding", "index": 0, "embedding": floats}]
        vendor.answer = lambda _: Says({"object": "list", "data": data, "model": "e", "usage": {"prompt_tokens": 1}})
        assert written(api)["embedding_status"] == "ready"
        assert Embedding.objects.for_widget(shop.pk).get().vector == [1.0, 0.5, -2.0]

    def test_an_answer_that_drips_ends_in_time(
        self, api: ApiClient, shop: Widget, embedding: Credential, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A byte each 0.02 s: no single wait is too long, all of them are (R24)."""
        monkeypatch.setattr(writing, "SECONDS", 1.0)
        head, stopped = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n", Event()
        with Receiver(drips(head, stopped=stopped)) as receiver:
            settings.EGRESS_ALLOW = [f"127.0.0.1:{receiver.port}"]
            url = f"http://127.0.0.1:{receiver.port}/v1"
            Credential.objects.filter(pk=embedding.pk).update(base_url=url, target=url)
            began = time.monotonic()
            assert_problem(api.post("/kb/rules", json={"content": "a"}), 502, "kb_embed_provider_failed")
            stopped.set()
        assert time.monotonic() - began < 4
        assert not Rule.objects.for_widget(shop.pk).exists()

    def test_a_failed_change_leaves_the_old_text(self, api: ApiClient, vendor: Vendor) -> None:
        rule = written(api)
        vendor.answer = lambda _: Says({}, status=500)
        assert_problem(api.patch(f"/kb/rules/{rule['id']}", json={"content": "b"}), 502, "kb_embed_provider_failed")
        assert api.get(f"/kb/rules/{rule['id']}").json()["data"] == rule

    @pytest.mark.parametrize("status", [404, 405, 501])
    def test_a_server_without_embeddings(self, api: ApiClient, vendor: Vendor, status: int) -> None:
        vendor.answer = lambda _: Says({}, status=status)
        assert written(api)["embedding_status"] == "none"
        assert written(api, "b")["embedding_status"] == "none"
        assert len(vendor.asked) == 1, "it is remembered"

    def test_a_rule_is_429_while_every_slot_for_calls_is_taken(
        self, api: ApiClient, shop: Widget, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from apps.egress import outbound_waits

        monkeypatch.setattr(outbound_waits, "slots_each", 0)
        response = api.post("/kb/rules", json={"content": "a"}, idempotency_key="k-2")
        assert_problem(response, 429, "provider_busy")
        assert response["Retry-After"] == "1"
        assert not IdempotencyKey.objects.filter(key="k-2").exists()


class TestSources:
    def test_a_rule_by_hand_moves_with_its_doc_id(self, api: ApiClient, shop: Widget) -> None:
        rule = written(api, doc_id="a")
        moved = api.patch(f"/kb/rules/{rule['id']}", json={"doc_id": "b"}).json()["data"]
        assert (moved["source_ref"], moved["doc_id"]) == ("manual:b", "b")
        cleared = api.patch(f"/kb/rules/{rule['id']}", json={"doc_id": None}).json()["data"]
        assert (cleared["source_ref"], cleared["doc_id"]) == ("manual", None)
        assert list(Source.objects.for_widget(shop.pk).values_list("ref", "chunks")) == [("manual", 1)]
        assert KnowledgeBase.objects.for_widget(shop.pk).get().sources == 1

    def test_a_crawled_rule_stays_in_its_source(self, api: ApiClient, shop: Widget) -> None:
        source = SourceFactory(widget=shop, ref="crawl:https://a.test/", type="crawl", url="https://a.test/")
        rule = RuleFactory(source=source, doc_id="https://a.test/")
        moved = api.patch(f"/kb/rules/{rule.pk}", json={"doc_id": "b"}).json()["data"]
        assert (moved["source_ref"], moved["doc_id"], moved["url"]) == (source.ref, "b", "https://a.test/")

    def test_sources_are_listed_with_their_counts(self, api: ApiClient, shop: Widget) -> None:
        written(api, "a", doc_id="faq")
        written(api, "b", doc_id="faq")
        SourceFactory(widget=shop, ref="upload:7", type="upload", upload_id=7)  # without chunks
        (source,) = api.get("/kb/sources").json()["data"]
        assert {name: source[name] for name in ("source_ref", "type", "title", "doc_id", "chunks", "upload_id")} == {
            "source_ref": "manual:faq",
            "type": "manual",
            "title": "faq",
            "doc_id": "faq",
            "chunks": 2,
            "upload_id": None,
        }
        assert api.get("/kb/sources", query={"type": "crawl"}).json()["data"] == []

    def test_a_source_is_deleted(self, api: ApiClient, shop: Widget, rival: Rival) -> None:
        written(api, "a", doc_id="faq")
        written(api, "b", doc_id="faq")
        theirs = RuleFactory(source=SourceFactory(widget=rival.widget, ref="manual:faq"))
        for deleted in (2, 0):
            response = api.delete("/kb/rules", query={"source_ref": "manual:faq"})
            assert response.json() == {"data": {"source_ref": "manual:faq", "deleted": deleted}}
        assert_problem(api.delete("/kb/rules"), 422, "invalid_input", errors=["source_ref"])
        assert Rule.objects.for_widget(rival.widget.pk).get() == theirs

    def test_the_last_rule_takes_its_source_along(self, api: ApiClient, shop: Widget) -> None:
        rule = written(api)
        assert api.delete(f"/kb/rules/{rule['id']}").status_code == 204
        assert not Source.objects.for_widget(shop.pk).exists()
        assert_problem(api.get(f"/kb/rules/{rule['id']}"), 404, "not_found")


class TestLists:
    def test_filters_narrow_together(self, api: ApiClient, shop: Widget) -> None:
        a = written(api, "Цена 100% от 5_000", doc_id="x")["id"]
        b = written(api, "цена другая", doc_id="x")["id"]
        c = written(api, "цена без имени")["id"]
        page = RuleFactory(source=SourceFactory(widget=shop, ref="crawl:u", type="crawl"), content="page").pk
        assert listed(api) == [page, c, b, a]
        assert listed(api, doc_id="x") == [b, a]
        assert listed(api, source_ref="manual") == [c]
        assert listed(api, source_type="crawl") == [page]
        assert listed(api, q="ЦЕНА") == [c, b, a]
        assert listed(api, q="0%") == [a]
        assert listed(api, q="5_") == [a]
        assert listed(api, q="_%") == []
        assert listed(api, q="' OR") == []
        assert listed(api, q="цена", doc_id="x", source_ref="manual") == []

    @pytest.mark.parametrize("query", [{"q": "a"}, {"q": "a" * 101}, {"source_type": "odd"}, {"cursor": "x"}, {"z": 1}])
    def test_a_bad_query_of_the_rules_is_422(self, api: ApiClient, query: dict[str, Any]) -> None:
        assert_problem(api.get("/kb/rules", query=query), 422, "invalid_input")

    @pytest.mark.parametrize("path", ["/kb/rules", "/kb/sources"])
    def test_a_get_with_a_body(self, api: ApiClient, path: str) -> None:
        assert_problem(api.get(path, json={}), 400, "unexpected_body")

    def test_the_rivals_rules_are_not_there(self, api: ApiClient, rival: Rival) -> None:
        rule = RuleFactory(source=SourceFactory(widget=rival.widget))
        assert listed(api) == []
        assert_problem(api.patch(f"/kb/rules/{rule.pk}", json={"content": "x"}), 404, "not_found")
        assert_problem(api.delete(f"/kb/rules/{rule.pk}"), 404, "not_found")


def test_a_credential_that_comes_later_embeds_what_is_there(
    api: ApiClient, shop: Widget, request: pytest.FixtureRequest
) -> None:
    written(api, "before")
    embedding: Credential = request.getfixturevalue("embedding")
    assert embedding.is_active
    assert written(api, "after")["embedding_status"] == "ready"
