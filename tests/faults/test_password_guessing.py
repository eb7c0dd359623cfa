"""Passwords are tried at every door at once: few are hashed, and visitors are answered meanwhile."""

import http.client
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from urllib.parse import urlencode

import pytest
from django.contrib.auth.hashers import make_password

from apps.accounts import rules
from apps.accounts.models import User, Widget
from apps.core.hashing import Hasher
from launcher.processes import wait_until
from tests.e2e.http import call
from tests.factories import AgentFactory, StaffFactory, UserFactory
from tests.factories.accounts import PASSWORD
from tests.factories.agents import InvitationFactory, secret_of
from tests.faults.conftest import Figures
from tests.faults.fleet import p95
from tests.faults.processes import ready_web
from tests.faults.scale import SCALE
from tests.faults.talk import say

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]

LOOPS = 8  # at each door
TOKEN = "a" * 32
ADDRESSES = 50


@dataclass(frozen=True, slots=True)
class Door:
    """Where a password is asked for; a page with `wrong` says that it was looked at."""

    name: str
    path: str
    email: str
    wrong: int


def doors(shop: Widget, turn: int) -> list[Door]:
    """With a person of its own each: budgets are kept by person, too."""
    staff = StaffFactory.create(account=shop.account, email=f"staff-{turn}@shop.test")
    operator = AgentFactory.create(widget=shop, email=f"operator-{turn}@shop.test", user=None)
    operator.user = UserFactory.create(email=operator.email)
    operator.save()
    invited = UserFactory.create(email=f"invited-{turn}@shop.test")
    invitation = InvitationFactory.create(widget=shop, email=invited.email)
    return [
        Door("cabinet", "/admin/login/", staff.email, wrong=200),
        Door("console", "/console/login/", operator.email, wrong=200),
        Door("invitation", f"/invitations/{secret_of(invitation)}", invited.email, wrong=422),
    ]


def guess(port: int, source: str, door: Door, password: str) -> int:
    """Tries one password; the status of the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=(source, 0))
    form = {
        "username": door.email,
        "password": password,
        "csrfmiddlewaretoken": TOKEN,
    }
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": f"csrftoken={TOKEN}"}
    try:
        connection.request("POST", door.path, urlencode(form), headers)
        answer = connection.getresponse()
        answer.read()
        assert answer.status != 429 or int(answer.headers["Retry-After"]) >= 1
        return answer.status
    finally:
        connection.close()


@contextmanager
def a_visitor(base: str) -> Iterator[list[float]]:
    """Somebody who writes all the time; seconds that each answer took."""
    token = call("POST", f"{base}/sessions", body={})["data"]["visitor_token"]
    took: list[float] = []
    ended = threading.Event()

    def talk() -> None:
        while not ended.wait(0.1):
            began = time.monotonic()
            say(base, f"Visitor {token}", "Is it open on Sunday?")
            took.append(time.monotonic() - began)

    with ThreadPoolExecutor(1) as one:
        talking = one.submit(talk)
        try:
            yield took
        finally:
            ended.set()
    talking.result()


@pytest.mark.slow
def test_few_guesses_are_hashed_at_any_door(shop: Widget, figures: Figures) -> None:
    """By address, by person and by both, before anything is hashed; the rest is 429."""
    with ready_web() as (port, _):
        for turn, (guesses, addresses) in enumerate(SCALE.guesses):
            with a_visitor(f"http://localhost:{port}/widget/{shop.guid}") as took:
                began = time.monotonic()
                found = try_all(doors(shop, turn), guesses, addresses, port)
                seconds = time.monotonic() - began
            for door, statuses in found.items():
                assert statuses.keys() == {door.wrong, 429}, (door, statuses)
                hashed = statuses[door.wrong]
                assert 0 < hashed <= allowed(rules.ATTEMPTS, addresses, seconds), door
                assert hashed <= allowed(rules.ATTEMPTS_FOR_EMAIL, 1, seconds), door
                figures.add(
                    f"guesses, {door.name}", f"{hashed} of {guesses} hashed, from {addresses} in {seconds:.0f} s"
                )
            figures.add("visitors meanwhile", f"p95 {p95(took) * 1000:.0f} ms of {len(took)} messages")


def allowed(limit: int, budgets: int = 1, seconds: float = 0) -> int:
    """As many as budgets of a limit a minute let through in that time."""
    return budgets * (limit + -int(-limit * seconds // 60))


def try_all(found: list[Door], guesses: int, addresses: int, port: int) -> dict[Door, Counter[int]]:
    """Tries passwords at all doors at once, at each from addresses of its own; the statuses of the answers."""

    def tries(place: int, door: Door) -> Callable[[int], int]:
        return lambda number: guess(port, f"127.0.{place + 1}.{number % addresses + 1}", door, f"guess-{number}")

    with ThreadPoolExecutor(LOOPS * len(found)) as loops:
        given = {door: [loops.submit(tries(n, door), k) for k in range(guesses)] for n, door in enumerate(found)}
        return {door: Counter(one.result() for one in answered) for door, answered in given.items()}


@pytest.mark.slow
def test_somebody_signs_in_while_passwords_are_tried_from_many_addresses(shop: Widget, figures: Figures) -> None:
    """No budget is spent: each address and each login tries a little, all of them more than the cores can hash."""
    staff = StaffFactory.create(account=shop.account)
    User.objects.filter(pk=staff.pk).update(password=make_password(PASSWORD, hasher=Hasher()))
    person = Door("cabinet", "/admin/login/", staff.email, wrong=200)
    goes_on, told = threading.Event(), Counter[int]()
    goes_on.set()

    def attack(number: int, port: int) -> None:
        for turn in count():
            login = replace(person, email=f"login-{number}-{turn}@shop.test")
            told[guess(port, f"127.0.1.{number}", login, f"guess-{turn}")] += 1
            if not goes_on.is_set():
                return

    with ready_web() as (port, _), ThreadPoolExecutor(ADDRESSES) as addresses:
        attacks = [addresses.submit(attack, number, port) for number in range(1, ADDRESSES + 1)]
        try:
            assert wait_until(lambda: told[200] > 2, seconds=60)
            with a_visitor(f"http://localhost:{port}/widget/{shop.guid}") as took:
                began = time.monotonic()
                signed_in = guess(port, "127.0.2.1", person, PASSWORD)
                seconds = time.monotonic() - began
        finally:
            goes_on.clear()
        for one in attacks:
            one.result()
    assert signed_in == 302
    assert told.keys() <= {200, 429}
    figures.add("signing in meanwhile", f"{seconds:.1f} s, among {ADDRESSES} addresses that try ({dict(told)})")
    figures.add("visitors meanwhile", f"p95 {p95(took) * 1000:.0f} ms of {len(took)} messages")
