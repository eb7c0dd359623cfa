"""A deprecation stands in one place, an operation's declaration: every answer tells it, and the document."""

from datetime import date
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import path
from drf_spectacular.generators import SchemaGenerator

from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.deprecation import Deprecation
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.routing import routed_operations
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import NOT_FOUND
from config.environment import PROJECT_ROOT

ENDS = Deprecation(since=date(2027, 1, 1), ends=date(2028, 1, 1), instead="Call `GET /v1/chats`.")
LINK = f'<{settings.PUBLIC_URL}/api/docs/guides/api-changelog>; rel="deprecation"; type="text/html"'


class OldThings(ApiViewSet):
    """Two operations that end, the second some day."""

    refuses = False

    @operation(scopes=("chats:read",), summary="Read the old way", deprecated=ENDS)
    def read(self, context: RequestContext) -> Answer:
        """Reads."""
        if type(self).refuses:
            raise NOT_FOUND()
        return {}

    @operation(
        scopes=("chats:read",),
        summary="Write the old way",
        idempotent=False,
        deprecated=Deprecation(since=date(2027, 1, 1), instead="Call nothing."),
    )
    def write(self, context: RequestContext) -> Answer:
        return {}


def send(token: str | None, method: str = "GET") -> HttpResponse:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    made: Any = OldThings.as_view({"get": "read", "post": "write"})
    answer: HttpResponse = made(RequestFactory().generic(method, "/old", headers=headers))
    return answer


def test_an_answer_has_deprecation_sunset_and_link(token: str) -> None:
    answer = send(token)
    assert answer.status_code == 200
    assert answer.headers["Deprecation"] == "@1798761600"
    assert answer.headers["Sunset"] == "Sat, 01 Jan 2028 00:00:00 GMT"
    assert answer.headers["Link"] == LINK


def test_a_refusal_tells_it_too(token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OldThings, "refuses", True)
    for answer, status in ((send(token), 404), (send(None), 401)):
        assert (answer.status_code, answer.headers["Deprecation"]) == (status, "@1798761600")


def test_without_a_fixed_end_there_is_no_sunset(token: str) -> None:
    answer = send(token, "POST")
    assert (answer.status_code, answer.headers["Deprecation"]) == (200, "@1798761600")
    assert "Sunset" not in answer.headers


def test_the_document_marks_it_and_says_what_to_call_instead() -> None:
    routes = [path("api/v1/old", OldThings.as_view({"get": "read"}))]
    made = SchemaGenerator(patterns=routes).get_schema(public=True)["paths"]["/api/v1/old"]["get"]
    assert made["deprecated"] is True
    assert "**Deprecated** since 2027-01-01. It ends on 2028-01-01. Call `GET /v1/chats`." in made["description"]


def test_an_end_within_twelve_months_can_not_be_declared() -> None:
    with pytest.raises(ValueError, match="12 months are promised"):
        Deprecation(since=date(2027, 1, 1), ends=date(2027, 12, 31), instead="x")


def test_no_operation_of_ours_is_deprecated_unless_the_changelog_of_the_api_says_so() -> None:
    told = (PROJECT_ROOT / "docs/api-changelog.md").read_text()
    ending = [routed for routed in routed_operations() if routed.operation.deprecated is not None]
    assert [routed.operation.public_id for routed in ending if routed.operation.deprecated.instead not in told] == []
