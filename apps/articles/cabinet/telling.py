"""The cabinet's page that tells who asked in vain that an article answers them now."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget

from apps.agents.models import Agent
from apps.articles.actions.telling import ArticleTelling, tell
from apps.articles.cabinet.pages import editor_of
from apps.articles.cabinet.words import LEFT_OUT
from apps.articles.models import Article
from apps.cabinet.refusals import words_of
from apps.cabinet.tenant_admin import TenantAdmin
from apps.core.problems import Problem


class TellForm(forms.Form):
    """In whose name the message is sent."""

    agent = forms.ModelChoiceField(
        Agent.objects.none(), label=_("In whose name"), empty_label=None, widget=UnfoldAdminSelectWidget
    )

    def __init__(self, *args: Any, agents: Any) -> None:
        super().__init__(*args)
        field: Any = self.fields["agent"]
        field.queryset = agents
        field.label_from_instance = lambda agent: agent.full_name


def tell_page(tenant_admin: TenantAdmin, request: HttpRequest, object_id: str) -> HttpResponse:
    """Says at a GET who would be told; at a POST tells them."""
    article: Article = tenant_admin.get_object(request, object_id)
    if not tenant_admin.has_change_permission(request, article):
        raise PermissionDenied
    agents = (
        tenant_admin.own_choices(Agent, request)
        .filter(widget_id=article.widget_id, type=Agent.Type.HUMAN)
        .order_by("pk")
    )
    form = TellForm(request.POST or None, agents=agents)
    back = editor_of(article.pk, "")
    first = agents.first()
    try:
        if request.method == "POST" and form.is_valid():
            done = tell(widget_id=article.widget_id, article_id=article.pk, agent_id=form.cleaned_data["agent"].pk)
            told = ngettext("%(count)s visitor is told.", "%(count)s visitors are told.", done.queued)
            messages.success(request, told % {"count": done.queued})
            return HttpResponseRedirect(back)
        lines = []
        if first is not None:
            lines = _lines(tell(widget_id=article.widget_id, article_id=article.pk, agent_id=first.pk, dry_run=True))
    except Problem as problem:
        messages.error(request, words_of(problem))
        return HttpResponseRedirect(back)
    context = {
        **tenant_admin.admin_site.each_context(request),
        "opts": tenant_admin.opts,
        "title": gettext("Tell those who asked"),
        "form": form,
        "note": " ".join(lines),
        "button": gettext("Send"),
        "back": back,
    }
    return TemplateResponse(request, "admin/simple_form.html", context)


def _lines(telling: ArticleTelling) -> list[str]:
    if telling.queued:
        text = ngettext(
            "%(count)s visitor waits for an answer: each gets one message with the address of the article.",
            "%(count)s visitors wait for an answer: each gets one message with the address of the article.",
            telling.queued,
        )
        lines = [text % {"count": telling.queued}]
    else:
        lines = [gettext("Nobody waits for it now.")]
    left_out = [f"{count} {LEFT_OUT[reason.value]}" for reason, count in telling.left_out.items() if count]
    return [*lines, gettext("Left out: %(whom)s.") % {"whom": "; ".join(left_out)}] if left_out else lines
