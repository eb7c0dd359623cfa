"""Few passwords are hashed at once, and in fair turns, whichever page asks for it."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from django.conf import settings as configured
from django.contrib.auth.hashers import check_password, make_password
from django.test import Client
from pytest_django import Settings

from apps.accounts.models import User
from apps.agents.models import Agent
from apps.core import hashing
from apps.core.hashing import Busy, Places
from tests.accounts.attempts import forget
from tests.factories import SuperuserFactory
from tests.factories.accounts import PASSWORD
from tests.factories.agents import InvitationFactory, secret_of
from tests.rows import snapshot

OURS = "apps.core.hashing.Hasher"


@pytest.fixture(autouse=True)
def hashed_as_in_production(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """But quickly."""
    settings.PASSWORD_HASHERS = [OURS]
    monkeypatch.setattr(hashing.Hasher, "iterations", 1000)
    forget()


@contextmanager
def all_taken(places: Places) -> Iterator[None]:
    with ExitStack() as stack:
        for _ in range(places.places):
            stack.enter_context(places.place())
        yield


def in_turns(test: Callable[[Places], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        async with asyncio.timeout(10):
            await test(Places(4))

    asyncio.run(run())


@pytest.mark.parametrize(("threads", "places"), [(1, 1), (2, 1), (4, 1), (7, 1), (8, 2), (64, 16)])
def test_a_quarter_of_the_threads_may_hash(threads: int, places: int) -> None:
    assert Places(threads).places == places


def test_a_place_is_given_back_however_the_hash_ends() -> None:
    places = Places(4)
    with pytest.raises(ValueError, match="ended"), places.place():
        raise ValueError("ended")
    with places.place(), pytest.raises(Busy), places.place():
        raise AssertionError("there was another place")
    with places.place():
        pass


def test_it_is_djangos_own_hash_in_a_place(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    encoded = make_password(PASSWORD)
    with all_taken(hashing.places()), pytest.raises(Busy):
        check_password(PASSWORD, encoded)
    with all_taken(hashing.places()), hashing.place_of({hashing.HAS_PLACE: True}):
        assert check_password(PASSWORD, encoded)
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    assert check_password(PASSWORD, encoded)


class TestTurns:
    def test_who_waits_is_not_overtaken_by_threads_and_of_equals_the_last_goes_first(self) -> None:
        async def turns(places: Places) -> None:
            order: list[str] = []

            async def wait(name: str, address: str) -> None:
                assert await places.turn(address)
                order.append(name)
                with pytest.raises(Busy), places.place():
                    raise AssertionError("somebody else's place")
                places.give_back()

            with places.place():
                waiting = [asyncio.create_task(wait(name, name)) for name in "abc"]
                await asyncio.sleep(0)
                assert order == []
            await asyncio.gather(*waiting)
            assert order == ["c", "b", "a"]

        in_turns(turns)

    def test_an_address_that_asks_again_waits_for_those_that_ask_for_the_first_time(self) -> None:
        async def turns(places: Places) -> None:
            order: list[str] = []

            async def wait(address: str) -> None:
                assert await places.turn(address)
                order.append(address)
                if len(order) == 4:
                    others.append(asyncio.create_task(wait("somebody")))
                    await asyncio.sleep(0)
                places.give_back()

            others: list[asyncio.Task[None]] = []
            with places.place():
                guessing = [asyncio.create_task(wait(f"attacker-{n % 3}")) for n in range(60)]
                await asyncio.sleep(0)
            await asyncio.gather(*guessing)
            await asyncio.gather(*others)
            first, second = ["attacker-2", "attacker-1", "attacker-0"], ["attacker-2", "somebody", "attacker-1"]
            assert order[:6] == first + second

        in_turns(turns)

    def test_a_place_that_a_thread_gives_back_goes_to_who_waits(self) -> None:
        async def turns(places: Places) -> None:
            may_end = threading.Event()

            def hash_in_thread() -> None:
                with places.place():
                    may_end.wait(10)

            hashes = asyncio.create_task(asyncio.to_thread(hash_in_thread))
            waits = asyncio.create_task(places.turn("somebody"))
            while not places._waiting:
                await asyncio.sleep(0)
            may_end.set()
            assert await waits
            await hashes

        in_turns(turns)

    def test_who_waits_too_long_goes_away_without_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        async def turns(places: Places) -> None:
            with places.place():
                assert not await places.turn("somebody")
            with places.place():
                pass

        monkeypatch.setattr(hashing, "WAIT_S", 0.01)
        in_turns(turns)

    def test_of_too_many_who_wait_the_one_whose_address_has_asked_most_goes(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def turns(places: Places) -> None:
            with places.place():
                many = [asyncio.create_task(places.turn("attacker")) for _ in range(3)]
                await asyncio.sleep(0)
                one = asyncio.create_task(places.turn("somebody"))
                assert not await many[2]
            for next_one in (one, many[0], many[1]):
                assert await next_one
                places.give_back()

        monkeypatch.setattr(hashing, "MOST_WAITING", 3)
        in_turns(turns)


class TestPages:
    """Every page that hashes, while others do."""

    @pytest.fixture
    def pages(self, olga: Agent) -> list[tuple[Client, str, dict[str, str]]]:
        """Each with who sends it, and its form."""
        assert olga.user is not None
        olga.user.set_password(PASSWORD)
        olga.user.save()
        ops = SuperuserFactory.create()
        signed_in = Client()
        signed_in.force_login(ops)
        of_olga = Client()
        of_olga.force_login(olga.user)
        known, new = (
            InvitationFactory.create(widget=olga.widget, email=email) for email in (olga.user.email, "new@shop.test")
        )
        login = {"username": olga.user.email, "password": PASSWORD}
        twice = {"new_password1": "an-other-pass-9", "new_password2": "an-other-pass-9"}
        colleague = {"email": "c@shop.test", "name": "C", "password1": "its-own-pass-9", "password2": "its-own-pass-9"}
        return [
            (Client(), "/admin/login/", login),
            (Client(), "/admin/login/", login | {"username": "nobody@shop.test"}),
            (Client(), "/console/login/", login),
            (Client(), f"/invitations/{secret_of(known)}", {"password": PASSWORD}),
            (Client(), f"/invitations/{secret_of(new)}", {"name": "New", "password": "its-own-pass-9"}),
            (signed_in, "/admin/password_change/", {"old_password": PASSWORD, **twice}),
            (of_olga, "/console/password/", {"old_password": PASSWORD, **twice}),
            (signed_in, "/admin/accounts/user/add/", colleague),
        ]

    def test_is_429_and_changes_nothing(self, pages: list[tuple[Client, str, dict[str, str]]]) -> None:
        before = snapshot()
        for browser, path, form in pages:
            with all_taken(hashing.places()):
                browser.raise_request_exception = False
                refusal = browser.post(path, form, headers={"Accept": "text/html"})
            assert (path, refusal.status_code, refusal.headers["Retry-After"]) == (path, 429, "2")
            assert b"Many people sign in at this moment." in refusal.content
        assert snapshot() == before

    def test_asks_a_server_that_can_wait_to_run_it_again_and_is_counted_once(
        self, pages: list[tuple[Client, str, dict[str, str]]]
    ) -> None:
        before = snapshot()
        for browser, path, form in pages:
            browser.raise_request_exception = False
            with all_taken(hashing.places()):
                asks = browser.post(path, form, **{hashing.CAN_WAIT: True})
                assert (path, asks.status_code, asks.headers[hashing.TURN_OF]) == (path, 100, "127.0.0.1")
                assert snapshot() == before
        for browser, path, form in pages:
            with all_taken(hashing.places()), hashing.place_of({hashing.HAS_PLACE: True}):
                for _ in range(1 if "invitations" in path or "user/add" in path else 20):
                    answer = browser.post(path, form, **{hashing.HAS_PLACE: True})
                    form = form | {"old_password": "an-other-pass-9"} if "old_password" in form else form
            assert answer.status_code in (200, 302), (path, answer.content)
        assert User.objects.filter(email__in=["new@shop.test", "c@shop.test"]).count() == 2


def test_the_process_has_the_places_of_its_threads() -> None:
    assert hashing.places().places == Places(configured.WEB_THREADS).places
