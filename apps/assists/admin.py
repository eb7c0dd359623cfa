"""The cabinet's pages of drafts, beside what was sent, and of the owner's tools for texts."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.ai.rules.evaluations import MAX_QUESTION
from apps.assists.actions.tools import TooManyTools, delete_tool, write_tool
from apps.assists.forms import OwnToolForm
from apps.assists.models import Assist, OwnTool
from apps.assists.querysets import thumbs_by_tool
from apps.assists.rules.distances import is_made_otherwise
from apps.assists.rules.kinds import MAX_OWN_TOOLS, own_tool_id
from apps.cabinet.coded_values import display_value
from apps.cabinet.log_admin import LogAdmin
from apps.cabinet.menu import KNOWLEDGE, MenuPlace, MenuTab
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin
from apps.learning.serializers.requests import MAX_WISH

# What kinds, tools, outcomes and states are called.
WORDS = (
    *(pgettext_lazy("value", "draft"), pgettext_lazy("value", "rewrite"), pgettext_lazy("value", "summary")),
    *(pgettext_lazy("value", "translation"), pgettext_lazy("value", "shadow"), pgettext_lazy("value", "shorten")),
    *(pgettext_lazy("value", "friendlier"), pgettext_lazy("value", "formal"), pgettext_lazy("value", "grammar")),
    *(pgettext_lazy("value", "translate"), pgettext_lazy("value", "used"), pgettext_lazy("value", "edited")),
    *(pgettext_lazy("value", "dismissed"), pgettext_lazy("value", "done"), pgettext_lazy("value", "refused")),
    pgettext_lazy("value", "review"),
)


@admin.register(Assist)
class AssistAdmin(LogAdmin):
    """The page of what models drafted for operators: the question, the draft, and what was sent.

    Addresses, phones and cards are names here.
    """

    menu = MenuPlace(KNOWLEDGE, 40, _("Drafts"))
    purpose = _("Drafts that a model made for operators, beside what they sent.")
    titles = (_("draft"), _("drafts"))
    labels = {
        "widget": _("widget"),
        "chat": _("chat"),
        "agent": _("operator"),
        "question": _("question"),
        "answer": _("draft"),
        "sent": _("sent"),
        "helpful": _("helpful"),
        "comment": _("comment"),
        "created_at": _("when"),
        "distance": _("how far"),
        "kind": _("kind"),
        "outcome": _("outcome"),
    }
    list_display = (
        "created_at",
        "what",
        "was_asked",
        "drafted",
        "was_sent",
        "became",
        "far",
        "helpful",
        "agent",
        "widget",
    )
    list_filter = ("widget", "kind", "outcome", "helpful")
    list_select_related = ("widget", "agent")
    search_fields = ("question", "answer", "sent")
    ordering = ("-created_at", "-id")
    show_full_result_count = False
    fields = (
        *("created_at", "widget", "chat", "agent", "what", "question", "answer", "sent", "became", "far"),
        *("helpful", "comment"),
    )
    actions_detail = ("make_case", "make_wish")
    list_before_template = "admin/assists/thumbs.html"

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).exclude(kind__in=("summary", "translation", "review"))

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        request.is_of_a_list = True  # type: ignore[attr-defined] # of the chosen widget's rows alone
        thumbs = [
            {**row, "name": _tool_name(row["kind"], row["tool"])} for row in thumbs_by_tool(self.get_queryset(request))
        ]
        return super().changelist_view(request, {**(extra_context or {}), "thumbs": thumbs})

    @admin.display(description=_("what"), ordering="kind")
    def what(self, assist: Assist) -> str:
        return _tool_name(assist.kind, assist.tool)

    @admin.display(description=_("question"))
    def was_asked(self, assist: Assist) -> str:
        return Truncator(assist.question).chars(80)

    @admin.display(description=_("draft"))
    def drafted(self, assist: Assist) -> str:
        return Truncator(assist.answer).chars(80)

    @admin.display(description=_("sent"))
    def was_sent(self, assist: Assist) -> str:
        return Truncator(assist.sent).chars(80) or "–"

    @admin.display(description=_("outcome"), ordering="outcome")
    def became(self, assist: Assist) -> str:
        return display_value(assist.outcome or assist.state)

    @admin.display(description=_("how far"), ordering="distance")
    def far(self, assist: Assist) -> str:
        return "–" if assist.distance is None else f"{assist.distance:.0%}"

    def has_made_otherwise_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        """Whether an operator sent something else than the draft: then there is something to learn of it."""
        assist = self.get_object(request, object_id) if object_id else None
        return assist is not None and is_made_otherwise(assist.distance)

    @unfold_action(  # type: ignore[untyped-decorator]
        description=_("Make a test case"), url_path="case", permissions=["made_otherwise"]
    )
    def make_case(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Opens a new test question, with the visitor's question filled in."""
        assist: Assist = self.get_object(request, object_id)
        about = {"widget": assist.widget_id, "question": assist.question[:MAX_QUESTION]}
        return HttpResponseRedirect(f"{reverse('admin:ai_evaluationcase_add')}?{urlencode(about)}")

    @unfold_action(  # type: ignore[untyped-decorator]
        description=_("Make a wish"), url_path="wish", permissions=["made_otherwise"]
    )
    def make_wish(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Opens a new wish, with the question and what the operator answered filled in."""
        assist: Assist = self.get_object(request, object_id)
        text = gettext("Asked “%(question)s”, answer like this: %(sent)s") % {
            "question": Truncator(assist.question).chars(400),
            "sent": assist.sent,
        }
        return HttpResponseRedirect(f"{reverse('admin:learning_wish_add')}?{urlencode({'text': text[:MAX_WISH]})}")


def _tool_name(kind: str, tool: str) -> str:
    """A kind with its tool, for people: an owner's tool by its own name, a built-in one by its word."""
    number = own_tool_id(tool)
    if number is None:
        return display_value(tool or kind)
    return gettext("own tool %(number)s") % {"number": number}


@admin.register(OwnTool)
class OwnToolAdmin(TenantAdmin):
    menu = MenuTab(Assist, 10, _("Tools for texts"))
    purpose = _("Tools of your own that change what an operator has written.")
    account_path = "widget__account_id"
    may_add = AccessLevel.ACCOUNT
    may_change = AccessLevel.ACCOUNT
    may_delete = AccessLevel.ACCOUNT
    titles = (_("tool for texts"), _("tools for texts"))
    labels = {"widget": _("widget"), "instruction": _("what it makes of a text")}
    form = OwnToolForm
    fields = ("widget", "name_en", "name_ru", "instruction")
    list_display = ("named", "does", "widget")
    list_filter = ("widget",)
    list_select_related = ("widget",)
    ordering = ("id",)

    @admin.display(description=_("name"))
    def named(self, tool: OwnTool) -> str:
        return " / ".join(tool.names.values())

    @admin.display(description=_("what it makes of a text"))
    def does(self, tool: OwnTool) -> str:
        return Truncator(tool.instruction).chars(100)

    def get_readonly_fields(self, request: HttpRequest, obj: OwnTool | None = None) -> tuple[str, ...]:
        return ("widget",) if obj else ()

    def write(self, request: HttpRequest, obj: OwnTool, form: "ModelForm[Any]", change: bool) -> None:
        values = {"names": form.names, "instruction": form.cleaned_data["instruction"]}  # type: ignore[attr-defined]
        obj.pk = write_tool(widget_id=obj.widget_id, values=values, tool_id=obj.pk if change else None).pk

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        try:
            page: HttpResponse = super().add_view(request, form_url, extra_context)
        except TooManyTools:
            messages.error(
                request, gettext("A widget has at most %(most)d tools of its own.") % {"most": MAX_OWN_TOOLS}
            )
            return HttpResponseRedirect(reverse("admin:assists_owntool_changelist"))
        return page

    def remove(self, request: HttpRequest, obj: OwnTool) -> None:
        delete_tool(widget_id=obj.widget_id, tool_id=obj.pk)
