"""The small words of the cabinet's pages: labels, reasons, one name for one state, the zone of times, limits."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django import forms
from django.contrib import admin
from django.test import Client
from django.utils import timezone, translation
from django.utils.timezone import now

from apps.accounts import actions
from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.cabinet.refusals import why_not_called
from apps.egress import BulkheadFull, EgressRefused, InvalidUrl, outbound_waits, vet
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory, SuperuserFactory, UserFactory

# In the person's menu.
ZONE = re.compile(r">\s*Times: ([^<]+?)\s*</a>")


def forms_of_the_cabinet() -> set[type[forms.BaseForm]]:
    """The forms of all pages and those that pages made by hand show, as far as they are loaded."""
    found: set[type[forms.BaseForm]] = {page.form for page in admin.site._registry.values()}
    kinds: list[type[forms.BaseForm]] = [forms.Form, forms.ModelForm]
    while kinds:
        for kind in kinds.pop().__subclasses__():
            kinds.append(kind)
            if kind.__module__.startswith("apps."):
                found.add(kind)
    return found


@pytest.mark.parametrize("language", ["en", "ru"])
def test_labels_of_declared_fields_begin_with_a_capital(language: str) -> None:
    """Django writes those of a model's own fields so; a label that is told by hand is shown as it is."""
    with translation.override(language):
        small = {
            f"{form.__module__}.{form.__qualname__}: {field.label}"
            for form in forms_of_the_cabinet()
            for field in getattr(form, "declared_fields", {}).values()
            if field.label and str(field.label)[0].islower()
        }
    assert small == set()


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://shop.example/hook", "The address must begin with https://."),
        ("http://shop.example:8080", "The address must begin with https://."),
        ("http://8.8.8.8/", "The address must begin with https://."),
        ("http://127.0.0.1:9/hook", "EGRESS_ALLOW, here 127.0.0.1:9."),
        ("http://[::1]:9/hook", "EGRESS_ALLOW, here [::1]:9."),
        ("http://localhost/hook", "EGRESS_ALLOW, here localhost."),
        ("http://gpu.internal:8000/v1", "EGRESS_ALLOW, here gpu.internal:8000."),
        ("https://ann:secret@shop.example/", "Must not contain a user name or password."),
        ("ftp://shop.example/", "The address must begin with https://."),
    ],
)
def test_an_address_that_is_refused_says_what_is_wrong_with_it(address: str, said: str) -> None:
    with pytest.raises(InvalidUrl) as refusal:
        vet(address, place=outbound_waits.slot(None))
    text = why_not_called(address, refusal.value)
    assert said in text
    assert ("EGRESS_ALLOW" in text) == ("EGRESS_ALLOW" in said)


def test_what_a_name_leads_to_is_not_told() -> None:
    address = "https://intranet.shop.example/"
    texts = {
        why_not_called(address, EgressRefused(reason)) for reason in ("private_address", "unresolvable", "timeout")
    }
    assert texts == {"An https address of a public host is needed, whose name is known."}
    assert "Try again in a second" in why_not_called(address, BulkheadFull(1))


def test_a_role_is_told_of_those_who_may_enter_the_cabinet(cabinet: Client, shop: Widget, olga: Agent) -> None:
    UserFactory.create(account=shop.account, email="operator@shop.test")
    StaffFactory.create(account=shop.account, email="viewer@shop.test", role="viewer")
    page = cabinet.get("/admin/accounts/user/").content.decode()
    shown = re.findall(r"(?s)([a-z]+)@shop\.test.*?(Console only|Owner|Manager|Viewer)", page, re.IGNORECASE)
    assert {name: access.lower() for name, access in shown} == {
        "olga": "owner",
        "operator": "console only",
        "viewer": "viewer",
    }


def test_a_superuser_has_no_role(db: None) -> None:
    boss = SuperuserFactory.create(email="boss@installation.test")
    browser = signed_in(boss)
    page = browser.get(f"/admin/accounts/user/{boss.pk}/change/").content.decode()
    assert "role in the cabinet" not in page.lower()
    assert "viewer" not in page.lower().partition("<form")[2]
    assert "the installation" in browser.get("/admin/accounts/user/").content.decode().lower()


def test_each_page_names_the_zone_of_its_times_once(cabinet: Client, shop: Widget) -> None:
    """Of lists, forms and pages of a row alike: in the zone of the account's only widget."""
    Widget.objects.filter(pk=shop.pk).update(time_zone="Asia/Tashkent")
    names = [page.opts for page in admin.site._registry.values()]
    addresses = ["/admin/", "/admin/two-factor/", f"/admin/accounts/widget/{shop.pk}/change/"]
    addresses += [f"/admin/{opts.app_label}/{opts.model_name}/{end}" for opts in names for end in ("", "add/")]
    told = set()
    for address in addresses:
        answer = cabinet.get(address, follow=True)
        if answer.status_code == 200 and "text/html" in answer["Content-Type"]:
            zones = ZONE.findall(answer.content.decode())
            assert (address, zones) == (address, ["Asia/Tashkent, UTC+05:00"])
            told.add(address)
    assert len(told) > 50
    assert timezone.get_current_timezone_name() == "Europe/Moscow"


def test_times_are_shown_and_read_in_that_zone(cabinet: Client, shop: Widget) -> None:
    Widget.objects.filter(pk=shop.pk).update(time_zone="Asia/Tashkent")
    day = (now() + timedelta(days=9)).date()
    form = {"name": "Till", "widget": shop.pk, "scopes": ["widget:read"], "expires": f"{day}T10:00"}
    asked = cabinet.get("/admin/accounts/apitoken/add/").content.decode()
    assert re.findall(r"<p[^>]* data-zone>([^<]+)</p>", asked) == ["Asia/Tashkent, UTC+05:00"]
    assert cabinet.post("/admin/accounts/apitoken/add/", form).status_code == 302
    token = shop.api_tokens.get()
    assert f"{token.expires_at:%H:%M %Z}" == "05:00 UTC"
    page = cabinet.get(f"/admin/accounts/apitoken/{token.pk}/change/").content.decode()
    assert "10 a.m." in page or "10:00" in page


def test_people_of_several_widgets_see_the_chosen_ones_zone(rival: Rival, shop: Widget) -> None:
    Widget.objects.filter(pk=shop.pk).update(time_zone="America/New_York")
    boss = signed_in(SuperuserFactory.create())
    assert ZONE.findall(boss.get("/admin/").content.decode()) == ["Europe/Moscow, UTC+03:00"]
    boss.get(f"/admin/choose/{shop.pk}/")
    assert ZONE.findall(boss.get("/admin/").content.decode())[0].startswith("America/New_York")


def test_no_page_lets_a_browser_cut_what_is_pasted(cabinet: Client, shop: Widget) -> None:
    """`maxlength` cuts without a word; the limit is counted by the page's script, and told by the server."""
    for page in ("accounts/account", "ai/assistant", "kb/rule", "billing/legalentity", "agents/holiday"):
        text = cabinet.get(f"/admin/{page}/add/", follow=True).content.decode()
        assert " maxlength=" not in text, page
    typed = "Розы " * 60
    answer = cabinet.post(f"/admin/accounts/widget/{shop.pk}/change/", {"name": typed})
    text = answer.content.decode()
    assert 'data-maxlength="255"' in text
    assert typed.strip() in text
    assert "at most 255 characters (it has 299)" in text
    shop.refresh_from_db()
    assert shop.name == "Flower shop"


def test_scripts_of_pages_wait_for_the_page() -> None:
    """Django puts a page's media into its head: a script there finds nothing of the page, unless it is deferred."""
    own = re.compile(r"^ +js = (.+)$", re.MULTILINE)
    media = {str(path): own.findall(path.read_text()) for path in Path(actions.__file__).parents[2].rglob("*.py")}
    told = {path: lines for path, lines in media.items() if lines}
    assert len(told) >= 3
    assert {path for path, lines in told.items() if any("defer=True" not in line for line in lines)} == set()


def test_what_is_kept_for_how_long_is_explained(cabinet: Client, shop: Widget) -> None:
    page = cabinet.get(f"/admin/chats/retention/{shop.pk}/change/").content.decode()
    for field in ("chats", "files", "contacts", "deliveries", "exchanges"):
        assert f'name="{field}"' in page
    assert page.count("Empty:") == 5
