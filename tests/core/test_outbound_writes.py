"""Writes that wait for somebody outside: what is claimed when, what is given back, and that nothing is locked."""

from collections.abc import Callable
from typing import Any

import orjson
import pytest
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import RequestFactory

from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.idempotency import KeyRules
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import USED_KEY_MEMBERS
from apps.core.models import IdempotencyKey
from apps.core.problems import ProblemType
from apps.egress import EgressRefused, fetch, outbound_waits, vet
from tests.egress.receivers import closed_port

SCOPES = ("chats:read",)
FAILED = ProblemType("provider_failed", 502, "Failed", "Only a test knows.")
COUNTED = ProblemType("provider_asked", 504, "Asked in vain", "Only a test knows.")
BAD_KEY = ProblemType("bad_key", 400, "Bad key", "Only a test knows.")
USED_KEY = ProblemType("used_key", 409, "Used key", "Only a test knows.", members=USED_KEY_MEMBERS)


class Paid(ApiViewSet):
    """Calls what the test puts in `asks`, once the key is claimed, and writes."""

    asks: Callable[[], Any] = staticmethod(lambda: None)
    writes: Callable[[], Any] = staticmethod(lambda: None)

    @operation(
        scopes=SCOPES,
        summary="Paid work",
        idempotent=True,
        calls_out=True,
        problems=(FAILED, COUNTED),
        key=KeyRules(longest=64, allowed="[^\x00-\x20\x7f]", invalid=BAD_KEY, reused=USED_KEY, kept_after=(COUNTED,)),
    )
    def create(self, context: RequestContext) -> Answer:
        with context.outbound.reserve():
            pass
        with context.outbound.slot():
            assert not in_transaction()
            type(self).asks()
        with context.outbound.write():
            assert in_transaction()
            type(self).writes()
        return {"keys": keys()}


class Cheap(ApiViewSet):
    asks: Callable[[], Any] = staticmethod(lambda: None)

    @operation(scopes=SCOPES, summary="A probe", idempotent=True, calls_out=True, problems=(FAILED,))
    def create(self, context: RequestContext) -> Answer:
        with context.outbound.slot():
            type(self).asks()
            before = keys()
        with context.outbound.write():
            return {"keys": [before, keys()]}


def in_transaction() -> bool:
    return bool(connection.atomic_blocks) and not connection.atomic_blocks[-1]._from_testcase


def keys() -> list[str]:
    return list(IdempotencyKey.objects.values_list("key", flat=True))


def send(viewset: type[ApiViewSet], token: str, key: str = "one") -> tuple[int, Any]:
    headers = {"Authorization": f"Bearer {token}", "X-Service-Idempotency-Key": key}
    request = RequestFactory().generic("POST", "/things", headers=headers)
    response: HttpResponse = viewset.as_view({"post": "create"})(request)
    body = orjson.loads(response.content)
    return response.status_code, body.get("code") or body["data"]


def raising(error: Any) -> Any:
    def raise_it() -> None:
        raise error() if isinstance(error, ProblemType) else error

    return staticmethod(raise_it)


class TestCheapCalls:
    def test_the_key_is_claimed_with_the_write(self, token: str) -> None:
        assert send(Cheap, token) == (200, {"keys": [[], ["one"]]})

    def test_a_used_key_calls_nobody(self, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
        send(Cheap, token)
        monkeypatch.setattr(Cheap, "asks", raising(AssertionError("asked")))
        assert send(Cheap, token) == (409, "idempotency_key_reused")

    def test_a_refused_call_leaves_the_key_free(self, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
        with monkeypatch.context() as failing:
            failing.setattr(Cheap, "asks", raising(FAILED))
            assert send(Cheap, token) == (502, "provider_failed")
        assert send(Cheap, token)[0] == 200


class TestPaidWork:
    def test_the_key_is_claimed_before_the_call(self, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
        seen: list[Any] = []
        monkeypatch.setattr(Paid, "asks", staticmethod(lambda: seen.append(keys())))
        assert send(Paid, token) == (200, {"keys": ["one"]})
        assert seen == [["one"]]
        assert send(Paid, token) == (409, "used_key")
        assert len(seen) == 1

    @pytest.mark.parametrize("error", [FAILED, ValueError("a bug")], ids=["a refusal", "a failure"])
    @pytest.mark.parametrize("step", ["asks", "writes"])
    def test_a_refusal_gives_the_key_back(
        self, token: str, monkeypatch: pytest.MonkeyPatch, step: str, error: Any
    ) -> None:
        with monkeypatch.context() as failing:
            failing.setattr(Paid, step, raising(error))
            assert send(Paid, token)[0] >= 500
        assert keys() == []
        assert send(Paid, token)[0] == 200

    def test_a_refusal_that_keeps_the_key_keeps_it(self, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Paid, "asks", raising(COUNTED))
        assert send(Paid, token) == (504, "provider_asked")
        assert send(Paid, token) == (409, "used_key")

    def test_without_a_place_it_is_429_and_the_key_is_free(self, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
        with monkeypatch.context() as full:
            full.setattr(outbound_waits, "slots_each", 0)
            assert send(Paid, token) == (429, "outbound_busy")
        assert keys() == []

    def test_what_is_stored_keeps_its_key_whatever_comes_after(
        self, token: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Later(Paid):
            @operation(scopes=SCOPES, summary="Fails late", idempotent=True, calls_out=True)
            def create(self, context: RequestContext) -> Answer:
                super().create(context)
                raise ValueError

        assert send(Later, token)[0] == 500
        assert keys() == ["one"]

    @pytest.mark.parametrize("key", ["a b", "k" * 65, "", "a\tb", "\x7f"])
    def test_its_keys_have_rules_of_their_own(self, token: str, key: str) -> None:
        assert send(Paid, token, key) == (400, "bad_key")

    def test_and_may_be_what_others_may_not(self, token: str) -> None:
        assert send(Paid, token, "\xe9" * 64)[0] == 200


class TestTransactions:
    """As `atomic(durable=True)`: a test case's own block does not count."""

    @pytest.mark.django_db
    def test_nobody_outside_is_waited_for_inside_one(self) -> None:
        url = f"https://localhost:{closed_port()}/"
        for wait in (
            lambda: fetch("GET", url, max_bytes=1),
            lambda: vet(url),
            lambda: outbound_waits.slot(7).__enter__(),
        ):
            with pytest.raises(RuntimeError, match="inside an atomic block"), transaction.atomic():
                wait()

    @pytest.mark.django_db
    def test_what_waits_for_nobody_may(self) -> None:
        with transaction.atomic(), outbound_waits.slot(None), pytest.raises(EgressRefused):
            vet("https://127.0.0.1/")
