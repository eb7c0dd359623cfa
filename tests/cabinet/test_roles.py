"""What each role may do in the cabinet, on every page that there is."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.contrib import admin
from django.contrib.admin.utils import flatten
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.db.models import Model
from django.http import Http404
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from apps.accounts import actions, rules
from apps.accounts.models import Account, ApiToken, AuditEntry, User, Widget
from apps.agents.models import Agent, Department, Holiday, Invitation, WidgetWeek, open_all_week
from apps.ai.models import (
    AiOperator,
    AiSettings,
    Alert,
    AnswerFeedback,
    Assistant,
    Credential,
    EvaluationCase,
    EvaluationRun,
    Exchange,
    ExternalOperator,
    Usage,
)
from apps.ai.rules.actors import SYSTEM
from apps.articles.models import Article, ArticleCategory, HelpCenter
from apps.assists.models import Assist, OwnTool
from apps.automations.models import Automation, AutomationRun, Macro
from apps.billing import models as billing
from apps.cabinet.tenant_admin import LEAST_ROLES, AccessLevel, TenantAdmin
from apps.cabinet.widget_pages import WidgetPageAdmin
from apps.chats.models import Block, Chat, ConsoleSettings, Contact, Retention
from apps.compat.models import LegacyBot
from apps.core.database.fields import EncryptedTextField
from apps.kb.models import Crawler, CrawlRun, KnowledgeBase, Rule, Source, Upload
from apps.learning.actions.wishes import submit_wish
from apps.learning.models import Cycle, DemandTopic, TunedAssistant, Wish
from apps.letters.models import Address, InLetter, Mailbox
from apps.messengers.models import AdCabinet, Channel, Community, Connection
from apps.routing.models.pages import DepartmentRouting, OperatorRouting
from apps.support.models import Binding, SupportAction, Ticket
from apps.webhooks.models import Delivery, Subscription
from apps.widget.models import ChatInvitation, QuestionSet
from tests.cast import Rival, signed_in
from tests.factories import (
    AiAgentFactory,
    ApiTokenFactory,
    StaffFactory,
    SuperuserFactory,
    UserFactory,
)
from tests.factories.agents import InvitationFactory
from tests.factories.ai import (
    AlertFactory,
    AssistantFactory,
    CredentialFactory,
    ExchangeFactory,
    ExternalOperatorFactory,
    UsageFactory,
)
from tests.factories.articles import an_article
from tests.factories.automations import AutomationFactory, AutomationRunFactory, MacroFactory
from tests.factories.billing import LegalEntityFactory, PlanFactory, issued_invoice, plan_bought, topped_up
from tests.factories.compat import LegacyBotFactory
from tests.factories.invitations import ChatInvitationFactory
from tests.factories.kb import CrawlerFactory, CrawlRunFactory, RuleFactory, SourceFactory, UploadFactory
from tests.factories.messengers import CabinetFactory, ChannelFactory, CommunityFactory, ConnectionFactory
from tests.factories.support import ActionFactory, BindingFactory, TicketFactory
from tests.factories.webhooks import DeliveryFactory, SubscriptionFactory
from tests.parameters import slow_unless
from tests.rows import snapshot
from tests.waits import AT_MOST_S, wait_until_somebody_waits

ROLES = ["owner", "manager", "viewer"]
ADMINS = [(kind, page) for kind, page in admin.site._registry.items() if isinstance(page, TenantAdmin)]
OF_ACCOUNTS = [(kind, page) for kind, page in ADMINS if page.account_path]
WRITINGS: set[str] = set()  # encrypted, and meant to be read
OF_THE_INSTALLATION = [(kind, page) for kind, page in ADMINS if not page.account_path]


def name_of(value: Any) -> str:
    return value._meta.label if isinstance(value, type) and issubclass(value, Model) else ""


def address(kind: type[Any], page: str, *args: Any) -> str:
    return reverse(f"admin:{kind._meta.app_label}_{kind._meta.model_name}_{page}", args=args)


def row_of(kind: type[Any], agent: Agent, chat: Chat, department: Department) -> Any:
    """A row of that kind, of the account of these."""
    widget = agent.widget
    rows = {Account: widget.account, User: agent.user, Widget: widget, Agent: agent, Department: department}
    rows |= {Contact: chat.contact, Chat: chat}
    if kind in rows:
        return rows[kind]
    factories: dict[Any, Any] = {ApiToken: ApiTokenFactory, Channel: ChannelFactory, LegacyBot: LegacyBotFactory}
    factories |= {Invitation: InvitationFactory, Subscription: SubscriptionFactory}
    factories |= {Assistant: AssistantFactory, Credential: CredentialFactory, Alert: AlertFactory}
    factories |= {Usage: UsageFactory, Crawler: CrawlerFactory, CrawlRun: CrawlRunFactory, Upload: UploadFactory}
    factories |= {Automation: AutomationFactory, Macro: MacroFactory, ChatInvitation: ChatInvitationFactory}
    factories |= {Binding: BindingFactory, SupportAction: ActionFactory}
    factories |= {Connection: ConnectionFactory, Community: CommunityFactory, AdCabinet: CabinetFactory}
    if kind is ExternalOperator:
        return ExternalOperatorFactory.create(widget=widget)
    if kind is Retention:
        return Retention.objects.get_or_create(widget=widget)[0]
    if kind is Article:
        return an_article(widget)
    if kind is ArticleCategory:
        return ArticleCategory.objects.create(widget=widget, name={"en": "Orders"})
    if kind is HelpCenter:
        return HelpCenter.objects.get_or_create(widget=widget)[0]
    if kind is QuestionSet:
        return QuestionSet.objects.get_or_create(widget=widget)[0]
    if kind is ConsoleSettings:
        return ConsoleSettings.objects.get_or_create(widget=widget)[0]
    if kind is WidgetWeek:
        return WidgetWeek.objects.get_or_create(widget=widget, schedule=open_all_week())[0]
    if kind is OwnTool:
        return OwnTool.objects.create(widget=widget, names={"en": "Rhyme"}, instruction="Make it rhyme.")
    if kind is Assist:
        return Assist.objects.create(widget=widget, chat=chat, client_id=uuid4(), kind="draft", due_at=None)
    if kind is Block:
        return Block.objects.create(widget=widget, contact=chat.contact)
    if kind is Exchange:
        return ExchangeFactory.create(chat=chat)
    if kind is AnswerFeedback:
        return AnswerFeedback.objects.create(message_id=chat.pk, widget=widget, chat=chat, helpful=True)
    if kind is EvaluationCase:
        return EvaluationCase.objects.create(widget=widget, question="?")
    if kind is EvaluationRun:
        return EvaluationRun.objects.create(widget=widget, assistant=AssistantFactory.create(widget=widget))
    if kind is Holiday:
        return Holiday.objects.create(widget=widget, day=date(2027, 1, 1))
    if kind is Address:
        return Address.objects.create(widget=widget, digest=bytes([widget.pk % 256]) * 32, email="mary@mail.test")
    if kind is InLetter:
        return InLetter.objects.create(widget=widget, door="hook", sender="mary@mail.test", kind="no_chat")
    if kind is Mailbox:
        key = f"hook-{widget.pk}"
        mail_address = f"support{widget.pk}@shop.test"
        return Mailbox.objects.create(widget=widget, address=mail_address, hook_key=key, digest=key.encode())
    if kind is DemandTopic:
        return DemandTopic.objects.create(
            widget=widget, category="knowledge_gap", topic="?", folded="?", last_seen_at=timezone.now()
        )
    if kind in (Wish, Cycle, TunedAssistant):
        return learning_row(kind, widget)
    if kind in (Rule, Source, KnowledgeBase):
        rule = RuleFactory.create(source=SourceFactory.create(widget=widget))
        return {Rule: rule, Source: rule.source}.get(kind) or KnowledgeBase.objects.get(widget=widget)
    if kind is AiOperator:
        made = AiAgentFactory.create(widget=widget, ai_assistant_id=AssistantFactory.create(widget=widget).pk)
        return AiOperator.objects.get(pk=made.pk)
    if kind is AiSettings:
        return AiSettings.objects.get_or_create(widget=widget)[0]
    if issubclass(kind, Widget) and kind is not Widget:
        return kind.objects.get(pk=widget.pk)
    if kind in (DepartmentRouting, OperatorRouting):
        return kind.objects.get(pk=(department if kind is DepartmentRouting else agent).pk)
    if kind is Ticket:
        return TicketFactory.create(chat=chat)
    if kind is AutomationRun:
        return AutomationRunFactory.create(chat=chat)
    if kind in factories:
        return factories[kind].create(widget=widget)
    if kind is Delivery:
        return DeliveryFactory.create(subscription=SubscriptionFactory.create(widget=widget))
    if kind.__module__ == billing.__name__:
        return billing_row(kind, widget)
    assert kind is AuditEntry, f"how is a {kind} of an account made?"
    return AuditEntry.objects.filter(account_id=widget.account_id).earliest("pk")


def learning_row(kind: type[Any], widget: Widget) -> Any:
    assistant = AssistantFactory.create(widget=widget)
    if kind is Wish:
        return submit_wish(widget_id=widget.pk, assistant_id=assistant.pk, text="Be brief.", author=SYSTEM)
    if kind is Cycle:
        return Cycle.objects.create(widget=widget, assistant_id=assistant.pk, trigger="manual", base_version=1)
    return TunedAssistant.objects.get(pk=assistant.pk)


def billing_row(kind: type[Any], widget: Widget) -> Any:
    entity = LegalEntityFactory.create(account=widget.account)
    if kind is billing.LegalEntity:
        return entity
    if kind is billing.Wallet:
        return topped_up(widget).wallet
    makers = {
        billing.Transaction: lambda: topped_up(widget),
        billing.PlanSubscription: lambda: plan_bought(widget),
        billing.Invoice: lambda: issued_invoice(widget, entity),
    }
    return makers[kind]()


@pytest.fixture(params=ROLES)
def role(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def browser(account: Account, role: str) -> Client:
    """Of somebody in that role at the shop's account."""
    return signed_in(StaffFactory.create(account=account, role=role))


def key_of(page: TenantAdmin, row: Any) -> Any:
    """The key of a row's page: of what each widget has one, the widget's."""
    return getattr(row, "widget_id", row.pk) if isinstance(page, WidgetPageAdmin) else row.pk


def may(role: str, who: AccessLevel) -> bool:
    return who in LEAST_ROLES and rules.reaches(role, LEAST_ROLES[who])


@pytest.mark.parametrize("role", slow_unless("owner".__ne__, ROLES), indirect=True)
@pytest.mark.parametrize(("kind", "page"), OF_ACCOUNTS, ids=name_of)
def test_a_role_does_what_it_may_with_own_rows_and_no_more(
    browser: Client, role: str, kind: type[Any], page: TenantAdmin, alice: Agent, chat: Chat, sales: Department
) -> None:
    row = row_of(kind, alice, chat, sales)
    key = key_of(page, row)
    # Of what each widget has one, the list of an account with one widget leads to its page.
    assert browser.get(address(kind, "changelist")).status_code == (302 if isinstance(page, WidgetPageAdmin) else 200)
    assert browser.get(address(kind, "change", key)).status_code == 200
    before = snapshot()
    assert browser.get(address(kind, "add")).status_code == (200 if may(role, page.may_add) else 403)
    assert browser.get(address(kind, "delete", key)).status_code == (200 if may(role, page.may_delete) else 403)
    if not may(role, page.may_add):
        assert browser.post(address(kind, "add"), {"name": "New"}).status_code == 403
    if not may(role, page.may_change):
        assert browser.post(address(kind, "change", key), {"name": "Other"}).status_code == 403
    if not may(role, page.may_delete):
        assert browser.post(address(kind, "delete", key), {"post": "yes"}).status_code == 403
    assert snapshot() == before


@pytest.mark.parametrize("role", slow_unless("owner".__eq__, ROLES), indirect=True)
@pytest.mark.parametrize(("kind", "page"), OF_ACCOUNTS, ids=name_of)
def test_another_accounts_row_is_not_there_for_any_role(
    browser: Client, kind: type[Any], page: TenantAdmin, rival: Rival
) -> None:
    key = key_of(page, row_of(kind, rival.agent, rival.chat, rival.department))
    before = snapshot()
    for view in ("change", "delete", "history"):
        assert browser.get(address(kind, view, key)).status_code == 404
        assert browser.post(address(kind, view, key), {"post": "yes", "name": "Mine"}).status_code == 404
    for path in addresses_of_buttons(page, key):
        assert browser.post(path).status_code in (403, 404), path
    assert snapshot() == before


@pytest.mark.parametrize(
    "path", ["chats/chat/?status__exact=%00", "webhooks/delivery/?event_type=1%00", "chats/chat/?q=%00"]
)
def test_a_filter_that_nothing_can_fit_leads_to_the_list(account: Account, path: str) -> None:
    browser = signed_in(StaffFactory.create(account=account, role="owner"))
    answer = browser.get(f"/admin/{path}")
    assert (answer.status_code, answer["Location"]) == (302, f"/admin/{path.partition('?')[0]}?e=1")
    assert browser.get(answer["Location"]).status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("key", ["x", "9" * 30, "1e3", "0", "-1", "1%00"])
def test_what_is_no_rows_key_is_404_on_every_page(account: Account, key: str) -> None:
    staff = signed_in(SuperuserFactory.create()), signed_in(StaffFactory.create(account=account, role="owner"))
    for browser in staff:
        for kind, page in ADMINS:
            for view in ("change", "delete", "history"):
                path = address(kind, "change", "KEY").replace("KEY/change", f"{key}/{view}")
                assert browser.get(path).status_code in (403, 404), path
            for path in addresses_of_buttons(page, key):
                assert browser.post(path).status_code in (403, 404), path


@pytest.mark.parametrize(("kind", "page"), OF_THE_INSTALLATION, ids=name_of)
def test_what_is_the_installations_is_for_no_role(browser: Client, kind: type[Any], page: TenantAdmin) -> None:
    row = kind._default_manager.first() or PlanFactory.create()
    before = snapshot()
    assert browser.get(address(kind, "changelist")).status_code == 403
    for path in (address(kind, "change", row.pk), address(kind, "delete", row.pk)):
        assert browser.get(path).status_code in (403, 404)
        assert browser.post(path, {"post": "yes"}).status_code in (403, 404)
    assert browser.post(address(kind, "add"), {"name": "new"}).status_code == 403
    assert snapshot() == before


@pytest.mark.parametrize(("kind", "page"), OF_ACCOUNTS, ids=name_of)
def test_a_viewer_can_run_no_action(
    account: Account, kind: type[Any], page: TenantAdmin, alice: Agent, chat: Chat, sales: Department
) -> None:
    browser = signed_in(StaffFactory.create(account=account, role="viewer"))
    row = row_of(kind, alice, chat, sales)
    before = snapshot()
    for action in page.actions or ():
        browser.post(address(kind, "changelist"), {"action": action, "_selected_action": [row.pk], "confirmed": "yes"})
    for path in addresses_of_buttons(page, row.pk):
        assert browser.post(path).status_code in (403, 404), path
    for action in page.actions_submit_line or ():
        assert browser.post(address(kind, "change", row.pk), {"name": "Other", action: ""}).status_code == 403
    assert snapshot() == before


@pytest.mark.parametrize(("kind", "page"), OF_ACCOUNTS, ids=name_of)
def test_a_viewer_sees_no_secret(
    account: Account, kind: type[Any], page: TenantAdmin, alice: Agent, chat: Chat, sales: Department
) -> None:
    """Of what is encrypted a page has no field for who can't change it, as it would be shown."""
    request = RequestFactory().get("/")
    request.user = StaffFactory.create(account=account, role="viewer")
    row = row_of(kind, alice, chat, sales)
    shown = {*flatten(page.get_fields(request, row)), *page.get_list_display(request)}
    secret = {field.name for field in kind._meta.get_fields() if isinstance(field, EncryptedTextField)}
    assert shown & secret <= WRITINGS


def addresses_of_buttons(page: TenantAdmin, key: Any) -> list[str]:
    """The addresses of the buttons that unfold draws on a list, on its rows and on a row's page."""
    found = []
    for pattern in page.get_urls():
        route = str(getattr(pattern, "pattern", ""))
        names = {action.path.strip("/") for action in page._get_base_actions_detail() + page._get_base_actions_row()}
        if any(name and name in route for name in names):
            found.append(address(page.model, "changelist") + re.sub(r"<[^>]+>", str(key), route))
    return found


def test_a_role_that_nobody_knows_may_nothing() -> None:
    assert not rules.reaches("emperor", "viewer")
    assert [[rules.reaches(role, least) for least in ROLES] for role in ROLES] == [
        [True, True, True],
        [False, True, True],
        [False, False, True],
    ]


def add(browser: Client, **fields: Any) -> Any:
    return browser.post("/admin/accounts/user/add/", {"email": "nina@shop.test"} | fields)


def change(browser: Client, user: AbstractBaseUser, **fields: Any) -> Any:
    form = {"name": "Nina", "role": "viewer", "is_staff": "on", "is_active": "on"} | fields
    form = {name: value for name, value in form.items() if value is not None}
    return browser.post(f"/admin/accounts/user/{user.pk}/change/", form)


def test_an_owner_gives_and_takes_roles(cabinet: Client, account: Account, rival: Rival) -> None:
    nina = StaffFactory.create(account=account, role="viewer")
    assert change(cabinet, nina, role="owner", account=rival.account.pk, is_superuser="on").status_code == 302
    nina.refresh_from_db()
    assert (nina.role, nina.account, nina.is_superuser) == ("owner", account, False)


@pytest.mark.parametrize("role", ["manager", "viewer"], indirect=True)
def test_nobody_below_an_owner_changes_people(browser: Client, account: Account, olga: Agent) -> None:
    me = User.objects.get(role__in=["manager", "viewer"], account=account)
    before = snapshot()
    assert add(browser, role="owner").status_code == 403
    assert change(browser, me, role="owner").status_code == 302, "of themselves they may choose the language"
    assert olga.user is not None
    assert change(browser, olga.user, role="viewer").status_code == 403
    assert snapshot() == before


def test_nobody_changes_what_they_may_do_themselves(cabinet: Client, olga: Agent, account: Account) -> None:
    StaffFactory.create(account=account)
    assert olga.user is not None
    assert change(cabinet, olga.user, role="viewer", is_active=None).status_code == 302
    olga.user.refresh_from_db()
    assert (olga.user.name, olga.user.role, olga.user.is_active) == ("Nina", "owner", True)


@pytest.mark.parametrize("fields", [{"role": "manager"}, {"is_active": None}, {"is_staff": None}])
def test_the_last_owner_stays(olga: Agent, account: Account, fields: dict[str, Any]) -> None:
    StaffFactory.create(account=account, role="owner", is_active=False)
    StaffFactory.create(account=account, role="manager")
    assert olga.user is not None
    page = change(signed_in(SuperuserFactory.create()), olga.user, **{"role": "owner"} | fields)
    assert "An account keeps one active owner" in page.content.decode()
    olga.user.refresh_from_db()
    assert olga.user.is_owner


def test_of_two_owners_one_may_go_and_the_other_stays(olga: Agent, account: Account) -> None:
    other = StaffFactory.create(account=account)
    actions.change_user(user_id=other.pk, changes={"role": "viewer"})
    assert olga.user is not None
    with pytest.raises(actions.LastOwner):
        actions.change_user(user_id=olga.user.pk, changes={"is_active": False})
    olga.user.refresh_from_db()
    assert olga.user.is_active


@pytest.mark.django_db(transaction=True)
def test_two_owners_who_make_each_other_less_at_once_leave_one(olga: Agent, account: Account) -> None:
    other, colleague = StaffFactory.create(account=account), olga.user
    assert colleague is not None
    browser = signed_in(other)

    def demote() -> int:
        try:
            return change(browser, colleague, role="viewer").status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread:
        with transaction.atomic():
            actions.change_user(user_id=other.pk, changes={"role": "viewer"})
            answer = thread.submit(demote)
            wait_until_somebody_waits()
        assert answer.result(timeout=AT_MOST_S) == 403
    colleague.refresh_from_db()
    assert colleague.is_owner


def test_an_operator_without_the_cabinet_is_no_owner(account: Account) -> None:
    operator = UserFactory.create(account=account, role="owner")
    actions.change_user(user_id=operator.pk, changes={"name": "Oskar"})
    assert signed_in(operator).get("/admin/").status_code == 302


def test_managers_run_widgets_and_tokens_and_leave_the_account_alone(account: Account, shop: Widget) -> None:
    browser = signed_in(StaffFactory.create(account=account, role="manager"))
    token = ApiTokenFactory.create(widget=shop)
    form = {"name": "Renamed", "api_enabled": "on", "allowed_origins": "", "seats": shop.seats}
    assert browser.post(address(Widget, "change", shop.pk), form).status_code == 302
    assert browser.post(address(ApiToken, "change", token.pk), {"name": "CRM"}).status_code == 302
    shop.refresh_from_db()
    token.refresh_from_db()
    assert (shop.name, token.name) == ("Renamed", "CRM")
    assert browser.post(address(Account, "delete", account.pk), {"post": "yes"}).status_code == 403
    assert Account.objects.filter(pk=account.pk).exists()


class ButtonAdmin(TenantAdmin):
    """A page with a button and an action that forgot to say which permission they take."""

    account_path = "account_id"
    actions = ("forgetful",)
    actions_detail = ("rename",)

    def forgetful(self, request: Any, rows: Any) -> None:
        """Does something."""

    def rename(self, request: Any, object_id: str) -> str:
        return "renamed"


@pytest.mark.parametrize("role", ROLES, indirect=True)
def test_a_button_that_says_no_permission_is_for_who_may_write(
    account: Account, role: str, shop: Widget, rival: Rival, rf: Any
) -> None:
    page = ButtonAdmin(Widget, admin.site)
    request = rf.post("/")
    request.user = StaffFactory.create(account=account, role=role)
    (button,) = page._get_base_actions_detail()
    if may(role, AccessLevel.ACCOUNT):
        assert button.method(request, object_id=str(shop.pk)) == "renamed"
        assert "forgetful" in page.get_actions(request)
    else:
        assert "forgetful" not in page.get_actions(request)
        with pytest.raises(PermissionDenied):
            button.method(request, object_id=str(shop.pk))
    for key in (rival.widget.pk, 0, "x"):
        with pytest.raises(Http404):
            button.method(request, object_id=str(key))
