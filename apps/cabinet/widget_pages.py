"""The base of pages of which each widget has one, such as its AI settings: pages, not lists of one row."""

from typing import TYPE_CHECKING, Any, ClassVar

from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse

from apps.accounts.models import Widget
from apps.accounts.querysets import seen_by
from apps.cabinet.chosen_widget import current_widget
from apps.cabinet.tenant_admin import TenantAdmin, user_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django_stubs_ext import StrOrPromise


class WidgetPageAdmin(TenantAdmin):
    """A page that each widget has from its first day, under the widget's id, whether it has a row yet or not.

    The list leads to the page of the widget that is chosen, or of the first; the switcher in its head to the others'.
    """

    lines_from: ClassVar[tuple[str, ...]] = ()

    def lines_of(self, row: Any) -> list[str]:
        """The widget's lines of the models that the page writes: its own, or `lines_from`."""
        widget_id = row.pk if isinstance(row, Widget) else row.widget_id
        models = self.lines_from or (row._meta.label_lower,)
        return [f"{label}:{row.pk or widget_id if label == row._meta.label_lower else widget_id}" for label in models]

    def settings_shown(self) -> "Iterable[StrOrPromise]":
        return [label for name, label in self.labels.items() if name != "widget"]

    @property
    def _widget_key(self) -> str:
        return "pk" if issubclass(self.model, Widget) else "widget_id"

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """The row of the widget with this id; one with the defaults, not stored, where the widget has none."""
        widget = self._widgets(request).filter(pk=number_in(object_id)).first()
        if widget is None:
            raise Http404
        found = self.get_queryset(request).filter(**{self._widget_key: widget.pk}).first()
        return self.model(widget=widget) if found is None else found

    def _widgets(self, request: HttpRequest) -> Any:
        return seen_by(user_of(request), Widget.objects.select_related("account"), "account_id").order_by("id")

    def _account_id(self, request: HttpRequest, obj: Any) -> Any:
        if isinstance(obj, Model):
            return super()._account_id(request, obj)
        return self._widgets(request).filter(pk=number_in(str(obj))).values_list("account_id", flat=True).first()

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        widget = current_widget(request) or self._widgets(request).first()
        if widget is not None:
            return HttpResponseRedirect(self.page_of(widget.pk))
        context = {**self.admin_site.each_context(request), "title": self.name_of_list(), "opts": self.opts}
        return TemplateResponse(request, "admin/no_widget.html", context | (extra_context or {}))

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        """Without the button that goes on to another row: there is one. The page's name is that of its list."""
        context |= {"show_save_and_add_another": False}
        row = context.get("original")
        if row is not None:
            request.head_widget = row if isinstance(row, Widget) else row.widget  # type: ignore[attr-defined]
        response: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return response

    def name_of_page(self, obj: Any) -> str:
        return self.name_of_list()

    def page_of(self, widget_id: int) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[widget_id])

    def response_post_save_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        """Stays on the page, as there is no list to go back to."""
        return HttpResponseRedirect(request.path)


def number_in(text: str) -> int:
    """The id that a page's address, or form, names. Raises Http404 for what is none."""
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise Http404
    return int(text)
