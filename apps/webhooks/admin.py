"""The cabinet's pages of webhooks: the switches of event types, subscriptions, and the delivery log."""

from datetime import timedelta
from typing import Any

import orjson
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, QuerySet, Subquery
from django.forms import ModelForm
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.timezone import localtime, now
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.cabinet.coded_values import display_value
from apps.cabinet.log_admin import LogAdmin
from apps.cabinet.menu import INSTALLATION, PROGRAMS, MenuPlace, MenuTab
from apps.cabinet.outbound_address_admin import OutboundAddressAdmin
from apps.cabinet.shown_once import show_once
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin, TenantSecretsAdmin
from apps.egress import BulkheadFull
from apps.webhooks.actions.redelivery import CannotRedeliver, Redelivered, redeliver, redeliver_failed
from apps.webhooks.actions.subscriptions import (
    change_subscription,
    create_subscription,
    delete_subscription,
    rotate_secret,
)
from apps.webhooks.actions.switches import set_event_enabled
from apps.webhooks.actions.testing import send_test
from apps.webhooks.forms import FailedAgainForm, SubscriptionForm, look_up, way_to_switch_on
from apps.webhooks.labels import why_it_failed
from apps.webhooks.models import Delivery, Event, EventSwitch, Subscription
from apps.webhooks.rules import CATALOGUE, SUBSCRIPTIONS, DeliveryStatus, Irredeliverable, disabled_events
from apps.webhooks.serializers import shown_payload

# What the stored values are called.
VALUES = (
    *(pgettext_lazy("value", "pending"), pgettext_lazy("value", "delivered")),
    *(pgettext_lazy("value", "failed"), pgettext_lazy("value", "skipped")),
)
REFUSALS = {
    Irredeliverable.UNDER_WAY: _("It is under way already."),
    Irredeliverable.NO_RECEIVER: _("Its subscription is deleted."),
    Irredeliverable.INACTIVE: _("Its subscription is not active."),
    Irredeliverable.SENT_AS_LEGACY: _("What was sent in the legacy envelope is not sent again."),
    Irredeliverable.NO_LEGACY_NAME: _("The legacy envelope of its subscription has no name for this event."),
    Irredeliverable.SWITCHED_OFF: _("Its event type is switched off."),
}


@admin.register(EventSwitch)
class EventSwitchAdmin(TenantAdmin):
    """The page of event types: whether each is delivered, platform-wide, and to how many.

    Each event of the catalogue has its row.
    """

    menu = MenuPlace(INSTALLATION, 20, _("Event types"))
    may_change = AccessLevel.INSTALLATION
    titles = (_("event type"), _("event types"))
    labels = {"name": pgettext_lazy("of a thing", "name"), "enabled": _("delivered")}
    list_display = ("name", "enabled", "receivers", "fires_when", "legacy_name")
    list_filter = ("enabled",)
    ordering = ("name",)
    fields = ("name", "enabled", "receivers", "fires_when", "legacy_name")
    readonly_fields = ("name", "receivers", "fires_when", "legacy_name")

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        return super().get_queryset(request).with_receivers()  # type: ignore[attr-defined,no-any-return]

    @admin.display(description=_("who wants it"))
    def receivers(self, switch: Any) -> str:
        """The receivers of the event while it is on, or if it was switched on."""
        subscriptions = ngettext(
            "%(count)d active subscription", "%(count)d active subscriptions", switch.subscriptions
        ) % {"count": switch.subscriptions}
        widgets = ngettext("of %(count)d widget", "of %(count)d widgets", switch.widgets) % {"count": switch.widgets}
        return f"{subscriptions} {widgets}" if switch.subscriptions else gettext("nobody")

    @admin.display(description=_("fires when"))
    def fires_when(self, switch: EventSwitch) -> str:
        return gettext(CATALOGUE[switch.name].fires_when) if switch.name in CATALOGUE else ""

    @admin.display(description=_("legacy name"), empty_value="—")
    def legacy_name(self, switch: EventSwitch) -> str | None:
        return CATALOGUE[switch.name].legacy_name if switch.name in CATALOGUE else None

    def write(self, request: HttpRequest, obj: EventSwitch, form: "ModelForm[Any]", change: bool) -> None:
        set_event_enabled(name=obj.name, enabled=obj.enabled)


@admin.register(Subscription)
class SubscriptionAdmin(OutboundAddressAdmin, TenantSecretsAdmin):
    """Webhooks of a widget: made here or over the API, tested, switched, and deleted.

    A secret is shown once, when it is made or replaced. The legacy envelope is chosen over the API.
    """

    menu = MenuPlace(PROGRAMS, 20, _("Webhooks"), _("Subscriptions"))
    purpose = _("Addresses of your programs that are told what happens.")
    account_path = "widget__account_id"
    may_add = may_change = may_delete = AccessLevel.ACCOUNT
    titles = (_("webhook subscription"), _("webhook subscriptions"))
    labels = {
        "widget": _("widget"),
        "url": _("address"),
        "is_active": _("active"),
        "is_legacy_compat": _("legacy envelope"),
        "created_at": _("created"),
        "updated_at": _("changed"),
    }
    form = SubscriptionForm
    consequence = _("Whatever is sent from then on is signed with it: tell your program first.")
    actions_detail = ("send_test", "send_failed", "replace_secret")
    list_display = ("url", "widget", "event_list", "not_delivered", "is_active", "is_legacy_compat", "created_at")
    list_filter = ("widget", "is_active", "is_legacy_compat")
    list_select_related = ("widget",)
    search_fields = ("url",)
    ordering = ("-id",)
    readonly_fields = ("not_delivered", "is_legacy_compat", "created_at", "updated_at")

    def get_fields(self, request: HttpRequest, obj: Subscription | None = None) -> tuple[str, ...]:
        if obj is None:
            return ("widget", "url", "events")
        events = "events" if self.has_change_permission(request, obj) else "event_list"
        return ("widget", "url", events, "is_active", *self.readonly_fields)

    def get_readonly_fields(self, request: HttpRequest, obj: Subscription | None = None) -> tuple[str, ...]:
        return () if obj is None else ("widget", "event_list", *self.readonly_fields)

    def get_form(self, request: HttpRequest, *args: Any, **options: Any) -> Any:
        form = super().get_form(request, *args, **options)
        if "events" in form.base_fields:
            may_switch = self.admin_site._registry[EventSwitch].has_change_permission(request)
            form.base_fields["events"].help_text = way_to_switch_on(may_switch=may_switch)
        return form

    def look_up(self, url: str, row: Any, widget_id: str) -> Any:
        return look_up(url, row, widget_id)

    def write(self, request: HttpRequest, obj: Subscription, form: "ModelForm[Any]", change: bool) -> None:
        wanted = {name: form.cleaned_data[name] for name in form.changed_data if name != "widget"}
        if "url" in wanted:
            wanted["target"] = request.looked_up  # type: ignore[attr-defined]
        if change:
            change_subscription(widget_id=obj.widget_id, subscription_id=obj.pk, changes=wanted)
            return
        made = create_subscription(widget_id=obj.widget_id, **wanted)
        obj.pk, obj.secret = made.pk, made.secret

    def remove(self, request: HttpRequest, obj: Subscription) -> None:
        delete_subscription(widget_id=obj.widget_id, subscription_id=obj.pk)

    def renew(self, obj: Subscription) -> str:
        rotate_secret(widget_id=obj.widget_id, subscription_id=obj.pk)
        obj.refresh_from_db()
        secret: str = obj.secret
        return secret

    def response_add(self, request: HttpRequest, obj: Subscription, post_url_continue: Any = None) -> HttpResponse:
        """Leads to the page that shows the secret once."""
        page = reverse("admin:webhooks_subscription_change", args=[obj.pk])
        return show_once(
            request, title=gettext("The webhook is made"), owner=str(obj), page=page, plain_text=obj.secret
        )

    @unfold_action(description=_("Send a test…"), url_path="test")  # type: ignore[untyped-decorator]
    def send_test(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Asks at a GET; at a POST sends a signed test event, and shows what came back."""
        subscription = self.get_object(request, object_id)
        if not self.has_change_permission(request, subscription):
            raise PermissionDenied
        tested = None
        if request.method == "POST":
            try:
                tested = send_test(subscription=subscription)
            except BulkheadFull:
                messages.error(request, gettext("Too much is called for this widget now. Try again in a second."))
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Send a test event"),
            "owner": subscription,
            "page": reverse("admin:webhooks_subscription_change", args=[subscription.pk]),
            "tested": tested,
        }
        return TemplateResponse(request, "admin/webhooks/test.html", context)

    @unfold_action(description=_("Send what failed again…"), url_path="failed")  # type: ignore[untyped-decorator]
    def send_failed(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Asks at a GET how far back; at a POST queues the deliveries that have failed since then, each event once."""
        subscription = self.get_object(request, object_id)
        if not self.has_change_permission(request, subscription):
            raise PermissionDenied
        page = reverse("admin:webhooks_subscription_change", args=[subscription.pk])
        form = FailedAgainForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            since = now() - timedelta(hours=form.cleaned_data["hours"])
            try:
                sent = redeliver_failed(widget_id=subscription.widget_id, subscription_id=subscription.pk, since=since)
            except CannotRedeliver as refused:
                form.add_error(None, str(REFUSALS[refused.args[0]]))
            else:
                self._tell_of_sent(request, sent)
                return HttpResponseRedirect(page)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Send what failed again"),
            "form": form,
            "note": gettext("After your program was down: each event that it did not get is sent once more."),
            "button": gettext("Send again"),
            "back": page,
        }
        return TemplateResponse(request, "admin/simple_form.html", context)

    def _tell_of_sent(self, request: HttpRequest, redelivered: Redelivered) -> None:
        said = ngettext("%(count)s delivery is sent again.", "%(count)s deliveries are sent again.", redelivered.queued)
        messages.success(request, said % {"count": redelivered.queued})
        if redelivered.has_more:
            messages.warning(request, gettext("More have failed: press it once more for the rest."))

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        return super().get_queryset(request).for_api()  # type: ignore[attr-defined,no-any-return]

    @admin.display(description=_("events"))
    def event_list(self, subscription: Subscription) -> str:
        return ", ".join(subscription.events)

    @admin.display(description=_("not delivered now"), empty_value="—")
    def not_delivered(self, subscription: Any) -> str | None:
        """Said in words: a subscription to a type that is switched off looks as good as any other."""
        if not (names := disabled_events(subscription.events, subscription.enabled_names)):
            return None
        return gettext("%(events)s: switched off for the whole installation") % {"events": ", ".join(names)}


class EventTypeListFilter(admin.SimpleListFilter):
    """Any event of the catalogue: the log's own values would be read from all of it."""

    title = _("event")
    parameter_name = "event_type"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(name, name) for name in CATALOGUE]

    def queryset(self, request: HttpRequest, rows: "QuerySet[Any]") -> "QuerySet[Any]":
        return rows.filter(event_type=self.value()) if self.value() else rows


@admin.register(Delivery)
class DeliveryAdmin(LogAdmin):
    """The delivery log, with the bodies as the API shows them. A delivery that is over can be sent once more."""

    menu = MenuTab(Subscription, 10, _("Deliveries"))
    purpose = _("Each event that was sent to your programs, and what they answered.")
    account_path = "event__widget__account_id"
    list_select_related = False
    titles = (_("delivery"), _("deliveries"))
    labels = {
        "guid": _("id of the delivery"),
        "event_type": _("event"),
        "status": _("status"),
        "attempts": _("attempts"),
        "response_status": _("answer"),
        "due_at": _("due"),
        "created_at": _("created"),
        "delivered_at": _("delivered"),
    }
    list_display = (
        *("created_at", "event_type", "status_name", "receiver", "attempts", "response_status", "error", "guid"),
    )
    list_display_links = ("created_at", "guid")
    list_filter = ("status", EventTypeListFilter)
    show_full_result_count = False
    actions_row = ("redeliver",)
    actions_detail = ("redeliver",)
    fields = (
        "event_type",
        "status_name",
        "receiver",
        "attempts",
        "response_status",
        "error",
        "attempt_list",
        "guid",
        "event_guid",
        "created_at",
        "due_at",
        "delivered_at",
        "payload",
    )

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        addresses = (
            Subscription.objects.unscoped("each delivery's own subscription")
            .filter(pk=OuterRef("destination_id"))
            .values("url")
        )
        deliveries: QuerySet[Any] = super().get_queryset(request)
        deliveries = deliveries.annotate(subscription_url=Subquery(addresses))
        return deliveries

    @admin.display(description=_("what was sent"))
    def payload(self, delivery: Delivery) -> str:
        """Personal data in it is hidden."""
        if (event := _event_of(delivery)) is None:
            return ""
        shown = shown_payload(body=event.body, is_sealed=event.is_sealed, is_legacy=delivery.is_legacy)
        text = orjson.dumps(shown, option=orjson.OPT_INDENT_2).decode()
        return format_html('<pre class="whitespace-pre-wrap break-all">{}</pre>', text)

    @admin.display(description=_("receiver"), empty_value="—")
    def receiver(self, delivery: Delivery) -> str | None:
        """The address of its subscription; of any other kind its name and id, as an address may be a secret."""
        if delivery.kind != SUBSCRIPTIONS:
            return f"{delivery.kind} {delivery.destination_id}"
        url: str | None = delivery.subscription_url  # type: ignore[attr-defined]
        return url

    @admin.display(description=_("status"), ordering="status")
    def status_name(self, delivery: Delivery) -> str:
        return display_value(delivery.status)

    @admin.display(description=_("error"), ordering="last_error")
    def error(self, delivery: Delivery) -> str:
        return why_it_failed(delivery.last_error)

    @admin.display(description=_("each attempt"), empty_value="—")
    def attempt_list(self, delivery: Delivery) -> str | None:
        """When each began, what was answered and how long that took, or why nothing was."""
        milliseconds = gettext("%s ms")
        lines = [
            f"{attempt.number}. {date_format(localtime(attempt.started_at), 'DATETIME_FORMAT')} · "
            f"{attempt.response_status or why_it_failed(attempt.error)} · {milliseconds % attempt.milliseconds}"
            for attempt in delivery.attempt_rows.order_by("number")
        ]
        return format_html_join("", "<div>{}</div>", ((line,) for line in lines)) or None

    @admin.display(description=_("id of the event"))
    def event_guid(self, delivery: Delivery) -> str:
        """The key by which receivers drop repetitions."""
        event = _event_of(delivery)
        return str(event.guid) if event else ""

    def get_actions_detail(self, request: HttpRequest, object_id: str) -> list[Any]:
        """Without "Send again" where nothing can be sent: it is under way, of another kind, or its event is gone."""
        delivery = self.get_object(request, object_id)
        if delivery.status == DeliveryStatus.PENDING or delivery.kind != SUBSCRIPTIONS or not _event_of(delivery):
            return []
        found: list[Any] = super().get_actions_detail(request, object_id)
        return found

    @unfold_action(description=_("Send again…"), url_path="redeliver")  # type: ignore[untyped-decorator]
    def redeliver(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Asks at a GET, sends at a POST, and leads to the new delivery."""
        delivery: Delivery = self.get_object(request, object_id)
        if not self.has_view_permission(request, delivery):
            raise PermissionDenied
        if (event := _event_of(delivery)) is None:
            raise Http404
        if request.method != "POST":
            context = {**self.admin_site.each_context(request), "title": gettext("Send again?"), "delivery": delivery}
            return TemplateResponse(
                request, "admin/webhooks/delivery/redeliver.html", context | {"receiver": self.receiver(delivery)}
            )
        try:
            again = redeliver(widget_id=event.widget_id, delivery=delivery)
        except CannotRedeliver as refusal:
            messages.error(request, REFUSALS[refusal.args[0]])
            return HttpResponseRedirect(reverse("admin:webhooks_delivery_change", args=[delivery.pk]))
        messages.success(request, gettext("It is sent again."))
        return HttpResponseRedirect(reverse("admin:webhooks_delivery_change", args=[again.pk]))


def _event_of(delivery: Delivery) -> Event | None:
    """Its event; None if it is gone. No constraint holds it, and the log keeps the delivery."""
    try:
        return delivery.event
    except Event.DoesNotExist:
        return None
