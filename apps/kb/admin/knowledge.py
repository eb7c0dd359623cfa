"""The cabinet's pages of rules, and of the knowledge base as a whole, with its test box."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.cabinet.menu import KNOWLEDGE, MenuPlace, MenuTab
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin
from apps.cabinet.widget_pages import WidgetPageAdmin
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.problems import Problem
from apps.kb.actions.retrieval import RetrievalResult, preview
from apps.kb.actions.writing import change_rule, create_rule, delete_rule
from apps.kb.cabinet import knowledge_of, name_of
from apps.kb.forms import RuleForm, SearchForm
from apps.kb.models import KnowledgeBase, Rule
from apps.kb.rules.fusion import DEFAULT_LIMIT, MAX_QUERY
from apps.kb.rules.texts import SourceType


def _is_own(rule: Rule | None) -> bool:
    """Whether a rule is changed here: an article's is where it is written."""
    return rule is None or rule.source.type != SourceType.ARTICLE


@admin.register(Rule)
class RuleAdmin(TenantAdmin):
    """Rules; each is embedded when it is saved, outside of the transaction that Django's own page would hold."""

    menu = MenuTab(KnowledgeBase, 20, _("Rules"))
    purpose = _("Pieces of knowledge. A rule that you write is known at once.")
    found_at = 90
    account_path = "widget__account_id"
    may_add = AccessLevel.ACCOUNT
    may_change = AccessLevel.ACCOUNT
    may_delete = AccessLevel.ACCOUNT
    titles = (_("rule of the knowledge base"), _("rules of the knowledge base"))
    labels = {
        "widget": _("widget"),
        "source": _("source"),
        "embedding_status": _("vector"),
        "embedding_error": _("why the provider refuses it"),
        "operator": _("for one AI operator alone"),
        "updated_at": _("changed"),
    }
    list_display = ("beginning", "widget", "source", "embedding_status", "operator", "updated_at")
    list_filter = ("widget", "embedding_status")
    list_select_related = ("widget", "source", "operator")
    search_fields = ("content",)
    ordering = ("-id",)
    fields = ("content", *list_display, "embedding_error")
    readonly_fields = fields
    show_full_result_count = False

    @admin.display(description=_("rule"))
    def beginning(self, rule: Rule) -> str:
        return Truncator(rule.content).chars(80)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        widgets = self.own_choices(Widget, request)
        filled = {name: request.GET[name] for name in ("content", "widget") if name in request.GET}
        operators = self.own_choices(Agent, request)
        form = RuleForm(request.POST or None, widgets=widgets, operators=operators, initial=filled)
        return self._page(request, form, gettext("New rule"), question=request.GET.get("question", "")[:MAX_QUERY])

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        rule: Rule = self.get_object(request, object_id)
        if not self.has_change_permission(request, rule):
            response: HttpResponse = super().change_view(request, object_id, form_url, extra_context)
            return response
        widgets = self.own_choices(Widget, request).filter(pk=rule.widget_id)
        operators = self.own_choices(Agent, request).filter(widget_id=rule.widget_id)
        form = RuleForm.of(rule, request.POST or None, widgets=widgets, operators=operators)
        return self._page(request, form, gettext("Rule"), rule)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _is_own(obj) and bool(super().has_change_permission(request, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _is_own(obj) and bool(super().has_delete_permission(request, obj))

    def _page(
        self, request: HttpRequest, form: RuleForm, title: str, rule: Rule | None = None, *, question: str = ""
    ) -> HttpResponse:
        """`question`: the question for the new rule, shown beside the form."""
        if request.method == "POST" and form.is_valid() and self._saved(request, form, rule):
            return HttpResponseRedirect(reverse("admin:kb_rule_changelist"))
        context = {
            **self.admin_site.each_context(request),
            "title": title,
            "form": form,
            "question": question,
            "opts": self.opts,
            "note": gettext("An edit of a crawled rule holds until its page changes.")
            if rule and rule.source.regenerates
            else "",
            "source": rule and (reverse("admin:kb_source_change", args=[rule.source_id]), name_of(rule.source)),
            "back": reverse("admin:kb_rule_changelist"),
            "remove": rule and reverse("admin:kb_rule_delete", args=[rule.pk]),
        }
        return TemplateResponse(request, "admin/kb/form.html", context)

    def _saved(self, request: HttpRequest, form: RuleForm, rule: Rule | None) -> bool:
        values = form.values
        outbound = ExternalCall(form.cleaned_data["widget"].pk)
        try:
            if rule is None:
                create_rule(**values, outbound=outbound)
            else:
                change_rule(rule_id=rule.pk, changes=values, outbound=outbound)
        except Problem as problem:
            reason = problem.members.get("provider_reason")
            form.add_error(None, problem.type.title if reason is None else f"{problem.type.title}: {reason}")
            return False
        messages.success(request, gettext("The rule is saved."))
        return True

    def remove(self, request: HttpRequest, obj: Rule) -> None:
        delete_rule(widget_id=obj.widget_id, rule_id=obj.pk)


@admin.register(KnowledgeBase)
class KnowledgeBaseAdmin(WidgetPageAdmin):
    """The page of each widget's knowledge base, with a preview of the chunks that the assistant would be given."""

    menu = MenuPlace(KNOWLEDGE, 30, _("Knowledge"), _("Overview"))
    account_path = "widget__account_id"
    titles = (_("knowledge base"), _("knowledge bases"))
    labels = {
        "widget": _("widget"),
        "rules": _("rules"),
        "sources": _("sources"),
        "ready": _("with a vector"),
        "pending": _("wait for a vector"),
        "failed": _("refused by the provider"),
        "none": _("without a vector"),
        "model": _("model"),
        "last_indexed_at": _("last written"),
    }
    list_display = ("widget", "rules", "sources", "ready", "pending", "failed", "none", "model", "last_indexed_at")
    list_select_related = ("widget",)
    ordering = ("widget",)
    fields = list_display
    readonly_fields = fields
    actions_detail = ("ask",)
    change_form_outer_before_template = "admin/kb/knowledge.html"

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        """With all that is known, from where, what answers use, and what was asked in vain."""
        context["knowledge"] = knowledge_of(context["original"])
        context["may_add"] = self.admin_site._registry[Rule].has_add_permission(request)
        response: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return response

    def lines_of(self, row: KnowledgeBase) -> list[str]:
        """The lines of all that the base is made of: rules, documents, websites."""
        return [f"kb.{name}:*:widget={row.widget_id}" for name in ("rule", "upload", "crawler")]

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> KnowledgeBase:
        """The base, whose links on the page are made of the widget's id, as the page's address is."""
        base: KnowledgeBase = super().get_object(request, object_id, from_field)
        base.pk = base.widget_id
        return base

    @unfold_action(description=_("Test a question…"), url_path="ask")  # type: ignore[untyped-decorator]
    def ask(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Shows what the assistant would be given for a question, with each chunk's place in the three legs."""
        base: KnowledgeBase = self.get_object(request, object_id)
        operators = self.own_choices(Agent, request).filter(widget_id=base.widget_id)
        form = SearchForm(request.POST or None, operators=operators)
        found: RetrievalResult | None = None
        if request.method == "POST" and form.is_valid():
            operator = form.cleaned_data["operator"]
            try:
                found = preview(
                    operator_id=operator.pk if operator else None,
                    question=form.cleaned_data["question"],
                    limit=DEFAULT_LIMIT,
                    outbound=ExternalCall(base.widget_id),
                )
            except Problem as problem:
                reason = problem.members.get("provider_reason")
                messages.error(request, problem.type.title if reason is None else f"{problem.type.title}: {reason}")
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("What the assistant would be given"),
            "form": form,
            "found": found,
        }
        return TemplateResponse(request, "admin/kb/ask.html", context)
