"""Who a visitor is, as their website proves it (design of the widget, "Identity")."""

import hashlib
import hmac
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from apps.accounts.models import Widget
from apps.chats.models import Contact
from apps.widget.actions.settings import end_previous_identity_secret, renew_identity_secret
from apps.widget.models import VerifiedVisitor, VisitorSession, WidgetSettings
from apps.widget.querysets import visitor_facts
from tests.cast import Rival
from tests.client import assert_problem
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db


@pytest.fixture
def secret(shop: Widget) -> str:
    return renew_identity_secret(widget_id=shop.pk)


def proved(user_id: str, secret: str) -> dict[str, str]:
    """As the guide's sample says it."""
    return {
        "user_id": user_id,
        "identity_hmac": hmac.new(secret.encode(), user_id.encode(), hashlib.sha256).hexdigest(),
    }


def begin(visitor: VisitorClient, **body: Any) -> tuple[int, dict[str, Any]]:
    response = visitor.post("sessions", body)
    assert response.status_code in (200, 201), response.content
    return response.status_code, response.json()["data"]


def test_a_new_user_is_a_new_contact_and_comes_back_anywhere(visitor: VisitorClient, secret: str) -> None:
    status, first = begin(visitor, **proved("7", secret), name="Ada")
    assert status == 201
    status, again = begin(visitor, **proved("7", secret))
    assert (status, again["contact_id"]) == (200, first["contact_id"])
    assert again["visitor_token"] != first["visitor_token"]
    assert Contact.objects.get().name == "Ada"
    assert VisitorSession.objects.filter(revoked_at=None).count() == 2, "two browsers of one person"


def test_a_user_who_signs_in_keeps_their_contact_and_gets_a_new_token(visitor: VisitorClient, secret: str) -> None:
    _, guest = begin(visitor)
    status, signed_in = begin(visitor, visitor_token=guest["visitor_token"], **proved("7", secret))
    assert status == 200
    assert signed_in["contact_id"] == guest["contact_id"]
    assert signed_in["visitor_token"] != guest["visitor_token"]
    assert VerifiedVisitor.objects.get().user_id == "7"
    status, again = begin(visitor, visitor_token=signed_in["visitor_token"], **proved("7", secret))
    assert (status, again["visitor_token"]) == (200, signed_in["visitor_token"]), "a proved token stays"


def test_a_token_from_before_the_proof_hears_nothing_more(shop: Widget, visitor: VisitorClient, secret: str) -> None:
    planted = visitor.come(page_url="https://shop.test/roses")["visitor_token"]
    visitor.come(visitor_token=planted, **proved("7", secret), page_url="https://shop.test/orders", name="Ada")
    visitor.say("My order is 4711")
    stranger = VisitorClient(shop, planted)
    assert_problem(stranger.get("messages"), 401, "invalid_visitor_token")
    assert_problem(stranger.post("sessions", {"visitor_token": planted}), 401, "invalid_visitor_token")
    assert_problem(stranger.post("messages", {}), 401, "invalid_visitor_token")
    assert visitor.get("messages").json()["data"][0]["body"] == "My order is 4711"
    session = VisitorSession.objects.get(revoked_at=None)
    assert [page["url"] for page in session.pages] == ["https://shop.test/roses", "https://shop.test/orders"]
    assert Contact.objects.get().name == "Ada"


def test_a_token_that_was_proved_before_tokens_were_renewed_is_renewed_at_the_next_proof(
    visitor: VisitorClient, secret: str
) -> None:
    _, ada = begin(visitor, **proved("7", secret))
    VisitorSession.objects.update(created_at=timezone.now() - timedelta(days=1))
    _, again = begin(visitor, visitor_token=ada["visitor_token"], **proved("7", secret))
    assert again["visitor_token"] != ada["visitor_token"]
    assert again["contact_id"] == ada["contact_id"]
    assert VisitorSession.objects.filter(revoked_at=None).count() == 1


def test_a_wrong_proof_renews_no_token(visitor: VisitorClient, secret: str) -> None:
    visitor.come()
    wrong = {"visitor_token": visitor.token, **proved("7", "x" * 48)}
    assert_problem(visitor.post("sessions", wrong), 422, "invalid_input", errors=["identity_hmac"])
    assert visitor.get("messages").status_code == 200
    assert VisitorSession.objects.get().revoked_at is None


def test_a_known_user_gets_their_own_contact_and_the_guests_token_ends(visitor: VisitorClient, secret: str) -> None:
    _, known = begin(visitor, **proved("7", secret))
    _, guest = begin(visitor)
    status, data = begin(visitor, visitor_token=guest["visitor_token"], **proved("7", secret), email="ada@mail.test")
    assert (status, data["contact_id"]) == (200, known["contact_id"])
    assert data["visitor_token"] not in (known["visitor_token"], guest["visitor_token"])
    assert_problem(visitor.post("sessions", {"visitor_token": guest["visitor_token"]}), 401, "invalid_visitor_token")
    assert Contact.objects.get(guid=known["contact_id"]).email == "ada@mail.test"


def test_another_user_in_the_same_browser_is_another_contact(visitor: VisitorClient, secret: str) -> None:
    _, ada = begin(visitor, **proved("7", secret))
    status, eve = begin(visitor, visitor_token=ada["visitor_token"], **proved("8", secret))
    assert status == 201
    assert eve["contact_id"] != ada["contact_id"]
    assert {each.user_id: each.contact.guid for each in VerifiedVisitor.objects.select_related("contact")} == {
        "7": ada["contact_id"],
        "8": eve["contact_id"],
    }


def test_a_wrong_proof_is_refused_and_makes_nobody(visitor: VisitorClient, secret: str, rival: Rival) -> None:
    others = renew_identity_secret(widget_id=rival.widget.pk)
    for body in (proved("7", "x" * 48), proved("7", others), {**proved("8", secret), "user_id": "7"}):
        assert_problem(visitor.post("sessions", body), 422, "invalid_input", errors=["identity_hmac"])
    assert not Contact.objects.filter(visitor_sessions__isnull=False).exists()
    assert not VerifiedVisitor.objects.exists()


def test_the_secret_before_counts_for_a_day_or_until_it_is_ended(
    visitor: VisitorClient, shop: Widget, secret: str
) -> None:
    second = renew_identity_secret(widget_id=shop.pk)
    assert begin(visitor, **proved("7", secret))[0] == 201
    assert begin(visitor, **proved("7", second))[0] == 200
    WidgetSettings.objects.update(previous_until=timezone.now() - timedelta(seconds=1))
    assert_problem(visitor.post("sessions", proved("7", secret)), 422, "invalid_input", errors=["identity_hmac"])
    third = renew_identity_secret(widget_id=shop.pk)
    end_previous_identity_secret(widget_id=shop.pk)
    assert_problem(visitor.post("sessions", proved("7", second)), 422, "invalid_input", errors=["identity_hmac"])
    assert begin(visitor, **proved("7", third))[0] == 200


def test_users_of_two_widgets_are_two(visitor: VisitorClient, secret: str, rival: Rival) -> None:
    others = renew_identity_secret(widget_id=rival.widget.pk)
    _, here = begin(visitor, **proved("7", secret))
    _, there = begin(VisitorClient(rival.widget), **proved("7", others))
    assert here["contact_id"] != there["contact_id"]


def test_operators_see_who_it_is(visitor: VisitorClient, shop: Widget, secret: str) -> None:
    _, data = begin(visitor, **proved("клиент-7", secret))
    contact = Contact.objects.get(guid=data["contact_id"])
    assert visitor_facts(shop.pk, [contact.pk])[contact.pk]["user_id"] == "клиент-7"


@pytest.mark.django_db(transaction=True)
def test_a_user_who_comes_twice_at_once_is_one_contact(shop: Widget) -> None:
    secret = renew_identity_secret(widget_id=shop.pk)
    answers: list[int] = []

    def come() -> None:
        answers.append(VisitorClient(shop).post("sessions", proved("7", secret)).status_code)
        connection.close()

    threads = [threading.Thread(target=come) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(answers) <= {200, 201}
    assert Contact.objects.filter(widget=shop).count() == 1
