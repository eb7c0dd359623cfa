"""Keys that were claimed by token get their widgets on a live database; of two that collide the older one stays."""

from importlib import import_module
from typing import Any

import pytest
from django.db import connection

from apps.core.endpoints.idempotency import IdempotencyLock
from apps.core.models import IdempotencyKey
from apps.core.problems import Problem
from tests.factories import ApiTokenFactory, WidgetFactory

give_widgets = import_module("apps.accounts.migrations.0008_idempotency_by_widget").give_widgets
# As processes of the release before claim a key.
CLAIM = """
INSERT INTO core_idempotencykey AS k (token_id, key, created_at) VALUES (%s, %s, now() - %s::interval)
ON CONFLICT (token_id, key) DO UPDATE SET created_at = now() WHERE k.created_at <= now() - interval '24 hours'
RETURNING 1"""


def claimed_by_token(token_id: int, key: str, age: str = "0 s") -> bool:
    with connection.cursor() as cursor:
        cursor.execute(CLAIM, [token_id, key, age])
        return cursor.fetchone() is not None


def before_the_upgrade(*claims: tuple[int, str, str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE core_idempotencykey DISABLE TRIGGER USER")
        try:
            assert [claimed_by_token(*claim) for claim in claims] == [True] * len(claims)
        finally:
            cursor.execute("ALTER TABLE core_idempotencykey ENABLE TRIGGER USER")


def test_the_older_of_two_keys_stays(transactional_db: None, monkeypatch: Any) -> None:
    monkeypatch.setattr(import_module(give_widgets.__module__), "BATCH", 2)
    shop, other = WidgetFactory.create(), WidgetFactory.create()
    one, two = ApiTokenFactory.create(widget=shop).pk, ApiTokenFactory.create(widget=shop).pk
    elsewhere = ApiTokenFactory.create(widget=other).pk
    before_the_upgrade(
        *[(one, "both", "1 h"), (two, "both", "2 h"), (elsewhere, "both", "3 h"), (one, "once", "1 h")],
        (999_999_999, "of a token that is gone", "1 h"),
    )
    for _ in range(2):  # it may be run again
        give_widgets(None, None)
        left = set(IdempotencyKey.objects.values_list("token_id", "key", "widget_id"))
        assert left == {
            (two, "both", shop.pk),
            (elsewhere, "both", other.pk),
            (one, "once", shop.pk),
            (999_999_999, "of a token that is gone", None),
        }


@pytest.mark.django_db
def test_processes_of_the_release_before_and_of_this_one_see_each_others_keys() -> None:
    shop = WidgetFactory.create()
    one, two = ApiTokenFactory.create(widget=shop).pk, ApiTokenFactory.create(widget=shop).pk
    assert claimed_by_token(one, "old")
    with pytest.raises(Problem) as caught:
        IdempotencyLock(shop.pk, "old").take()
    assert caught.value.members["previous"]["operation"] is None
    assert caught.value.members["same_request"] is None
    IdempotencyLock(shop.pk, "new").take()
    assert [claimed_by_token(token, key) for token in (one, two) for key in ("old", "new")] == [False] * 4
    with connection.cursor() as cursor:
        cursor.execute("UPDATE core_idempotencykey SET created_at = now() - interval '25 hours'")
    assert claimed_by_token(two, "new")
    assert claimed_by_token(one, "old")
