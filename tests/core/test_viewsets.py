"""The base of every API viewset, by viewsets of the tests' own. (The matrix is in tests/contract.)"""

import json
import logging
import types
from typing import Any

import pytest
from django.core.checks import run_checks
from django.db import OperationalError, connection
from django.http import Http404, HttpResponse
from django.test import RequestFactory
from django.urls import path

from apps.accounts.models import Account
from apps.core.endpoints.authentication import CallAuthenticator, Caller, TokenAuthenticator
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, Raw, WithStatus, operation
from apps.core.endpoints.routing import routed_operations
from apps.core.endpoints.serializers import Body, Text
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import NOT_FOUND
from apps.core.problems import Problem, ProblemType
from launcher.processes import wait_until
from launcher.servers import free_port
from tests.client import ApiClient, assert_problem
from tests.waits import AT_MOST_S

SCOPES = ("chats:read",)
GATED = ProblemType("gated", 503, "Gated", "Only a test knows.")


class OptionalBody(Body):
    note = Text(required=False)


class Things(ApiViewSet):
    """Does whatever the test puts in `does`."""

    does: Any = None

    @operation(scopes=SCOPES, summary="Do it", status=202)
    def act(self, context: RequestContext) -> Answer:
        answer: Answer = type(self).does(context)
        return answer

    @operation(scopes=SCOPES, summary="Write it", idempotent=True, takes=OptionalBody, problems=(NOT_FOUND,))
    def write(self, context: RequestContext) -> Answer:
        answer: Answer = type(self).does(context)
        return answer


def send(does: Any, token: str, method: str = "GET", content_type: str = "") -> HttpResponse:
    Things.does = staticmethod(does)
    headers = {"Authorization": f"Bearer {token}", "X-Service-Idempotency-Key": "one"}
    request = RequestFactory().generic(method, "/things", content_type=content_type, headers=headers)
    response: HttpResponse = Things.as_view({"get": "act", "post": "write"})(request)
    return response


def body(response: HttpResponse) -> bytes:
    return response.content


class TestAnswers:
    def test_an_object_is_in_data(self, token: str) -> None:
        response = send(lambda call: {"a": 1}, token)
        assert (response.status_code, body(response)) == (202, b'{"data":{"a":1}}')

    def test_a_literal_answer_is_that_body(self, token: str) -> None:
        assert body(send(lambda call: Raw({"online": 1}), token)) == b'{"online":1}'

    def test_another_status_is_the_handlers_choice(self, token: str) -> None:
        response = send(lambda call: WithStatus(201, {"a": 1}), token)
        assert (response.status_code, body(response)) == (201, b'{"data":{"a":1}}')

    def test_none_is_204_without_a_body(self, token: str) -> None:
        response = send(lambda call: None, token)
        assert (response.status_code, body(response)) == (204, b"")

    def test_a_response_of_its_own_passes_and_gets_the_rate_limit_headers(self, token: str) -> None:
        response = send(lambda call: HttpResponse(b"text", content_type="text/plain"), token)
        assert body(response) == b"text"
        assert "X-RateLimit-Remaining" in response.headers


class TestFailures:
    def test_what_was_not_meant_is_500_tells_nothing_and_is_logged(
        self, token: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        def fail(context: RequestContext) -> None:
            raise ValueError("the password is hunter2")

        with caplog.at_level(logging.ERROR):
            response = send(fail, token)
        assert response.status_code == 500
        assert b"internal_error" in body(response)
        assert b"hunter2" not in body(response)
        assert "ValueError: the password is hunter2" in caplog.text

    def test_a_failed_write_leaves_nothing_behind(self, token: str) -> None:
        def fail_late(context: RequestContext) -> None:
            Account.objects.create(email="late@example.test")
            raise NOT_FOUND()

        assert send(fail_late, token, "POST").status_code == 404
        assert not Account.objects.filter(email="late@example.test").exists()
        assert send(lambda call: {}, token, "POST").status_code == 200, "and its key is free"

    def test_djangos_404_is_the_problem(self, token: str) -> None:
        def fail(context: RequestContext) -> None:
            raise Http404

        assert send(fail, token).status_code == 404

    def test_a_database_that_is_away_is_503_try_again(self, token: str) -> None:
        def fail(context: RequestContext) -> None:
            raise OperationalError("the server closed the connection")

        response = send(fail, token)
        assert response.status_code == 503
        assert response.headers["Retry-After"] == "1"
        assert b"try_again" in body(response)
        assert b"closed the connection" not in body(response)


@pytest.mark.django_db(transaction=True)
def test_without_the_database_the_api_answers_503_at_once_and_heals(
    monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    api = ApiClient(token)
    with monkeypatch.context() as away:
        connection.close()
        away.setitem(connection.settings_dict, "PORT", free_port())
        response = api.get("/chats")
        assert_problem(response, 503, "try_again")
        assert response.headers["Retry-After"] == "1"
    assert wait_until(lambda: api.get("/chats").status_code == 200, seconds=AT_MOST_S)


def test_a_gate_comes_after_the_scope_and_before_the_body(token: str) -> None:
    class GatedAuthenticator(TokenAuthenticator):
        def permit(self, request: Any, caller: Caller, operation: Any) -> None:
            super().permit(request, caller, operation)
            raise GATED()

    class Gated(Things):
        authenticator = GatedAuthenticator()

    view = Gated.as_view({"post": "write"})
    broken = RequestFactory().post(
        "/things", b"{", content_type="text/plain", headers={"Authorization": f"Bearer {token}"}
    )
    response = view(broken)
    assert response.status_code == 503


class TestOwnAuthenticator:
    """An authenticator that looks at the raw body, says more in its problems, and takes no body with a GET."""

    class Signed(TokenAuthenticator):
        unexpected_body = ProblemType("unexpected_body", 400, "Unexpected body", "Only a test knows.")

        def inspect(self, request: Any, caller: Caller, raw: bytes) -> None:
            if not raw.startswith(b"signed"):
                raise GATED()

        def members(self, problem: Problem) -> dict[str, Any]:
            return {"reason": problem.type.code}

    def send(
        self, token: str, method: str, data: bytes, content_type: str = "text/plain"
    ) -> tuple[int, dict[str, Any]]:
        class Gated(Things):
            authenticator = self.Signed()
            does = staticmethod(lambda call: {})

        view = Gated.as_view({"get": "act", "post": "write"})
        headers = {"Authorization": f"Bearer {token}", "X-Service-Idempotency-Key": "one"}
        response = view(RequestFactory().generic(method, "/things", data, content_type, headers=headers))
        return response.status_code, json.loads(response.content)

    def test_the_raw_body_is_looked_at_before_415_and_400(self, token: str) -> None:
        assert self.send(token, "POST", b"{")[0] == 503
        assert self.send(token, "POST", b"signed {")[0] == 415
        assert self.send(token, "POST", b"signed {", "application/json")[0] == 400

    def test_each_of_its_problems_says_more(self, token: str) -> None:
        for wanted, sent in {
            "not_authenticated": self.send("pt_unknown", "GET", b""),
            "gated": self.send(token, "POST", b"{"),
            "unsupported_media_type": self.send(token, "POST", b"signed {"),
        }.items():
            assert (sent[1]["code"], sent[1]["reason"]) == (wanted, wanted)

    def test_a_get_with_a_body_is_refused(self, token: str) -> None:
        assert self.send(token, "GET", b"{}")[1]["code"] == "unexpected_body"
        assert self.send(token, "GET", b"")[0] == 202

    def test_it_is_among_what_a_get_may_refuse_with(self, settings: Any) -> None:
        class Gated(Things):
            authenticator = self.Signed()

        assert checked(settings, "api/v1/things", Gated.as_view({"get": "act", "post": "write"})) == []
        get, post = routed_operations()
        assert self.Signed.unexpected_body in get.problems
        assert self.Signed.unexpected_body not in post.problems

    def test_an_operation_may_take_longer_bodies_than_its_admission(self, token: str) -> None:
        class Narrow(TokenAuthenticator):
            max_body = 10

        class Sized(ApiViewSet):
            authenticator, writes = Narrow(), SCOPES

            @operation(summary="Short", takes=OptionalBody)
            def short(self, context: RequestContext) -> Answer:
                return {}

            @operation(summary="Long", takes=OptionalBody, max_body=100)
            def long(self, context: RequestContext) -> Answer:
                return {}

        data = b'{"note": "more than ten bytes"}'
        for name, status in {"short": 413, "long": 200}.items():
            headers = {"Authorization": f"Bearer {token}", "X-Service-Idempotency-Key": name}
            request = RequestFactory().generic("POST", "/things", data, "application/json", headers=headers)
            assert Sized.as_view({"post": name})(request).status_code == status


@pytest.mark.parametrize("content_type", ["", "text/plain", "application/json"])
def test_no_body_is_an_empty_object_where_no_member_is_required(token: str, content_type: str) -> None:
    response = send(lambda call: {"got": call.body}, token, "POST", content_type=content_type)
    assert (response.status_code, body(response)) == (200, b'{"data":{"got":{}}}')


class TestDeclarations:
    def test_a_method_without_an_operation_cannot_be_routed(self) -> None:
        class Undeclared(ApiViewSet):
            def list(self, context: RequestContext) -> None: ...

        with pytest.raises(TypeError, match=r"Undeclared\.list \(GET\) is routed without an @operation"):
            Undeclared.as_view({"get": "list"})
        with pytest.raises(TypeError, match="routed without"):
            Undeclared.as_view({"get": "no_such_method"})

    def test_an_operation_without_a_scope_cannot_be_declared_nor_routed(self) -> None:
        with pytest.raises(ValueError, match="declares no scope"):
            operation(scopes=(), summary="Open to all")

        class Unscoped(ApiViewSet):
            @operation(summary="Open to all")
            def list(self, context: RequestContext) -> None: ...

        with pytest.raises(TypeError, match=r"Unscoped\.list \(GET\) declares no scope"):
            Unscoped.as_view({"get": "list"})

    def test_a_path_with_an_id_and_no_target_stops_the_start(self, settings: Any) -> None:
        class Untargeted(ApiViewSet):
            @operation(scopes=SCOPES, summary="Whose?")
            def retrieve(self, context: RequestContext) -> None: ...

        assert checked(settings, "api/v1/things/<id:thing_id>", Untargeted.as_view({"get": "retrieve"})) == [
            ("core.E003", "GET api/v1/things/<id:thing_id>: Untargeted declares no target")
        ]

    def test_an_operation_with_an_unknown_scope_stops_the_start(self, settings: Any) -> None:
        class Unreachable(ApiViewSet):
            @operation(scopes=("no:such",), summary="Nobody's")
            def list(self, context: RequestContext) -> None: ...

        assert checked(settings, "api/v1/things", Unreachable.as_view({"get": "list"})) == [
            ("core.E001", "GET api/v1/things asks for the unknown scope 'no:such'")
        ]


class TestRoutedOperations:
    """What an operation leaves to its viewset, and to the method by which it is routed."""

    class Notes(ApiViewSet):
        reads, writes = SCOPES, ("chats:write",)

        @operation(summary="Any")
        def any(self, context: RequestContext) -> None: ...

        @operation(summary="Own", scopes=("tags:read",), idempotent=False)
        def own(self, context: RequestContext) -> None: ...

    @pytest.mark.parametrize(
        ("method", "scopes", "needs_key"),
        [
            ("get", SCOPES, False),
            ("delete", ("chats:write",), False),
            ("post", ("chats:write",), True),
            ("put", ("chats:write",), True),
            ("patch", ("chats:write",), True),
        ],
    )
    def test_scopes_and_keys_follow_from_the_method(
        self, method: str, scopes: tuple[str, ...], needs_key: bool
    ) -> None:
        self.Notes.as_view({method: "any"})
        routed = self.Notes.operations["any"]
        assert (routed.scopes, routed.idempotent) == (scopes, needs_key)

    def test_an_operation_may_say_otherwise(self) -> None:
        self.Notes.as_view({"post": "own"})
        routed = self.Notes.operations["own"]
        assert (routed.scopes, routed.idempotent) == (("tags:read",), False)

    def test_whose_callers_have_no_tokens_need_no_keys(self) -> None:
        class Open(CallAuthenticator):
            pass

        class ForAll(self.Notes):  # type: ignore[misc, name-defined]
            authenticator = Open()

        ForAll.as_view({"post": "any"})
        assert not ForAll.operations["any"].idempotent


def checked(settings: Any, route: str, view: Any) -> list[tuple[str | None, str]]:
    """What the system checks of core say of a project with that one route."""
    urls = types.ModuleType("urls_of_the_test")
    urls.urlpatterns = [path(route, view)]  # type: ignore[attr-defined]
    settings.ROOT_URLCONF = urls
    return [(message.id, message.msg) for message in run_checks() if (message.id or "").startswith("core.")]
