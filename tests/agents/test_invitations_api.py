"""Invitations over REST (specification, Endpoints "Agents", "Limits"; DESIGN.md 6)."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Widget
from apps.agents import rules
from apps.agents.actions.invitations import SENT
from apps.agents.models import Agent, Invitation
from apps.core.models import IdempotencyKey, QuotaUse
from tests.budgets import spent
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import AgentFactory, AiAgentFactory
from tests.factories.agents import InvitationFactory, secret_of

PATH = "/agents/invitations"
LINK = re.compile(r"http://\S+/invitations/(inv_[0-9A-Za-z]{40})")


def invite(api: ApiClient, email: str = "nina@mail.test", **more: Any) -> Any:
    return api.post(PATH, json={"email": email}, **more)


def stored() -> list[str]:
    return list(Invitation.objects.order_by("id").values_list("email", flat=True))


def test_an_invitation_is_mailed_and_shown(api: ApiClient, shop: Widget, mailoutbox: list[Any]) -> None:
    answer = invite(api)
    assert answer.status_code == 201
    row = Invitation.objects.get()
    data = answer.json()["data"]
    assert data == {
        "id": row.pk,
        "email": "nina@mail.test",
        "status": "pending",
        "created_at": row.created_at.isoformat().replace("+00:00", "Z"),
        "expires_at": row.expires_at.isoformat().replace("+00:00", "Z"),
    }
    assert row.widget == shop
    assert row.expires_at - row.created_at == timedelta(days=7)
    (mail,) = mailoutbox
    assert mail.to == ["nina@mail.test"]
    assert mail.subject == "Invitation to the chat of Flower shop"
    (secret,) = LINK.findall(mail.body)
    assert bytes(row.digest) == rules.secret_digest(secret)
    assert secret not in answer.content.decode()


def test_the_list_shows_what_has_become_of_each_the_newest_first(api: ApiClient, shop: Widget, rival: Rival) -> None:
    InvitationFactory.create(widget=rival.widget)
    InvitationFactory.create(widget=shop, email="a@mail.test", age=timedelta(days=7))
    InvitationFactory.create(widget=shop, email="b@mail.test", status="accepted", age=timedelta(days=8))
    InvitationFactory.create(widget=shop, email="c@mail.test", status="revoked")
    InvitationFactory.create(widget=shop, email="d@mail.test")
    rows = api.get(PATH).json()["data"]
    assert [(row["email"][0], row["status"]) for row in rows] == [
        ("d", "pending"),
        ("c", "revoked"),
        ("b", "accepted"),
        ("a", "expired"),
    ]
    first = api.get(PATH, query={"limit": 3}).json()
    rest = api.get(PATH, query={"limit": 3, "cursor": first["next_cursor"]}).json()
    assert first["data"] + rest["data"] == rows


def test_a_page_costs_the_same_whatever_its_size(api: ApiClient, shop: Widget) -> None:
    InvitationFactory.create_batch(30, widget=shop)
    api.get(PATH)  # reads the token, too
    counts = set()
    for limit in (1, 30):
        with CaptureQueriesContext(connection) as queries:
            assert len(api.get(PATH, query={"limit": limit}).json()["data"]) == limit
        counts.add(len(queries))
    assert counts == {1}


@pytest.mark.parametrize(
    "email",
    ["", "nina", "nina@", "@mail.test", "nina@mail", " nina@mail.test", '"a b"@mail.test', '"a\x01"@mail.test',
     "nina@mail.test\n", "nina@mail.test\nBcc: all@mail.test", "a@mail.test, b@mail.test", "нина@mail.test",
     "n\x00na@mail.test", "n" * 250 + "@mail.test", 7, None, ["nina@mail.test"]],
)  # fmt: skip
def test_what_is_no_address_is_refused_by_name(api: ApiClient, email: Any, mailoutbox: list[Any]) -> None:
    assert_problem(api.post(PATH, json={"email": email}), 422, "invalid_input", errors=["email"])
    assert (stored(), mailoutbox) == ([], [])


def test_an_address_of_an_international_domain_is_taken(api: ApiClient, mailoutbox: list[Any]) -> None:
    assert invite(api, "nina@почта.рф").status_code == 201
    assert mailoutbox[0].to == ["nina@почта.рф"]


def test_unknown_members_are_refused_by_name(api: ApiClient, mailoutbox: list[Any]) -> None:
    answer = api.post(PATH, json={"email": "nina@mail.test", "role": "owner"})
    assert_problem(answer, 422, "invalid_input", errors=["role"])
    assert (stored(), mailoutbox) == ([], [])


class TestSeats:
    """An invitation is refused unless free seats outnumber the outstanding ones."""

    def test_each_pending_invitation_asks_for_a_seat(
        self, api: ApiClient, shop: Widget, olga: Agent, mailoutbox: list[Any]
    ) -> None:
        Widget.objects.filter(pk=shop.pk).update(seats=3)
        assert [invite(api, f"{name}@mail.test").status_code for name in "ab"] == [201, 201]
        key = "of-the-third"
        assert_problem(invite(api, "c@mail.test", idempotency_key=key), 409, "seat_limit_reached")
        assert stored() == ["a@mail.test", "b@mail.test"]
        assert len(mailoutbox) == 2
        api.delete(f"{PATH}/{Invitation.objects.earliest('id').pk}")
        assert invite(api, "c@mail.test", idempotency_key=key).status_code == 201

    def test_neither_banned_agents_nor_ai_operators_nor_what_is_over_takes_a_seat(
        self, api: ApiClient, shop: Widget
    ) -> None:
        Widget.objects.filter(pk=shop.pk).update(seats=1)
        AgentFactory.create(widget=shop, status="banned")
        AiAgentFactory.create(widget=shop)
        InvitationFactory.create(widget=shop, age=timedelta(days=7))
        InvitationFactory.create(widget=shop, status="revoked")
        InvitationFactory.create(widget=shop, status="accepted")
        assert invite(api).status_code == 201

    def test_agents_over_the_seats_leave_no_room(self, api: ApiClient, shop: Widget, olga: Agent) -> None:
        Widget.objects.filter(pk=shop.pk).update(seats=0)
        assert_problem(invite(api), 409, "seat_limit_reached")


class TestOneAddress:
    def test_a_second_pending_invitation_is_refused_however_it_is_written(
        self, api: ApiClient, mailoutbox: list[Any]
    ) -> None:
        assert invite(api, "nina@mail.test").status_code == 201
        assert_problem(invite(api, "Nina@MAIL.test"), 409, "already_invited")
        assert stored() == ["nina@mail.test"]
        assert len(mailoutbox) == 1

    @pytest.mark.parametrize("over", [{"age": timedelta(days=7)}, {"status": "revoked"}, {"status": "accepted"}])
    def test_one_that_is_over_stands_in_nobodys_way(self, api: ApiClient, shop: Widget, over: Any) -> None:
        InvitationFactory.create(widget=shop, email="nina@mail.test", **over)
        assert invite(api, "nina@mail.test").status_code == 201

    def test_another_widgets_does_not_either(self, api: ApiClient, rival: Rival) -> None:
        InvitationFactory.create(widget=rival.widget, email="nina@mail.test")
        assert invite(api, "nina@mail.test").status_code == 201
        assert invite(api, rival.agent.email).status_code == 201

    @pytest.mark.parametrize("status", ["active", "relaxation"])
    def test_an_agent_is_not_invited(self, api: ApiClient, alice: Agent, status: str, mailoutbox: list[Any]) -> None:
        Agent.objects.filter(pk=alice.pk).update(status=status)
        assert_problem(invite(api, "ALICE@shop.test"), 409, "already_an_agent")
        assert (stored(), mailoutbox) == ([], [])

    def test_nor_by_the_address_they_sign_in_with(self, api: ApiClient, alice: Agent) -> None:
        Agent.objects.filter(pk=alice.pk).update(email="weber@shop.test")
        assert_problem(invite(api, "alice@shop.test"), 409, "already_an_agent")

    def test_who_was_suspended_may_be_invited_again(self, api: ApiClient, alice: Agent) -> None:
        Agent.objects.filter(pk=alice.pk).update(status="banned")
        assert invite(api, "alice@shop.test").status_code == 201


class TestTenAnHour:
    @pytest.fixture(autouse=True)
    def seats(self, shop: Widget) -> None:
        Widget.objects.filter(pk=shop.pk).update(seats=100)

    def test_the_eleventh_waits_until_the_first_is_an_hour_old(
        self, api: ApiClient, shop: Widget, mailoutbox: list[Any]
    ) -> None:
        spent(SENT, shop.pk, timedelta(minutes=50))
        for n in range(9):
            assert invite(api, f"n{n}@mail.test").status_code == 201
        answer = invite(api)
        assert_problem(answer, 429, "invitation_limit_reached")
        assert 590 <= int(answer.headers["Retry-After"]) <= 600
        assert (len(stored()), len(mailoutbox)) == (9, 9)
        QuotaUse.objects.order_by("at")[:1].get().delete()
        assert invite(api).status_code == 201

    def test_refusals_use_up_nothing(self, api: ApiClient, shop: Widget, settings: Any) -> None:
        invite(api, "n0@mail.test")
        for _ in range(12):
            assert_problem(invite(api, "n0@mail.test"), 409, "already_invited")
        for n in range(1, 10):
            assert invite(api, f"n{n}@mail.test").status_code == 201

    def test_each_widget_has_its_own(self, api: ApiClient, rival_api: ApiClient, shop: Widget) -> None:
        spent(SENT, shop.pk, *[timedelta()] * 10)
        assert_problem(invite(api), 429, "invitation_limit_reached")
        assert invite(rival_api).status_code == 201


class TestRevoking:
    def test_the_link_is_dead_at_once(self, api: ApiClient, shop: Widget, client: Any) -> None:
        invitation = InvitationFactory.create(widget=shop)
        page = f"/invitations/{secret_of(invitation)}"
        assert client.get(page).status_code == 200
        answer = api.delete(f"{PATH}/{invitation.pk}")
        assert (answer.status_code, answer.content) == (204, b"")
        assert client.get(page).status_code == 410
        assert api.get(PATH).json()["data"][0]["status"] == "revoked"

    @pytest.mark.parametrize("over", [{"age": timedelta(days=7)}, {"status": "revoked"}, {"status": "accepted"}])
    def test_what_is_not_pending_is_404_and_stays(self, api: ApiClient, shop: Widget, over: Any) -> None:
        invitation = InvitationFactory.create(widget=shop, **over)
        assert_problem(api.delete(f"{PATH}/{invitation.pk}"), 404, "not_found")
        before = invitation.status
        invitation.refresh_from_db()
        assert invitation.status == before

    def test_another_widgets_is_one_that_never_was(self, api: ApiClient, rival: Rival) -> None:
        foreign = InvitationFactory.create(widget=rival.widget)
        never = api.delete(f"{PATH}/999999999")
        answer = api.delete(f"{PATH}/{foreign.pk}")
        assert_problem(answer, 404, "not_found")
        assert answer.json()["detail"] == never.json()["detail"]
        foreign.refresh_from_db()
        assert foreign.status == "pending"


def test_a_key_invites_once(api: ApiClient, mailoutbox: list[Any]) -> None:
    assert invite(api, "a@mail.test", idempotency_key="one").status_code == 201
    assert_problem(invite(api, "b@mail.test", idempotency_key="one"), 409, "idempotency_key_reused")
    assert stored() == ["a@mail.test"]
    assert len(mailoutbox) == 1
    assert IdempotencyKey.objects.count() == 1
