"""The cabinet's pages of what AI answered, and what it used."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.formats import number_format
from django.utils.text import Truncator, capfirst
from django.utils.translation import gettext_lazy as _

from apps.ai.models import Alert, Exchange, Usage
from apps.cabinet.coded_values import display_value
from apps.cabinet.log_admin import LogAdmin
from apps.cabinet.menu import MenuTab

OF_REPORTS = ("at__gte", "at__lt", "assistant__id__exact", "assistant__isnull", "model__exact")


@admin.register(Exchange)
class ExchangeAdmin(LogAdmin):
    """The page of visitors' questions, the answers, and the reasons for them.

    Addresses, phones and cards are names here.
    """

    menu = MenuTab(Alert, 10, _("Answers"))
    purpose = _("Visitors' questions with the answers of AI, and why they came out so.")
    titles = (_("AI exchange"), _("AI exchanges"))
    labels = {
        "widget": _("widget"),
        "assistant": _("assistant"),
        "chat": _("chat"),
        "question": _("question"),
        "answer": _("answer"),
        "language": _("language"),
        "way": _("how it came to answer"),
        "transformation": _("what was made of it"),
        "classifier": _("whether a person is needed"),
        "reason": _("why it went to people"),
        "rag_status": _("knowledge"),
        "outcome": _("outcome"),
        "model": _("model"),
        "operations": _("calls"),
        "prompt_tokens": _("tokens asked"),
        "completion_tokens": _("tokens answered"),
        "persona_version": _("version of the persona"),
        "at": _("when"),
    }
    list_display = ("at", "asked", "answered", "outcome", "transformation", "reason", "widget")
    list_filter = ("widget", "outcome", "transformation", "rag_status")
    ordering = ("-at", "-id")
    show_full_result_count = False
    fields = (
        *("at", "widget", "chat", "assistant", "persona_version", "question", "answer", "knowledge", "language"),
        *("way", "transformation", "classifier", "reason", "rag_status", "outcome", "model"),
        *("operations", "prompt_tokens", "completion_tokens"),
    )

    @admin.display(description=_("question"))
    def asked(self, exchange: Exchange) -> str:
        return Truncator(exchange.question).chars(80)

    @admin.display(description=_("answer"))
    def answered(self, exchange: Exchange) -> str:
        return Truncator(exchange.answer).chars(80)

    @admin.display(description=_("rests on"))
    def knowledge(self, exchange: Exchange) -> str:
        return "\n".join(source["title"] or source["ref"] for source in exchange.sources) or "—"


@admin.register(Usage)
class UsageAdmin(LogAdmin):
    """Each call of a vendor, failed ones too."""

    menu = MenuTab(Alert, 30, _("Calls"))
    purpose = _("Each call of a model's vendor, with its tokens.")
    titles = (_("call of a model"), _("calls of models"))
    labels = {
        "widget": _("widget"),
        "assistant": _("assistant"),
        "purpose": _("purpose"),
        "model": _("model"),
        "prompt_tokens": _("tokens asked"),
        "completion_tokens": _("tokens answered"),
        "cost": _("cost"),
        "currency": _("currency"),
        "prompt_price": _("price of a million tokens that are sent"),
        "completion_price": _("price of a million tokens that are answered"),
        "latency_ms": _("milliseconds"),
        "outcome": _("outcome"),
        "at": _("when"),
    }
    list_display = (
        *("at", "done", "model", "assistant", "prompt_tokens", "completion_tokens", "money", "latency_ms"),
        *("came_of_it", "widget"),
    )
    list_filter = ("widget", "purpose", "outcome")
    list_select_related = ("widget", "assistant")
    show_full_result_count = False
    fields = (
        *("at", "widget", "done", "model", "assistant", "credential", "chat_id"),
        *("prompt_tokens", "completion_tokens", "prompt_price", "completion_price", "money"),
        *("latency_ms", "came_of_it"),
    )

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """With the lists that reports of money lead to: columns of a call that the list shows."""
        return lookup in OF_REPORTS or super().lookup_allowed(lookup, value, request)

    @admin.display(description=_("purpose"), ordering="purpose")
    def done(self, usage: Usage) -> str:
        return str(capfirst(display_value(usage.purpose)))

    @admin.display(description=_("money"), ordering="cost")
    def money(self, usage: Usage) -> str:
        return "—" if usage.cost is None else f"{number_format(usage.cost, 6)}\u00a0{usage.currency}"

    @admin.display(description=_("outcome"), ordering="outcome")
    def came_of_it(self, usage: Usage) -> str:
        return str(capfirst(display_value(usage.outcome)))
