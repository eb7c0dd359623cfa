"""The cabinet's pages of what AI answered, and what it used."""

from django.contrib import admin
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from apps.accounts.cabinet import TenantAdmin
from apps.ai.models import Exchange, Usage


@admin.register(Exchange)
class ExchangeAdmin(TenantAdmin):
    """The page of visitors' questions, the answers, and the reasons for them.

    Addresses, phones and cards are names here.
    """

    account_path = "widget__account_id"
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
    list_select_related = ("widget",)
    ordering = ("-at", "-id")
    show_full_result_count = False
    fields = (
        *("at", "widget", "chat", "assistant", "persona_version", "question", "answer", "knowledge", "language"),
        *("way", "transformation", "classifier", "reason", "rag_status", "outcome", "model"),
        *("operations", "prompt_tokens", "completion_tokens"),
    )
    readonly_fields = fields

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
class UsageAdmin(TenantAdmin):
    """Each call of a vendor, failed ones too."""

    account_path = "widget__account_id"
    titles = (_("call of a model"), _("calls of models"))
    labels = {
        "widget": _("widget"),
        "assistant": _("assistant"),
        "purpose": _("purpose"),
        "model": _("model"),
        "prompt_tokens": _("tokens asked"),
        "completion_tokens": _("tokens answered"),
        "latency_ms": _("milliseconds"),
        "outcome": _("outcome"),
        "at": _("when"),
    }
    list_display = (
        *("at", "purpose", "model", "assistant", "prompt_tokens", "completion_tokens", "latency_ms", "outcome"),
        "widget",
    )
    list_filter = ("widget", "purpose", "outcome")
    list_select_related = ("widget", "assistant")
    ordering = ("-id",)
    show_full_result_count = False
    fields = (
        *("at", "widget", "purpose", "model", "assistant", "credential", "chat_id"),
        *("prompt_tokens", "completion_tokens", "latency_ms", "outcome"),
    )
    readonly_fields = fields
