"""The cabinet's page of wishes: submitted, seen before they are approved, approved, rejected, undone."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget

from apps.ai.actions.evaluation_gates import is_asked
from apps.ai.actions.evaluation_requests import request_evaluation
from apps.ai.actions.personas import staff_actor
from apps.ai.cabinet.examination import lost_words
from apps.ai.models import Assistant
from apps.ai.rules.evaluations import ACTIVE, REFRESH_S
from apps.cabinet.coded_values import display_value
from apps.cabinet.menu import MenuTab
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin, user_of
from apps.core.problems import Problem
from apps.learning.actions.approvals import preview
from apps.learning.actions.examining import examination_of
from apps.learning.actions.wishes import approve_wish, reject_wish, revert_wish, submit_wish
from apps.learning.models import DemandTopic, Wish
from apps.learning.rules.guard_rails import GuardRail
from apps.learning.rules.states import WishAction, may
from apps.learning.serializers.requests import MAX_WISH, MIN_WISH

# Of a number that a form sends.
MAX_DIGITS = 6
# What statuses are called.
STATUSES = (
    *(pgettext_lazy("value", "submitted"), pgettext_lazy("value", "on_probation"), pgettext_lazy("value", "kept")),
    *(pgettext_lazy("value", "rejected"), pgettext_lazy("value", "reverted")),
    *(pgettext_lazy("value", "approved"), pgettext_lazy("value", "rolled_back")),
    # Why an approval is refused now, and why a probation ended.
    *(pgettext_lazy("value", "wish_state"), pgettext_lazy("value", "probation_running")),
    *(pgettext_lazy("value", "edited_by_hand"), pgettext_lazy("value", "text_changed")),
)


class WishForm(forms.Form):
    """The form of a wish for another behaviour."""

    assistant = forms.ModelChoiceField(
        queryset=Assistant.objects.none(), label=_("Assistant"), widget=UnfoldAdminSelectWidget
    )
    text = forms.CharField(
        min_length=MIN_WISH,
        max_length=MAX_WISH,
        label=_("What should it do otherwise?"),
        widget=UnfoldAdminTextareaWidget,
    )

    def __init__(self, *args: Any, assistants: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["assistant"].queryset = assistants  # type: ignore[attr-defined]


@admin.register(Wish)
class WishAdmin(TenantAdmin):
    menu = MenuTab(DemandTopic, 10, _("Wishes"))
    purpose = _("What operators wish the assistant did otherwise.")
    account_path = "widget__account_id"
    may_add = AccessLevel.ACCOUNT
    may_change = AccessLevel.ACCOUNT
    titles = (_("wish"), _("wishes"))
    labels = {"widget": _("widget"), "text": _("wish"), "created_at": _("created")}
    list_display = ("text", "widget", "how_far", "created_at")
    list_filter = ("widget", "status")
    list_select_related = ("widget",)
    search_fields = ("text",)
    ordering = ("-id",)
    fields = list_display
    readonly_fields = fields

    @admin.display(description=_("state"), ordering="status")
    def how_far(self, wish: Wish) -> str:
        return display_value(wish.status)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        given = {"text": request.GET.get("text", "")[:MAX_WISH]}
        form = WishForm(request.POST or None, initial=given, assistants=self.own_choices(Assistant, request))
        if request.method == "POST" and form.is_valid():
            assistant, text = form.cleaned_data["assistant"], form.cleaned_data["text"]
            wish = submit_wish(
                widget_id=assistant.widget_id,
                assistant_id=assistant.pk,
                text=text,
                author=staff_actor(user_of(request)),
            )
            return HttpResponseRedirect(reverse("admin:learning_wish_change", args=[wish.pk]))
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("New wish"),
            "form": form,
            "opts": self.opts,
            "back": reverse("admin:learning_wish_changelist"),
        }
        return TemplateResponse(request, "admin/kb/form.html", context)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """The wish, what its approval would store, and what became of it."""
        wish: Wish = self.get_object(request, object_id)
        may_decide = self.has_change_permission(request, wish)
        if request.method == "POST":
            if not may_decide:
                raise PermissionDenied
            self._decide(request, wish)
            return HttpResponseRedirect(request.path)
        return self._page(request, wish, may_decide=may_decide)

    def _page(self, request: HttpRequest, wish: Wish, *, may_decide: bool) -> HttpResponse:
        plan = preview(wish.widget_id, wish) if may(wish.status, WishAction.APPROVED) else None
        rails = [one.value for one in GuardRail]
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Wish"),
            "opts": self.opts,
            "wish": wish,
            "status": display_value(wish.status),
            "plan": plan,
            # What a guard rail found is the text's own; what else is said stands in the name already.
            "refusals": [
                (display_value(rule), detail if rule in rails else "")
                for rule, detail in (plan.refusals if plan else ())
            ],
            "decisions": [
                (one.at, display_value(one.action), one.actor["name"], display_value(one.reason))
                for one in wish.decisions.order_by("pk")
            ],
            "may_approve": may_decide and may(wish.status, WishAction.APPROVED),
            "may_revert": may_decide and may(wish.status, WishAction.REVERTED),
        }
        if plan is not None and not plan.refusals and is_asked(wish.widget_id, wish.assistant_id):
            found = examination_of(wish, plan)
            context |= {
                "is_examined": found is not None and found.is_done,
                "is_asked": True,
                "examination": found,
                "examination_state": display_value(found.state) if found else "",
                "lost_words": lost_words(found.lost, found.of) if found and found.lost else "",
            }
        page = TemplateResponse(request, "admin/learning/wish.html", context)
        if (run := context.get("examination")) is not None and run.state in ACTIVE:
            page["Refresh"] = str(REFRESH_S)
        return page

    def _decide(self, request: HttpRequest, wish: Wish) -> None:
        both: dict[str, Any] = {
            "widget_id": wish.widget_id,
            "wish_id": wish.pk,
            "actor": staff_actor(user_of(request)),
        }
        try:
            if request.POST.get("decision") == "approve":
                seen = request.POST.get("accept_lost", "")
                accepted = int(seen) if seen.isdecimal() and len(seen) < MAX_DIGITS else None
                approve_wish(**both, fingerprint=request.POST.get("fingerprint"), accept_lost=accepted)
            elif request.POST.get("decision") == "examine":
                request_evaluation(widget_id=wish.widget_id, assistant_id=wish.assistant_id, wish_id=wish.pk)
            elif request.POST.get("decision") == "reject":
                reject_wish(**both)
            elif request.POST.get("decision") == "revert":
                revert_wish(**both)
        except Problem as problem:
            details = [text for texts in problem.errors.values() for text in texts]
            told = [
                ": ".join([display_value(rule), *rest]) for rule, *rest in (text.split(": ", 1) for text in details)
            ]
            messages.error(request, ": ".join([gettext(problem.type.title), *told]))
