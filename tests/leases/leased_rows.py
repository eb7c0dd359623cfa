"""A queue of the tests' own: rows of widgets, of one chat each. Its table is made for the module that asks for it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.apps.registry import Apps
from django.db import connection, models

from apps import leases
from apps.leases import Lease, Leased, Queue, claims
from tests import rows


class Job(Leased):
    widget_id = models.BigIntegerField()
    chat_id = models.BigIntegerField(unique=True)
    text = models.CharField(max_length=40, default="", db_default="")

    objects: Any = models.Manager()

    class Meta:
        apps = Apps()
        app_label = "leased_rows"
        indexes = leases.indexes("leased_rows_job", fair_by="widget_id")


class Unmigrated(Leased):
    """Rows of an app whose migration has not run yet."""

    widget_id = models.BigIntegerField()

    objects: Any = models.Manager()

    class Meta:
        apps = Apps()
        app_label = "leased_rows"


def queue(work: Callable[[Lease[Job]], None] = lambda lease: None, **options: Any) -> Queue[Job]:
    return Queue(model=Job, work=work, **options)


def add(*widget_ids: int, **fields: Any) -> list[Job]:
    """Rows, due in this order."""
    start = Job.objects.count()
    return [
        Job.objects.create(widget_id=widget_id, chat_id=start + number, **fields)
        for number, widget_id in enumerate(widget_ids, start=1)
    ]


def take(of: Queue[Any], wanted: int = 1, **options: Any) -> list[Lease[Any]]:
    return claims.claim(of, wanted=wanted, **options)


@pytest.fixture(scope="module")
def job_table(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    with django_db_blocker.unblock():
        with connection.schema_editor() as editor:
            editor.create_model(Job)
        rows._which_have_rows.cache_clear()
        yield
        with connection.schema_editor() as editor:
            editor.delete_model(Job)
        rows._which_have_rows.cache_clear()
