"""Uploaded documents (specification, Endpoints, "Knowledge base"; design of the knowledge base, 5)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.core.files import storage
from apps.core.models import OrphanedObject
from apps.kb.actions.uploads import retry_upload
from apps.kb.models import KnowledgeBase, Rule, Source, Upload
from apps.kb.tasks import UPLOAD_QUEUE
from apps.leases import claims
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.extraction import documents
from tests.factories.kb import UploadFactory
from tests.uploads import FORM, form, part

pytestmark = pytest.mark.django_db

PRICES = "Товар;Цена\nМолоко;80\nХлеб;45\n".encode()


def upload(api: ApiClient, content: bytes = PRICES, *, name: str = "Прайс.csv", **more: Any) -> Any:
    return api.post("/kb/uploads", data=form(part(content, filename=name)), content_type=FORM, **more)


def work_off() -> None:
    """What is due now, once round."""
    for lease in claims.claim(UPLOAD_QUEUE, wanted=9):
        lease.run()


def make_due(row_id: int) -> None:
    Upload.objects.filter(pk=row_id).update(due_at=timezone.now() - timedelta(seconds=1))


def test_a_document_becomes_rules_that_are_found(api: ApiClient, shop: Widget) -> None:
    answer = upload(api)
    assert answer.status_code == 202, answer.content
    data = answer.json()["data"]
    ref = f"upload:{data['id']}"
    assert data == {
        "id": data["id"],
        "name": "Прайс.csv",
        "size": len(PRICES),
        "content_type": "text/csv",
        "state": "queued",
        "error": None,
        "chunks": 0,
        "characters": 0,
        "notes": [],
        "source_ref": ref,
        "created_at": data["created_at"],
        "updated_at": data["updated_at"],
        "finished_at": None,
    }
    work_off()
    data = api.get(f"/kb/uploads/{data['id']}").json()["data"]
    assert (data["state"], data["chunks"], data["error"]) == ("ready", 1, None)
    assert data["finished_at"] is not None
    assert data["characters"] == len("Товар: Молоко; Цена: 80") + len("Товар: Хлеб; Цена: 45")
    rule = Rule.objects.get()
    assert (rule.content, rule.title) == ("Товар: Молоко; Цена: 80\nТовар: Хлеб; Цена: 45", "Прайс")
    source = Source.objects.get()
    assert (source.ref, source.type, source.doc_id, source.url) == (ref, "upload", "Прайс.csv", None)
    assert (source.upload_id, source.title, source.regenerates) == (data["id"], "Прайс.csv", False)


def test_the_list_is_newest_first_and_filtered_by_state(api: ApiClient, shop: Widget, rival: Rival) -> None:
    UploadFactory.create(widget=rival.widget)
    failed = UploadFactory.create(widget=shop)
    queued = upload(api).json()["data"]["id"]
    assert [row["id"] for row in api.get("/kb/uploads").json()["data"]] == [queued, failed.pk]
    assert [row["id"] for row in api.get("/kb/uploads", query={"state": "failed"}).json()["data"]] == [failed.pk]
    assert_problem(api.get("/kb/uploads", query={"state": "lost"}), 422, "invalid_input", errors=["state"])


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"", "a.txt"),
        (b"\x7fELF\x02\x01\x01\0\0\0", "price.pdf"),
        (b"\x89PNG\r\n\x1a\n\0\0", "a.txt"),
        (documents.archive({"a.txt": "x"}), "a.docx"),
        (documents.archive({**documents.docx_parts(""), "word/a.xml": bytes(30_000_000)}), "bomb.docx"),
        (b"a" * (10 * 1024 * 1024 + 1), "big.txt"),
    ],
)
def test_what_is_no_document_is_refused_and_nothing_is_kept(api: ApiClient, content: bytes, name: str) -> None:
    assert_problem(upload(api, content, name=name), 422, "invalid_input", errors=["file"])
    assert not Upload.objects.exists()
    assert not OrphanedObject.objects.exists()


def test_ten_megabytes_are_taken(api: ApiClient) -> None:
    assert upload(api, b"a " * (5 * 1024 * 1024), name="big.txt").status_code == 202
    work_off()
    assert Upload.objects.get().error_code == "too_much_text"


def test_two_files_in_one_form_and_other_bodies_are_refused(api: ApiClient) -> None:
    two = form(part(PRICES), part(PRICES))
    assert_problem(api.post("/kb/uploads", data=two, content_type=FORM), 422, "invalid_input", errors=["file"])
    assert_problem(api.post("/kb/uploads", data=form(part(PRICES))[:-20], content_type=FORM), 400, "invalid_form")


def test_one_key_uploads_one_document(api: ApiClient) -> None:
    assert upload(api, idempotency_key="one").status_code == 202
    assert_problem(upload(api, idempotency_key="one"), 409, "idempotency_key_reused")
    assert_problem(upload(api, b"", idempotency_key="two"), 422, "invalid_input", errors=["file"])
    assert upload(api, idempotency_key="two").status_code == 202, "a refusal leaves the key"
    assert Upload.objects.count() == 2


@pytest.mark.parametrize(
    ("content", "name", "code"),
    [
        (documents.encrypted_pdf(), "a.pdf", "encrypted"),
        (documents.pdf([""]), "scan.pdf", "no_text"),
        (documents.pdf(["x"])[:200], "a.pdf", "unreadable"),
        (documents.pdf(["x"] * 2001), "a.pdf", "limits_exceeded"),
    ],
)
def test_a_document_that_gives_no_text_says_why_and_keeps_its_file(
    api: ApiClient, content: bytes, name: str, code: str
) -> None:
    id_ = upload(api, content, name=name).json()["data"]["id"]
    work_off()
    data = api.get(f"/kb/uploads/{id_}").json()["data"]
    assert (data["state"], data["error"]["code"], data["chunks"]) == ("failed", code, 0)
    assert data["error"]["detail"].endswith(".")
    assert default_storage.exists(Upload.objects.get().storage_key)
    assert not Source.objects.exists()


def test_a_full_knowledge_base_takes_nothing_of_it(api: ApiClient, settings: Settings) -> None:
    settings.KB_MAX_RULES = 1
    id_ = upload(api, b"# A\n\none\n\n# B\n\ntwo\n", name="a.md").json()["data"]["id"]
    work_off()
    assert api.get(f"/kb/uploads/{id_}").json()["data"]["error"]["code"] == "kb_full"
    assert not Rule.objects.exists()
    settings.KB_MAX_RULES = 2
    assert retry_upload(widget_id=Upload.objects.get().widget_id, upload_id=id_)
    work_off()
    data = api.get(f"/kb/uploads/{id_}").json()["data"]
    assert (data["state"], data["error"], data["chunks"]) == ("ready", None, 2)
    assert not retry_upload(widget_id=Upload.objects.get().widget_id, upload_id=id_), "only what failed"


def test_it_waits_for_its_vectors_but_not_for_a_provider_that_fails(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.kb.actions.documents.statuses", lambda base, digests: dict.fromkeys(digests, "pending"))
    id_ = upload(api).json()["data"]["id"]
    work_off()
    assert api.get(f"/kb/uploads/{id_}").json()["data"]["state"] == "embedding"
    assert Rule.objects.exists(), "it is found by text already"
    make_due(id_)
    work_off()
    assert api.get(f"/kb/uploads/{id_}").json()["data"]["state"] == "embedding"
    KnowledgeBase.objects.update(attempts=3)
    make_due(id_)
    work_off()
    assert api.get(f"/kb/uploads/{id_}").json()["data"]["state"] == "ready"


def test_deletion_takes_the_row_the_file_and_the_rules(api: ApiClient, rival: Rival) -> None:
    id_ = upload(api).json()["data"]["id"]
    work_off()
    key = Upload.objects.get().storage_key
    answer = api.delete(f"/kb/uploads/{id_}")
    assert (answer.status_code, answer.json()) == (200, {"data": {"id": id_, "deleted_rules": 1}})
    assert not Upload.objects.exists()
    assert not Rule.objects.exists()
    assert not Source.objects.exists()
    storage.sweep()
    assert not default_storage.exists(key)
    assert_problem(api.delete(f"/kb/uploads/{id_}"), 404, "not_found")
    foreign = UploadFactory.create(widget=rival.widget)
    assert_problem(api.delete(f"/kb/uploads/{foreign.pk}"), 404, "not_found")
    assert Upload.objects.get() == foreign


def test_a_document_that_is_being_read_is_not_deleted(api: ApiClient, shop: Widget) -> None:
    row = UploadFactory.create(widget=shop, state="extracting")
    assert_problem(api.delete(f"/kb/uploads/{row.pk}"), 409, "kb_upload_busy")
    assert Upload.objects.exists()
    for state in ("queued", "embedding", "ready", "failed"):
        row = UploadFactory.create(widget=shop, state=state)
        assert api.delete(f"/kb/uploads/{row.pk}").status_code == 200


def test_a_late_worker_writes_nothing(api: ApiClient) -> None:
    """It was taken before the deletion, which a queued document allows."""
    id_ = upload(api).json()["data"]["id"]
    (lease,) = claims.claim(UPLOAD_QUEUE, wanted=1)
    assert api.delete(f"/kb/uploads/{id_}").status_code == 200
    lease.run()
    assert not Rule.objects.exists()
    assert not Source.objects.exists()


def test_a_worker_whose_lease_another_has_writes_nothing(api: ApiClient) -> None:
    id_ = upload(api).json()["data"]["id"]
    (late,) = claims.claim(UPLOAD_QUEUE, wanted=1)
    Upload.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    (again,) = claims.claim(UPLOAD_QUEUE, wanted=1)
    late.run()
    assert not Rule.objects.exists()
    again.run()
    assert api.get(f"/kb/uploads/{id_}").json()["data"]["chunks"] == 1


def test_after_three_lost_leases_it_is_failed_as_crashed(api: ApiClient) -> None:
    id_ = upload(api).json()["data"]["id"]
    Upload.objects.update(claims=3, state="extracting")
    work_off()
    data = api.get(f"/kb/uploads/{id_}").json()["data"]
    assert (data["state"], data["error"]["code"]) == ("failed", "crashed")


def test_a_deleted_widget_gives_up_its_files(shop: Widget) -> None:
    row = UploadFactory.create(widget=shop)
    Upload.objects.filter(pk=row.pk).delete()
    assert OrphanedObject.objects.filter(key=row.storage_key).exists()
