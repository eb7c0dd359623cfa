"""Idempotency claims: rows, taken in the transaction of the write they guard."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from django.db import connection, transaction
from hypothesis import given
from hypothesis import strategies as st

from apps.core import tasks
from apps.core.endpoints.idempotency import IdempotencyLock, digest_of, key_of
from apps.core.models import IdempotencyKey
from apps.core.problems import Problem

VISIBLE = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=255)


def refusal(header: str | None) -> str:
    with pytest.raises(Problem) as caught:
        key_of(header)
    assert caught.value.type.status == 400
    return caught.value.type.code


@given(VISIBLE)
def test_a_key_of_1_to_255_visible_ascii_characters_passes(key: str) -> None:
    assert key_of(key) == key


@given(
    st.text(min_size=1).filter(lambda text: not all("!" <= character <= "~" for character in text)) | st.just("k" * 256)
)
def test_any_other_is_malformed(key: str) -> None:
    assert refusal(key) == "invalid_idempotency_key"


def test_missing_and_empty_are_told_apart() -> None:
    assert refusal(None) == "idempotency_key_required"
    assert refusal("") == "invalid_idempotency_key"


@pytest.mark.django_db
def test_a_claim_is_taken_once() -> None:
    IdempotencyLock(1, "key").take()
    IdempotencyLock(1, "other key").take()
    IdempotencyLock(2, "key").take()
    with pytest.raises(Problem) as caught:
        IdempotencyLock(1, "key").take()
    assert caught.value.type.code == "idempotency_key_reused"


@pytest.mark.django_db
def test_the_refusal_of_a_used_key_says_when_it_was_first_used() -> None:
    IdempotencyLock(1, "key").take()
    first = IdempotencyKey.objects.get().created_at
    for refused in (IdempotencyLock(1, "key").take, IdempotencyLock(1, "key").refuse_if_taken):
        with pytest.raises(Problem) as caught:
            refused()
        assert caught.value.members["first_used_at"] == caught.value.members["previous"]["at"] == first


@pytest.mark.django_db(transaction=True)
def test_a_claim_goes_with_the_transaction_that_failed() -> None:
    class Failed(Exception):
        pass

    def work() -> None:
        with transaction.atomic():
            IdempotencyLock(1, "key").take()
            raise Failed

    with pytest.raises(Failed):
        work()
    IdempotencyLock(1, "key").take()
    assert IdempotencyKey.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("first_fails", [True, False])
def test_the_second_waits_for_the_first_and_takes_its_key_if_it_fails(first_fails: bool) -> None:
    taken, go_on = Event(), Event()

    def first() -> None:
        try:
            with transaction.atomic():
                IdempotencyLock(1, "key").take()
                taken.set()
                assert go_on.wait(30)
                transaction.set_rollback(first_fails)
        finally:
            connection.close()

    def second() -> str:
        try:
            assert taken.wait(30)
            go_on.set()
            with transaction.atomic():
                IdempotencyLock(1, "key").take()
            return "taken"
        except Problem as problem:
            return problem.type.code
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as callers:
        running = callers.submit(first)
        assert callers.submit(second).result(30) == ("taken" if first_fails else "idempotency_key_reused")
        running.result(30)
    assert IdempotencyKey.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_wait_that_takes_too_long_is_a_refusal_of_the_key() -> None:
    def impatient() -> Any:
        try:
            with transaction.atomic():
                with connection.cursor() as cursor:
                    cursor.execute("SET LOCAL lock_timeout = '50ms'")
                IdempotencyLock(1, "key").take()
            return "taken", {}
        except Problem as problem:
            return problem.type.code, dict(problem.members)
        finally:
            connection.close()

    with transaction.atomic(), ThreadPoolExecutor(1) as caller:
        IdempotencyLock(1, "key").take()
        code, members = caller.submit(impatient).result(30)
    assert code == "idempotency_key_reused"
    assert members == {"previous": dict.fromkeys(("operation", "status", "id", "at")), "same_request": None}


def refused(lock: IdempotencyLock) -> dict[str, Any]:
    with pytest.raises(Problem) as caught:
        lock.take()
    return dict(caught.value.members)


@pytest.mark.django_db
def test_of_a_write_that_was_reserved_and_is_under_way_all_is_known_but_its_status() -> None:
    first = IdempotencyLock(1, "key", operation="rules_create", digest="d", status=201)
    first.take(is_under_way=True)
    told = refused(IdempotencyLock(1, "key", digest="d"))
    at = told["first_used_at"]
    assert told["previous"] == {"operation": "rules_create", "status": None, "id": None, "at": at}
    assert told["same_request"] is True
    first.tell(7)
    assert refused(IdempotencyLock(1, "key", digest="d"))["previous"] == {
        "operation": "rules_create",
        "status": 201,
        "id": 7,
        "at": at,
    }


@pytest.mark.django_db
def test_what_a_claim_knows_already_is_not_written_again(django_assert_num_queries: Any) -> None:
    lock = IdempotencyLock(1, "key", status=200, made_id=7)
    with django_assert_num_queries(1):
        lock.take()
        lock.tell(7, None)
    with django_assert_num_queries(1):
        lock.tell(7, 201)


SAME = [({"a": 1, "b": [1.0, {"c": "é"}]}, {"b": [1, {"c": "\u00e9"}], "a": 1.0}), ({}, {}), (None, None)]
OTHER = [({"a": 1}, {"a": "1"}), ({"a": [1, 2]}, {"a": [2, 1]}), ({"a": True}, {"a": 1}), ({}, {"a": None}), ({}, None)]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_requests_are_the_same_however_their_bodies_are_written(one: Any, other: Any) -> None:
    assert digest_of("POST", "/a", one) == digest_of("POST", "/a", other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_other_bodies_are_other_requests(one: Any, other: Any) -> None:
    assert digest_of("POST", "/a", one) != digest_of("POST", "/a", other)


def test_other_paths_methods_and_files_are_other_requests() -> None:
    digests = {digest_of("POST", "/a", {}), digest_of("PUT", "/a", {}), digest_of("POST", "/b", {})}
    digests |= {digest_of("POST", "/a", None, b"one"), digest_of("POST", "/a", None, b"two")}
    assert len(digests) == 5


@pytest.mark.django_db
def test_claims_past_their_24_hours_are_forgotten() -> None:
    for key in ("old", "new"):
        IdempotencyLock(1, key).take()
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE core_idempotencykey SET created_at = statement_timestamp() - interval '24 hours 1 second'"
            " WHERE key = 'old'"
        )
    tasks.forget_old_idempotency_keys()
    assert [claim.key for claim in IdempotencyKey.objects.all()] == ["new"]
