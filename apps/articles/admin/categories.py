"""The cabinet's pages of the categories of articles."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import Widget
from apps.articles.actions.categories import change_category, create_category, delete_category
from apps.articles.cabinet.pages import codes_of, text_in, widget_of_page
from apps.articles.forms import CategoryForm
from apps.articles.models import Article, ArticleCategory
from apps.cabinet.menu import MenuTab
from apps.cabinet.refusals import words_of
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin
from apps.core.problems import Problem


@admin.register(ArticleCategory)
class ArticleCategoryAdmin(TenantAdmin):
    """Categories in their order."""

    menu = MenuTab(Article, 10, _("Categories"))
    purpose = _("Headings under which readers find articles.")
    account_path = "widget__account_id"
    may_add = may_change = may_delete = AccessLevel.ACCOUNT
    titles = (_("category of articles"), _("categories of articles"))
    labels = {"widget": _("widget"), "position": _("place in the list")}
    list_display = ("named", "position", "widget")
    list_filter = ("widget",)
    list_select_related = ("widget",)
    ordering = ("widget", "position", "id")
    show_full_result_count = False

    @admin.display(description=_("category"))
    def named(self, category: ArticleCategory) -> str:
        return text_in(category.name, get_language() or "")

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        widget = widget_of_page(request, self.own_choices(Widget, request))
        if widget is None:
            context = {**self.admin_site.each_context(request), "title": gettext("New category"), "opts": self.opts}
            return TemplateResponse(request, "admin/no_widget.html", context)
        form = CategoryForm(request.POST or None, codes=codes_of(widget.pk))
        return self._page(request, form, widget, None)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        category: ArticleCategory = self.get_object(request, object_id)
        if not self.has_change_permission(request, category):
            response: HttpResponse = super().change_view(request, object_id, form_url, extra_context)
            return response
        initial = {"position": category.position, **{f"name_{code}": text for code, text in category.name.items()}}
        form = CategoryForm(request.POST or None, codes=codes_of(category.widget_id), initial=initial)
        return self._page(request, form, category.widget, category)

    def _page(
        self, request: HttpRequest, form: CategoryForm, widget: Widget, category: ArticleCategory | None
    ) -> HttpResponse:
        if request.method == "POST" and form.is_valid():
            try:
                if category is None:
                    create_category(widget_id=widget.pk, **form.values())
                else:
                    change_category(widget_id=widget.pk, category_id=category.pk, changes=form.values())
            except Problem as problem:
                form.refuse(problem)
            else:
                messages.success(request, gettext("The category is saved."))
                return HttpResponseRedirect(reverse("admin:articles_articlecategory_changelist"))
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Category") if category else gettext("New category"),
            "form": form,
            "note": widget.name,
            "back": reverse("admin:articles_articlecategory_changelist"),
            "remove": category and reverse("admin:articles_articlecategory_delete", args=[category.pk]),
        }
        return TemplateResponse(request, "admin/kb/form.html", context)

    def remove(self, request: HttpRequest, obj: ArticleCategory) -> None:
        delete_category(widget_id=obj.widget_id, category_id=obj.pk)

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """A category with articles stays, and the page says so."""
        try:
            response: HttpResponse = super().delete_view(request, object_id, extra_context)
        except Problem as problem:
            messages.error(request, words_of(problem))
            return HttpResponseRedirect(reverse("admin:articles_articlecategory_change", args=[object_id]))
        return response
