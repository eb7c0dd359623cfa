"""What `migrate` asks of a database first, and where the numbers of a cell begin."""

from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db.migrations.recorder import MigrationRecorder

from apps.accounts.actions.numbers import MOST_CELLS, NUMBERS_OF_A_CELL, begin_at_cell
from apps.accounts.models import Account
from tests.factories import AccountFactory, ChatFactory

pytestmark = pytest.mark.django_db


def names_of_chats() -> set[str]:
    return set(MigrationRecorder.Migration.objects.filter(app="chats").values_list("name", flat=True))


def test_a_database_that_this_code_made_is_migrated_again() -> None:
    before = names_of_chats()
    call_command("migrate", verbosity=0)
    assert names_of_chats() == before


def test_a_database_of_migrations_that_are_no_more_is_refused_before_anything_changes() -> None:
    MigrationRecorder.Migration.objects.all().delete()
    MigrationRecorder.Migration.objects.create(app="chats", name="0001_of_long_ago")
    with pytest.raises(SystemCheckError) as refused:
        call_command("migrate", verbosity=0, skip_checks=False)
    assert "The database is too old for one step: it lacks chats.0001_initial. Nothing was changed." in str(
        refused.value
    )
    assert "HINT: Bring it up to a release of the last 24 months first" in str(refused.value)
    assert names_of_chats() == {"0001_of_long_ago"}


class TestCells:
    """A sequence that is begun anew is another file of the database, which the end of a test throws away."""

    def test_the_first_installation_begins_with_1(self, settings: Any) -> None:
        settings.CELL = 0
        begin_at_cell(None, "default")
        assert AccountFactory.create().pk < NUMBERS_OF_A_CELL

    def test_every_table_gives_numbers_of_the_cell(self, settings: Any) -> None:
        settings.CELL = 3
        begin_at_cell(None, "default")
        assert AccountFactory.create().pk == 3 * NUMBERS_OF_A_CELL + 1
        assert ChatFactory.create().pk == 3 * NUMBERS_OF_A_CELL + 1

    def test_what_has_begun_goes_on(self, settings: Any) -> None:
        settings.CELL = 3
        begin_at_cell(None, "default")
        first = AccountFactory.create().pk
        begin_at_cell(None, "default")
        settings.CELL = 2
        begin_at_cell(None, "default")
        assert AccountFactory.create().pk == first + 1

    def test_the_last_cells_numbers_are_exact_in_every_client(self, settings: Any) -> None:
        settings.CELL = MOST_CELLS - 1
        begin_at_cell(None, "default")
        number = AccountFactory.create().pk
        assert number == int(float(number)) < 2**53
        assert Account.objects.get(pk=number).pk == number
