"""Request ids on every answer, and what endpoints do without."""

import re
from typing import Any

import pytest

from config.middleware import MAX_FORM
from tests.client import ApiClient, client

A_FRESH_ID = re.compile(r"[0-9a-f]{32}")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["/healthz", "/api/v1/chats", "/api/v1/nowhere", "/nowhere", "/problems/", "/admin/login/"]
)
def test_every_answer_has_a_request_id(path: str) -> None:
    first, second = (client().get(path).headers["X-Request-Id"] for _ in range(2))
    assert A_FRESH_ID.fullmatch(first)
    assert A_FRESH_ID.fullmatch(second)
    assert first != second


@pytest.mark.parametrize("given", ["a", "order-4711", "A.b_c:d-1", "0" * 128])
def test_a_well_formed_id_of_the_caller_comes_back(given: str) -> None:
    assert client().get("/healthz", headers={"X-Request-Id": given}).headers["X-Request-Id"] == given


@pytest.mark.parametrize("given", ["", " ", "a b", "a\tb", "-a", ".a", "0" * 129, "a,b", "a\x7f", "é", 'a"b', "a/b"])
def test_any_other_is_replaced(given: str) -> None:
    answered = client().get("/healthz", headers={"X-Request-Id": given}).headers["X-Request-Id"]
    assert A_FRESH_ID.fullmatch(answered)


def test_the_api_sets_no_cookie_and_reads_none(api: ApiClient) -> None:
    response = api.get("/chats", headers={"Cookie": "sessionid=anything; csrftoken=anything"})
    assert response.status_code == 200
    assert not response.cookies
    assert "Cookie" not in response.headers.get("Vary", "")


def test_the_api_needs_no_csrf_token(api: ApiClient, chat: Any) -> None:
    assert api.post(f"/chats/{chat.pk}/close", headers={"Origin": "https://elsewhere.example"}).status_code == 200


def test_a_host_that_is_not_ours_is_400() -> None:
    assert client().get("/api/v1/chats", headers={"Host": "elsewhere.example"}).status_code == 400


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/admin/login/", "/console/login/"])
def test_a_pages_form_has_256_kibibytes(path: str) -> None:
    for length, status in ((MAX_FORM, 200), (MAX_FORM + 1, 413)):
        form = "username=" + "x" * (length - 9)
        response = client().post(path, form, content_type="application/x-www-form-urlencoded")
        assert (len(form), response.status_code) == (length, status)
        assert A_FRESH_ID.fullmatch(response.headers["X-Request-Id"])
