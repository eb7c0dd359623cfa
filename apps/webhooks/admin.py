"""The cabinet's pages of webhooks: the switches of event types, subscriptions, and the delivery log."""

from typing import Any

from django.contrib import admin
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from apps.accounts.cabinet import OwnRowsAdmin, Who
from apps.webhooks.actions.switches import set_event_enabled
from apps.webhooks.models import Delivery, EventSwitch, Subscription
from apps.webhooks.rules import CATALOGUE


@admin.register(EventSwitch)
class EventSwitchAdmin(OwnRowsAdmin):
    """Which events are delivered, platform-wide. Each of the catalogue has its row."""

    may_change = Who.INSTALLATION
    list_display = ("name", "enabled", "fires_when", "legacy_name")
    list_filter = ("enabled",)
    ordering = ("name",)
    fields = ("name", "enabled", "fires_when", "legacy_name")
    readonly_fields = ("name", "fires_when", "legacy_name")

    @admin.display(description=_("fires when"))
    def fires_when(self, switch: EventSwitch) -> str:
        return CATALOGUE[switch.name].fires_when if switch.name in CATALOGUE else ""

    @admin.display(description=_("legacy name"), empty_value="—")
    def legacy_name(self, switch: EventSwitch) -> str | None:
        return CATALOGUE[switch.name].legacy_name if switch.name in CATALOGUE else None

    def write(self, request: HttpRequest, obj: EventSwitch, form: "ModelForm[Any]", change: bool) -> None:
        set_event_enabled(name=obj.name, enabled=obj.enabled)


@admin.register(Subscription)
class SubscriptionAdmin(OwnRowsAdmin):
    """Subscriptions are managed over the API; their secrets are shown nowhere."""

    account_path = "widget__account_id"
    list_display = ("url", "widget", "event_list", "is_active", "is_legacy_compat", "created_at")
    list_filter = ("widget", "is_active", "is_legacy_compat")
    list_select_related = ("widget",)
    search_fields = ("url",)
    ordering = ("-id",)
    fields = ("url", "widget", "event_list", "is_active", "is_legacy_compat", "created_at", "updated_at")
    readonly_fields = fields

    @admin.display(description=_("events"))
    def event_list(self, subscription: Subscription) -> str:
        return ", ".join(subscription.events)


@admin.register(Delivery)
class DeliveryAdmin(OwnRowsAdmin):
    """The delivery log, without the bodies."""

    account_path = "event__widget__account_id"
    list_display = ("guid", "event_type", "receiver", "status", "attempts", "response_status", "created_at")
    list_filter = ("status", "event_type")
    list_select_related = ("subscription",)
    ordering = ("-id",)
    show_full_result_count = False
    fields = (
        "guid",
        "event_type",
        "receiver",
        "status",
        "attempts",
        "response_status",
        "last_error",
        "due_at",
        "created_at",
        "delivered_at",
    )
    readonly_fields = fields

    @admin.display(description=_("receiver"), empty_value="—")
    def receiver(self, delivery: Delivery) -> str | None:
        return delivery.subscription.url if delivery.subscription else None
