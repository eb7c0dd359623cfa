"""An action's one statement, what handlers add to it, the handlers that add nothing, and those after the commit."""

from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Account
from apps.core import bus
from apps.core.bus import Cte, DomainEvent, Write, publish, write_and_publish
from tests.handlers import also

# Does it or does not, as `done` says.
OPEN_ACCOUNT = Write(
    "written AS (INSERT INTO accounts_account (email, referral_code) SELECT %(email)s, left(md5(random()::text), 16)"
    " WHERE %(done)s::bool RETURNING id, email)",
    columns="written.email, written.id",
)
NOTE = (
    "test_note AS (INSERT INTO accounts_account (email, referral_code)"
    " SELECT %(test_email)s, left(md5(random()::text), 16) FROM written RETURNING id, email)"
)


@dataclass(frozen=True, slots=True)
class AccountOpened(DomainEvent):
    """An event of these tests alone."""

    number: int = 1


@pytest.fixture
def answered(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What a handler was told that adds a second account to the action's statement."""
    heard: list[Any] = []

    def note(events: Any) -> Cte:
        heard.append([event.number for event in events])
        return Cte(NOTE, {"test_email": "handler@example.test"}, "(SELECT email FROM test_note)", heard.append)

    registered = bus.RegisteredHandler(note, (AccountOpened,), bus.When.IN_STATEMENT)
    monkeypatch.setitem(bus._by_type, AccountOpened, [registered])
    return heard


def open_account(*events: DomainEvent, done: bool = True) -> Any:
    return write_and_publish(OPEN_ACCOUNT, {"email": "action@example.test", "done": done}, *events)


def accounts() -> set[str]:
    return set(Account.objects.filter(email__endswith="@example.test").values_list("email", flat=True))


@pytest.mark.django_db
def test_what_a_reaction_adds_is_written_by_the_same_statement(answered: list[Any]) -> None:
    with CaptureQueriesContext(connection) as statements:
        email, _ = open_account(AccountOpened(1), AccountOpened(2))
    assert (email, len(statements)) == ("action@example.test", 1)
    assert accounts() == {"action@example.test", "handler@example.test"}
    assert answered == [[1, 2], "handler@example.test"]


@pytest.mark.django_db
def test_when_nothing_is_done_nothing_is_written_and_nobody_told(
    answered: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Any] = []
    also(monkeypatch, told.append, AccountOpened)
    assert open_account(AccountOpened(), done=False) is None
    assert (accounts(), answered, told) == (set(), [[1]], [])


@pytest.mark.django_db
def test_a_cte_is_a_statement_of_its_own_where_it_is_only_published(answered: list[Any]) -> None:
    publish(AccountOpened())
    assert (accounts(), answered) == ({"handler@example.test"}, [[1], "handler@example.test"])


@pytest.mark.django_db(transaction=True)
def test_a_reaction_that_fails_undoes_the_action_and_what_was_added(
    answered: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: DomainEvent) -> None:
        assert accounts() == {"action@example.test", "handler@example.test"}
        raise ValueError("no")

    also(monkeypatch, fail, AccountOpened)
    with pytest.raises(ValueError, match="no"):
        open_account(AccountOpened())
    assert accounts() == set()


@pytest.mark.django_db
def test_an_event_without_reactions_is_no_more_than_the_action() -> None:
    assert open_account(AccountOpened())[0] == "action@example.test"
    assert accounts() == {"action@example.test"}


class TestAfterTheCommit:
    @pytest.fixture
    def heard(self, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
        """What a handler was told, and whether in a transaction."""
        heard: list[Any] = []

        def hear(events: Any) -> None:
            heard.append(([event.number for event in events], connection.in_atomic_block))

        register_after_commit(monkeypatch, hear)
        return heard

    @pytest.mark.django_db(transaction=True)
    def test_it_runs_once_for_what_was_published_together(self, heard: list[Any]) -> None:
        with transaction.atomic():
            publish(AccountOpened(1), AccountOpened(2))
            open_account(AccountOpened(3))
            assert heard == []
        assert heard == [([1, 2], False), ([3], False)]

    @pytest.mark.django_db(transaction=True)
    def test_it_needs_no_transaction(self, heard: list[Any]) -> None:
        with CaptureQueriesContext(connection) as statements:
            open_account(AccountOpened())
        assert (heard, len(statements)) == ([([1], False)], 1)

    @pytest.mark.django_db(transaction=True)
    def test_it_does_not_run_for_what_was_not_done_or_undone(self, heard: list[Any]) -> None:
        open_account(AccountOpened(), done=False)
        with transaction.atomic():
            publish(AccountOpened())
            transaction.set_rollback(True)
        assert heard == []

    @pytest.mark.django_db(transaction=True)
    def test_its_failure_undoes_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(_: Any) -> None:
            raise ValueError("no")

        register_after_commit(monkeypatch, fail)
        open_account(AccountOpened())
        assert accounts() == {"action@example.test"}


def register_after_commit(monkeypatch: pytest.MonkeyPatch, handler: Any) -> None:
    registered = bus.RegisteredHandler(handler, (AccountOpened,), bus.When.AFTER_COMMIT)
    monkeypatch.setitem(bus._by_type, AccountOpened, [registered])
