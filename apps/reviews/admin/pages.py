"""The cabinet's pages of reviews, beneath its reports: scores and the queue, and the scorecard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.cabinet.menu import MenuPlace, MenuTab
from apps.cabinet.refusals import words_of
from apps.cabinet.tenant_admin import AccessLevel
from apps.cabinet.widget_pages import WidgetPageAdmin
from apps.core.problems import Problem
from apps.reports.cabinet.menu import REPORTS
from apps.reviews.actions.scorecards import change_scorecard
from apps.reviews.cabinet.pages import reviews_context
from apps.reviews.cabinet.scorecard import ScorecardForm, forms_of
from apps.reviews.models import WidgetReviews, WidgetScorecard
from apps.reviews.querysets.scorecards import scorecard_of

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class _ReviewsPage(WidgetPageAdmin):
    account_path = "account_id"
    list_display = ("name",)
    ordering = ("name",)

    def widget_of(self, request: HttpRequest, object_id: str) -> Any:
        """The widget of the page, which the reader may see."""
        widget = self.get_object(request, object_id)
        if not self.has_view_permission(request, widget):
            raise PermissionDenied
        request.head_widget = widget  # type: ignore[attr-defined] # the switcher in the head
        return widget

    def shown(self, request: HttpRequest, widget: Any, template: str, context: dict[str, Any]) -> TemplateResponse:
        """The page of a widget; a refused one is a 422."""
        common = {"title": self.name_of_list(), "opts": self.opts, "original": widget}
        status = 422 if context["refused"] else 200
        return TemplateResponse(
            request, template, {**self.admin_site.each_context(request), **common, **context}, status=status
        )


@admin.register(WidgetReviews)
class WidgetReviewsAdmin(_ReviewsPage):
    """The reviews of a widget: the scores of each subject with how many, the agreement of the model, the queue."""

    menu = MenuPlace(REPORTS, 35, _("Reviews"))
    purpose = _("Chats that people looked at: scores of operators and of AI, and what waits to be scored.")
    titles: ClassVar[tuple[StrOrPromise, StrOrPromise]] = (_("reviews"), _("reviews"))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        widget = self.widget_of(request, object_id)
        if request.method not in ("GET", "HEAD"):
            raise PermissionDenied
        context = reviews_context(widget, request.GET.dict())
        context["queue"] = f"{reverse('console')}#/reviews"
        context["scorecard"] = reverse("admin:reviews_widgetscorecard_change", args=[widget.pk])
        return self.shown(request, widget, "reviews/reviews.html", context)


@admin.register(WidgetScorecard)
class WidgetScorecardAdmin(_ReviewsPage):
    """The scorecard of a widget. Each change is a version; reviews keep theirs."""

    menu = MenuTab(WidgetReviews, 10, _("Scorecard"))
    purpose = _("The criteria that chats are scored by, how many chats are picked, and what a model suggests.")
    titles: ClassVar[tuple[StrOrPromise, StrOrPromise]] = (_("scorecard"), _("scorecard"))
    may_change = AccessLevel.ACCOUNT

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        widget = self.widget_of(request, object_id)
        may_change = self.has_change_permission(request, widget)
        if request.method == "POST" and not may_change:
            raise PermissionDenied
        card = scorecard_of(widget.pk)
        form, criteria = forms_of(card, request.POST if request.method == "POST" else None)
        refused = request.method == "POST"
        if refused and form.is_valid() & criteria.is_valid():
            values = {name: form.cleaned_data[name] for name in ScorecardForm.NAMES}
            try:
                change_scorecard(
                    widget_id=widget.pk,
                    version=form.cleaned_data["version"],
                    changes={**values, "criteria": criteria.criteria},
                )
            except Problem as problem:
                form.add_error(None, words_of(problem))
            else:
                messages.success(request, gettext("The scorecard is saved. Reviews that exist keep the one they had."))
                return HttpResponseRedirect(request.path)
        context = {"form": form, "criteria": criteria, "card": card, "may_change": may_change, "refused": refused}
        return self.shown(request, widget, "reviews/scorecard.html", context)
