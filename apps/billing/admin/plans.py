"""The cabinet's pages of plans: what is sold, and what widgets have of it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action
from unfold.enums import ActionVariant

from apps.billing.actions.plans import add_plan, buy_plan, cancel_subscription, change_plan, give_plan
from apps.billing.cabinet import MONEY, WHOSE, MoneyAdmin
from apps.billing.forms import GIVEN, BuyPlanForm, PlanForm, money_text
from apps.billing.models import Plan, PlanSubscription
from apps.billing.rules.ledger import SubscriptionKind, SubscriptionStatus
from apps.cabinet.coded_values import display_value
from apps.cabinet.menu import MenuPlace, MenuTab
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin, changes_of


@admin.register(PlanSubscription)
class PlanSubscriptionAdmin(MoneyAdmin):
    menu = MenuPlace(MONEY, 20, _("Plans"), _("Subscriptions"))
    purpose = _("The plans of your widgets, and how long they last.")
    add_form = BuyPlanForm
    titles = (_("subscription"), _("subscriptions"))
    labels = WHOSE | {
        "plan": _("plan"),
        "name": _("name"),
        "kind": _("kind"),
        "status": _("state"),
        "price_minor": _("price, minor units"),
        "currency": _("currency"),
        "ad_slots": _("ad slots"),
        "started_at": _("begins"),
        "ends_at": _("ends"),
    }
    open_status = {"status": SubscriptionStatus.ACTIVE}
    list_display = ("name", "widget", "what", "how_far", "price", "left", "started_at", "ends_at")
    list_filter = ("widget", "kind", "status")
    fields = (
        "account",
        "widget",
        "plan",
        "name",
        "what",
        "how_far",
        "price",
        "ad_slots",
        "included",
        "left",
        "started_at",
        "ends_at",
        "created_at",
    )
    actions_detail = ("end",)

    @admin.display(description=_("price"))
    def price(self, row: PlanSubscription) -> str:
        """The price that was paid; a plan without a payment is called given."""
        return gettext("given") if row.given_by else money_text(row.price_minor, row.currency)

    def make(self, wanted: dict[str, Any]) -> PlanSubscription:
        hand_over = give_plan if wanted["payment"] == GIVEN else buy_plan
        return hand_over(widget=wanted["widget"], plan=wanted["plan_on_sale"], reference=wanted["intent"])

    @admin.display(description=_("included"))
    def included(self, row: PlanSubscription) -> str:
        parts = [gettext("messengers and all paid features")] if row.kind == SubscriptionKind.PRODUCT else []
        if row.ad_slots:
            count = row.ad_slots
            parts.append(ngettext("%(count)s ad cabinet", "%(count)s ad cabinets", count) % {"count": count})
        return ", ".join(parts) or "—"

    @admin.display(description=_("time left"))
    def left(self, row: PlanSubscription) -> str:
        """How long the plan goes on."""
        if row.status != SubscriptionStatus.ACTIVE:
            return display_value(row.status)
        if row.ends_at is None:
            return gettext("for good")
        now = timezone.now()
        if row.started_at > now:
            return gettext("begins later")
        days = max((row.ends_at - now).days, 0)
        return ngettext("%(days)s day", "%(days)s days", days) % {"days": days}

    @unfold_action(  # type: ignore[untyped-decorator]
        description=_("End now…"), variant=ActionVariant.DANGER, permissions=["settle"], url_path="end"
    )
    def end(self, request: HttpRequest, object_id: str) -> HttpResponse:
        question = _("The widget loses what the plan includes at once. What was paid stays paid.")
        act = lambda row: cancel_subscription(subscription=row)  # noqa: E731
        button = _("Yes, end the plan")
        return self.asked(request, object_id, act, question=question, button=button, button_class="button-danger")

    def amount(self, row: PlanSubscription) -> str:
        return self.price(row)


@admin.register(Plan)
class PlanAdmin(TenantAdmin):
    """The page of plans that the installation sells. Subscriptions stay as they were bought."""

    menu = MenuTab(PlanSubscription, 10, _("Plans"))
    purpose = _("What can be bought.")
    may_add = AccessLevel.INSTALLATION
    may_change = AccessLevel.INSTALLATION
    form = PlanForm
    titles = (_("plan"), _("plans"))
    labels = {
        "code": _("code"),
        "name": _("name"),
        "kind": _("kind"),
        "price_minor": _("price, minor units"),
        "currency": _("currency"),
        "days": _("days"),
        "ad_slots": _("ad slots"),
        "is_on_sale": _("on sale"),
    }
    list_display = ("name", "code", "what", "price", "days", "ad_slots", "is_on_sale")
    list_filter = ("kind", "is_on_sale")
    ordering = ("id",)
    fields = ("code", "name", "kind", "amount", "days", "ad_slots", "is_on_sale")

    @admin.display(description=_("kind"), ordering="kind")
    def what(self, plan: Plan) -> str:
        return display_value(plan.kind)

    @admin.display(description=_("price"))
    def price(self, plan: Plan) -> str:
        return money_text(plan.price_minor, plan.currency)

    def write(self, request: HttpRequest, obj: Plan, form: ModelForm[Any], change: bool) -> None:
        changes = changes_of(form)
        if "amount" in changes:
            changes["price_minor"] = changes.pop("amount")
        if change:
            change_plan(plan_id=obj.pk, changes=changes)
        else:
            obj.price_minor = changes["price_minor"]
            add_plan(plan=obj)
