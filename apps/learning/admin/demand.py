"""The cabinet's page of what visitors asked for in vain, and the way from there to a rule about it."""

from typing import Any
from urllib.parse import urlencode

from django.apps import apps as django_apps
from django.contrib import admin
from django.db.models import Count
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from unfold.decorators import action as unfold_action

from apps.accounts.cabinet import TenantAdmin
from apps.accounts.coded_values import display_value
from apps.learning.models import DemandTopic

# What categories are called.
CATEGORIES = (
    *(pgettext_lazy("value", "knowledge_gap"), pgettext_lazy("value", "escalation")),
    *(pgettext_lazy("value", "dissatisfaction"), pgettext_lazy("value", "missed_contact")),
)


@admin.register(DemandTopic)
class DemandTopicAdmin(TenantAdmin):
    account_path = "widget__account_id"
    titles = (_("question asked in vain"), _("questions asked in vain"))
    labels = {"widget": _("widget"), "topic": _("question"), "last_seen_at": _("last asked")}
    list_display = ("topic", "widget", "what", "times", "last_seen_at")
    list_filter = ("widget", "category")
    list_select_related = ("widget",)
    search_fields = ("topic",)
    ordering = ("-last_seen_at",)
    fields = list_display
    readonly_fields = fields
    actions_detail = ("write_rule",)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).annotate(count=Count("signals"))

    @admin.display(description=_("kind"), ordering="category")
    def what(self, topic: DemandTopic) -> str:
        return display_value(topic.category)

    @admin.display(description=_("how often"), ordering="count")
    def times(self, topic: Any) -> int:
        return int(topic.count)

    @unfold_action(description=_("Write a rule about this…"), url_path="rule")  # type: ignore[untyped-decorator]
    def write_rule(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Opens a new rule of the knowledge base, with the question filled in."""
        topic: DemandTopic = self.get_object(request, object_id)
        if not django_apps.is_installed("apps.kb"):
            return HttpResponseRedirect(reverse("admin:learning_demandtopic_changelist"))
        query = urlencode({"content": topic.topic, "widget": topic.widget_id})
        return HttpResponseRedirect(f"{reverse('admin:kb_rule_add')}?{query}")
