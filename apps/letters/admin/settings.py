"""The cabinet's page "Letters": whether answers are mailed, when, and who is woken."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.template.defaultfilters import yesno
from django.utils.html import format_html_join
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.accounts.cabinet import AccessLevel
from apps.accounts.widget_pages import WidgetPageAdmin
from apps.letters.actions.answers import has_mail_server
from apps.letters.actions.settings import NAMES, change_settings, settings_of, shown
from apps.letters.cabinet import check_page
from apps.letters.forms import LABELS, LettersForm
from apps.letters.models import WidgetLetters


@admin.register(WidgetLetters)
class WidgetLettersAdmin(WidgetPageAdmin):
    """The settings of `manage.py letter_settings`, and the same refusals."""

    account_path = "account_id"
    may_change = AccessLevel.ACCOUNT
    titles = (_("letters"), _("letters"))
    form = LettersForm
    actions_detail = ("try_it",)
    list_display = ("name", "answers", "notes")
    ordering = ("name",)
    readonly_fields = ("name", "chosen", "notes")

    def get_fieldsets(self, request: HttpRequest, obj: WidgetLetters | None = None) -> Any:
        if not self.has_change_permission(request, obj):
            return ((None, {"fields": ("name", "chosen", "notes")}),)
        to_visitors = ("notes", "answers", "unseen_min", "of_ai", "site", "shop_address")
        return (
            (_("To visitors"), {"classes": ["tab"], "fields": to_visitors}),
            (_("To operators"), {"classes": ["tab"], "fields": ("waiting_min", "waiting_words")}),
        )

    def get_form(
        self, request: HttpRequest, obj: WidgetLetters | None = None, change: bool = False, **options: Any
    ) -> Any:
        """The settings are fields of the form, and no fields of the model."""
        options["fields"] = []
        return super().get_form(request, obj, change, **options)

    @unfold_action(description=_("Try it…"), url_path="try")  # type: ignore[untyped-decorator]
    def try_it(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Has the installation write to itself, and tells what came of it."""
        widget: WidgetLetters = self.get_object(request, object_id)
        if not self.has_change_permission(request, widget):
            raise PermissionDenied
        return check_page(self.admin_site, request, widget_id=widget.pk, mailbox=None, back=self.page_of(widget.pk))

    @admin.display(description=_("answers by letter"))
    def answers(self, widget: WidgetLetters) -> Any:
        return dict(LettersForm.ANSWERS)[settings_of(widget.pk).answers]

    @admin.display(description=_("notes"))
    def notes(self, widget: WidgetLetters) -> str:
        """The obstacle to letters, or the offer of them."""
        if not has_mail_server():
            return gettext("There is no mail server: letters become files. EMAIL_URL names one.")
        if settings_of(widget.pk).is_offered:
            return gettext("Who leaves can be reached: choose “on”, and unseen answers are mailed.")
        return ""

    @admin.display(description=_("settings"))
    def chosen(self, widget: WidgetLetters) -> Any:
        """The settings in effect, for people who only read."""
        values = {
            name: yesno(value) if isinstance(value, bool) else value
            for name, value in shown(settings_of(widget.pk)).items()
        }
        return format_html_join("", "<p>{}: <strong>{}</strong></p>", ((LABELS[name], values[name]) for name in NAMES))

    def write(self, request: HttpRequest, obj: WidgetLetters, form: "ModelForm[Any]", change: bool) -> None:
        changes = {name: form.cleaned_data[name] for name in form.changed_data if name in NAMES}
        if changes:
            change_settings(widget_id=obj.pk, changes=changes)
