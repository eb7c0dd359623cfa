"""The cabinet's pages of articles: their list, and the editor of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.html import format_html_join
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.accounts.models import Widget
from apps.articles.actions.articles import delete_article
from apps.articles.actions.texts import delete_text, put_text
from apps.articles.cabinet.comparison import beside
from apps.articles.cabinet.editing import Editing, found_articles, preview_of
from apps.articles.cabinet.importing import import_page
from apps.articles.cabinet.pages import MOST_VERSIONS, editor_of, text_in, version_lines, widget_of_page
from apps.articles.cabinet.pictures import kept_picture
from apps.articles.cabinet.telling import tell_page
from apps.articles.cabinet.words import state_of
from apps.articles.models import Article, ArticleText, ArticleVersion
from apps.articles.rules.addresses import picture_path
from apps.articles.rules.texts import CONTENT
from apps.cabinet.chosen_widget import OFFERED
from apps.cabinet.list_columns import chip
from apps.cabinet.menu import KNOWLEDGE, MenuPlace
from apps.cabinet.refusals import words_of
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin, user_of
from apps.core.problems import Problem

if TYPE_CHECKING:
    from django.utils.safestring import SafeString


@admin.register(Article)
class ArticleAdmin(TenantAdmin):
    """Articles: each is written, looked at and published on a page of its own."""

    menu = MenuPlace(KNOWLEDGE, 35, _("Articles"), _("Articles"))
    purpose = _("Answers that are written once: AI gives them, the widget finds them, everybody reads their pages.")
    found_at = 92
    account_path = "widget__account_id"
    may_add = may_change = may_delete = AccessLevel.ACCOUNT
    titles = (_("article"), _("articles"))
    labels = {"widget": _("widget"), "category": _("category"), "updated_at": _("changed"), "created_at": _("created")}
    list_display = ("named", "states", "in_category", "widget", "updated_at")
    list_filter = ("widget", "category")
    list_select_related = ("widget", "category")
    search_fields = ("texts__title",)
    ordering = ("-updated_at", "-id")
    actions_list = ("bring_in",)
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> Any:
        rows = super().get_queryset(request)
        if not getattr(request, "is_of_a_list", False):
            return rows
        texts = ArticleText.objects.unscoped("of the articles of the person's account").order_by("lang").defer("body")
        return rows.prefetch_related(Prefetch("texts", texts))

    def get_urls(self) -> list[URLPattern]:
        """With the calls of the editor's script, and the pages of versions."""
        named = {"preview": self.preview, "pictures": self.pictures, "find": self.find}
        of_row = {"versions": self.versions, "remove_language": self.remove_language, "tell": self.tell}
        wrap, prefix = self.admin_site.admin_view, "articles_article"
        return [
            *(path(f"{name}/", wrap(view), name=f"{prefix}_{name}") for name, view in named.items()),
            *(path(f"<path:object_id>/{name}/", wrap(view), name=f"{prefix}_{name}") for name, view in of_row.items()),
            *super().get_urls(),
        ]

    @admin.display(description=_("article"))
    def named(self, article: Article) -> str:
        return text_in({text.lang: text.title for text in article.texts.all()}, get_language() or "")

    @admin.display(description=_("languages"))
    def states(self, article: Article) -> SafeString:
        states = ((text.lang, state_of(text)) for text in article.texts.all())
        return format_html_join(" ", "{}", ((chip(f"{code}: {state.words}", state.tone),) for code, state in states))

    @admin.display(description=_("category"), empty_value="—")
    def in_category(self, article: Article) -> str:
        return text_in(article.category.name, get_language() or "") if article.category else ""

    # The editor.

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        widgets = self.own_choices(Widget, request)
        widget = widget_of_page(request, widgets)
        if widget is None:
            context = {**self.admin_site.each_context(request), "title": gettext("New article"), "opts": self.opts}
            return TemplateResponse(request, "admin/no_widget.html", context)
        others = list(widgets.exclude(pk=widget.pk).order_by("pk")[:OFFERED])
        return self._edit(request, Editing(request, widget, None), {"title": gettext("New article"), "others": others})

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        article: Article = self.get_object(request, object_id)
        if not self.has_view_permission(request, article):
            raise PermissionDenied
        if request.method == "POST" and not self.has_change_permission(request, article):
            raise PermissionDenied
        return self._edit(request, Editing(request, article.widget, article), {"title": self.named(article)})

    def _edit(self, request: HttpRequest, editing: Editing, about: Mapping[str, Any]) -> HttpResponse:
        if request.method == "POST":
            done = editing.do(request.POST.get("does", "save"))
            if done is not None:
                return done
        may_change = self.has_change_permission(request, editing.article) if editing.article else True
        request.head_widget = editing.widget  # type: ignore[attr-defined] # the switcher in the head
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "may_change": may_change,
            **editing.context(may_change=may_change),
            **about,
        }
        return TemplateResponse(request, "articles/editor.html", context)

    @unfold_action(description=_("Import…"), url_path="import", permissions=())  # type: ignore[untyped-decorator]
    def bring_in(self, request: HttpRequest) -> HttpResponse:
        """Brings articles in from a file or a website; it shows first which would be written."""
        return import_page(self, request)

    # The calls of the editor's script.

    def preview(self, request: HttpRequest) -> HttpResponse:
        """The HTML of a text that is being written."""
        widget = self._widget_to_write(request)
        body = request.POST.get("body", "")
        return JsonResponse({"html": preview_of(widget.pk, body)})

    def pictures(self, request: HttpRequest) -> HttpResponse:
        """Keeps a picture of the widget's articles, and answers its address."""
        widget = self._widget_to_write(request)
        sent = request.FILES.get("file")
        found = kept_picture(widget.pk, sent) if sent else gettext("No picture came.")
        return JsonResponse({"refusal": found} if isinstance(found, str) else {"url": picture_path(found.guid)})

    def find(self, request: HttpRequest) -> HttpResponse:
        """The articles of a widget whose title has some words."""
        widget = widget_of_page(request, self.own_choices(Widget, request))
        if widget is None:
            raise Http404
        return JsonResponse(
            {"articles": found_articles(widget.pk, request.GET.get("q", ""), request.GET.get("lang", ""))}
        )

    def _widget_to_write(self, request: HttpRequest) -> Widget:
        if request.method != "POST" or not self.has_add_permission(request):
            raise PermissionDenied
        widget = widget_of_page(request, self.own_choices(Widget, request))
        if widget is None:
            raise Http404
        return widget

    # Versions.

    def versions(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Two versions beside each other; at a POST, an older one becomes the draft."""
        article: Article = self.get_object(request, object_id)
        if not self.has_view_permission(request, article):
            raise PermissionDenied
        text = self._text_of(request, article)
        if request.method == "POST":
            return self._taken_back(request, article, text)
        rows = ArticleVersion.objects.for_widget(article.widget_id).filter(text=text).order_by("-version")
        listed = list(rows.only("version", "at", "actor")[:MOST_VERSIONS])
        lines = version_lines(listed, text.published_version)
        numbers = [line["version"] for line in lines]
        seen = text.published_version
        before = seen if seen is not None and seen in numbers[1:] else numbers[min(1, len(numbers) - 1)]
        old, new = _number(request, "from", numbers, before), _number(request, "to", numbers, numbers[0])
        bodies = {row.version: row for row in rows.filter(version__in=(old, new))}
        compared = [f"{bodies[number].title}\n\n{bodies[number].body}" for number in (old, new)]
        told = {line["version"]: line for line in lines}
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Versions: %(title)s") % {"title": text.title},
            "lang": text.lang,
            "versions": lines,
            "sides": [("from", gettext("This version"), old), ("to", gettext("beside this one"), new)],
            "older": told[old],
            "newer": told[new],
            "rows": beside(*compared),
            "may_change": self.has_change_permission(request, article),
            "back": editor_of(article.pk, text.lang),
        }
        return TemplateResponse(request, "articles/versions.html", context)

    def _taken_back(self, request: HttpRequest, article: Article, text: ArticleText) -> HttpResponse:
        if not self.has_change_permission(request, article):
            raise PermissionDenied
        named = request.POST.get("version", "")
        rows = ArticleVersion.objects.for_widget(article.widget_id).filter(text=text)
        number = int(named) if named.isascii() and named.isdecimal() and len(named) < 10 else 0
        old = rows.filter(version=number).first()
        if old is None:
            raise Http404
        values: dict[str, Any] = {name: getattr(old, name) for name in CONTENT}
        where: dict[str, Any] = {"widget_id": article.widget_id, "article_id": article.pk, "lang": text.lang}
        try:
            put_text(**where, **values, actor=str(user_of(request)))
        except Problem as problem:
            messages.error(request, words_of(problem))
        else:
            messages.success(request, gettext("Version %(number)s is the draft now.") % {"number": number})
        return HttpResponseRedirect(editor_of(article.pk, text.lang))

    def remove_language(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Asks at a GET; at a POST deletes the text in one language."""
        article: Article = self.get_object(request, object_id)
        if not self.has_delete_permission(request, article):
            raise PermissionDenied
        text = self._text_of(request, article)
        back = editor_of(article.pk, text.lang)
        if request.method == "POST":
            try:
                delete_text(widget_id=article.widget_id, article_id=article.pk, lang=text.lang)
            except Problem as problem:
                messages.error(request, words_of(problem))
            else:
                messages.success(request, gettext("The text is deleted."))
            return HttpResponseRedirect(back)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Delete in one language"),
            "form": forms.Form(),
            "note": text.title,
            "button": gettext("Delete"),
            "back": back,
        }
        return TemplateResponse(request, "admin/simple_form.html", context)

    def tell(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Tells who asked in vain that the article answers them now."""
        return tell_page(self, request, object_id)

    def _text_of(self, request: HttpRequest, article: Article) -> ArticleText:
        """The text in the language that the address or the form names, else the first one."""
        texts = list(article.texts.all())
        if not texts:
            raise Http404
        named = request.POST.get("lang") or request.GET.get("lang") or ""
        return next((text for text in texts if text.lang == named), texts[0])

    def remove(self, request: HttpRequest, obj: Article) -> None:
        delete_article(widget_id=obj.widget_id, article_id=obj.pk)


def _number(request: HttpRequest, name: str, known: list[int], default: int) -> int:
    given = request.GET.get(name, "")
    number = int(given) if given.isascii() and given.isdecimal() and len(given) < 10 else default
    return number if number in known else default
