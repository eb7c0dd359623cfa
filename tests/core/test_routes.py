"""Routes that are remembered answer as Django's own resolver does."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import Resolver404, resolve

from config import routes
from tests.client import ApiClient

GUID, OTHER_GUID, DIGITS = "0123456789abcdef" * 2, "f" * 32, "1" * 32
PATHS = [
    "/api/v1/chats",
    "/api/v1/chats/1",
    "/api/v1/chats/999999999999999999",
    "/api/v1/chats/007",
    "/api/v1/chats/2/messages",
    f"/api/v1/contacts/{GUID}",
    f"/api/v1/contacts/{DIGITS}",
    f"/api/v1/contacts/{OTHER_GUID}/tags",
    "/api/v1/stats/channels",
]
NOWHERE = [
    "/api/v1/",
    "/api/v1/chats/",
    "/api/v1/chats/x",
    f"/api/v1/chats/{GUID}",
    "/api/v1/chats/1234567890123456789",
    "/api/v1/chats/-1",
    "/api/v1/chats/1/",
    "/api/v1/chats/1/2",
    "/api/v1/chats/١",
    "/api/v1/contacts/1",
    f"/api/v1/contacts/{GUID.upper()}",
    "/api/v1/1",
]


@pytest.fixture(autouse=True)
def nothing_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "_remembered", {})


def found(path: str) -> Any:
    try:
        view, kwargs, template = routes.find(path)
    except Resolver404:
        return None
    return view, dict(kwargs), template


def django_s(path: str) -> Any:
    try:
        match = resolve(path)
    except Resolver404:
        return None
    return match.func, match.kwargs, re.sub("<[a-z]+:([a-z_]+)>", r"{\1}", f"/{match.route}")


@pytest.mark.parametrize("order", [1, -1])
def test_a_path_has_the_view_and_arguments_that_django_finds(order: int) -> None:
    for path in [*PATHS, *NOWHERE, *PATHS][::order]:
        assert found(path) == django_s(path), path
        assert (found(path) is None) == (path in NOWHERE), path


def test_each_route_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found("/api/v1/chats/1/messages")
    found("/api/v1/chats")
    monkeypatch.setattr(routes, "resolve", None)
    assert found("/api/v1/chats/2/messages")[1] == {"chat_id": 2}
    assert found("/api/v1/chats")[1] == {}


def test_what_is_remembered_does_not_grow_with_what_is_asked() -> None:
    for number in range(50):
        for path in ("/api/v1/chats/{}", "/api/v1/nowhere/{}", "/files/{}", "/widget/{}"):
            found(path.format(number))
            found(path.format(f"a{number}"))
    assert len(routes._remembered) <= 2


def test_a_host_is_asked_about_each_name(api: ApiClient, settings: Any) -> None:
    assert api.get("/chats", headers={"Host": "localhost"}).status_code == 200
    for _ in range(2):
        assert Client().get("/api/v1/chats", headers={"Host": "elsewhere.example"}).status_code == 400
    settings.ALLOWED_HOSTS = ["chat.example"]
    assert api.get("/chats", headers={"Host": "localhost"}).status_code == 400
    assert api.get("/chats", headers={"Host": "chat.example"}).status_code == 200
