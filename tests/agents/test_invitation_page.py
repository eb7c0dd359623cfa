"""The page of an invitation's link: who comes to it becomes an operator, once, and nobody's account is taken over."""

import json
import logging
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from apps.accounts import two_factor
from apps.accounts.models import User, Widget
from apps.accounts.rules import has_unseen_characters, is_blank
from apps.agents.events import AgentChanged
from apps.agents.models import Agent, AgentEvent, Invitation
from apps.agents.rules import EVENT_CODES
from apps.agents.views import invitations as views
from apps.core.observability.logs import AccessFormatter
from tests.accounts.attempts import forget
from tests.accounts.test_sign_in import code_of
from tests.cast import Rival
from tests.factories import AgentFactory, UserFactory
from tests.factories.accounts import PASSWORD
from tests.factories.agents import InvitationFactory, secret_of

NEW_PASSWORD = "glühwein-und-tulpen"
FORM = {"name": "Nina", "surname": "Simon", "password": NEW_PASSWORD}
DONE = "/invitations/accepted"


@pytest.fixture(autouse=True)
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "CALLS_A_MINUTE", 1_000_000)
    forget()


@pytest.fixture
def invitation(shop: Widget) -> Invitation:
    return InvitationFactory.create(widget=shop, email="nina@mail.test")


@pytest.fixture
def page(invitation: Invitation) -> str:
    return f"/invitations/{secret_of(invitation)}"


def text_of(response: Any) -> str:
    return str(response.content.decode())


def state() -> list[Any]:
    """What an acceptance changes."""
    return [list(model._default_manager.order_by("pk").values()) for model in (User, Agent, Invitation, AgentEvent)]


class TestSomebodyNew:
    def test_the_page_says_who_invites_whom(self, page: str) -> None:
        response = Client().get(page)
        assert response.status_code == 200
        text = text_of(response)
        assert "Flower shop" in text
        assert 'value="nina@mail.test"' in text
        for name in ("name", "surname", "password"):
            assert f'name="{name}"' in text

    def test_opening_the_invitation_changes_nothing(self, page: str) -> None:
        before = state()
        assert [Client().get(page).status_code, Client().head(page).status_code] == [200, 200]
        assert state() == before

    def test_accepting_makes_an_operator_who_can_sign_in(self, page: str, invitation: Invitation) -> None:
        browser = Client()
        response = browser.post(page, FORM)
        assert (response.status_code, response.headers["Location"]) == (302, "/console/")
        agent = Agent.objects.get()
        assert (agent.widget_id, agent.type, agent.role, agent.status) == (
            invitation.widget_id,
            "human",
            "operator",
            "active",
        )
        assert (agent.name, agent.surname, agent.email) == ("Nina", "Simon", "nina@mail.test")
        user = User.objects.get()
        assert (agent.user, user.email, user.account_id) == (user, "nina@mail.test", invitation.widget.account_id)
        assert (user.is_staff, user.is_superuser, user.is_active) == (False, False, True)
        assert user.check_password(NEW_PASSWORD)
        invitation.refresh_from_db()
        assert (invitation.status, invitation.agent) == ("accepted", agent)
        event = AgentEvent.objects.get()
        assert (event.agent, event.type_code, event.details) == (
            agent,
            EVENT_CODES["invited"],
            {"invitation_id": invitation.pk},
        )
        assert browser.get("/console/").status_code == 200, "who has just chosen a password is signed in"

    def test_who_signs_in_by_a_provider_alone_is_led_to_the_way_there(self, page: str, settings: Settings) -> None:
        settings.AUTHENTICATION_BACKENDS = ["apps.accounts.sign_on.PasswordBackend"]
        settings.OIDC_PASSWORDS = "owners"
        browser = Client()
        assert browser.post(page, FORM).headers["Location"] == DONE
        assert "_auth_user_id" not in browser.session

    def test_the_change_is_published(self, page: str, shop: Widget, monkeypatch: pytest.MonkeyPatch) -> None:
        published: list[Any] = []
        monkeypatch.setattr("apps.agents.actions.invitations.bus.publish", published.append)
        Client().post(page, FORM)
        agent = Agent.objects.get()
        about = {"widget_id": shop.pk, "widget_guid": shop.guid, "agent_id": agent.pk}
        changed = AgentChanged(**about, is_banned=False, changed_fields=("status",))
        assert [event for event in published if isinstance(event, AgentChanged)] == [changed]

    def test_the_page_after_has_no_secret_and_leads_on(self, page: str) -> None:
        browser = Client()
        text = text_of(browser.post(page, FORM, follow=True)) + text_of(browser.get(DONE))
        assert "You can answer visitors now." in text
        assert "inv_" not in text

    @pytest.mark.parametrize(
        ("changes", "fields"),
        [
            ({"name": ""}, {"name"}),
            ({"name": "   "}, {"name"}),
            ({"name": "\u200b\u200d"}, {"name"}),
            ({"name": "n" * 256}, {"name"}),
            ({"surname": "s" * 256}, {"surname"}),
            ({"name": "Ni\x07na"}, {"name"}),
            ({"name": "Ni\x00na"}, {"name"}),
            ({"surname": "Si\nmon"}, {"surname"}),
            ({"surname": "\u202enomiS"}, {"surname"}),
            ({"password": ""}, {"password"}),
            ({"password": "short"}, {"password"}),
            ({"password": "password1234"}, {"password"}),
            ({"password": "nina@mail.test"}, {"password"}),
            ({"password": "p" * 1025}, {"password"}),
            ({"name": "", "password": "short"}, {"name", "password"}),
        ],
    )
    def test_what_can_not_be_is_refused_by_name(self, page: str, changes: dict[str, str], fields: set[str]) -> None:
        before = state()
        response = Client().post(page, FORM | changes)
        assert response.status_code == 422
        assert set(response.context["form"].errors) == fields
        for name in fields:
            assert f'id="id_{name}_error"' in text_of(response)
            assert f"id_{name}_error" in text_of(response).partition(f'name="{name}"')[2].partition(">")[0]
        assert NEW_PASSWORD not in text_of(response)
        assert state() == before

    @pytest.mark.parametrize("name", ["Нина 🌷", "👩\u200d👩\u200d👧", "נינה\u200f", "Ni\u0301na", "n" * 255])
    def test_names_are_what_people_write(self, page: str, name: str) -> None:
        assert Client().post(page, FORM | {"name": name}).status_code == 302
        assert Agent.objects.get().name == name

    def test_a_surname_may_be_left_out(self, page: str) -> None:
        assert Client().post(page, {"name": "Nina", "password": NEW_PASSWORD}).status_code == 302
        assert Agent.objects.get().full_name == "Nina"

    def test_invisible_characters_are_recognised(self) -> None:
        assert [has_unseen_characters(text) for text in ("a\ud800", "a\u2028", "\x7f", "\x85")] == [True] * 4
        assert not has_unseen_characters("🌷 \u200d")
        assert [is_blank(text) for text in ("", " ", "\u200b", "🌷", "a")] == [True, True, True, False, False]


class TestSomebodyWithAnAccount:
    """Whoever invites must not get hold of an account: only its own password opens it."""

    @pytest.fixture
    def nina(self, rival: Rival) -> User:
        return UserFactory.create(email="Nina@mail.test", name="Nina", surname="S.", account=rival.account)

    def test_only_its_password_is_asked_for(self, page: str, nina: User) -> None:
        text = text_of(Client().get(page))
        assert "There is an account with your address already." in text
        assert 'name="name"' not in text
        assert 'autocomplete="current-password"' in text

    def test_its_password_makes_it_an_operator_and_nothing_of_it_changes(self, page: str, nina: User) -> None:
        before = User.objects.filter(pk=nina.pk).values().get()
        assert Client().post(page, {"password": PASSWORD}).status_code == 302
        assert User.objects.filter(pk=nina.pk).values().get() | {"last_login": None} == before
        agent = nina.agents.get()
        assert (agent.full_name, agent.email, agent.role) == ("Nina S.", "Nina@mail.test", "operator")

    @pytest.mark.parametrize("form", [FORM, {"password": "wrong"}, {"password": ""}, {}])
    def test_another_password_does_not_accept_the_invitation(self, page: str, nina: User, form: dict[str, str]) -> None:
        before = state()
        response = Client().post(page, form)
        assert response.status_code == 422
        assert set(response.context["form"].errors) == {"password"}
        assert state() == before

    def test_an_account_that_is_switched_off_stays_so(self, page: str, nina: User) -> None:
        User.objects.filter(pk=nina.pk).update(is_active=False)
        before = state()
        assert Client().post(page, {"password": PASSWORD}).status_code == 422
        assert state() == before

    def test_its_password_signs_in_and_no_other(self, page: str, nina: User) -> None:
        browser = Client()
        browser.post(page, {"password": "wrong"})
        assert "sessionid" not in browser.cookies
        assert browser.post(page, {"password": PASSWORD}).headers["Location"] == "/console/"
        assert browser.session["_auth_user_id"] == str(nina.pk)

    def test_its_second_factor_is_asked_for(self, page: str, nina: User) -> None:
        assert two_factor.confirm(user=nina, code=code_of(two_factor.begin(user=nina))) is not None
        browser = Client()
        assert browser.post(page, {"password": PASSWORD}).headers["Location"] == "/admin/login/code/"
        assert "_auth_user_id" not in browser.session


class TestSomebodyWhoWasAnOperator:
    @pytest.fixture
    def invitation(self, alice: Agent) -> Invitation:
        Agent.objects.filter(pk=alice.pk).update(status="banned")
        return InvitationFactory.create(widget=alice.widget, email="ALICE@shop.test")

    def test_is_restored_with_their_name(self, page: str, alice: Agent, invitation: Invitation) -> None:
        assert Client().post(page, {"password": PASSWORD}).status_code == 302
        agent = Agent.objects.get()
        assert (agent.pk, agent.status, agent.full_name) == (alice.pk, "active", "Alice Weber")
        event = AgentEvent.objects.get()
        assert (event.type_code, event.details) == (EVENT_CODES["restored"], {"invitation_id": invitation.pk})

    def test_whose_user_is_gone_gets_a_new_one(self, page: str, alice: Agent) -> None:
        assert alice.user is not None
        alice.user.delete()
        assert Client().post(page, FORM).status_code == 302
        agent = Agent.objects.get()
        assert (agent.pk, agent.status, agent.full_name) == (alice.pk, "active", "Alice Weber")
        assert agent.user is not None
        assert agent.user.check_password(NEW_PASSWORD)

    def test_needs_a_free_seat(self, page: str, alice: Agent) -> None:
        Widget.objects.filter(pk=alice.widget_id).update(seats=0)
        before = state()
        assert Client().post(page, {"password": PASSWORD}).status_code == 409
        assert state() == before

    def test_who_was_restored_meanwhile_takes_no_other_seat(self, page: str, alice: Agent) -> None:
        Agent.objects.filter(pk=alice.pk).update(status="active")
        Widget.objects.filter(pk=alice.widget_id).update(seats=1)
        assert Client().post(page, {"password": PASSWORD}).status_code == 302
        assert Agent.objects.get().status == "active"
        assert not AgentEvent.objects.exists()
        assert Invitation.objects.get().status == "accepted"


class TestALinkThatIsOver:
    @pytest.mark.parametrize(
        ("over", "says"),
        [
            ({"age": timedelta(days=7)}, "This invitation has expired"),
            ({"status": "revoked"}, "This invitation was taken back."),
            ({"status": "accepted"}, "This invitation has been accepted already."),
        ],
    )
    def test_says_why_and_does_nothing(self, shop: Widget, over: dict[str, Any], says: str) -> None:
        page = f"/invitations/{secret_of(InvitationFactory.create(widget=shop, **over))}"
        before = state()
        for response in (Client().get(page), Client().post(page, FORM)):
            assert response.status_code == 410
            assert says in text_of(response)
            assert "<form" not in text_of(response)
        assert state() == before

    def test_a_second_use_is_refused(self, page: str) -> None:
        assert Client().post(page, FORM).status_code == 302
        before = state()
        assert Client().post(page, {"password": NEW_PASSWORD}).status_code == 410
        assert state() == before

    @pytest.mark.parametrize("secret", ["inv_" + "0" * 40, "x", "%00", "inv_%F0%9F%8C%B7", "0" * 4000])
    def test_an_unknown_one_is_no_invitation(self, db: None, secret: str) -> None:
        for response in (Client().get(f"/invitations/{secret}"), Client().post(f"/invitations/{secret}", FORM)):
            assert response.status_code == 404
            assert "There is no such invitation." in text_of(response)

    def test_without_a_free_seat_it_waits(self, page: str, shop: Widget) -> None:
        Widget.objects.filter(pk=shop.pk).update(seats=1)
        AgentFactory.create(widget=shop)
        before = state()
        response = Client().post(page, FORM)
        assert response.status_code == 409
        assert "No seat is free at the moment." in text_of(response)
        assert state() == before
        Widget.objects.filter(pk=shop.pk).update(seats=2)
        assert Client().post(page, FORM).status_code == 302


class TestTheSecretStaysIn:
    @pytest.mark.parametrize("method", ["get", "post"])
    def test_no_cache_no_referrer_no_frame_no_script(self, page: str, method: str) -> None:
        headers = getattr(Client(), method)(page).headers
        assert "no-store" in headers["Cache-Control"]
        assert headers["Referrer-Policy"] == "strict-origin"
        assert headers["X-Frame-Options"] == "DENY"
        policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
        assert policy == {
            "default-src": "'none'",
            "style-src": "'self'",
            "img-src": "'self'",
            "form-action": "'self'",
            "base-uri": "'none'",
            "frame-ancestors": "'none'",
        }

    def test_no_script_no_inline_style_and_nothing_from_elsewhere(self, page: str) -> None:
        text = text_of(Client().get(page))
        for forbidden in ("<script", "style=", "http://", "https://", "onclick"):
            assert forbidden not in text

    def test_the_access_log_names_the_route(self, page: str, monkeypatch: pytest.MonkeyPatch) -> None:
        handlers = logging.getLogger("access").handlers
        (handler,) = (each for each in handlers if isinstance(each.formatter, AccessFormatter))
        stream = StringIO()
        monkeypatch.setattr(handler, "stream", stream)
        Client().get(page)
        assert json.loads(stream.getvalue())["route"] == "/invitations/{secret}"
        assert "inv_" not in stream.getvalue()

    def test_no_other_log_has_it(self, page: str, capfd: pytest.CaptureFixture[str]) -> None:
        secret = page.rpartition("/")[2]
        Client(enforce_csrf_checks=True).post(page, FORM)
        logging.getLogger("django").error("Internal Server Error: %s", page)
        written = capfd.readouterr()
        assert secret not in written.out + written.err

    def test_the_database_has_only_its_hash(self, invitation: Invitation) -> None:
        secret = secret_of(invitation)
        with connection.cursor() as cursor:
            cursor.execute("SELECT agents_invitation::text FROM agents_invitation")
            (row,) = cursor.fetchone()
        assert secret not in row
        assert secret.encode().hex() not in row


def test_a_form_of_another_site_is_refused(page: str) -> None:
    before = state()
    assert Client(enforce_csrf_checks=True).post(page, FORM).status_code == 403
    assert state() == before


def test_an_address_may_try_so_often(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "CALLS_A_MINUTE", 3)
    browser = Client(REMOTE_ADDR="198.51.100.17")
    responses = [browser.post(page, FORM | {"password": "x"}) for _ in range(4)]
    assert [response.status_code for response in responses] == [422, 422, 422, 429]
    assert "Too many attempts." in text_of(responses[-1])
    assert 1 <= int(responses[-1].headers["Retry-After"]) <= 60
    assert not Agent.objects.exists()


def test_the_password_of_an_account_is_tried_no_more_often_than_at_other_doors(page: str) -> None:
    """Ten times a minute from one address, by this page, the console and the cabinet together."""
    UserFactory.create(email="nina@mail.test")
    sign_in = {"username": "nina@mail.test", "password": PASSWORD}
    before = state()
    responses = [Client().post(page, {"password": "wrong-password"}) for _ in range(10)]
    assert [response.status_code for response in responses] == [422] * 10
    refusals = [
        Client().post(page, {"password": PASSWORD}),
        Client().post("/console/login/", sign_in),
        Client().post("/admin/login/", sign_in),
    ]
    assert [response.status_code for response in refusals] == [429] * 3
    assert "Too many attempts." in text_of(refusals[0])
    assert 1 <= int(refusals[0].headers["Retry-After"]) <= 6
    assert state() == before


@pytest.mark.parametrize("method", ["put", "delete", "patch"])
def test_other_methods_are_refused(page: str, method: str) -> None:
    assert getattr(Client(), method)(page).status_code == 405


def test_the_page_costs_the_same_whatever_is_there(page: str, shop: Widget) -> None:
    AgentFactory.create_batch(3, widget=shop)
    InvitationFactory.create_batch(5, widget=shop)
    with CaptureQueriesContext(connection) as queries:
        Client().get(page)
    assert len(queries) == 2


@pytest.mark.parametrize(
    ("language", "code", "heading", "required"),
    [
        ("ru", "ru", "Приглашение", "Обязательное поле."),
        ("en", "en", "Invitation", "This field is required."),
        ("el", "el", "Πρόσκληση", "Αυτό το πεδίο είναι απαραίτητο."),
        ("de", "de", "Einladung", "Dieses Feld ist zwingend erforderlich."),
        ("es", "es", "Invitación", "Este campo es requerido."),
        ("ar", "ar", "دعوة", "هذا الحقل مطلوب."),
        ("zh-CN", "zh-hans", "邀请", "该字段是必填项。"),
    ],
)
def test_the_page_is_in_the_readers_language(page: str, language: str, code: str, heading: str, required: str) -> None:
    text = text_of(Client().post(page, {}, headers={"Accept-Language": language}))
    direction = ' dir="rtl"' if code == "ar" else ""
    assert f'<html lang="{code}"{direction}>' in text
    assert f"<h1>{heading}</h1>" in text
    assert required in text
