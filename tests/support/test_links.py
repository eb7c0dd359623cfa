"""Accounts tied to chats and untied: clamps, extension, conflict, lapse by time (core, "Account-link clamps")."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from apps.accounts.actions.settings import change_settings
from apps.chats.models import Chat, Contact
from apps.support.models import AppRoom, Identity
from apps.support.rules.identities import LIFETIMES, LinkSource, clamped
from apps.support.settings import SETTINGS
from tests.cast import Rival
from tests.client import assert_problem
from tests.factories import ChatFactory, ContactFactory
from tests.factories.support import IdentityFactory, TicketFactory, app_room
from tests.rows import snapshot
from tests.support.application import Application


@pytest.fixture
def app(application: Application) -> Application:
    """The shop's application, which may tie accounts."""
    change_settings(
        SETTINGS, widget_id=application.widget.pk, changes={"account_link": True, "channels": ["widget", "app"]}
    )
    return application


def a_link(target: dict[str, Any], request_id: str = "r-1", **changes: Any) -> dict[str, Any]:
    later = (timezone.now() + timedelta(hours=1)).isoformat()
    body = {
        "contract": "account-link.v1",
        "request_id": request_id,
        "target": target,
        "account": {"app_user_id": "u-42"},
        "method": "cabinet",
        "identity_expires_at": later,
        "grant": {"token": "g" * 16, "expires_at": (timezone.now() + timedelta(minutes=5)).isoformat()},
    }
    return body | changes


def a_revocation(target: dict[str, Any], request_id: str = "r-1") -> dict[str, Any]:
    return {
        "contract": "account-link-revoke.v1",
        "request_id": request_id,
        "target": target,
        "reason": "signed out",
    }


def link(app: Application, target: dict[str, Any], request_id: str = "r-1", **changes: Any) -> dict[str, Any]:
    response = app.post("/account-link", a_link(target, request_id, **changes))
    assert response.status_code == 200, response.content
    body: dict[str, Any] = response.json()
    return body


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


class TestLinking:
    def test_an_application_links_a_chat_to_its_account(self, app: Application, chat: Chat) -> None:
        linked = link(
            app, {"chat_id": chat.pk}, verification_ref="v-1", account={"app_user_id": "u", "email": "a@b.cd"}
        )
        identity = Identity.objects.get()
        assert linked == {
            "bound": True,
            "app_user_id": "u",
            "chats": [chat.pk],
            "link_source": "cabinet",
            "identity_expires_at": identity.expires_at.isoformat().replace("+00:00", "Z"),
            "grant_expires_at": (identity.grant_expires_at or timezone.now()).isoformat().replace("+00:00", "Z"),
            "clamped": {"identity": False, "grant": False},
            "replayed": False,
        }
        assert (identity.app_user_id, identity.email, identity.grant) == ("u", "a@b.cd", "g" * 16)
        with connection.cursor() as cursor:
            cursor.execute('SELECT "grant", email FROM support_identity')
            assert not {"g" * 16, "a@b.cd"} & set(cursor.fetchone())

    @pytest.mark.parametrize("source", list(LinkSource))
    def test_what_lives_too_long_is_clamped_and_not_refused(
        self, app: Application, chat: Chat, source: LinkSource
    ) -> None:
        far = "2100-01-01T00:00:00Z"
        began = timezone.now()
        linked = link(
            app,
            {"chat_id": chat.pk},
            method=source.value,
            identity_expires_at=far,
            grant={"token": "g" * 16, "expires_at": far},
        )
        assert linked["clamped"] == {"identity": True, "grant": True}
        lives = at(linked["identity_expires_at"]) - began
        assert LIFETIMES[source] <= lives < LIFETIMES[source] + timedelta(seconds=60)
        assert timedelta(minutes=30) <= at(linked["grant_expires_at"]) - began < timedelta(minutes=31)

    def test_a_ticket_and_each_chat_of_a_visitor(self, app: Application, chat: Chat, ivan: Contact) -> None:
        ticket = TicketFactory.create(chat=chat)
        assert link(app, {"ticket": ticket.pk})["chats"] == [chat.pk]
        other = ChatFactory.create(contact=ivan, channel="tg")
        ChatFactory.create(contact=ContactFactory.create(widget=app.widget))
        assert link(app, {"widget_visitor": ivan.guid}, "r-2")["chats"] == [chat.pk, other.pk]

    def test_the_same_account_extends_and_never_shortens(self, app: Application, chat: Chat) -> None:
        first = link(app, {"chat_id": chat.pk}, method="telegram_link", identity_expires_at=in_days(6))
        second = link(app, {"chat_id": chat.pk}, "r-2")
        assert second["identity_expires_at"] == first["identity_expires_at"]
        assert second["link_source"] == "telegram_link"
        third = link(app, {"chat_id": chat.pk}, "r-3", method="app_ticket", identity_expires_at=in_days(30))
        assert at(third["identity_expires_at"]) > at(first["identity_expires_at"])
        assert third["link_source"] == "app_ticket"

    def test_another_accounts_live_identity_is_409_and_stays(self, app: Application, chat: Chat, ivan: Contact) -> None:
        ChatFactory.create(contact=ivan, channel="tg")
        IdentityFactory.create(chat=chat, app_user_id="u-1")
        before = snapshot()
        for target in ({"chat_id": chat.pk}, {"widget_visitor": ivan.guid}):
            assert_problem(app.post("/account-link", a_link(target)), 409, "chat_bound_to_other_account")
        assert snapshot() == before
        Identity.objects.update(expires_at=timezone.now())
        assert link(app, {"chat_id": chat.pk})["app_user_id"] == "u-42"

    def test_an_app_room_can_not_be_linked(self, app: Application) -> None:
        room = app_room(app.widget, "u-42")
        for target in ({"chat_id": room.pk}, {"widget_visitor": room.contact.guid}):
            assert_problem(app.post("/account-link", a_link(target)), 409, "chat_not_linkable")

    def test_what_is_not_the_widgets_is_404(self, app: Application, rival: Rival) -> None:
        foreign = TicketFactory.create(chat=rival.chat).pk
        before = snapshot()
        for target in (
            {"chat_id": rival.chat.pk},
            {"chat_id": 999_999},
            {"ticket": foreign},
            {"ticket": 999_999},
            {"widget_visitor": rival.contact.guid},
            {"widget_visitor": "f" * 32},
            {"widget_visitor": ContactFactory.create(widget=rival.widget).guid},
        ):
            for path, body in (("/account-link", a_link(target)), ("/account-link/revoke", a_revocation(target))):
                assert_problem(app.post(path, body), 404, "not_found")
        assert {name: rows for name, rows in snapshot().items() if name != "chats.Contact"} == {
            name: rows for name, rows in before.items() if name != "chats.Contact"
        }

    def test_the_same_request_again(self, app: Application, chat: Chat) -> None:
        body = a_link({"chat_id": chat.pk})
        first = app.post("/account-link", body).json()
        assert app.post("/account-link", body).json() == {**first, "replayed": True}
        other = {**body, "account": {"app_user_id": "u-1"}}
        assert_problem(app.post("/account-link", other), 409, "request_id_reused")

    def test_while_it_is_off_the_address_is_404(self, application: Application, chat: Chat) -> None:
        target = {"chat_id": chat.pk}
        for path, body in (("/account-link", a_link(target)), ("/account-link/revoke", a_revocation(target))):
            assert_problem(application.post(path, body), 404, "not_found")
            assert_problem(application.post(path, {}), 404, "not_found")

    @pytest.mark.parametrize(
        ("changes", "code"),
        [
            ({"target": {"telegram_user": 1}}, "target_not_supported_yet"),
            ({"target": {}}, "invalid_input"),
            ({"target": {"chat_id": 1, "ticket": 1}}, "invalid_input"),
            ({"contract": "account-link.v2"}, "unsupported_contract"),
            ({"identity_expires_at": "2020-01-01T00:00:00Z"}, "invalid_input"),
            ({"identity_expires_at": "2100-01-01T00:00:00"}, "invalid_input"),
            ({"identity_expires_at": 4102444800}, "invalid_input"),
            ({"grant": {"token": "g" * 15, "expires_at": "2100-01-01T00:00:00Z"}}, "invalid_input"),
            ({"grant": {"token": "g" * 2049, "expires_at": "2100-01-01T00:00:00Z"}}, "invalid_input"),
            ({"grant": {"token": "g" * 16, "expires_at": "2020-01-01T00:00:00Z"}}, "invalid_input"),
            ({"method": "password"}, "invalid_input"),
            ({"verification_ref": "v" * 201}, "invalid_input"),
            ({"account": {"app_user_id": ""}}, "invalid_input"),
        ],
    )
    def test_a_malformed_link_is_422_and_binds_nothing(
        self, app: Application, chat: Chat, changes: dict[str, Any], code: str
    ) -> None:
        assert_problem(app.post("/account-link", {**a_link({"chat_id": chat.pk}), **changes}), 422, code)
        assert not Identity.objects.exists()


class TestRevoking:
    def test_it_clears_what_was_bound(self, app: Application, chat: Chat, ivan: Contact) -> None:
        other = ChatFactory.create(contact=ivan, channel="tg")
        IdentityFactory.create(chat=other, email="ivan@mail.test")
        body = a_revocation({"widget_visitor": ivan.guid})
        assert app.post("/account-link/revoke", body).json() == {"bound": True, "chats": [other.pk]}
        assert not Identity.objects.exists()
        again = app.post("/account-link/revoke", body).json()
        assert again == {"bound": True, "chats": [other.pk], "replayed": True}

    def test_when_nothing_was_bound(self, app: Application, chat: Chat) -> None:
        body = a_revocation({"chat_id": chat.pk})
        assert app.post("/account-link/revoke", body).json() == {"bound": False}
        IdentityFactory.create(chat=chat, expires_at=timezone.now())
        body = a_revocation({"chat_id": chat.pk}, "r-2")
        assert app.post("/account-link/revoke", body).json() == {"bound": False}

    def test_an_app_rooms_account_is_hidden_until_the_next_intake(self, app: Application) -> None:
        room = app_room(app.widget, "u-42")
        TicketFactory.create(chat=room)
        body = a_revocation({"chat_id": room.pk})
        assert app.post("/account-link/revoke", body).json() == {"bound": True, "chats": [room.pk]}
        assert AppRoom.objects.get().is_hidden
        body = a_revocation({"chat_id": room.pk}, "r-2")
        assert app.post("/account-link/revoke", body).json() == {"bound": False}


def in_days(days: int) -> str:
    return (timezone.now() + timedelta(days=days)).isoformat()


def test_a_moment_is_clamped_at_its_latest() -> None:
    latest = datetime(2026, 1, 1, tzinfo=UTC)
    one = timedelta(microseconds=1)
    assert clamped(latest, latest) == (latest, False)
    assert clamped(latest + one, latest) == (latest, True)
    assert clamped(latest - one, latest) == (latest - one, False)
