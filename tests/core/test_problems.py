"""Problems: the one shape of every refusal, and the pages that explain them."""

import json
import re
from html import unescape

import pytest
from django.test import Client, RequestFactory
from django.utils.html import escape

from apps.core.errors import NOT_FOUND, RATE_LIMITED
from apps.core.problems import problem_response, problem_types

REQUEST = RequestFactory().get("/api/v1/chats?limit=0")


def test_a_problem_has_the_members_of_rfc_9457_and_its_code() -> None:
    response = problem_response(NOT_FOUND(), REQUEST)
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.status_code == 404
    assert json.loads(response.content) == {
        "type": "http://localhost:8000/problems/not_found",
        "title": "Not found",
        "status": 404,
        "detail": NOT_FOUND.explanation,
        "instance": "/api/v1/chats",
        "code": "not_found",
    }


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("/v1/chats", "/api/v1/chats"),
        ("/api/chats", "/api/v1/chats"),
        ("/api/v2/chats", "/api/v1/chats"),
        ("/chats", "/api/v1/chats"),
        ("/api/v1/chats/", "/api/v1/chats"),
        ("/api/v1/Chats/7/Messages", "/api/v1/chats/7/messages"),
        ("/api/v1/chat/7/message", "/api/v1/chats/7/messages"),
        ("/api/v1/contact", "/api/v1/contacts"),
    ],
)
def test_an_address_that_is_nearly_right_is_told(path: str, meant: str) -> None:
    refused = Client().get(path, headers={"Accept": "application/json"})
    assert refused.status_code == 404
    assert refused.json()["did_you_mean"] == meant


@pytest.mark.parametrize("path", ["/api/v1/nowhere", "/api", "/api/v1", f"/{'x' * 300}", "/api/v1/%00", "/widget/x"])
def test_an_address_that_is_near_to_none_is_not(path: str) -> None:
    refused = Client().get(path, headers={"Accept": "application/json"})
    assert refused.status_code == 404
    assert "did_you_mean" not in refused.json()


def test_detail_errors_headers_and_members_are_the_raisers() -> None:
    meant = {"did_you_mean": "/api/v1/chats"}
    raised = NOT_FOUND("No.", errors={"a.b": ["Why."]}, headers={"Retry-After": "7"}, **meant)
    response = problem_response(raised, REQUEST)
    body = json.loads(response.content)
    assert (body["detail"], body["errors"], body["did_you_mean"]) == ("No.", {"a.b": ["Why."]}, "/api/v1/chats")
    assert response.headers["Retry-After"] == "7"


def test_without_errors_there_is_no_such_member() -> None:
    assert b"errors" not in problem_response(RATE_LIMITED(), REQUEST).content


def test_a_secret_that_was_taken_out_of_the_path_leaves_a_word_that_needs_no_escapes() -> None:
    response = problem_response(NOT_FOUND(), RequestFactory().get("/compat/legacy/bot/[redacted]"))
    assert json.loads(response.content)["instance"] == "/compat/legacy/bot/redacted"


def test_the_instance_is_a_uri_reference_whatever_the_path_was() -> None:
    response = problem_response(NOT_FOUND(), RequestFactory().get("/api/v1/chats/%23%25%D1%8F%20"))
    assert json.loads(response.content)["instance"] == "/api/v1/chats/%23%25%D1%8F%20"


def test_a_log_line_of_a_problem_names_it() -> None:
    assert str(NOT_FOUND("There is no such agent.")) == "not_found: There is no such agent."


def test_the_list_links_every_problem() -> None:
    page = Client().get("/problems/").content.decode()
    for code in problem_types():
        assert f'href="/problems/{code}"' in page


@pytest.mark.parametrize("code", sorted(problem_types()))
def test_the_page_of_a_problem_explains_it_and_shows_what_it_looks_like(code: str) -> None:
    problem = problem_types()[code]
    page = Client().get(f"/problems/{code}").content.decode()
    shown = re.search(r"<pre>HTTP/1.1 (\d+) .*?\n\n(.*?)</pre>", page, re.DOTALL)
    assert shown is not None
    assert int(shown[1]) == problem.status
    example = json.loads(unescape(shown[2]))
    assert example == problem.example
    sent = json.loads(problem_response(problem(), REQUEST).content)
    assert example.items() >= {**sent, "instance": example["instance"]}.items()
    assert "`" not in page.replace(shown[0], "")
    for part in problem.explanation.split("`")[1::2]:
        assert f"<code>{escape(part)}</code>" in page


@pytest.mark.parametrize(
    "accept", ["application/json", "application/problem+json", "application/*", "*/*", "*/*;q=0.8", ""]
)
def test_an_unknown_address_is_a_problem_for_programs(accept: str) -> None:
    response = Client().get("/no/such/page", headers={"Accept": accept})
    assert response.status_code == 404
    assert response.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("accept", ["text/html", "text/html,application/xml;q=0.9,*/*;q=0.8", "text/*"])
def test_an_unknown_address_is_a_page_for_people(accept: str) -> None:
    response = Client().get("/no/such/page", headers={"Accept": accept})
    assert response.status_code == 404
    assert response.headers["Content-Type"].startswith("text/html")
