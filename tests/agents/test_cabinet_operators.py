"""Operators, invitations and departments in the cabinet."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Account, Widget
from apps.agents.models import Agent, Department, Holiday, Invitation
from apps.agents.rules import weeks
from apps.agents.rules.departments import ALL_WEEK, DAYS
from tests.cast import Rival
from tests.factories import WidgetFactory
from tests.factories.agents import DepartmentFactory, InvitationFactory

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


def test_an_invitation_names_the_department_in_which_they_are_once_they_come(cabinet: Client, shop: Widget) -> None:
    orders = DepartmentFactory.create(widget=shop, name="Orders")
    assert "Orders" in cabinet.get("/admin/agents/invitation/invite/").content.decode()
    form = {"widget": shop.pk, "email": "nina@mail.test", "department": orders.pk}
    assert cabinet.post("/admin/agents/invitation/invite/", form).status_code == 302
    (link,) = re.findall(r"/invitations/[^\s\"<]+", str(mail.outbox[0].body))
    Client().post(link, {"name": "Nina", "surname": "Simon", "password": "glühwein-und-tulpen"})
    nina = Agent.objects.for_widget(shop.pk).get(email="nina@mail.test")
    assert list(orders.agents.all()) == [nina]
    page = cabinet.get(f"/admin/agents/invitation/{Invitation.objects.get().pk}/change/").content.decode()
    assert "Orders" in page


def test_a_department_of_another_widget_or_account_is_refused_and_nobody_is_invited(
    cabinet: Client, shop: Widget, account: Account, rival: Rival
) -> None:
    others = DepartmentFactory.create(widget=WidgetFactory.create(account=account), name="Elsewhere")
    for department, said in ((others, "of another widget"), (rival.department, "Select a valid choice")):
        form = {"widget": shop.pk, "email": "nina@mail.test", "department": department.pk}
        page = cabinet.post("/admin/agents/invitation/invite/", form)
        assert said in page.content.decode()
    assert not Invitation.objects.exists()
    assert mail.outbox == []


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


def test_a_department_is_added_with_its_operators_and_hours_at_once(
    cabinet: Client, shop: Widget, alice: Agent
) -> None:
    form = {"widget": shop.pk, "name": "Orders", "channels": ["smb"], "members": [alice.pk], **WEEK}
    assert "Monday_0" in cabinet.get("/admin/agents/department/add/").content.decode()
    assert cabinet.post("/admin/agents/department/add/", form).status_code == 302
    department = Department.objects.get()
    assert list(department.agents.all()) == [alice]
    assert (department.schedule["Monday"], department.schedule["Tuesday"]) == ({"from": "09:00", "to": "18:00"}, "full")


def test_hours_that_are_none_add_no_department(cabinet: Client, shop: Widget) -> None:
    form = {"widget": shop.pk, "name": "Orders", **WEEK, "Monday_1": "18:00", "Monday_2": "18:00"}
    assert "Give both times of each period" in cabinet.post("/admin/agents/department/add/", form).content.decode()
    assert not Department.objects.exists()


def test_a_new_department_takes_operators_of_its_own_widget_alone(
    cabinet: Client, shop: Widget, alice: Agent, rival: Rival
) -> None:
    blog = WidgetFactory.create(account=shop.account, name="Blog")
    shown = cabinet.get("/admin/agents/department/add/").content.decode()
    assert f"{alice} · {shop.name}" in shown
    assert "Wanda" not in shown
    for widget, agent in ((blog, alice), (shop, rival.agent)):
        form = {"widget": widget.pk, "name": "Orders", "members": [agent.pk], **WEEK}
        assert "members" in cabinet.post("/admin/agents/department/add/", form).context["adminform"].form.errors
        assert not Department.objects.for_widget(widget.pk).exists()


def test_a_department_without_operators_says_that_nobody_answers_in_it(
    cabinet: Client, shop: Widget, alice: Agent
) -> None:
    nobody = "Nobody answers in this department: it has no operators."
    form = {"widget": shop.pk, "name": "Orders", "channels": ["smb"]}
    added = cabinet.post("/admin/agents/department/add/", form, follow=True).content.decode()
    assert added.count(nobody) == 2, "once as it is saved, once in the list"
    page = f"/admin/agents/department/{Department.objects.get().pk}/change/"
    filled = form | {"members": [alice.pk], **WEEK}
    assert nobody not in cabinet.post(page, filled, follow=True).content.decode()
    assert "Alice" in cabinet.get("/admin/agents/department/").content.decode()
    assert nobody in cabinet.post(page, form | WEEK, follow=True).content.decode()


def test_a_day_is_one_line_that_says_from_and_until(cabinet: Client, sales: Department) -> None:
    """Four fields of the whole width stood under one another, without a word between them."""
    shown = cabinet.get(f"/admin/agents/department/{sales.pk}/change/", headers={"Accept-Language": "ru"})
    lines = shown.content.decode().split('class="hours-line"')[1:]
    assert [re.findall(r"<span>(с|до)</span>", line) for line in lines] == [["с", "до"] * 3] * 7


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
        ("hours", "18:00", "18:00"),
        ("always", "", ""),
        ("hours", "09:00", "24:30"),
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


def test_a_night_ends_on_the_next_day(cabinet: Client, sales: Department) -> None:
    """It said that past midnight are two days, and a bar could not be set up."""
    address = f"/admin/agents/department/{sales.pk}/change/"
    night = {"Friday_0": "hours", "Friday_1": "21:00", "Friday_2": "02:00"}
    evening = {"Sunday_0": "hours", "Sunday_1": "18:00", "Sunday_2": "00:00"}
    form = {"name": sales.name, "time_zone": "Asia/Omsk", **night, **evening}
    assert cabinet.post(address, form).status_code == 302
    sales.refresh_from_db()
    assert sales.time_zone == "Asia/Omsk"
    week = weeks.shown_week(weeks.week_of(sales.schedule))
    assert {day: periods for day, periods in week.items() if periods} == {
        "Friday": [{"from": "21:00", "to": "02:00"}],
        "Sunday": [{"from": "18:00", "to": "24:00"}],
    }
    page = cabinet.get(address).content.decode()
    assert all(f'value="{time}"' in page for time in ("21:00", "02:00", "18:00", "00:00"))


def test_a_night_into_the_next_days_hours_is_told_at_that_day(cabinet: Client, sales: Department) -> None:
    night = {"Friday_0": "hours", "Friday_1": "21:00", "Friday_2": "10:00"}
    morning = {"Saturday_0": "hours", "Saturday_1": "09:00", "Saturday_2": "18:00"}
    answer = cabinet.post(f"/admin/agents/department/{sales.pk}/change/", {"name": sales.name, **night, **morning})
    told = {"Saturday": ["The night before is still open when these hours begin."]}
    assert answer.context["adminform"].form.errors == told
    sales.refresh_from_db()
    assert sales.schedule == ALL_WEEK


@pytest.mark.parametrize(
    ("schedule", "words"),
    [(ALL_WEEK, "Open around the clock."), (dict.fromkeys(DAYS), "Closed."), ({"Monday": "full"}, "Monday")],
)
def test_a_department_says_what_holds_now(
    cabinet: Client, sales: Department, alice: Agent, schedule: dict[str, object], words: str
) -> None:
    sales.schedule = {**dict.fromkeys(DAYS), **schedule}
    sales.save()
    sales.agents.set([alice])
    page = cabinet.get(f"/admin/agents/department/{sales.pk}/change/").content.decode()
    assert words in page
    assert "0 of 1 operators are here." in page


def test_a_date_of_one_department_has_hours_of_its_own(cabinet: Client, shop: Widget, sales: Department) -> None:
    day = timezone.localdate() + timedelta(days=3)
    hours = {"periods_0": "hours", "periods_1": "10:00", "periods_2": "14:00"}
    form = {"widget": shop.pk, "department": sales.pk, "day": day.isoformat(), "text": "", **hours}
    assert cabinet.post("/admin/agents/holiday/add/", form).status_code == 302
    row = Holiday.objects.for_widget(shop.pk).get()
    assert (row.department, row.periods) == (sales, [{"from": "10:00", "to": "14:00"}])
    listed = cabinet.get("/admin/agents/holiday/").content.decode()
    assert "10:00–14:00" in listed
    assert sales.name in listed


def test_public_holidays_are_ticked_and_added(cabinet: Client, shop: Widget) -> None:
    year = timezone.localdate().year + 1
    address = f"/admin/agents/holiday/public/?widget={shop.pk}&country=RU&year={year}"
    assert "День Победы" in cabinet.get(address).content.decode()
    wanted = {"date": [f"{year}-05-09", f"{year}-06-12", "1999-01-01"]}
    assert cabinet.post(address, wanted).status_code == 302
    rows = Holiday.objects.for_widget(shop.pk).order_by("day")
    assert [(row.day.isoformat(), row.text, row.periods) for row in rows] == [
        (f"{year}-05-09", "День Победы", []),
        (f"{year}-06-12", "День России", []),
    ]


def test_public_holidays_of_another_accounts_widget_are_not_added(cabinet: Client, rival: Rival) -> None:
    year = timezone.localdate().year + 1
    address = f"/admin/agents/holiday/public/?widget={rival.widget.pk}&country=RU&year={year}"
    cabinet.post(address, {"date": [f"{year}-05-09"]})
    assert not Holiday.objects.unscoped("every widget's").exists()


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


def test_a_holiday_has_a_first_and_a_last_day_and_comes_every_year(cabinet: Client, shop: Widget) -> None:
    day = timezone.localdate() + timedelta(days=3)
    until = day + timedelta(days=8)
    form = {"widget": shop.pk, "day": day.isoformat(), "until": until.isoformat(), "every_year": "on", "text": ""}
    assert cabinet.post("/admin/agents/holiday/add/", form).status_code == 302
    row = Holiday.objects.for_widget(shop.pk).get()
    assert (row.day, row.until, row.every_year) == (day, until, True)
    cabinet.post(f"/admin/agents/holiday/{row.pk}/change/", {"until": day.isoformat(), "text": "Closed"})
    row.refresh_from_db()
    assert (row.day, row.until, row.every_year, row.text) == (day, None, False, "Closed")


@pytest.mark.parametrize(
    ("first", "last", "refusal"),
    [
        (3, 2, "The last day is before the first."),
        (3, 95, "A holiday has 92 days at most."),
        (-9, -2, "The date has passed."),
    ],
)
def test_a_last_day_that_is_none_adds_no_holiday(
    cabinet: Client, shop: Widget, first: int, last: int, refusal: str
) -> None:
    today = timezone.localdate()
    day, until = ((today + timedelta(days=days)).isoformat() for days in (first, last))
    answer = cabinet.post("/admin/agents/holiday/add/", {"widget": shop.pk, "day": day, "until": until})
    assert answer.context["adminform"].form.errors == {"until": [refusal]}
    assert not Holiday.objects.for_widget(shop.pk).exists()
    yearly = {"widget": shop.pk, "day": day, "until": until, "every_year": "on"}
    cabinet.post("/admin/agents/holiday/add/", yearly)
    assert Holiday.objects.for_widget(shop.pk).exists() is (first < 0)
