"""What is not in UTF-8: pages refuse it unread, and calls a JSON body that says so of itself (415)."""

import gzip
import json
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.test import RequestFactory

from apps.chats.models import Chat
from config.direct import DirectApplication
from tests.client import ApiClient, assert_problem

ODD = ["idna", "utf-7", "utf-16", "base64", "punycode", "us-ascii", "IDNA", '"idna"']
KINDS = ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json"]


def status_of(path: str, content_type: str) -> int:
    """What the whole WSGI application answers to a body and a query that Django would decode."""
    environ = RequestFactory().generic("POST", f"{path}?a=%FF", b"a=%FF").environ
    environ |= {"CONTENT_TYPE": content_type, "HTTP_COOKIE": f"csrftoken={'a' * 32}"}
    started: list[str] = []
    application = DirectApplication(WSGIHandler())
    answer: Any = application(environ, lambda status, headers, _=None: started.append(status))
    b"".join(answer)
    return int(started[0][:3])


@pytest.mark.django_db
@pytest.mark.parametrize("encoding", ODD)
@pytest.mark.parametrize("kind", KINDS)
def test_pages_refuse_it_and_calls_refuse_what_they_would_anyhow(kind: str, encoding: str) -> None:
    bare = encoding.strip('"')
    sessions = f"/widget/{'0' * 32}/sessions"
    for said in (f"{kind}; charset={encoding}", f"{kind}; charset*=utf-8''{bare}"):
        assert status_of("/admin/login/", said) == 400
        assert status_of("/console/login/", said) == 400
        assert status_of("/api/v1/chats", said) == 401
        assert status_of(sessions, said) == status_of(sessions, kind)


@pytest.mark.django_db
def test_who_says_utf_8_is_read() -> None:
    for encoding in ("utf-8", "UTF-8"):
        assert status_of("/admin/login/", f"application/x-www-form-urlencoded; charset={encoding}") == 403, "forged"


@pytest.mark.parametrize(
    ("content_type", "headers"),
    [
        ("application/json; charset=latin1", {}),
        ("application/json; charset=utf-16", {}),
        ("application/json", {"Content-Encoding": "gzip"}),
        ("application/json", {"Content-Encoding": "br"}),
    ],
)
def test_a_body_that_says_it_is_encoded_is_415(
    api: ApiClient, chat: Chat, content_type: str, headers: dict[str, str]
) -> None:
    body = json.dumps({"state": "start"}).encode()
    sent = gzip.compress(body) if headers.get("Content-Encoding") == "gzip" else body
    path = f"/chats/{chat.pk}/typing"
    refused = api.post(path, data=sent, content_type=content_type, headers=headers)
    problem = assert_problem(refused, 415, "unsupported_media_type")
    assert problem["detail"].startswith("Send the body")
    assert ("Accept-Encoding" in refused.headers) == bool(headers)


@pytest.mark.parametrize("charset", ["utf-8", "UTF-8", '"utf-8"', "utf8", "us-ascii"])
def test_a_body_that_says_it_is_in_utf_8_is_read(api: ApiClient, chat: Chat, charset: str) -> None:
    said = f"application/json; charset={charset}"
    sent = api.post(
        f"/chats/{chat.pk}/typing",
        data=b'{"state": "stop"}',
        content_type=said,
        headers={"Content-Encoding": "identity"},
    )
    assert sent.status_code == 202
