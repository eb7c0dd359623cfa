"""`/widget/{guid}/files`, and the files in a visitor's messages."""

import uuid
from typing import Any

import pytest
from django.test import Client

from apps.chats.models import Contact, File
from apps.widget import authentication
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import ContactFactory, FileFactory
from tests.rows import snapshot
from tests.uploads import FORM, form, part, png
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db


def upload(browser: VisitorClient, content: bytes = png(), filename: str = "роза.png") -> Any:
    return browser.post("files", form(part(content, filename=filename)), content_type=FORM)


def message(**fields: Any) -> dict[str, Any]:
    return {"client_id": str(uuid.uuid4()), **fields}


def test_a_visitor_sends_a_picture_that_the_operator_can_open(
    ivans_browser: VisitorClient, ivan: Contact, api: ApiClient
) -> None:
    response = upload(ivans_browser)
    assert response.status_code == 201
    file = response.json()["data"]
    assert (file["name"], file["content_type"]) == ("роза.png", "image/png")
    assert File.objects.get().contact == ivan

    posted = ivans_browser.post("messages", message(type="image", file_id=file["id"], body="Такую"))
    assert posted.status_code == 201
    (shown,) = api.get(f"/chats/{posted.json()['data']['chat_id']}/messages").json()["data"]
    assert (shown["type"], shown["body"], shown["name"]) == ("image", "Такую", "роза.png")
    assert b"".join(Client().get(shown["url"])) == png()


def test_the_same_message_again_is_the_same_message(ivans_browser: VisitorClient) -> None:
    document = message(type="file", file_id=upload(ivans_browser).json()["data"]["id"])
    first, again = ivans_browser.post("messages", document), ivans_browser.post("messages", document)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json()["data"]["file"] == first.json()["data"]["file"]


def test_a_file_that_is_not_the_visitors_own_is_404(ivans_browser: VisitorClient, ivan: Contact, rival: Rival) -> None:
    files = [
        FileFactory.create(widget=ivan.widget),
        FileFactory.create(widget=ivan.widget, contact=ContactFactory.create(widget=ivan.widget)),
        FileFactory.create(widget=rival.widget, contact=rival.contact),
    ]
    before = snapshot()
    for file_id in (*[file.pk for file in files], 999_999_999):
        assert_problem(ivans_browser.post("messages", message(type="file", file_id=file_id)), 404, "not_found")
    assert snapshot() == before


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({"type": "image"}, "file_id"),
        ({"type": "file", "file_id": None}, "file_id"),
        ({"type": "file", "file_id": "1"}, "file_id"),
        ({"type": "text", "body": "a", "file_id": 1}, "file_id"),
        ({"type": "text"}, "body"),
        ({"type": "sticker", "sticker": {"id": "a"}}, "type"),
    ],
)
def test_what_does_not_belong_together_is_422(
    ivans_browser: VisitorClient, document: dict[str, Any], field: str
) -> None:
    before = snapshot()
    problem = assert_problem(ivans_browser.post("messages", message(**document)), 422, "invalid_input")
    assert field in problem["errors"]
    assert snapshot() == before


def test_an_image_must_be_a_picture(ivans_browser: VisitorClient) -> None:
    page = upload(ivans_browser, b"<svg onload='alert(1)'/>").json()["data"]
    assert page["content_type"] == "application/octet-stream"
    response = ivans_browser.post("messages", message(type="image", file_id=page["id"]))
    assert_problem(response, 422, "invalid_input", errors=["file_id"])


def test_without_a_session_it_is_401(visitor: VisitorClient) -> None:
    assert_problem(upload(visitor), 401, "invalid_visitor_token")
    assert not File.objects.exists()


def test_over_10_mb_is_422(ivans_browser: VisitorClient) -> None:
    response = upload(ivans_browser, b"\0" * (10 * 1024 * 1024 + 1))
    assert_problem(response, 422, "invalid_input", errors={"file": "The file is larger than 10 MB."})
    assert not File.objects.exists()


def test_a_body_that_is_no_form_is_415_and_a_broken_one_400(ivans_browser: VisitorClient) -> None:
    assert_problem(ivans_browser.post("files", {"url": "https://shop.example/"}), 415, "unsupported_media_type")
    assert_problem(ivans_browser.post("files", part(b"cut"), content_type=FORM), 400, "invalid_form")


def test_uploads_have_a_limit_of_their_own(ivans_browser: VisitorClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(authentication, "UPLOADS_A_MINUTE", 1)
    upload(ivans_browser, b"a")
    kept = File.objects.count()
    refused = upload(ivans_browser, b"a")
    assert_problem(refused, 429, "rate_limited")
    assert int(refused.headers["Retry-After"]) >= 1
    assert File.objects.count() == kept


def test_the_config_says_that_files_can_be_sent(visitor: VisitorClient) -> None:
    assert visitor.get("config").json()["data"]["features"]["files"] is True
