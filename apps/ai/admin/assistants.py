"""The cabinet's pages of assistants."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.accounts.cabinet import AccessLevel, TenantAdmin, changes_of, user_of
from apps.ai.actions.assistants import change_assistant, create_assistant, delete_assistant
from apps.ai.actions.personas import staff_actor
from apps.ai.actions.testing import run_test
from apps.ai.forms import AssistantForm, QuestionForm
from apps.ai.models import Assistant, Usage
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.problems import Problem


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
