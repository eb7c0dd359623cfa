"""Budgets: "N in any hour", exactly, in the transaction of the work (`core/quotas.py`)."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.db.transaction import TransactionManagementError

from apps.core.errors import RATE_LIMITED
from apps.core.models import QuotaUse
from apps.core.problems import Problem
from apps.core.quotas import Quota, forget_old, wait_for
from tests.budgets import spent

HOUR = timedelta(hours=1)
TEN = Quota("tests.ten", 10, HOUR, RATE_LIMITED)


def minutes(*numbers: int) -> list[timedelta]:
    return [timedelta(minutes=number) for number in numbers]


@pytest.mark.parametrize(
    ("ages", "weights", "weight", "wait_s"),
    [
        ([], [], 1, 0),
        ([50] * 9, [1] * 9, 1, 0),
        ([0] * 10, [1] * 10, 1, 3600),
        ([59] + [0] * 9, [1] * 10, 1, 60),
        ([50, 45, 40, 35, 30, 25, 20, 15, 10, 5], [1] * 10, 1, 600),
        ([50, 45, 40, 35, 30, 25, 20, 15, 10, 5], [1] * 10, 3, 1200),
        ([50, 10], [4, 6], 4, 600),
        ([50, 10], [4, 6], 5, 3000),
        ([50], [4], 6, 0),
        ([50], [4], 7, 600),
        ([], [], 10, 0),
        ([], [], 11, 3600),
    ],
)
def test_how_long_until_it_fits(ages: list[int], weights: list[int], weight: int, wait_s: int) -> None:
    given = list(zip(minutes(*ages), weights, strict=True))
    assert wait_for(weight, given, limit=10, window=HOUR) == wait_s


def test_a_window_is_no_longer_than_rows_are_kept() -> None:
    with pytest.raises(ValueError, match="longer than rows are kept"):
        Quota("tests.long", 1, timedelta(days=2), RATE_LIMITED)


@pytest.mark.django_db
class TestSpending:
    def test_it_says_what_remains(self) -> None:
        assert TEN.require(7, 4) == 10
        assert [TEN.spend(7), TEN.spend(7, 4), TEN.spend(7, 5)] == [9, 5, 0]
        assert (TEN.remaining(7), TEN.remaining(8)) == (0, 10)

    def test_what_does_not_fit_is_refused_until_it_does_and_takes_nothing(self) -> None:
        spent(TEN, 7, *minutes(59, 50), weight=4)
        for refused in (TEN.spend, TEN.require):
            with pytest.raises(Problem) as caught:
                refused(7, 3)
            assert caught.value.type is RATE_LIMITED
            assert 55 <= int(caught.value.headers["Retry-After"]) <= 60
        assert 55 <= TEN.wait_s(7, 3) <= 60
        assert TEN.wait_s(7, 2) == 0
        assert TEN.spend(7, 2) == 0

    def test_what_has_left_the_window_counts_no_more(self) -> None:
        spent(TEN, 7, *minutes(*[61] * 10))
        assert TEN.spend(7) == 9

    def test_each_scope_and_key_has_its_own(self) -> None:
        TEN.spend("7:a", 10)
        assert TEN.spend("7:b") == 9
        assert Quota("tests.other", 10, HOUR, RATE_LIMITED).spend("7:a") == 9

    def test_what_is_rolled_back_costs_nothing(self) -> None:
        with transaction.atomic():
            TEN.spend(7, 10)
            transaction.set_rollback(True)
        assert TEN.spend(7) == 9

    def test_old_rows_are_swept(self) -> None:
        spent(TEN, 7, timedelta(hours=25), timedelta(hours=23))
        forget_old()
        assert QuotaUse.objects.count() == 1


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def test_it_is_only_spent_in_a_transaction(self) -> None:
        with pytest.raises(TransactionManagementError):
            TEN.spend(7)

    def test_no_more_is_spent_than_there_is(self) -> None:
        def spend(_: int) -> int | None:
            try:
                with transaction.atomic():
                    return TEN.spend(7, 3)
            except Problem:
                return None
            finally:
                connection.close()

        with ThreadPoolExecutor(8) as pool:
            left = list(pool.map(spend, range(24)))
        assert sorted(each for each in left if each is not None) == [1, 4, 7]
        assert QuotaUse.objects.count() == 3
