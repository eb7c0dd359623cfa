"""The cabinet's page of a widget's settings."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from apps.accounts.cabinet import OwnRowsAdmin, Who
from apps.widget.actions.settings import change_settings
from apps.widget.forms import WidgetLookForm
from apps.widget.models import WidgetLook
from apps.widget.rules.fields import WRITABLE

if TYPE_CHECKING:
    from django.forms import ModelForm


@admin.register(WidgetLook)
class WidgetLookAdmin(OwnRowsAdmin):
    """How a widget looks and speaks: the settings of the API, and the same refusals."""

    account_path = "account_id"
    may_change = Who.ACCOUNT
    titles = (_("widget settings"), _("widget settings"))
    form = WidgetLookForm
    list_display = ("name",)
    ordering = ("name",)
    readonly_fields = ("name",)

    def get_fields(self, request: HttpRequest, obj: WidgetLook | None = None) -> tuple[str, ...]:
        return ("name", *(each.name for each in WRITABLE)) if self.has_change_permission(request, obj) else ("name",)

    def get_form(self, request: HttpRequest, obj: WidgetLook | None = None, **options: Any) -> Any:
        """The settings are fields of the form, and no fields of the model."""
        options["fields"] = []
        return super().get_form(request, obj, **options)

    def write(self, request: HttpRequest, obj: WidgetLook, form: "ModelForm[Any]", change: bool) -> None:
        change_settings(widget_id=obj.pk, changes=form.changes)  # type: ignore[attr-defined]
