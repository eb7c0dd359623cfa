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

from apps.cabinet.coded_values import display_value
from apps.cabinet.log_admin import LogAdmin
from apps.cabinet.menu import KNOWLEDGE, MenuPlace
from apps.learning.models import DemandTopic

# What categories are called.
CATEGORIES = (
    *(pgettext_lazy("value", "knowledge_gap"), pgettext_lazy("value", "escalation")),
    *(pgettext_lazy("value", "dissatisfaction"), pgettext_lazy("value", "missed_contact")),
)


@admin.register(DemandTopic)
class DemandTopicAdmin(LogAdmin):
    menu = MenuPlace(KNOWLEDGE, 60, _("Learning"), _("Unanswered"))
    purpose = _("What visitors asked and the assistant did not know: each becomes a rule in one click.")
    titles = (_("question asked in vain"), _("questions asked in vain"))
    labels = {"widget": _("widget"), "topic": _("question"), "last_seen_at": _("last asked")}
    list_display = ("topic", "widget", "what", "times", "last_seen_at")
    list_filter = ("widget", "category")
    search_fields = ("topic",)
    ordering = ("-last_seen_at",)
    fields = list_display
    actions_detail = ("write_rule", "make_case")

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
        """Opens a new, empty rule of the knowledge base, with the question beside it."""
        topic: DemandTopic = self.get_object(request, object_id)
        if not django_apps.is_installed("apps.kb"):
            return HttpResponseRedirect(reverse("admin:learning_demandtopic_changelist"))
        query = urlencode({"question": topic.topic, "widget": topic.widget_id})
        return HttpResponseRedirect(f"{reverse('admin:kb_rule_add')}?{query}")

    @unfold_action(description=_("Make a test question of this…"), url_path="case")  # type: ignore[untyped-decorator]
    def make_case(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Opens a new test question, with the visitors' question filled in."""
        topic: DemandTopic = self.get_object(request, object_id)
        query = urlencode({"question": topic.topic, "widget": topic.widget_id, "made_of": "demand"})
        return HttpResponseRedirect(f"{reverse('admin:ai_evaluationcase_add')}?{query}")
