"""Idempotency claims: rows, taken in the transaction of the write they guard."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.db import connection, transaction
from hypothesis import given
from hypothesis import strategies as st

from apps.core import tasks
from apps.core.endpoints.idempotency import IdempotencyLock, key_of
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
        assert caught.value.members == {"first_used_at": first}


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
    def impatient() -> str:
        try:
            with transaction.atomic():
                with connection.cursor() as cursor:
                    cursor.execute("SET LOCAL lock_timeout = '50ms'")
                IdempotencyLock(1, "key").take()
            return "taken"
        except Problem as problem:
            return problem.type.code
        finally:
            connection.close()

    with transaction.atomic(), ThreadPoolExecutor(1) as caller:
        IdempotencyLock(1, "key").take()
        assert caller.submit(impatient).result(30) == "idempotency_key_reused"


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
