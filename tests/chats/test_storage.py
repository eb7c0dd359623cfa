"""Files in S3: a small server on loopback that speaks its wire format holds the objects."""

import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from django.conf import settings as project
from django.db.models.functions import Now
from django.test import Client
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.core.files import storage
from apps.core.models import OrphanedObject
from config.environment import InvalidSetting
from config.storage import LOCAL, S3, file_storage
from tests.client import ApiClient
from tests.uploads import FORM, form, part, png


class Bucket(ThreadingHTTPServer):
    """Objects by path; a GET must be signed: in its address, with the headers that it asks for, or by a header."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), BucketHandler)
        self.objects: dict[str, bytes] = {}


class BucketHandler(BaseHTTPRequestHandler):
    server: Bucket

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if "aws-chunked" in self.headers.get("Content-Encoding", ""):
            size, _, rest = body.partition(b"\r\n")
            body = rest[: int(size.partition(b";")[0], 16)]
        self.server.objects[urlsplit(self.path).path] = body
        self.answer(200 if "AWS4-HMAC-SHA256" in self.headers["Authorization"] else 403)

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if "AWS4-HMAC-SHA256" in self.headers.get("Authorization", ""):
            return self.answer(200, self.server.objects[parts.path], {"ETag": '"1"'})
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if "X-Amz-Signature" not in query or int(query["X-Amz-Expires"]) > 300:
            return self.answer(403)
        headers = {
            "Content-Type": query["response-content-type"],
            "Content-Disposition": query["response-content-disposition"],
        }
        return self.answer(200, self.server.objects[parts.path], headers)

    def do_DELETE(self) -> None:
        del self.server.objects[urlsplit(self.path).path]
        self.answer(204)

    def answer(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {**(headers or {}), "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Not to the test's output."""


@pytest.fixture
def bucket(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIATEST")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    with Bucket() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        url = f"s3://files/parley?endpoint=http://127.0.0.1:{server.server_port}&addressing=path&region=eu-central-1"
        settings.STORAGES = project.STORAGES | {"default": file_storage(url, Path("unused"))}
        settings.STORAGE_IS_REMOTE = True
        yield server
        server.shutdown()


def test_a_file_is_kept_in_the_bucket_and_read_there_at_a_signed_address(
    api: ApiClient, shop: Widget, bucket: Bucket
) -> None:
    body = form(part(b"<html>hello</html>", filename="цены.html"))
    file = api.post("/files", data=body, content_type=FORM).json()["data"]
    ((path, content),) = bucket.objects.items()
    assert (path[:14], content) == ("/files/parley/", b"<html>hello</html>")

    response = Client().get(urlsplit(file["url"]).path)
    assert response.status_code == 302
    assert response.headers["Cache-Control"] == "no-store"
    read = requests.get(response.headers["Location"], timeout=5)
    assert read.content == b"<html>hello</html>"
    assert read.headers["Content-Type"] == "application/octet-stream"
    assert read.headers["Content-Disposition"].startswith("attachment;")


def test_an_avatar_is_kept_in_the_bucket_and_read_at_its_own_address(
    api: ApiClient, alice: Agent, bucket: Bucket
) -> None:
    """Not there: its address is one that browsers and caches may keep, and a signed one is not."""
    body = form(part(png()))
    agent = api.post(f"/agents/{alice.pk}/avatar", data=body, content_type=FORM).json()["data"]
    (kept,) = bucket.objects.values()
    answer = Client().get(urlsplit(agent["avatar_url"]).path)
    assert (answer.status_code, answer.content) == (200, kept)
    assert answer.headers["Content-Type"] == "image/webp"


def test_bytes_without_a_row_are_swept_out_of_the_bucket(api: ApiClient, bucket: Bucket) -> None:
    api.post("/files", data=form(part(b"kept")), content_type=FORM)
    with suppress(KeyError), storage.stored(BytesIO(b"orphaned")):
        raise KeyError
    assert sorted(bucket.objects.values()) == [b"kept", b"orphaned"]
    OrphanedObject.objects.update(sweep_at=Now())
    assert storage.sweep() == 1
    assert list(bucket.objects.values()) == [b"kept"]


def test_without_a_setting_files_are_in_the_home_folder(tmp_path: Path) -> None:
    assert file_storage("", tmp_path / "media") == {"BACKEND": LOCAL, "OPTIONS": {"location": str(tmp_path / "media")}}
    assert file_storage("file:///srv/my%20files", tmp_path)["OPTIONS"] == {"location": "/srv/my files"}
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
