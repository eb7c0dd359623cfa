"""Operators, invitations and departments in the cabinet."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department, Holiday, Invitation
from apps.agents.rules.departments import ALL_WEEK
from tests.cast import Rival
from tests.factories import WidgetFactory
from tests.factories.agents import InvitationFactory

WEEK = {"Monday_0": "hours", "Monday_1": "09:00", "Monday_2": "18:00", "Tuesday_0": "full", "Saturday_0": ""}


@pytest.fixture(autouse=True)
def mailbox(settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


def status_of(agent: Agent) -> str:
    return Agent.objects.get(pk=agent.pk).status


def test_an_operator_is_suspended_and_restored_after_a_question(cabinet: Client, alice: Agent) -> None:
    for action, after in (("suspend", "banned"), ("restore", "active")):
        path = f"/admin/agents/agent/{alice.pk}/{action}/"
        before = status_of(alice)
        assert cabinet.get(path).status_code == 200
        assert status_of(alice) == before
        assert cabinet.post(path).status_code == 302
        assert status_of(alice) == after


def test_without_a_free_seat_nobody_is_restored(cabinet: Client, shop: Widget, alice: Agent) -> None:
    Agent.objects.filter(pk=alice.pk).update(status="banned")
    Widget.objects.update(seats=1)
    page = cabinet.post(f"/admin/agents/agent/{alice.pk}/restore/", follow=True)
    assert status_of(alice) == "banned"
    assert "seat" in page.content.decode()


def test_another_accounts_operator_is_not_there(cabinet: Client, rival: Rival) -> None:
    for action in ("suspend", "restore"):
        assert cabinet.post(f"/admin/agents/agent/{rival.agent.pk}/{action}/").status_code == 404
    assert status_of(rival.agent) == "active"


def test_somebody_is_invited_by_mail_and_the_invitation_taken_back(cabinet: Client, shop: Widget) -> None:
    sent = cabinet.post("/admin/agents/invitation/invite/", {"widget": shop.pk, "email": "nina@mail.test"})
    assert sent.status_code == 302
    invitation = Invitation.objects.get()
    assert (invitation.widget, invitation.email, invitation.status) == (shop, "nina@mail.test", "pending")
    assert [message.to for message in mail.outbox] == [["nina@mail.test"]]
    assert cabinet.post(f"/admin/agents/invitation/{invitation.pk}/revoke/").status_code == 302
    invitation.refresh_from_db()
    assert invitation.status == "revoked"


def test_an_invitation_is_sent_again_with_another_link(cabinet: Client, shop: Widget) -> None:
    cabinet.post("/admin/agents/invitation/invite/", {"widget": shop.pk, "email": "nina@mail.test"})
    before = Invitation.objects.get()
    Invitation.objects.update(expires_at=timezone.now() + timedelta(hours=1))
    page = f"/admin/agents/invitation/{before.pk}/again/"
    assert "stops working" in cabinet.get(page).content.decode()
    assert cabinet.post(page).status_code == 302
    after = Invitation.objects.get()
    assert (after.pk, after.status, after.digest != before.digest) == (before.pk, "pending", True)
    assert after.expires_at > timezone.now() + timedelta(days=6)
    assert [message.to for message in mail.outbox] == [["nina@mail.test"]] * 2
    secrets = [re.findall(r"/invitations/(\S+)", str(message.body))[0] for message in mail.outbox]
    assert [Client().get(f"/invitations/{secret}").status_code for secret in secrets] == [404, 200]


def test_what_is_over_is_not_sent_again(cabinet: Client, shop: Widget, rival: Rival) -> None:
    over = InvitationFactory.create(widget=shop, status="revoked")
    other = InvitationFactory.create(widget=rival.widget)
    rows = list(Invitation.objects.order_by("pk").values())
    assert "again" not in cabinet.get(f"/admin/agents/invitation/{over.pk}/change/").content.decode().split("<main")[-1]
    assert cabinet.post(f"/admin/agents/invitation/{over.pk}/again/").status_code == 302
    assert cabinet.post(f"/admin/agents/invitation/{other.pk}/again/").status_code == 404
    assert list(Invitation.objects.order_by("pk").values()) == rows
    assert mail.outbox == []


def test_a_refused_invitation_says_why_and_leaves_nothing(cabinet: Client, shop: Widget, alice: Agent) -> None:
    page = cabinet.post("/admin/agents/invitation/invite/", {"widget": shop.pk, "email": alice.email})
    assert "has this e-mail address already" in page.content.decode()
    assert not Invitation.objects.exists()
    assert mail.outbox == []


def test_nobody_is_invited_to_another_accounts_widget(cabinet: Client, rival: Rival) -> None:
    page = cabinet.post("/admin/agents/invitation/invite/", {"widget": rival.widget.pk, "email": "nina@mail.test"})
    assert page.status_code == 200
    assert not Invitation.objects.exists()


def test_a_department_is_added_and_given_operators_and_hours(cabinet: Client, shop: Widget, alice: Agent) -> None:
    added = {"widget": shop.pk, "name": "Sales", "channels": ["smb"]}
    assert cabinet.post("/admin/agents/department/add/", added).status_code == 302
    department = Department.objects.get()
    assert (department.widget, department.channels, department.schedule) == (shop, ["smb"], ALL_WEEK)
    form = {"name": "Orders", "channels": ["smb", "tg"], "members": [alice.pk], **WEEK}
    assert cabinet.post(f"/admin/agents/department/{department.pk}/change/", form).status_code == 302
    department.refresh_from_db()
    assert (department.name, department.channels) == ("Orders", ["smb", "tg"])
    assert list(department.agents.all()) == [alice]
    closed = dict.fromkeys(("Wednesday", "Thursday", "Friday", "Saturday", "Sunday"))
    assert department.schedule == {"Monday": {"from": "09:00", "to": "18:00"}, "Tuesday": "full", **closed}


def test_the_only_widget_need_not_be_chosen(cabinet: Client, shop: Widget) -> None:
    chosen = re.compile(rf'<option value="{shop.pk}" selected')
    forms = ("/admin/agents/department/add/", "/admin/agents/invitation/invite/")
    assert all(chosen.search(cabinet.get(path).content.decode()) for path in forms)
    WidgetFactory.create(account=shop.account)
    assert not any(chosen.search(cabinet.get(path).content.decode()) for path in forms)


def test_a_department_is_for_colleagues_from_its_beginning_or_never(cabinet: Client, shop: Widget) -> None:
    added = {"widget": shop.pk, "name": "Colleagues", "internal": "on"}
    assert cabinet.post("/admin/agents/department/add/", added).status_code == 302
    colleagues = Department.objects.get()
    assert colleagues.internal
    form = {"name": "Colleagues", "channels": [], "members": [], **WEEK}
    assert cabinet.post(f"/admin/agents/department/{colleagues.pk}/change/", form).status_code == 302
    assert cabinet.post("/admin/agents/department/add/", added | {"name": "Sales", "internal": ""}).status_code == 302
    sales = Department.objects.get(name="Sales")
    assert cabinet.post(f"/admin/agents/department/{sales.pk}/change/", form | {"internal": "on"}).status_code == 302
    assert set(Department.objects.values_list("pk", "internal")) == {(colleagues.pk, True), (sales.pk, False)}


@pytest.mark.parametrize(
    "hours",
    [
        ("hours", "9", "18"),
        ("hours", "18:00", "09:00"),
        ("always", "", ""),
        ("hours", "09:00", "24:00"),
        ("hours", "", ""),
    ],
)
def test_hours_that_are_none_change_nothing(cabinet: Client, sales: Department, hours: tuple[str, str, str]) -> None:
    form = {"name": "Sales", "channels": ["smb"], **{f"Monday_{number}": part for number, part in enumerate(hours)}}
    assert cabinet.post(f"/admin/agents/department/{sales.pk}/change/", form).status_code == 200
    sales.refresh_from_db()
    assert sales.schedule == ALL_WEEK


def test_another_accounts_operators_join_no_department(cabinet: Client, sales: Department, rival: Rival) -> None:
    before = set(sales.agents.all())
    form = {"name": "Sales", "channels": ["smb"], "members": [rival.agent.pk]}
    assert cabinet.post(f"/admin/agents/department/{sales.pk}/change/", form).status_code == 200
    assert set(sales.agents.all()) == before
    assert cabinet.post(f"/admin/agents/department/{rival.department.pk}/delete/", {"post": "yes"}).status_code == 404
    assert Department.objects.filter(pk=rival.department.pk).exists()


@pytest.mark.parametrize("names", [{"name": "Al\x1bice"}, {"surname": "We\nber"}, {"name": "\u00a0"}])
def test_a_name_that_is_none_changes_nobody(cabinet: Client, alice: Agent, names: dict[str, str]) -> None:
    form = {"name": "Alice", "surname": "Weber", "show_in_header": "on", **names}
    assert cabinet.post(f"/admin/agents/agent/{alice.pk}/change/", form).status_code == 200
    alice.refresh_from_db()
    assert (alice.name, alice.surname) == ("Alice", "Weber")


def test_a_day_has_several_periods(cabinet: Client, sales: Department) -> None:
    address = f"/admin/agents/department/{sales.pk}/change/"
    times = dict(zip([f"Monday_{n}" for n in range(1, 5)], ["14:00", "18:00", "09:00", "13:00"], strict=True))
    assert cabinet.post(address, {"name": sales.name, "Monday_0": "hours", **times}).status_code == 302
    sales.refresh_from_db()
    periods = [{"from": "09:00", "to": "13:00"}, {"from": "14:00", "to": "18:00"}]
    assert sales.schedule["Monday"] == {"from": "09:00", "to": "18:00", "periods": periods}
    page = cabinet.get(address).content.decode()
    assert all(f'value="{time}"' in page for time in times.values())


def test_times_beside_a_day_that_has_none_are_told(cabinet: Client, sales: Department) -> None:
    """They were taken away without a word."""
    form = {"name": sales.name, "Monday_0": "full", "Monday_1": "09:00", "Monday_2": "21:00"}
    answer = cabinet.post(f"/admin/agents/department/{sales.pk}/change/", form)
    assert "Times are given, too" in answer.content.decode()


def test_a_holiday_is_written_and_taken_back(cabinet: Client, shop: Widget, rival: Rival) -> None:
    day = timezone.localdate() + timedelta(days=3)
    form = {"widget": shop.pk, "day": day.isoformat(), "text": "We are back on Monday."}
    assert cabinet.post("/admin/agents/holiday/add/", form).status_code == 302
    row = Holiday.objects.for_widget(shop.pk).get()
    assert (row.day, row.text) == (day, "We are back on Monday.")
    past = form | {"day": "2020-01-01"}
    assert "The date has passed." in cabinet.post("/admin/agents/holiday/add/", past).content.decode()
    assert cabinet.post("/admin/agents/holiday/add/", form | {"widget": rival.widget.pk}).status_code == 200
    cabinet.post(f"/admin/agents/holiday/{row.pk}/delete/", {"post": "yes"})
    assert not Holiday.objects.for_widget(shop.pk).exists()
