"""POST /api/v1/files, GET /api/v1/files/{id}, and the signed addresses that they give."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
from django.conf import settings as project
from django.test import Client
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.chats.models import File
from apps.chats.serializers.files import PURPOSE, file_address
from apps.core.files import signed_addresses
from apps.core.models import OrphanedObject
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.egress.receivers import Conversation, Receiver, answer, closed_port, read_request, says
from tests.factories import FileFactory
from tests.rows import snapshot
from tests.uploads import FORM, form, part, png

MAX_BYTES = 10 * 1024 * 1024
UNREACHABLE = "The address could not be reached."


def upload(api: ApiClient, body: bytes, **options: Any) -> Any:
    return api.post("/files", data=body, content_type=options.pop("content_type", FORM), **options)


def uploaded(api: ApiClient, content: bytes, filename: str = "note.txt") -> dict[str, Any]:
    """A file that went in; its wire shape."""
    response = upload(api, form(part(content, filename=filename)))
    assert response.status_code == 201, response.content
    shown: dict[str, Any] = response.json()["data"]
    return shown


def download(url: str, **more: Any) -> Any:
    address = urlsplit(url)
    assert f"{address.scheme}://{address.netloc}" == project.PUBLIC_URL
    return Client().get(address.path, **more)


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    """The storage's folder: this test's alone."""
    return use_folder(settings, tmp_path / "media")


def use_folder(settings: Settings, folder: Path) -> Path:
    local = {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": str(folder)}}
    settings.STORAGES = project.STORAGES | {"default": local}
    return folder


def stored() -> set[Path]:
    """The files in the storage."""
    folder = Path(project.STORAGES["default"]["OPTIONS"]["location"])
    return {path for path in folder.rglob("*") if path.is_file()}


def in_turn(*messages: bytes) -> Conversation:
    """Answers each connection with the next message, and hangs up."""
    left = list(messages)

    def talk(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(left.pop(0))

    return talk


class TestUpload:
    def test_a_file_is_answered_201_and_comes_back_as_it_went(self, api: ApiClient, shop: Widget) -> None:
        content = "Тюльпаны, 25 шт.".encode()
        file = uploaded(api, content, "Прайс лист.txt")
        assert file.keys() == {"id", "name", "size", "content_type", "url", "created_at"}
        assert (file["name"], file["size"], file["content_type"]) == ("Прайс лист.txt", len(content), "text/plain")
        assert b"".join(download(file["url"])) == content
        assert File.objects.get().widget == shop

    def test_what_a_usual_client_sends_is_understood(self, api: ApiClient) -> None:
        sent = requests.Request(
            "POST", "http://x", files={"file": ("счёт.pdf", b"%PDF-1.7 ...", "text/html")}
        ).prepare()
        assert isinstance(sent.body, bytes)
        file = upload(api, sent.body, content_type=sent.headers["Content-Type"]).json()["data"]
        assert (file["name"], file["content_type"]) == ("счёт.pdf", "application/pdf")

    def test_a_name_in_the_old_encoded_form_is_understood(self, api: ApiClient) -> None:
        old = part(b"a", filename=None, more="; filename*=UTF-8''%D0%B0.txt")
        assert upload(api, form(old)).json()["data"]["name"] == "а.txt"

    @pytest.mark.parametrize("size", [1, 64 * 1024, 1024 * 1024, MAX_BYTES])
    def test_up_to_10_mb_is_kept(self, api: ApiClient, size: int) -> None:
        assert uploaded(api, b"\0" * size)["size"] == size

    @pytest.mark.parametrize("over", [1, 128 * 1024, 3 * 1024 * 1024])
    def test_over_10_mb_is_422_and_nothing_is_kept(self, api: ApiClient, over: int) -> None:
        before, kept = snapshot(), stored()
        response = upload(api, form(part(b"\0" * (MAX_BYTES + over))))
        assert_problem(response, 422, "invalid_input", errors={"file": "The file is larger than 10 MB."})
        assert (snapshot(), stored()) == (before, kept)

    @pytest.mark.parametrize(
        ("body", "fields"),
        [
            (form(), ["file"]),
            (form(part(b"")), ["file"]),
            (form(part(b"a"), part(b"b")), ["file"]),
            (form(part(b"a", filename=None)), ["file"]),
            (form(part(b"a", name="document")), ["document", "file"]),
            (form(part(b"a"), part(b"b", name="comment", filename=None)), ["comment"]),
            (form(part(b"a"), part(b"https://x.test/a", name="url", filename=None)), ["url"]),
            (form(part(b"https://x.test/a", name="url", filename=None)), ["file", "url"]),
            (form(part(b"a"), part(b"b", name="a\0b")), ["'a\\x00b'"]),
        ],
        ids=["no part", "empty", "two files", "no name", "another part", "a part more", "both", "url alone", "NUL"],
    )
    def test_a_form_that_is_not_one_file_is_422_by_name(self, api: ApiClient, body: bytes, fields: list[str]) -> None:
        before, kept = snapshot(), stored()
        assert_problem(upload(api, body), 422, "invalid_input", errors=fields)
        assert (snapshot(), stored()) == (before, kept)

    @pytest.mark.parametrize(
        "body",
        [
            b"no form at all",
            part(b"cut off"),
            form(part(b"a"))[:-6],
            form(part(b"a")).replace(b"\r\n", b"\n"),
            form(part(b"a", more="\r\n" + "X-Long: " + "x" * 10_000)),
            form(*[part(b"a", name=f"n{number}") for number in range(50)]),
            form(part(b"a")).replace(b"note.txt", b"\xff.txt"),
        ],
        ids=[
            "text",
            "no end",
            "half an end",
            "bare LF",
            "long header",
            "50 parts",
            "latin-1",
        ],
    )
    def test_a_broken_form_is_400(self, api: ApiClient, body: bytes) -> None:
        before, kept = snapshot(), stored()
        assert_problem(upload(api, body), 400, "invalid_form")
        assert (snapshot(), stored()) == (before, kept)

    def test_a_form_without_boundary_is_400(self, api: ApiClient) -> None:
        assert_problem(upload(api, form(part(b"a")), content_type="multipart/form-data"), 400, "invalid_form")

    def test_a_bare_body_is_415(self, api: ApiClient) -> None:
        assert_problem(upload(api, png(), content_type="image/png"), 415, "unsupported_media_type")

    def test_a_key_used_again_is_409_and_stores_nothing(self, api: ApiClient) -> None:
        assert upload(api, form(part(b"a")), idempotency_key="one").status_code == 201
        before, kept = snapshot(), stored()
        assert_problem(upload(api, form(part(b"b")), idempotency_key="one"), 409, "idempotency_key_reused")
        assert (snapshot(), stored()) == (before, kept)

    def test_a_refused_file_leaves_its_key_free(self, api: ApiClient) -> None:
        assert upload(api, form(part(b"")), idempotency_key="one").status_code == 422
        assert upload(api, form(part(b"a")), idempotency_key="one").status_code == 201

    def test_a_storage_that_fails_is_500_and_leaves_nothing(
        self, api: ApiClient, settings: Settings, tmp_path: Path
    ) -> None:
        (tmp_path / "no folder").write_text("a file where a folder should be")
        use_folder(settings, tmp_path / "no folder")
        before = snapshot()
        assert_problem(upload(api, form(part(b"a")), idempotency_key="one"), 500, "storage_failed")
        assert OrphanedObject.objects.count() == 1
        assert snapshot() | {"core.OrphanedObject": []} == before
        use_folder(settings, tmp_path / "another folder")
        assert upload(api, form(part(b"a")), idempotency_key="one").status_code == 201

    @pytest.mark.parametrize(
        ("sent", "kept"),
        [
            ("../../etc/passwd", "passwd"),
            ("C:\\\\Users\\\\Olga\\\\план.docx", "план.docx"),
            ("a\tb\x7f.txt", "ab.txt"),
            ("invoice\u202efdp.exe", "invoicefdp.exe"),
            (" spaces .txt ", "spaces .txt"),
            ("..", "file"),
            ("/", "file"),
            ("x" * 300 + ".pdf", "x" * 251 + ".pdf"),
            ("x" * 255, "x" * 255),
            ("y" * 256, "y" * 255),
        ],
    )
    def test_a_name_keeps_no_path_nothing_invisible_and_255_characters(
        self, api: ApiClient, sent: str, kept: str
    ) -> None:
        assert uploaded(api, b"a", sent)["name"] == kept


class TestType:
    """The type is found in the content; what the name and the sender say does not count."""

    @pytest.mark.parametrize(
        ("content", "filename", "content_type"),
        [
            (png(), "page.html", "image/png"),
            (b"GIF89a" + b"\0" * 20, "a.txt", "image/gif"),
            (b"\xff\xd8\xff\xe0\x00\x10JFIF\0", "a.exe", "image/jpeg"),
            (b"%PDF-1.7", "a.png", "application/pdf"),
            (b"<!DOCTYPE html><script>alert(1)</script>", "picture.png", "application/octet-stream"),
            (b"  \n<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "a.png", "application/octet-stream"),
            (b"<?xml version='1.0'?><svg/>", "a.svg", "application/octet-stream"),
            (b"hello <script>alert(1)</script>", "a.txt", "application/octet-stream"),
            (b"MZ\x90\x00\x03\x00\x00\x00", "a.jpg", "application/octet-stream"),
            (bytes(range(256)), "a.pdf", "application/octet-stream"),
            ("Цена, ₽\n1 < 2\n".encode(), "a.png", "text/plain"),
        ],
    )
    def test_what_it_is_by_its_content(self, api: ApiClient, content: bytes, filename: str, content_type: str) -> None:
        body = part(content, filename=filename, more="\r\nContent-Type: image/svg+xml")
        assert upload(api, form(body)).json()["data"]["content_type"] == content_type

    def test_a_picture_that_claims_to_be_huge_is_not_opened(self, api: ApiClient) -> None:
        import resource

        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert uploaded(api, png(60_000, 60_000), "bomb.png")["content_type"] == "image/png"
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 * 1024  # KiB


class TestFetch:
    """JSON `{url}` instead of a form: fetched under guard, one redirect at most."""

    @pytest.fixture
    def allowed(self, settings: Settings) -> Any:
        def allow(*receivers: Receiver) -> None:
            settings.EGRESS_ALLOW = [f"127.0.0.1:{receiver.port}" for receiver in receivers]

        return allow

    @pytest.fixture
    def website(self, allowed: Any) -> Iterator[Any]:
        """Starts websites that give those answers, one after the other; fetching from them is allowed."""
        opened: list[Receiver] = []

        def open_(*answers: bytes) -> Receiver:
            opened.append(Receiver(in_turn(*answers)).__enter__())
            allowed(*opened)
            return opened[-1]

        yield open_
        for receiver in opened:
            receiver.__exit__()

    def fetch(self, api: ApiClient, url: str, **options: Any) -> Any:
        return api.post("/files", json={"url": url}, **options)

    def assert_refused(self, api: ApiClient, url: str, text: str = UNREACHABLE) -> None:
        before, kept = snapshot(), stored()
        assert_problem(self.fetch(api, url), 422, "invalid_input", errors={"url": text})
        assert (snapshot(), stored()) == (before, kept)

    def test_a_file_is_fetched_and_kept(self, api: ApiClient, website: Any) -> None:
        receiver = website(answer(png(), headers=("Content-Type: text/html",)))
        file = self.fetch(api, f"http://127.0.0.1:{receiver.port}/a/%D1%80%D0%BE%D0%B7%D0%B0.png?size=2").json()["data"]
        assert (file["name"], file["size"], file["content_type"]) == ("роза.png", len(png()), "image/png")
        assert b"".join(download(file["url"])) == png()

    def test_one_redirect_is_followed(self, api: ApiClient, website: Any) -> None:
        receiver = website(answer(status="302 Found", headers=("Location: /b.txt",)), answer(b"hello"))
        response = self.fetch(api, f"http://127.0.0.1:{receiver.port}/a.txt")
        assert response.status_code == 201

    def test_a_second_redirect_is_422(self, api: ApiClient, website: Any) -> None:
        hop = answer(status="302 Found", headers=("Location: /again",))
        receiver = website(hop, hop, answer(b"hello"))
        self.assert_refused(api, f"http://127.0.0.1:{receiver.port}/")

    def test_a_redirect_is_checked_again(self, api: ApiClient, website: Any, allowed: Any) -> None:
        with Receiver(says(answer(b"secret"))) as inner:
            hop = answer(status="302 Found", headers=(f"Location: http://127.0.0.1:{inner.port}/",))
            receiver = website(hop)
            self.assert_refused(api, f"http://127.0.0.1:{receiver.port}/")
            assert receiver.connections == 1
            assert inner.connections == 0

    @pytest.mark.parametrize("size", [MAX_BYTES, MAX_BYTES + 1])
    @pytest.mark.parametrize("is_declared", [True, False])
    def test_10_mb_is_the_most(self, api: ApiClient, website: Any, size: int, is_declared: bool) -> None:
        content = b"\0" * size
        whole = answer(content) if is_declared else b"HTTP/1.0 200 OK\r\nConnection: close\r\n\r\n" + content
        url = f"http://127.0.0.1:{website(whole).port}/"
        if size == MAX_BYTES:
            assert self.fetch(api, url).json()["data"]["size"] == size
        else:
            self.assert_refused(api, url, "The file is larger than 10 MB.")

    def test_an_empty_file_is_422(self, api: ApiClient, website: Any) -> None:
        self.assert_refused(api, f"http://127.0.0.1:{website(answer(b'')).port}/", "The file is empty.")

    @pytest.mark.parametrize("status", ["404 Not Found", "500 Oops", "204 No Content", "206 Partial Content"])
    def test_an_answer_without_a_file_is_422(self, api: ApiClient, website: Any, status: str) -> None:
        self.assert_refused(api, f"http://127.0.0.1:{website(answer(b'x', status=status)).port}/")

    def test_blocked_and_unreachable_addresses_have_one_text(self, api: ApiClient, settings: Settings) -> None:
        port = closed_port()
        settings.EGRESS_ALLOW = [f"127.0.0.1:{port}"]
        for url in (
            f"https://127.0.0.1:{port}/",
            "https://127.0.0.1/",
            "https://localhost/",
            "https://10.0.0.1/",
            "https://169.254.169.254/latest/meta-data/",
            "https://[::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://no-such-host.invalid/",
        ):
            self.assert_refused(api, url)

    @pytest.mark.parametrize(
        "url",
        ["", "http://shop.example/", "ftp://shop.example/a", "/a.png", "https://a:b@shop.example/", "javascript:1"],
    )
    def test_what_is_no_https_url_is_422(self, api: ApiClient, url: str) -> None:
        before = snapshot()
        assert_problem(self.fetch(api, url), 422, "invalid_input", errors=["url"])
        assert snapshot() == before

    def test_a_used_key_fetches_nothing(self, api: ApiClient, website: Any) -> None:
        receiver = website(answer(b"hello"))
        url = f"http://127.0.0.1:{receiver.port}/"
        assert self.fetch(api, url, idempotency_key="one").status_code == 201
        assert_problem(self.fetch(api, url, idempotency_key="one"), 409, "idempotency_key_reused")
        assert receiver.connections == 1


class TestDownload:
    def test_a_file_is_a_302_to_a_signed_address(self, api: ApiClient, shop: Widget) -> None:
        file = FileFactory.create(widget=shop, content=b"hello")
        response = api.get(f"/files/{file.pk}")
        assert response.status_code == 302
        assert b"".join(download(response.headers["Location"])) == b"hello"

    def test_anothers_file_is_404(self, api: ApiClient, rival: Rival) -> None:
        foreign = FileFactory.create(widget=rival.widget)
        assert_problem(api.get(f"/files/{foreign.pk}"), 404, "not_found")

    @pytest.mark.parametrize(
        ("content", "is_inline"),
        [
            (png(), True),
            (b"GIF89a<script>alert(1)</script>", True),
            (b"%PDF-1.7", False),
            (b"plain", False),
            (b"<html><script>alert(1)</script></html>", False),
            (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", False),
        ],
    )
    def test_only_plain_pictures_are_shown_and_nothing_can_run(
        self, api: ApiClient, content: bytes, is_inline: bool
    ) -> None:
        response = download(uploaded(api, content, 'имя "в кавычках".html')["url"])
        headers = response.headers
        assert headers["Content-Disposition"].startswith("inline;" if is_inline else "attachment;")
        assert "filename*=utf-8''%D0%B8%D0%BC%D1%8F" in headers["Content-Disposition"]
        assert headers["Content-Type"].partition(";")[0] not in ("text/html", "image/svg+xml", "text/xml")
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "sandbox" in headers["Content-Security-Policy"]
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert headers["Content-Length"] == str(len(content))
        assert "private" in headers["Cache-Control"]

    @pytest.mark.parametrize("content_type", ["audio/ogg", "audio/mp4", "video/mp4", "video/webm"])
    def test_sound_and_videos_are_played_where_they_stand(self, shop: Widget, content_type: str) -> None:
        file = FileFactory.create(widget=shop, content=b"0123456789", content_type=content_type)
        response = download(file_address(shop.pk, file.pk))
        assert response.headers["Content-Disposition"].startswith("inline;")
        assert response.headers["Accept-Ranges"] == "bytes"

    @pytest.mark.parametrize(
        ("asked", "status", "content", "told"),
        [
            ("bytes=0-", 206, b"0123456789", "bytes 0-9/10"),
            ("bytes=2-4", 206, b"234", "bytes 2-4/10"),
            ("bytes=8-99", 206, b"89", "bytes 8-9/10"),
            ("bytes=-3", 206, b"789", "bytes 7-9/10"),
            ("bytes=10-", 416, b"", "bytes */10"),
            ("bytes=4-2", 416, b"", "bytes */10"),
            ("bytes=-", 200, b"0123456789", None),
            ("bytes=0-1,4-5", 200, b"0123456789", None),
            ("lines=0-1", 200, b"0123456789", None),
        ],
    )
    def test_a_player_may_ask_for_a_part(
        self, shop: Widget, asked: str, status: int, content: bytes, told: str | None
    ) -> None:
        file = FileFactory.create(widget=shop, content=b"0123456789", content_type="audio/ogg")
        response = download(file_address(shop.pk, file.pk), headers={"Range": asked})
        assert response.status_code == status
        assert b"".join(response) == content
        assert response.headers.get("Content-Range") == told
        if status == 206:
            assert response.headers["Content-Length"] == str(len(content))
            assert "sandbox" in response.headers["Content-Security-Policy"]

    def test_an_expired_address_is_403(self, shop: Widget) -> None:
        file = FileFactory.create(widget=shop)
        name = signed_addresses.sign(PURPOSE, file.pk, widget_id=shop.pk, now=0)
        assert_problem(Client().get(f"/files/{name}"), 403, "address_expired")

    def test_a_changed_address_is_404(self, shop: Widget) -> None:
        file = FileFactory.create(widget=shop)
        name = signed_addresses.sign(PURPOSE, file.pk, widget_id=shop.pk)
        changed = {
            name[:place] + ("A" if name[place] != "A" else "B") + name[place + 1 :] for place in range(len(name))
        }
        elsewhere = signed_addresses.sign("another purpose", file.pk, widget_id=shop.pk)
        for other in (*changed, name + "=", name[:-1], "x", elsewhere):
            assert_problem(Client().get(f"/files/{other}"), 404, "not_found")

    def test_a_signed_address_of_no_file_is_404(self, shop: Widget) -> None:
        name = signed_addresses.sign(PURPOSE, 999_999_999, widget_id=shop.pk)
        assert_problem(Client().get(f"/files/{name}"), 404, "not_found")

    def test_a_signed_address_of_another_widgets_file_is_404(self, shop: Widget, rival: Rival) -> None:
        foreign = FileFactory.create(widget=rival.widget)
        own = signed_addresses.sign(PURPOSE, foreign.pk, widget_id=shop.pk)
        assert_problem(Client().get(f"/files/{own}"), 404, "not_found")

    def test_an_address_of_the_older_form_is_404(self, shop: Widget) -> None:
        file = FileFactory.create(widget=shop)
        ends = int(time.time()) + 3_600
        name = signed_addresses._signer(PURPOSE).sign(f"{file.pk}.{ends}")
        assert_problem(Client().get(f"/files/{name}"), 404, "not_found")

    def test_a_file_can_only_be_read(self, shop: Widget) -> None:
        address = f"/files/{signed_addresses.sign(PURPOSE, FileFactory.create(widget=shop).pk, widget_id=shop.pk)}"
        assert Client().head(address).status_code == 200
        response = Client().post(address)
        assert_problem(response, 405, "method_not_allowed")
        assert response.headers["Allow"] == "GET, HEAD"

    def test_a_file_whose_bytes_are_gone_is_404(self, shop: Widget, folder: Path) -> None:
        file = FileFactory.create(widget=shop)
        (folder / file.storage_key).unlink()
        name = signed_addresses.sign(PURPOSE, file.pk, widget_id=shop.pk)
        assert_problem(Client().get(f"/files/{name}"), 404, "not_found")
