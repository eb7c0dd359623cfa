"""The cabinet's pages of the AI: settings, assistants with "try it", operators, credentials, alerts, usage."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.accounts.cabinet import AccessLevel, TenantAdmin, changes_of, user_of
from apps.agents.models import Agent
from apps.ai.actions.alerts import acknowledge
from apps.ai.actions.assistants import change_assistant, create_assistant, delete_assistant
from apps.ai.actions.credentials import change_credential, create_credential
from apps.ai.actions.operators import change_operator, create_operator
from apps.ai.actions.personas import staff_actor
from apps.ai.actions.settings import change_settings
from apps.ai.actions.testing import run_test
from apps.ai.admin.external import ExternalOperatorAdmin as ExternalOperatorAdmin
from apps.ai.forms import AiSettingsForm, AssistantForm, CredentialForm, OperatorForm, QuestionForm, look_up
from apps.ai.models import AiOperator, AiSettings, Alert, Assistant, Credential, Exchange, Usage
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.problems import Problem

OPERATOR_FIELDS = ("name", "status", "show_in_header")


@admin.register(AiSettings)
class AiSettingsAdmin(TenantAdmin):
    """The switches of a widget's AI."""

    form = AiSettingsForm
    account_path = "widget__account_id"
    may_change = AccessLevel.ACCOUNT
    titles = (_("AI settings"), _("AI settings"))
    labels = {
        "widget": _("widget"),
        "enabled": _("the AI answers"),
        "rag_enabled": _("uses the knowledge base"),
        "shadow_mode": _("shadow mode: answers are notes for operators"),
        "external_operators_enabled": _("external operators answer"),
        "autonomous_tuning_enabled": _("tunes itself"),
        "presence_context_enabled": _("knows whether operators are there"),
        "takeover_timeout_sec": _("takes over after seconds"),
        "offline_outcome_mode": _("when nobody is there"),
        "legacy_persona": _("persona of before"),
        "daily_token_budget": _("tokens a day"),
        "link_hosts": _("websites that answers may link to"),
    }
    list_display = ("widget", "enabled", "shadow_mode", "rag_enabled", "takeover_timeout_sec")
    list_select_related = ("widget",)
    ordering = ("widget",)
    fields = (
        *("widget", "enabled", "shadow_mode", "rag_enabled", "presence_context_enabled", "autonomous_tuning_enabled"),
        "external_operators_enabled",
        *("takeover_timeout_sec", "offline_outcome_mode", "daily_token_budget", "link_hosts", "legacy_persona"),
    )
    readonly_fields = ("widget",)

    def write(self, request: HttpRequest, obj: AiSettings, form: "ModelForm[Any]", change: bool) -> None:
        change_settings(widget_id=obj.widget_id, changes=changes_of(form))


@admin.register(Assistant)
class AssistantAdmin(TenantAdmin):
    account_path = "widget__account_id"
    may_add = AccessLevel.ACCOUNT
    may_change = AccessLevel.ACCOUNT
    may_delete = AccessLevel.ACCOUNT
    titles = (_("assistant"), _("assistants"))
    labels = {
        "widget": _("widget"),
        "name": pgettext_lazy("of a thing", "name"),
        "enabled": _("enabled"),
        "is_default": _("default"),
        "persona": _("persona"),
        "system_prompt": _("instructions"),
        "temperature": _("temperature"),
        "rag_enabled": _("uses the knowledge base"),
        "greeting": _("greeting"),
        "model": _("model"),
        "created_at": _("created"),
    }
    form = AssistantForm
    list_display = ("name", "widget", "enabled", "is_default", "provider", "model", "created_at")
    list_filter = ("widget", "enabled")
    list_select_related = ("widget",)
    search_fields = ("name",)
    ordering = ("-id",)
    actions_detail = ("try_it",)

    def get_readonly_fields(self, request: HttpRequest, obj: Assistant | None = None) -> tuple[str, ...]:
        return ("widget",) if obj else ()

    def write(self, request: HttpRequest, obj: Assistant, form: "ModelForm[Any]", change: bool) -> None:
        actor = staff_actor(user_of(request))
        if change:
            changes = changes_of(form)
            change_assistant(widget_id=obj.widget_id, assistant_id=obj.pk, changes=changes, actor=actor)
            return
        wanted = {name: value for name, value in form.cleaned_data.items() if name not in ("widget", "is_default")}
        mark: dict[str, Any] = {"is_default": True} if form.cleaned_data["is_default"] else {}
        obj.pk = create_assistant(widget_id=obj.widget_id, actor=actor, **{**mark, **wanted}).pk

    def remove(self, request: HttpRequest, obj: Assistant) -> None:
        delete_assistant(widget_id=obj.widget_id, assistant_id=obj.pk)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Names the AI operators that still run it, instead of deleting it."""
        try:
            answer: HttpResponse = super().delete_view(request, object_id, extra_context)
        except Problem as refused:
            names = ", ".join(one["name"] for one in refused.members.get("operators", ()))
            messages.error(request, gettext("AI operators run it: %(names)s.") % {"names": names})
            return HttpResponseRedirect(reverse("admin:ai_assistant_change", args=[object_id]))
        return answer

    @unfold_action(description=_("Try it…"), url_path="try")  # type: ignore[untyped-decorator]
    def try_it(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Asks the assistant a question as a visitor would, with a real, paid call and no chat."""
        assistant: Assistant = self.get_object(request, object_id)
        if not self.has_change_permission(request, assistant):
            raise PermissionDenied
        form = QuestionForm(request.POST or None)
        result: dict[str, Any] | None = None
        if request.method == "POST" and form.is_valid():
            asked = {name: value for name, value in form.cleaned_data.items() if value}
            try:
                result = run_test(assistant=assistant, outbound=ExternalCall(assistant.widget_id), **asked)
            except Problem as refused:
                reason = refused.members.get("provider_reason")
                text = gettext(refused.type.explanation) if reason is None else f"{refused.type.title}: {reason}"
                messages.error(request, text)
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Try %(name)s") % {"name": assistant.name},
            "form": form,
            "assistant": assistant,
            "result": result,
            "used": _used_by(assistant) if result else [],
        }
        return TemplateResponse(request, "admin/ai/try.html", context)


def _used_by(assistant: Assistant) -> list[Usage]:
    """The vendor requests of the last test: the newest rows of the assistant outside of chats."""
    rows = Usage.objects.for_widget(assistant.widget_id).filter(assistant=assistant, chat_id=None)
    return list(rows.order_by("-id")[:10])


@admin.register(AiOperator)
class AiOperatorAdmin(TenantAdmin):
    account_path = "widget__account_id"
    may_add = AccessLevel.ACCOUNT
    may_change = AccessLevel.ACCOUNT
    titles = (_("AI operator"), _("AI operators"))
    form = OperatorForm
    list_display = ("name", "widget", "status", "show_in_header")
    list_filter = ("widget",)
    list_select_related = ("widget",)
    search_fields = ("name",)
    ordering = ("-id",)
    fields = ("widget", "name", "assistant", "status", "show_in_header")

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        return super().get_queryset(request).filter(type=Agent.Type.AI)

    def get_readonly_fields(self, request: HttpRequest, obj: AiOperator | None = None) -> tuple[str, ...]:
        return ("widget",) if obj else ()

    def get_form(
        self, request: HttpRequest, obj: AiOperator | None = None, change: bool = False, **options: Any
    ) -> Any:
        form = super().get_form(request, obj, change, **options)
        if obj is None and "assistant" in form.base_fields:
            form.base_fields["assistant"].queryset = self.own_choices(Assistant, request)
        return form

    def write(self, request: HttpRequest, obj: AiOperator, form: "ModelForm[Any]", change: bool) -> None:
        wanted = form.cleaned_data
        fields: dict[str, Any] = {name: wanted[name] for name in OPERATOR_FIELDS if name in wanted}
        if change:
            changes = {**fields, "assistant_id": wanted["assistant"].pk}
            change_operator(widget_id=obj.widget_id, operator_id=obj.pk, changes=changes)
        else:
            assistant_id = wanted["assistant"].pk
            obj.pk = create_operator(widget_id=obj.widget_id, assistant_id=assistant_id, **fields).pk


@admin.register(Credential)
class CredentialAdmin(TenantAdmin):
    """Keys are typed here, and shown nowhere."""

    account_path = "widget__account_id"
    may_add = AccessLevel.OWNERS
    may_change = AccessLevel.OWNERS
    titles = (_("credential"), _("credentials"))
    labels = {
        "widget": _("widget"),
        "base_url": _("address of a gateway or server"),
        "model": _("model"),
        "is_active": _("active"),
        "assistant": _("of this assistant alone"),
        "created_at": _("created"),
    }
    form = CredentialForm
    list_display = ("provider", "widget", "model", "is_active", "assistant", "created_at")
    list_filter = ("widget", "is_active")
    list_select_related = ("widget", "assistant")
    ordering = ("-id",)

    def get_fields(self, request: HttpRequest, obj: Credential | None = None) -> tuple[str, ...]:
        fields = ("widget", "provider", "base_url", "model", "is_active", "assistant")
        return fields if obj and not self.has_change_permission(request, obj) else (*fields[:2], "api_key", *fields[2:])

    def get_readonly_fields(self, request: HttpRequest, obj: Credential | None = None) -> tuple[str, ...]:
        return ("widget", "provider") if obj else ()

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """Looks up an address that is sent before the page's transaction begins."""
        if request.method == "POST":
            credential = self.get_object(request, object_id) if object_id else None
            url = request.POST.get("base_url", "").strip()
            found = look_up(url, credential, request.POST.get("widget", ""))
            request.looked_up = found  # type: ignore[attr-defined]
        return super().changeform_view(request, object_id, form_url, extra_context)

    def get_form(
        self, request: HttpRequest, obj: Credential | None = None, change: bool = False, **options: Any
    ) -> Any:
        form = super().get_form(request, obj, change, **options)
        form.looked_up = getattr(request, "looked_up", None)
        return form

    def write(self, request: HttpRequest, obj: Credential, form: "ModelForm[Any]", change: bool) -> None:
        wanted = {name: form.cleaned_data.get(name) for name in ("model", "is_active")}
        wanted["assistant_id"] = form.cleaned_data["assistant"].pk if form.cleaned_data.get("assistant") else None
        if form.cleaned_data.get("api_key"):
            wanted["api_key"] = form.cleaned_data["api_key"]
        if "base_url" in form.changed_data:
            found = getattr(request, "looked_up", None)
            wanted |= {"base_url": form.cleaned_data["base_url"], "target": found if isinstance(found, str) else ""}
        if change:
            change_credential(widget_id=obj.widget_id, credential_id=obj.pk, changes=wanted)
        else:
            provider = form.cleaned_data["provider"]
            obj.pk = create_credential(widget_id=obj.widget_id, provider=provider, **wanted).pk


@admin.register(Alert)
class AlertAdmin(TenantAdmin):
    account_path = "widget__account_id"
    titles = (_("alert"), _("alerts"))
    labels = {
        "widget": _("widget"),
        "code": _("code"),
        "severity": _("severity"),
        "message": _("what happened"),
        "occurrences": _("times"),
        "first_at": _("first"),
        "last_at": _("last"),
        "acknowledged_at": _("acknowledged"),
    }
    list_display = ("last_at", "code", "severity", "message", "widget", "occurrences", "acknowledged_at")
    list_filter = ("widget", "severity", ("acknowledged_at", admin.EmptyFieldListFilter))
    list_select_related = ("widget",)
    ordering = ("-id",)
    fields = ("code", "severity", "message", "widget", "occurrences", "first_at", "last_at", "acknowledged_at")
    readonly_fields = fields
    actions_detail = ("acknowledge",)

    @unfold_action(description=_("Acknowledge"), url_path="acknowledge")  # type: ignore[untyped-decorator]
    def acknowledge(self, request: HttpRequest, object_id: str) -> HttpResponse:
        alert: Alert = self.get_object(request, object_id)
        if not self._is_allowed(request, AccessLevel.ACCOUNT, alert):
            raise PermissionDenied
        back = reverse("admin:ai_alert_change", args=[alert.pk])
        if request.method != "POST":
            context = {
                **self.admin_site.each_context(request),
                "title": gettext("Acknowledge the alert?"),
                "alert": alert,
                "back": back,
            }
            return TemplateResponse(request, "admin/ai/acknowledge.html", context)
        acknowledge(widget_id=alert.widget_id, ids=[alert.pk])
        messages.success(request, gettext("It is acknowledged. Should it happen again, a new one begins."))
        return HttpResponseRedirect(back)


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
