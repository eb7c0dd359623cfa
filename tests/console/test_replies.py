"""Canned replies: the widget's shared ones, and everybody's own."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.console.actions.replies import write_reply
from apps.console.models import CannedReply
from apps.console.rules.canned_replies import MAX_OWN_REPLIES, MAX_SHARED_REPLIES
from apps.core.problems import Problem
from tests.cast import Rival
from tests.client import assert_problem
from tests.console.browser import Console
from tests.factories.console import CannedReplyFactory
from tests.rows import snapshot

pytestmark = pytest.mark.django_db


def test_shared_ones_are_everybodys_and_own_ones_nobody_elses(
    alices_console: Console, boriss_console: Console, rival: Rival
) -> None:
    own = alices_console.data("POST", "/replies", 201, json={"shortcut": "hi", "body": "Hi! Alice here."})
    shared = alices_console.data(
        "POST", "/replies", 201, json={"shortcut": "адрес", "body": "Цветочная, 1\nвход со двора", "is_shared": True}
    )
    CannedReplyFactory.create(widget=rival.widget)
    assert own == {
        "id": own["id"],
        "shortcut": "hi",
        "body": "Hi! Alice here.",
        "is_shared": False,
        "is_mine": True,
        "translations": [],
    }
    assert (shared["is_shared"], shared["is_mine"]) == (True, False)
    assert alices_console.get("/replies").json() == {"data": [own, shared], "next_cursor": None}
    assert boriss_console.get("/replies").json() == {"data": [shared], "next_cursor": None}


def test_anybody_changes_and_deletes_a_shared_one(boriss_console: Console, shop: Widget) -> None:
    reply = CannedReplyFactory.create(widget=shop, shortcut="hours")
    changed = boriss_console.data("PATCH", f"/replies/{reply.pk}", json={"body": "До 20 часов."})
    assert changed == {
        "id": reply.pk,
        "shortcut": "hours",
        "body": "До 20 часов.",
        "is_shared": True,
        "is_mine": False,
        "translations": [],
    }
    assert boriss_console.delete(f"/replies/{reply.pk}").status_code == 204
    assert not CannedReply.objects.exists()


def test_one_is_shared_and_taken_back(alices_console: Console, boriss_console: Console, alice: Agent) -> None:
    reply = CannedReplyFactory.create(widget=alice.widget, agent=alice)
    assert alices_console.data("PATCH", f"/replies/{reply.pk}", json={"is_shared": True})["is_shared"]
    taken = boriss_console.data("PATCH", f"/replies/{reply.pk}", json={"is_shared": False})
    assert (taken["is_shared"], taken["is_mine"]) == (False, True)
    assert alices_console.get("/replies").json()["data"] == []


@pytest.mark.parametrize("owner", ["boris", "rival", "rival's own"])
def test_somebody_elses_is_404(alices_console: Console, boris: Agent, rival: Rival, owner: str) -> None:
    widget, agent = {
        "boris": (boris.widget, boris),
        "rival": (rival.widget, None),
        "rival's own": (rival.widget, rival.agent),
    }[owner]
    reply = CannedReplyFactory.create(widget=widget, agent=agent)
    before = snapshot()
    assert_problem(alices_console.patch(f"/replies/{reply.pk}", json={"body": "x"}), 404, "not_found")
    assert_problem(alices_console.delete(f"/replies/{reply.pk}"), 404, "not_found")
    assert snapshot() == before


class TestShortcuts:
    def test_each_owner_has_one_once(self, alices_console: Console, alice: Agent, boris: Agent) -> None:
        CannedReplyFactory.create(widget=alice.widget, agent=boris, shortcut="hi")
        for is_shared in (True, False):
            body = {"shortcut": "hi", "body": "Hi!", "is_shared": is_shared}
            alices_console.data("POST", "/replies", 201, json=body)
            before = snapshot()
            again = alices_console.post("/replies", json=body)
            assert_problem(again, 422, "invalid_input", errors=["shortcut"])
            assert snapshot() == before

    def test_nor_has_it_twice_after_a_change(self, alices_console: Console, alice: Agent) -> None:
        shared = CannedReplyFactory.create(widget=alice.widget, shortcut="hi")
        other = CannedReplyFactory.create(widget=alice.widget, shortcut="bye")
        own = CannedReplyFactory.create(widget=alice.widget, agent=alice, shortcut="hi")
        before = snapshot()
        for reply, change in ((other, {"shortcut": "hi"}), (own, {"is_shared": True}), (shared, {"is_shared": False})):
            answer = alices_console.patch(f"/replies/{reply.pk}", json=change)
            assert_problem(answer, 422, "invalid_input", errors=["shortcut"])
        assert snapshot() == before
        assert alices_console.data("PATCH", f"/replies/{own.pk}", json={"shortcut": "hi"})["shortcut"] == "hi"

    @pytest.mark.django_db(transaction=True)
    def test_of_two_at_once_one_is_kept(self, alice: Agent, boris: Agent) -> None:
        barrier = Barrier(2)

        def write(agent: Agent) -> bool:
            barrier.wait(timeout=30)
            try:
                write_reply(agent=agent, changes={"shortcut": "hi", "body": "Hi!", "is_shared": True})
            except Problem as problem:
                return list(problem.errors) != ["shortcut"]
            finally:
                connection.close()
            return True

        with ThreadPoolExecutor(2) as threads:
            assert sorted(threads.map(write, (alice, boris))) == [False, True]
        assert CannedReply.objects.count() == 1


class TestLimits:
    @pytest.mark.parametrize("is_shared", [True, False])
    def test_there_are_only_so_many(self, alices_console: Console, alice: Agent, is_shared: bool) -> None:
        owner, most = (None, MAX_SHARED_REPLIES) if is_shared else (alice, MAX_OWN_REPLIES)
        rows = CannedReplyFactory.build_batch(most, widget=alice.widget, agent=owner)
        kept = CannedReply.objects.bulk_create(rows)
        before = snapshot()
        body = {"shortcut": "one-more", "body": "x", "is_shared": is_shared}
        assert_problem(alices_console.post("/replies", json=body), 422, "invalid_input", errors=["is_shared"])
        assert snapshot() == before
        alices_console.data("PATCH", f"/replies/{kept[0].pk}", json={"body": "y"})
        alices_console.data("POST", "/replies", 201, json={**body, "is_shared": not is_shared})

    def test_a_list_is_one_statement(
        self, alices_console: Console, shop: Widget, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        CannedReplyFactory.create_batch(20, widget=shop)
        with django_assert_num_queries(4):  # session, user, operators; the replies
            assert len(alices_console.data("GET", "/replies")) == 20


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"shortcut": ""}, "shortcut"),
        ({"shortcut": "x" * 33}, "shortcut"),
        ({"shortcut": "two words"}, "shortcut"),
        ({"shortcut": "a\u00a0b"}, "shortcut"),
        ({"shortcut": "a\u200bb"}, "shortcut"),
        ({"body": ""}, "body"),
        ({"body": "x" * 4_001}, "body"),
        ({"is_shared": "yes"}, "is_shared"),
        ({"is_mine": True}, "is_mine"),
    ],
)
def test_bad_input_is_422(alices_console: Console, shop: Widget, change: dict[str, Any], path: str) -> None:
    reply = CannedReplyFactory.create(widget=shop)
    before = snapshot()
    body = {"shortcut": "hours", "body": "С 9 до 18.", "is_shared": True, **change}
    assert_problem(alices_console.post("/replies", json=body), 422, "invalid_input", errors=[path])
    assert_problem(alices_console.patch(f"/replies/{reply.pk}", json=change), 422, "invalid_input", errors=[path])
    assert snapshot() == before


def test_without_the_pages_token_it_is_403(alices_console: Console, shop: Widget) -> None:
    reply = CannedReplyFactory.create(widget=shop)
    before = snapshot()
    forged = {"X-CSRFToken": "x" * 32}
    body = {"shortcut": "hi", "body": "Hi!"}
    for answer in (
        alices_console.post("/replies", json=body, headers=forged),
        alices_console.patch(f"/replies/{reply.pk}", json=body, headers=forged),
        alices_console.delete(f"/replies/{reply.pk}", headers=forged),
    ):
        assert_problem(answer, 403, "csrf_failed")
    assert snapshot() == before


def test_with_an_operator_their_own_replies_go(alice: Agent) -> None:
    CannedReplyFactory.create(widget=alice.widget, agent=alice)
    shared = CannedReplyFactory.create(widget=alice.widget)
    alice.delete()
    assert list(CannedReply.objects.all()) == [shared]
