"""Connections to PostgreSQL: no server is waited for without end, and what it has ended is replaced unnoticed."""

import socket
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import Error, IntegrityError, OperationalError, connection, transaction
from psycopg import errors

from apps.core.database import base, execute, fetch_one, is_unavailable, state
from apps.core.models import IdempotencyKey
from tests.factories import ApiTokenFactory

pytestmark = pytest.mark.django_db(transaction=True)

LATER = ["25006", "25P03", "40001", "40P01", "53100", "53300", "55P03", "57014", "57P01", "57P03", "58030"]


@pytest.fixture(autouse=True)
def no_failure_yet() -> Iterator[None]:
    base._failure = None
    yield
    connection.close()
    base._failure = None


@pytest.fixture
def silent() -> Iterator[socket.socket]:
    """A server that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        yield listening


def pid() -> int:
    row = fetch_one("SELECT pg_backend_pid()", {})
    assert row is not None
    return int(row[0])


def end(backend: int) -> None:
    """As an administrator would; returns when the backend is gone."""
    url = settings.DATABASE_URL
    with psycopg.connect(url, dbname="postgres", autocommit=True) as administrator:
        assert administrator.execute("SELECT pg_terminate_backend(%s, 5000)", [backend]).fetchone() == (True,)


def add_key(name: str, token_id: int) -> None:
    execute("INSERT INTO core_idempotencykey (token_id, key) VALUES (%(id)s, %(key)s)", {"id": token_id, "key": name})


class TestConnectionsThatTheServerHasEnded:
    def test_are_replaced_before_their_next_use(self) -> None:
        ended = pid()
        end(ended)
        assert pid() != ended
        with transaction.atomic():
            assert state() == "ok"

    def test_are_replaced_under_the_orm_too(self) -> None:
        end(pid())
        assert not IdempotencyKey.objects.exists()

    def test_end_the_transaction_that_is_under_way_on_them(self) -> None:
        token = ApiTokenFactory.create()

        @transaction.atomic
        def add_two() -> None:
            add_key("one", token.pk)
            end(pid())
            add_key("two", token.pk)

        with pytest.raises(OperationalError):
            add_two()
        assert not IdempotencyKey.objects.exists()

    def test_lose_nothing_of_what_follows_a_commit(self, monkeypatch: pytest.MonkeyPatch) -> None:
        token, followed = ApiTokenFactory.create(), []
        commit = connection.commit

        def commit_at_last() -> None:
            backend = connection.connection.info.backend_pid
            commit()
            end(backend)

        monkeypatch.setattr(connection, "commit", commit_at_last)
        with transaction.atomic():
            add_key("one", token.pk)
            transaction.on_commit(lambda: followed.append("hint"))
        monkeypatch.undo()
        assert followed == ["hint"]
        assert IdempotencyKey.objects.count() == 1


class TestWaiting:
    def test_a_slow_statement_of_a_server_that_answers_is_waited_for(self) -> None:
        assert fetch_one("SELECT 1 FROM pg_sleep(1.4)", {}) == (1,)

    def test_no_statement_is_waited_for_longer_than_it_may_take(self) -> None:
        """Such as over a connection that has lost its server, which answers others."""
        before = pid()
        connection.connection.longest_s = 1.2
        with pytest.raises(OperationalError, match="the server has not answered"):
            fetch_one("SELECT pg_sleep(60)", {})
        assert pid() != before

    def test_a_server_that_says_nothing_is_given_up(self, silent: socket.socket) -> None:
        connection.ensure_connection()
        port = silent.getsockname()[1]
        connection.connection.parameters |= {"host": "127.0.0.1", "port": port}
        with pytest.raises(OperationalError, match="the server has not answered"):
            fetch_one("SELECT pg_sleep(60)", {})

    def test_who_asks_for_it_next_is_refused_at_once(self, silent: socket.socket) -> None:
        parameters: dict[str, Any] = {"host": "127.0.0.1", "port": silent.getsockname()[1], "connect_timeout": 2}
        for _ in range(3):
            with pytest.raises(errors.ConnectionTimeout):
                base.connect(parameters)
        silent.accept()[0].close()
        with pytest.raises(BlockingIOError):
            silent.accept()


class TestWhatErrorsMean:
    def test_a_database_that_may_only_be_read(self) -> None:
        """What it refuses may succeed later, and the connection is replaced: another may lead to another server."""
        token = ApiTokenFactory.create()
        before = pid()
        execute("SET default_transaction_read_only = on", {})
        assert state() == "read-only"
        with pytest.raises(Error) as refused:
            add_key("one", token.pk)
        assert is_unavailable(refused.value)
        assert pid() != before
        assert state() == "ok"

    @pytest.mark.parametrize(
        "code", ["25006", "25P03", "53100", "53300", "55P03", "57014", "57P01", "57P03", "40001", "40P01", "58030"]
    )
    def test_what_may_succeed_later(self, code: str) -> None:
        with pytest.raises(Error) as refused:
            execute(f"DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{code}'; END $$", {})
        assert is_unavailable(refused.value)

    @pytest.mark.parametrize("code", ["23505", "22001", "42P01", "25P02", "XX000"])
    def test_other_errors_are_not_unavailability(self, code: str) -> None:
        with pytest.raises(Error) as refused:
            execute(f"DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{code}'; END $$", {})
        assert not is_unavailable(refused.value)

    def test_what_is_no_error_of_the_database(self) -> None:
        assert not is_unavailable(None)
        assert not is_unavailable(ValueError())
        assert not is_unavailable(IntegrityError())
