"""Files in S3: a server on loopback that speaks S3 and checks every signature holds the objects (`tests/bucket.py`)."""

import tracemalloc
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
from django.db import connections
from django.db.models.functions import Now
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.billing.actions.invoices import Item, issue_invoice
from apps.core.endpoints.uploads import ReceivedFile
from apps.core.files import storage
from apps.core.models import OrphanedObject
from apps.core.problems import Problem
from config.environment import InvalidSetting
from config.storage import LOCAL, S3, file_storage
from tests.bucket import (
    Bucket,
    refuses,
)
from tests.chats.in_bucket import upload, where
from tests.client import ApiClient
from tests.egress.receivers import Receiver, answer, says
from tests.factories.billing import LegalEntityFactory
from tests.uploads import FORM, form, part, png
from tests.waits import AT_MOST_S
from tests.widget.visitor import VisitorClient

MB = 1024 * 1024


class TestWell:
    def test_a_file_is_kept_in_the_bucket_and_read_there_at_a_signed_address(
        self, api: ApiClient, shop: Widget, bucket: Bucket
    ) -> None:
        file = upload(api, b"<html>hello</html>", filename="цены.html").json()["data"]
        ((key, content),) = bucket.objects.items()
        assert (key[:7], content) == ("parley/", b"<html>hello</html>")
        assert bucket.asked == [f"PUT /files/{key}"], "one request: nothing is looked for, listed or begun in parts"

        read = requests.get(where(file["url"]), timeout=AT_MOST_S)
        assert (read.status_code, read.content) == (200, b"<html>hello</html>")
        assert read.headers["Content-Type"] == "application/octet-stream"
        assert read.headers["Content-Disposition"].startswith("attachment;")

    def test_it_may_be_read_in_part_and_asked_for_without_being_read(self, api: ApiClient, bucket: Bucket) -> None:
        file = upload(api, b"0123456789").json()["data"]
        part_of_it = requests.get(where(file["url"]), headers={"Range": "bytes=2-4"}, timeout=AT_MOST_S)
        assert (part_of_it.status_code, part_of_it.content) == (206, b"234")
        assert part_of_it.headers["Content-Range"] == "bytes 2-4/10"
        head = requests.head(where(file["url"], "head"), timeout=AT_MOST_S)
        assert (head.status_code, head.headers["Content-Length"]) == (200, "10")

    def test_an_address_that_was_changed_is_refused_by_the_bucket(self, api: ApiClient, bucket: Bucket) -> None:
        mine, other = (upload(api, content).json()["data"]["url"] for content in (b"mine", b"other"))
        path, query = where(mine).split("?")
        for changed in (
            f"{where(other).split('?')[0]}?{query}",
            f"{path}?{query.replace('Expires=300', 'Expires=3000')}",
            f"{path}?{query.replace('octet-stream', 'html').replace('plain', 'html')}",
            path,
        ):
            assert requests.get(changed, timeout=AT_MOST_S).status_code == 403
        assert requests.put(f"{path}?{query}", b"forged", timeout=AT_MOST_S).status_code == 403

    def test_a_visitors_upload_and_a_file_by_its_url_are_kept_alike(
        self, api: ApiClient, visitor: VisitorClient, bucket: Bucket, settings: Settings
    ) -> None:
        sent = visitor.post("files", form(part(b"by a visitor")), content_type=FORM)
        assert sent.status_code == 201
        with Receiver(says(answer(b"by its url"))) as host:
            settings.EGRESS_ALLOW = ["127.0.0.1"]
            fetched = api.post("/files", json={"url": f"http://127.0.0.1:{host.port}/prices.txt"})
        assert fetched.status_code == 201
        assert sorted(bucket.objects.values()) == [b"by a visitor", b"by its url"]
        for file in (sent, fetched):
            assert requests.get(where(file.json()["data"]["url"]), timeout=AT_MOST_S).status_code == 200

    def test_an_avatar_is_read_at_its_own_address_and_asked_for_once(
        self, api: ApiClient, alice: Agent, bucket: Bucket
    ) -> None:
        """Not at the bucket's: its address is one that browsers and caches may keep, and a signed one is not."""
        body = form(part(png()))
        agent = api.post(f"/agents/{alice.pk}/avatar", data=body, content_type=FORM).json()["data"]
        (kept,) = bucket.objects.values()
        bucket.asked.clear()
        for _ in range(3):
            read = Client().get(urlsplit(agent["avatar_url"]).path)
            assert (read.status_code, read.content) == (200, kept)
            assert read.headers["Content-Type"] == "image/webp"
        assert len(bucket.asked) == 1

    def test_an_invoices_document_is_stored_before_anything_is_locked(self, shop: Widget, bucket: Bucket) -> None:
        mine, run_before = connections["default"], []

        def look(handler: Any) -> None:
            run_before.extend(query["sql"] for query in mine.queries_log)
            bucket.odd = None
            handler.answer_in_order()

        bucket.odd = look
        with ReceivedFile("invoice.txt") as document, CaptureQueriesContext(mine) as run:
            document.write(b"One year of Pro")
            invoice = issue_invoice(
                widget=shop,
                entity=LegalEntityFactory.create(account=shop.account),
                items=[Item("Pro", 1, 99_000)],
                reference="one",
                document=document,
            )
        assert (list(bucket.objects.values()), invoice.document is not None) == ([b"One year of Pro"], True)
        assert run_before
        assert [sql for sql in run_before if "FOR UPDATE" in sql] == []
        assert [query for query in run.captured_queries if "FOR UPDATE" in query["sql"]]

    def test_bytes_without_a_row_are_swept_out_of_the_bucket(self, api: ApiClient, bucket: Bucket) -> None:
        upload(api, b"kept")
        with suppress(KeyError), storage.stored(BytesIO(b"orphaned")):
            raise KeyError
        assert sorted(bucket.objects.values()) == [b"kept", b"orphaned"]
        OrphanedObject.objects.update(sweep_at=Now())
        assert storage.sweep() == 1
        assert list(bucket.objects.values()) == [b"kept"]

    def test_what_is_stored_takes_no_more_memory_than_a_part_of_it(self, bucket: Bucket, db: None) -> None:
        """10 MB are read from the disk as they are sent."""
        bucket.odd = refuses(503, "SlowDown")  # the bucket of the test would take in all of it
        with ReceivedFile("film.mp4") as kept:
            for _ in range(10):
                kept.write(bytes(MB))
            kept.rewind()
            storage.origins()  # makes the client
            tracemalloc.start()
            try:
                with pytest.raises(Problem), storage.stored(kept.content):
                    pass
                _, peak = tracemalloc.get_traced_memory()
            finally:
                tracemalloc.stop()
        assert peak < 4 * MB

    def test_a_long_file_is_one_request_too(self, api: ApiClient, bucket: Bucket) -> None:
        content = bytes(10 * MB)
        assert upload(api, content).status_code == 201
        assert (len(bucket.asked), list(bucket.objects.values()) == [content]) == (1, True)


def test_without_a_setting_files_are_in_the_home_folder(tmp_path: Path) -> None:
    private = {"file_permissions_mode": 0o600, "directory_permissions_mode": 0o700}
    options = {"location": str(tmp_path / "media"), **private}
    assert file_storage("", tmp_path / "media") == {"BACKEND": LOCAL, "OPTIONS": options}
    assert file_storage("file:///srv/my%20files", tmp_path)["OPTIONS"] == {"location": "/srv/my files", **private}
    assert file_storage("s3://bucket/folder", tmp_path)["BACKEND"] == S3


@pytest.mark.parametrize(
    "url",
    [
        "/srv/files",
        "file://host/folder",
        "file:///",
        "s3://",
        "s3://key:secret@bucket",
        "s3://bucket?acl=public",
        "s3://bucket?addressing=dns",
        "s3://bucket?endpoint=minio:9000",
        "https://bucket.example",
    ],
)
def test_a_malformed_setting_stops_the_start_with_one_line(url: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidSetting, match="STORAGE_URL must be "):
        file_storage(url, tmp_path)
