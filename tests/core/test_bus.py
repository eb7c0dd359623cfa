"""A deed in one statement, the rows that ride on it, and the reactions that don't."""

from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Account
from apps.core import bus
from apps.core.bus import Deed, DomainEvent, Rider, publish, publish_with
from tests.reactions import also

# Does it or does not, as `done` says.
OPEN_ACCOUNT = Deed(
    "deed AS (INSERT INTO accounts_account (email) SELECT %(email)s WHERE %(done)s::bool RETURNING id, email)",
    answer="deed.email, deed.id",
)
NOTE = "test_note AS (INSERT INTO accounts_account (email) SELECT %(test_email)s FROM deed RETURNING id, email)"


@dataclass(frozen=True, slots=True)
class AccountOpened(DomainEvent):
    """An event of these tests alone."""

    number: int = 1


@pytest.fixture
def answered(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What a rider was told that writes a second account beside the deed's."""
    heard: list[Any] = []

    def note(events: Any) -> Rider:
        heard.append([event.number for event in events])
        return Rider(NOTE, {"test_email": "rider@example.test"}, "(SELECT email FROM test_note)", heard.append)

    registered = bus._Registered(note, (AccountOpened,), gives_rider=True)
    monkeypatch.setitem(bus._by_type, AccountOpened, [registered])
    return heard


def open_account(*events: DomainEvent, done: bool = True) -> Any:
    return publish_with(OPEN_ACCOUNT, {"email": "deed@example.test", "done": done}, *events)


def accounts() -> set[str]:
    return set(Account.objects.filter(email__endswith="@example.test").values_list("email", flat=True))


@pytest.mark.django_db
def test_what_rides_on_a_deed_is_written_by_the_same_statement(answered: list[Any]) -> None:
    with CaptureQueriesContext(connection) as statements:
        email, _ = open_account(AccountOpened(1), AccountOpened(2))
    assert (email, len(statements)) == ("deed@example.test", 1)
    assert accounts() == {"deed@example.test", "rider@example.test"}
    assert answered == [[1, 2], "rider@example.test"]


@pytest.mark.django_db
def test_without_the_deed_nothing_is_written_and_nobody_told(
    answered: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Any] = []
    also(monkeypatch, told.append, AccountOpened)
    assert open_account(AccountOpened(), done=False) is None
    assert (accounts(), answered, told) == (set(), [[1]], [])


@pytest.mark.django_db
def test_a_rider_is_a_statement_of_its_own_where_the_deed_was_none(answered: list[Any]) -> None:
    publish(AccountOpened())
    assert (accounts(), answered) == ({"rider@example.test"}, [[1], "rider@example.test"])


@pytest.mark.django_db(transaction=True)
def test_a_reaction_that_fails_undoes_the_deed_and_what_rides_on_it(
    answered: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: DomainEvent) -> None:
        assert accounts() == {"deed@example.test", "rider@example.test"}
        raise ValueError("no")

    also(monkeypatch, fail, AccountOpened)
    with pytest.raises(ValueError, match="no"):
        open_account(AccountOpened())
    assert accounts() == set()


@pytest.mark.django_db
def test_an_event_nobody_reacts_to_is_no_more_than_the_deed() -> None:
    assert open_account(AccountOpened())[0] == "deed@example.test"
    assert accounts() == {"deed@example.test"}
