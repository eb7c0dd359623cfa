"""The cabinet's form of a subscription."""

from typing import Any

from django import forms
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminURLInputWidget

from apps.cabinet.refusals import why_not_called
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.egress import BulkheadFull, EgressRefused, vet
from apps.webhooks import rules
from apps.webhooks.models import EventSwitch, Subscription


def look_up(url: str, subscription: Subscription | None, widget_id: str) -> str | Exception | None:
    """An address that was sent for a subscription, as it is called; or why it can't be; None for the old one."""
    if not url or (subscription is not None and subscription.url == url):
        return None
    try:
        outbound = ExternalCall(subscription.widget_id if subscription else int(widget_id))
        return vet(url, place=outbound.slot()).url
    except (EgressRefused, BulkheadFull, ValueError) as refusal:
        return refusal


def events_on_offer(*, is_legacy_compat: bool) -> list[tuple[str, str]]:
    """The events of a vocabulary, each marked that is switched off for the whole installation."""
    enabled = set(EventSwitch.objects.filter(enabled=True).values_list("name", flat=True))
    on_offer = []
    for native in rules.NATIVE_NAMES:
        event = rules.CATALOGUE[native]
        name = event.legacy_name if is_legacy_compat else native
        if name is None:
            continue
        said = f"{name}: {gettext(event.fires_when)}"
        if native not in enabled:
            said += " — " + gettext("not sent now, by a switch of the whole installation")
        on_offer.append((name, said))
    return on_offer


def way_to_switch_on(*, may_switch: bool) -> str:
    """The way to an event that is switched off for the whole installation; blank while all are on."""
    enabled = set(EventSwitch.objects.filter(enabled=True).values_list("name", flat=True))
    if enabled.issuperset(rules.NATIVE_NAMES):
        return ""
    if not may_switch:
        return gettext("Some events are switched off: ask the administrator of the service to switch them on.")
    switches = reverse("admin:webhooks_eventswitch_changelist")
    text = gettext("Some events are switched off for the whole installation.")
    return format_html('{} <a class="text-link" href="{}">{}</a>', text, switches, gettext("Switch them on"))


class SubscriptionForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """A subscription; its address is looked up before the page's transaction begins (`looked_up`)."""

    looked_up: Any = None

    url = forms.CharField(
        label=capfirst(_("address")),
        max_length=2048,
        strip=True,
        widget=UnfoldAdminURLInputWidget,
        help_text=_("https, on a public address: where your program waits for events."),
    )
    events = forms.MultipleChoiceField(label=capfirst(_("events")), widget=forms.CheckboxSelectMultiple)

    class Meta:
        model = Subscription
        fields = ["widget", "url", "events", "is_active"]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        offered = events_on_offer(is_legacy_compat=self.instance.is_legacy_compat)
        self.fields["events"].choices = offered  # type: ignore[attr-defined]
        self.fields["events"].initial = self.instance.events

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "url" in self.changed_data and cleaned.get("url"):
            if not isinstance(self.looked_up, str):
                self.add_error("url", why_not_called(cleaned["url"], self.looked_up))
            elif self._is_taken(cleaned):
                self.add_error("url", _("The widget has a webhook to this address already."))
        return cleaned

    def _is_taken(self, cleaned: dict[str, Any]) -> bool:
        widget = cleaned.get("widget") or getattr(self.instance, "widget", None)
        if widget is None:
            return False
        same = Subscription.objects.for_widget(widget.pk).filter(target=self.looked_up)
        return same.exclude(pk=self.instance.pk).exists()


class FailedAgainForm(forms.Form):
    """How far back failed deliveries are sent again."""

    hours = forms.TypedChoiceField(
        label=_("What has failed"),
        coerce=int,
        initial=24,
        choices=[
            (1, _("in the last hour")),
            (24, _("in the last 24 hours")),
            (24 * 7, _("in the last 7 days")),
            (24 * 30, _("in the last 30 days")),
        ],
        widget=UnfoldAdminSelectWidget,
    )
