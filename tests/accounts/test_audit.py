"""The audit trail: who changed what of an account's rows, for its own staff to read; and what is never in it."""

import json
import re
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import connection
from django.db.models.signals import m2m_changed, post_delete, post_save, pre_save
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from apps.accounts import actions
from apps.accounts.actions.settings import change_settings
from apps.accounts.audit.records import record_of_contact
from apps.accounts.audit.trail import by_request, watched
from apps.accounts.models import Account, ApiToken, AuditEntry, User, Widget
from apps.accounts.tasks import forget_old_changes
from apps.agents.actions import begin_presence, end_presence, set_on_break
from apps.agents.models import Agent, Department
from apps.ai.actions.settings import change_settings as change_ai
from apps.ai.models import EvaluationCase
from apps.chats.models import Contact, Retention
from apps.compat.actions import replace_secret as replace_bots_secret
from apps.messengers.actions import replace_secret as replace_channels_secret
from apps.support.settings import SETTINGS
from apps.webhooks.actions.subscriptions import rotate_secret
from apps.webhooks.actions.switches import set_event_enabled
from apps.webhooks.models import EventSwitch
from apps.widget.actions.settings import change_settings as change_look
from tests.cast import Rival, signed_in
from tests.client import ApiClient
from tests.factories import ApiTokenFactory, DepartmentFactory, StaffFactory, SuperuserFactory
from tests.factories.accounts import PASSWORD
from tests.factories.ai import AssistantFactory
from tests.factories.compat import LegacyBotFactory
from tests.factories.kb import RuleFactory
from tests.factories.messengers import ChannelFactory
from tests.factories.webhooks import SECRET, SubscriptionFactory

TRAIL = "/admin/accounts/auditentry/"


def save(browser: Client, widget: Widget, **fields: Any) -> Any:
    form = {"name": widget.name, "api_enabled": "on", "allowed_origins": "", "seats": widget.seats} | fields
    form = {name: value for name, value in form.items() if value is not None}
    return browser.post(f"/admin/accounts/widget/{widget.pk}/change/", form)


def last() -> AuditEntry:
    entry: AuditEntry = AuditEntry.objects.latest("pk")
    return entry


def text_of(response: Any) -> str:
    return str(response.content.decode())


def test_a_change_is_recorded_with_who_made_it_and_from_where(cabinet: Client, olga: Agent, shop: Widget) -> None:
    save(cabinet, shop, name="Flowers")
    entry = last()
    assert (entry.actor, entry.actor_email, entry.remote_addr) == (olga.user, "olga@shop.test", "127.0.0.1")
    assert (entry.account_id, entry.object_id, entry.changes) == (
        shop.account_id,
        shop.pk,
        {"name": ["Flower shop", "Flowers"]},
    )


def test_who_recommended_the_service_to_an_account_is_not_told_to_its_staff(shop: Widget, rival: Rival) -> None:
    account = Account(referred_by=rival.widget.account, email="new@shop.test")
    actions.open_account(account=account)
    assert last().object_id == account.pk
    assert "referred_by" not in last().changes


def test_a_proxys_address_is_that_of_its_client(cabinet: Client, shop: Widget, settings: Settings) -> None:
    save(cabinet, shop, name="One")
    settings.TRUSTED_PROXIES = 1
    for forwarded, kept in [("203.0.113.9, 198.51.100.7", "198.51.100.7"), ("no address", None)]:
        form = {"name": forwarded, "api_enabled": "on", "allowed_origins": "", "seats": shop.seats}
        path = f"/admin/accounts/widget/{shop.pk}/change/"
        cabinet.post(path, form, headers={"X-Forwarded-For": forwarded, "X-Forwarded-Proto": "http"})
        assert (last().remote_addr, last().changes["name"][1]) == (kept, forwarded)


def test_the_api_switch_revoked_tokens_and_event_switches_are_recorded(shop: Widget) -> None:
    actions.set_api_enabled(widget=shop, enabled=False)
    assert last().changes == {"api_enabled": ["True", "False"]}
    token = ApiTokenFactory.create(widget=shop)
    assert (last().action, last().object_id, last().account_id) == (0, token.pk, shop.account_id)
    actions.revoke_token(token=token)
    assert (list(last().changes), last().changes["revoked_at"][0]) == (["revoked_at"], "None")
    switch = EventSwitch.objects.get(name="message.created")
    set_event_enabled(name=switch.name, enabled=not switch.enabled)
    assert (last().object_pk, last().account_id) == ("message.created", None)
    assert last().changes == {"enabled": [str(switch.enabled), str(not switch.enabled)]}


def test_a_secret_that_is_replaced_is_recorded_without_it(shop: Widget) -> None:
    channel, bot, subscription = (
        factory.create(widget=shop) for factory in (ChannelFactory, LegacyBotFactory, SubscriptionFactory)
    )
    for row, replace in (
        (channel, partial(replace_channels_secret, channel=channel)),
        (bot, partial(replace_bots_secret, bot=bot)),
        (subscription, partial(rotate_secret, widget_id=shop.pk, subscription_id=subscription.pk)),
    ):
        replace()
        found = AuditEntry.objects.filter(content_type__model=row._meta.model_name, object_id=row.pk).latest("pk")
        assert (found.account_id, found.changes) == (shop.account_id, {"secret": ["…", "replaced"]})


def test_a_password_that_somebody_has_changed_is_recorded(cabinet: Client, olga: Agent) -> None:
    form = {"old_password": PASSWORD, "new_password1": "a-much-better-one", "new_password2": "a-much-better-one"}
    before = AuditEntry.objects.count()
    assert cabinet.post("/admin/password_change/", {**form, "old_password": "wrong"}).status_code == 200
    assert AuditEntry.objects.count() == before
    assert cabinet.post("/admin/password_change/", form).status_code == 302
    assert (last().actor, last().object_id, last().changes) == (
        olga.user,
        olga.user_id,
        {"password": ["…", "changed"]},
    )
    assert cabinet.get("/admin/").status_code == 200


def test_coming_and_going_and_breaks_are_no_changes(alice: Agent) -> None:
    before, process = AuditEntry.objects.count(), uuid4()
    begin_presence(agent_id=alice.pk, process=process)
    set_on_break(widget_id=alice.widget_id, agent_id=alice.pk, on_break=True)
    end_presence(agent_id=alice.pk, process=process)
    assert AuditEntry.objects.count() == before


def test_a_departments_members_are_recorded(shop: Widget, alice: Agent) -> None:
    department = DepartmentFactory.create(widget=shop, name="Sales", agents=[alice])
    assert last().changes["agents"] == {"type": "m2m", "operation": "add", "objects": ["Alice Weber"]}
    assert (last().account_id, last().object_id) == (shop.account_id, department.pk)


def test_what_nothing_changed_leaves_no_line(cabinet: Client, shop: Widget) -> None:
    before = AuditEntry.objects.count()
    save(cabinet, shop)
    save(cabinet, shop, name="")
    assert AuditEntry.objects.count() == before


def test_a_refused_change_leaves_no_line(cabinet: Client, rival: Rival) -> None:
    before = AuditEntry.objects.count()
    assert save(cabinet, rival.widget, name="Mine").status_code == 404
    assert AuditEntry.objects.count() == before


def test_neither_secrets_nor_hashes_are_in_it(olga: Agent, shop: Widget) -> None:
    assert olga.user is not None
    olga.user.set_password("another-password-entirely")
    olga.user.save()
    actions.change_user(user_id=olga.user.pk, changes={"name": "Ольга"})
    assert last().changes == {"name": ["Olga", "Ольга"]}
    token = ApiTokenFactory.create(widget=shop)
    SubscriptionFactory.create(widget=shop)
    actions.revoke_token(token=token)
    token.delete()
    written = json.dumps(
        list(AuditEntry.objects.values("changes", "changes_text", "serialized_data", "additional_data"))
    )
    for secret in (olga.user.password, token.plain_text, bytes(token.digest).hex(), str(bytes(token.digest)), SECRET):
        assert secret not in written
    fields = {name for changes in AuditEntry.objects.values_list("changes", flat=True) for name in changes}
    assert not fields & {"password", "digest", "secret", "last_login", "key"}


def test_what_the_api_changes_is_its_tokens(api: ApiClient, cabinet: Client, sales: Department) -> None:
    assert api.patch(f"/departments/{sales.pk}", json={"name": "Продажи"}).status_code == 200
    assert (last().actor, last().changes) == (None, {"name": ["Sales", "Продажи"]})
    token = ApiToken.objects.unscoped("a test's").get(pk=last().token_id)
    token.name = "Our shop"
    token.save()
    assert "API token “Our shop”" in text_of(cabinet.get(TRAIL))


def test_what_a_command_changes_is_nobodys(cabinet: Client, shop: Widget) -> None:
    actions.change_widget(widget=shop, changes={"name": "Roses"})
    assert (last().actor, last().token_id) == (None, None)
    assert "API, command or job" in text_of(cabinet.get(TRAIL))


def test_what_the_console_changes_is_its_operators(alice: Agent) -> None:
    """The same line as the cabinet's: the console's requests name the person who is signed in."""
    request = RequestFactory().post("/anything")
    request.user = alice.user
    with by_request(request):
        actions.change_widget(widget=alice.widget, changes={"name": "Roses"})
    assert (last().actor, last().changes["name"][1]) == (alice.user, "Roses")


def test_lines_are_sentences(cabinet: Client, shop: Widget, olga: Agent) -> None:
    """Labels in place of members of JSON, names in place of ids, times as they are read here."""
    page = f"/admin/widget/widgetlook/{shop.pk}/history/"
    change_look(widget_id=shop.pk, changes={"widget_signature": "Fresh " + "x" * 200 + " one"})
    change_look(
        widget_id=shop.pk, changes={"widget_signature": "Fresh " + "x" * 200 + " two", "widget_show_files": False}
    )
    shown = text_of(cabinet.get(page, follow=True))
    assert "Line below the title: — → Fresh xxxx" in shown
    assert f"Line below the title: …{'x' * 39} one → …{'x' * 39} two" in shown
    assert "Files: — → no" in shown
    assert "{" not in "".join(re.findall(r"<div>(.*?)</div>", shown))
    record_of_contact(shop, 17, "erased", by=olga.user)
    assert "the data of contact #17 were erased" in text_of(cabinet.get(TRAIL))
    actions.change_widget(widget=shop, changes={"allowed_origins": ["https://a.example"]})
    assert "+ https://a.example" in text_of(cabinet.get(TRAIL))


def test_ids_are_names_and_times_are_local(cabinet: Client, shop: Widget) -> None:
    first, second = (AssistantFactory.create(widget=shop, name=name) for name in ("Rose", "Violet"))
    case = EvaluationCase.objects.create(widget=shop, question="Open?", assistant=first)
    case.assistant = second
    case.save()
    assert "Rose → Violet" in text_of(cabinet.get(TRAIL))
    token = ApiTokenFactory.create(widget=shop)
    token.expires_at = datetime(2031, 5, 6, 21, 30, tzinfo=UTC)
    token.save()
    assert "— → 05/07/2031 12:30 a.m." in text_of(cabinet.get(TRAIL))


@pytest.mark.parametrize("page", ["widget/widgetlook", "support/supportdesk", "ai/aisettings", "chats/retention"])
def test_the_history_of_a_page_that_each_widget_has_shows_its_own_lines(
    cabinet: Client, shop: Widget, page: str
) -> None:
    change_look(widget_id=shop.pk, changes={"widget_show_files": False})
    change_settings(SETTINGS, widget_id=shop.pk, changes={"room_reply_limit": 4})
    change_ai(widget_id=shop.pk, changes={"enabled": True})
    Retention.objects.create(widget=shop, chats=30)
    shown = cabinet.get(f"/admin/{page}/{shop.pk}/history/", follow=True)
    assert shown.status_code == 200
    kinds = {line.content_type.model for line in shown.context["cl"].result_list}
    expected = {"widgetlook": "widgetsettings", "supportdesk": "supportsettings"}
    name = page.partition("/")[2]
    assert kinds == {expected.get(name, name)}


def test_it_is_narrowed_by_area(cabinet: Client, shop: Widget) -> None:
    change_ai(widget_id=shop.pk, changes={"enabled": True})
    for area, shown in (("ai", True), ("billing", False)):
        lines = cabinet.get(TRAIL, {"area": area}).context["cl"].result_list
        assert ("aisettings" in {line.content_type.model for line in lines}) is shown


def test_only_what_the_cabinet_manages_is_watched() -> None:
    """Posting a message, or anything else that visitors and operators do, meets no listener."""
    listening = {
        model._meta.label
        for model in apps.get_models(include_auto_created=True)
        for signal in (pre_save, post_save, post_delete, m2m_changed)
        if model.__module__.startswith("apps.") and signal.has_listeners(model)
    }
    names = {model._meta.label for model in watched()}
    assert listening <= names | {"agents.Department_agents"}
    assert {name for name in listening if name.startswith(("chats.", "widget.Visitor"))} == {
        "chats.Block",
        "chats.ContactJoin",
        "chats.ConsoleSettings",
        "chats.Retention",
    }
    assert names == {
        "accounts.Account",
        "accounts.User",
        "accounts.Widget",
        "accounts.ApiToken",
        "agents.Agent",
        "agents.Department",
        "agents.Holiday",
        "agents.Invitation",
        "agents.WidgetWeek",
        "ai.AiSettings",
        "ai.Assistant",
        "ai.Credential",
        "ai.EvaluationCase",
        "ai.ExternalOperator",
        "billing.Invoice",
        "billing.LegalEntity",
        "billing.Payee",
        "billing.Plan",
        "billing.PlanSubscription",
        "billing.Transaction",
        "cards.CardSettings",
        "assists.OwnTool",
        "chats.Block",
        "chats.ContactJoin",
        "chats.ConsoleSettings",
        "chats.Retention",
        "compat.LegacyBot",
        "learning.Cycle",
        "learning.Wish",
        "letters.LetterSettings",
        "letters.Mailbox",
        "messengers.AdCabinet",
        "messengers.Channel",
        "messengers.Community",
        "messengers.Connection",
        "messengers.VendorSettings",
        "articles.Article",
        "articles.ArticleCategory",
        "articles.ArticleText",
        "articles.HelpCenter",
        "automations.Automation",
        "automations.Macro",
        "reports.RatingPolicy",
        "reviews.Scorecard",
        "routing.OperatorPlaces",
        "routing.RoutingSettings",
        "support.Binding",
        "support.SupportSettings",
        "webhooks.Subscription",
        "webhooks.EventSwitch",
        "widget.ChatInvitation",
        "widget.Icon",
        "widget.QuestionSet",
        "widget.WidgetSettings",
        "kb.Crawler",
        "kb.Rule",
        "kb.Upload",
    }


def test_an_account_reads_its_own_lines_alone(cabinet: Client, shop: Widget, rival: Rival) -> None:
    save(cabinet, shop, name="Flowers of ours")
    ours = last()
    rival.widget.name = "Flowers of theirs"
    rival.widget.save()
    theirs = last()
    page = text_of(cabinet.get(TRAIL))
    assert "Flowers of ours" in page
    assert "Flowers of theirs" not in page
    assert "viktor@rival.test" not in page
    for found in ({"q": "Flowers of theirs"}, {"q": str(theirs.object_id)}, {"account_id": rival.account.pk}):
        assert "of theirs →" not in text_of(cabinet.get(TRAIL, found, follow=True))
    assert cabinet.get(f"{TRAIL}{ours.pk}/change/").status_code == 200
    assert cabinet.get(f"{TRAIL}{theirs.pk}/change/").status_code == 404
    both = text_of(signed_in(SuperuserFactory.create()).get(TRAIL))
    assert "Flowers of ours" in both
    assert "Flowers of theirs" in both


def test_it_is_narrowed_by_kind_deed_and_person(cabinet: Client, olga: Agent, shop: Widget, account: Account) -> None:
    save(cabinet, shop, name="Flowers")
    assert olga.user is not None
    for found, shown in [
        ({"kind": "accounts.widget", "action__exact": 1}, True),
        ({"kind": "accounts.apitoken"}, False),
        ({"action__exact": 2}, False),
        ({"actor__id__exact": olga.user.pk}, True),
        ({"q": "Flowers"}, True),
        ({"q": "Tea"}, False),
    ]:
        assert ("Flower shop → Flowers" in text_of(cabinet.get(TRAIL, found))) is shown, found


def test_superusers_are_not_named_to_an_account(cabinet: Client, shop: Widget) -> None:
    ada = SuperuserFactory.create(email="ada@installation.test")
    save(signed_in(ada), shop, seats=9)
    page = text_of(cabinet.get(TRAIL))
    assert "the installation" in page
    assert "ada@installation.test" not in page
    assert "ada@installation.test" in text_of(signed_in(ada).get(TRAIL))


def test_the_history_of_a_knowledge_base_is_that_of_all_it_is_made_of(
    cabinet: Client, shop: Widget, rival: Rival
) -> None:
    rule, gone, other = (RuleFactory.create(widget=widget) for widget in (shop, shop, rival.widget))
    for each, title in ((rule, "Delivery"), (gone, "Gone"), (other, "Foreign")):
        each.title = title
        each.save(update_fields=["title"])
    gone.delete()
    text = text_of(cabinet.get(f"/admin/kb/knowledgebase/{shop.pk}/history/", follow=True))
    assert "Delivery" in text
    assert "Gone" in text
    assert "Foreign" not in text
    address = "/admin/accounts/auditentry/?of=kb.rule:*:widget="
    assert "Foreign" not in text_of(cabinet.get(f"{address}{rival.widget.pk}"))
    for wrong in ("", "x", "9" * 30, "²"):
        assert "Delivery" not in text_of(cabinet.get(address + wrong))


def test_a_rows_history_is_its_lines_of_the_trail(cabinet: Client, shop: Widget, rival: Rival) -> None:
    ada = signed_in(SuperuserFactory.create(email="ada@installation.test"))
    save(ada, shop, seats=9)
    actions.set_api_enabled(widget=rival.widget, enabled=False)
    history = f"/admin/accounts/widget/{shop.pk}/history/"
    shown = cabinet.get(history, follow=True)
    assert shown.redirect_chain == [(f"{TRAIL}?of=accounts.widget%3A{shop.pk}", 302)]
    assert {line.object_pk for line in shown.context["cl"].result_list} == {str(shop.pk)}
    assert "ada@installation.test" not in text_of(shown)
    assert "ada@installation.test" in text_of(ada.get(history, follow=True))
    assert cabinet.get(f"/admin/accounts/widget/{rival.widget.pk}/history/").status_code == 404
    assert not cabinet.get(TRAIL, {"kind": "chats.chat"}).context["cl"].result_list


def test_a_token_that_a_superuser_issued_names_them_to_nobody_else(cabinet: Client, olga: Agent, shop: Widget) -> None:
    ada = SuperuserFactory.create(email="ada@installation.test")
    token = actions.issue_token(widget=shop, scopes=[], issued_by=ada).token
    page = f"/admin/accounts/apitoken/{token.pk}/change/"
    assert "ada@installation.test" in text_of(signed_in(ada).get(page))
    shown = text_of(cabinet.get(page))
    assert "the installation" in shown
    assert "ada@installation.test" not in shown
    own = actions.issue_token(widget=shop, scopes=[], issued_by=olga.user).token
    assert "olga@shop.test" in text_of(cabinet.get(f"/admin/accounts/apitoken/{own.pk}/change/"))


@pytest.mark.parametrize(("role", "shown"), [("owner", True), ("viewer", False)])
def test_addresses_are_for_owners(cabinet: Client, shop: Widget, account: Account, role: str, shown: bool) -> None:
    save(cabinet, shop, name="Flowers")
    reader = signed_in(StaffFactory.create(account=account, role=role))
    save(cabinet, shop, name="Blumen")
    entry = AuditEntry.objects.filter(changes__name__isnull=False, actor__isnull=False).latest("pk")
    assert ("127.0.0.1" in text_of(reader.get(f"{TRAIL}{entry.pk}/change/"))) is shown


def test_nobody_changes_or_deletes_a_line(cabinet: Client, shop: Widget) -> None:
    save(cabinet, shop, name="Flowers")
    entry = last()
    for browser in (cabinet, signed_in(SuperuserFactory.create())):
        before = AuditEntry.objects.count()
        assert browser.post(f"{TRAIL}{entry.pk}/change/", {"object_repr": "x"}).status_code == 403
        assert browser.post(f"{TRAIL}{entry.pk}/delete/", {"post": "yes"}).status_code == 403
        assert browser.get(f"{TRAIL}add/").status_code == 403
        assert AuditEntry.objects.count() == before


@pytest.mark.django_db(transaction=True)
def test_the_trail_outlives_the_account_and_who_deleted_it(cabinet: Client, account: Account, olga: Agent) -> None:
    account_id = account.pk
    assert (
        cabinet.post(
            f"/admin/accounts/account/{account_id}/delete/",
            {"post": "yes", "name": account.email, "password": PASSWORD},
        ).status_code
        == 302
    )
    entry = AuditEntry.objects.get(action=2, content_type__model="account")
    assert (entry.account_id, entry.actor_email, entry.object_repr) == (
        account_id,
        "olga@shop.test",
        "office@shop.test",
    )
    page = text_of(signed_in(SuperuserFactory.create()).get(TRAIL))
    assert "olga@shop.test" in page
    assert not User.objects.filter(email="olga@shop.test").exists()


def test_lines_are_forgotten_after_so_many_days(shop: Widget, settings: Settings) -> None:
    settings.AUDIT_DAYS = 30
    now = timezone.now()
    AuditEntry.objects.all().delete()
    for days in (31, 29):
        actions.change_widget(widget=shop, changes={"name": f"{days} days"})
        AuditEntry.objects.filter(pk=last().pk).update(timestamp=now - timedelta(days=days))
    forget_old_changes()
    forget_old_changes()
    assert [entry.object_repr for entry in AuditEntry.objects.all()] == ["29 days"]


def test_the_list_asks_no_more_for_more_lines(cabinet: Client, shop: Widget) -> None:
    def asked(lines: int) -> int:
        for number in range(lines):
            save(cabinet, shop, name=f"Flowers {number} of {lines}")
        with CaptureQueriesContext(connection) as statements:
            cabinet.get(TRAIL)
        return len(statements)

    asked(1)  # reads what is then remembered
    assert asked(1) == asked(10)


def test_a_contacts_history_is_what_was_told_of_it_by_number(
    cabinet: Client, shop: Widget, olga: Agent, ivan: Contact
) -> None:
    record_of_contact(shop, ivan.pk, "copied", by=olga.user)
    record_of_contact(shop, ivan.pk + 1, "copied", by=olga.user)
    shown = cabinet.get(f"/admin/chats/contact/{ivan.pk}/history/", follow=True)
    assert [line.changes for line in shown.context["cl"].result_list] == [{"contact": [f"#{ivan.pk}", "copied"]}]
