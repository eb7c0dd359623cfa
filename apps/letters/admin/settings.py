"""The cabinet's page "E-mails": whether answers are mailed, when, and who is woken."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.cabinet.menu import CHANNELS, MenuPlace
from apps.cabinet.settings_pages import SettingsPageAdmin
from apps.letters.actions.answers import has_mail_server
from apps.letters.cabinet import check_page
from apps.letters.models import WidgetLetters
from apps.letters.settings import SETTINGS, settings_of


@admin.register(WidgetLetters)
class WidgetLettersAdmin(SettingsPageAdmin):
    """The settings of `manage.py letter_settings`, and the same refusals."""

    table = SETTINGS
    menu = MenuPlace(CHANNELS, 20, _("E-mails"), _("Settings"))
    titles = (_("e-mails"), _("e-mails"))
    actions_detail = ("try_it",)
    list_display = ("name", "answers", "notes")

    @unfold_action(description=_("Try it…"), url_path="try")  # type: ignore[untyped-decorator]
    def try_it(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Has the installation write to itself, and tells what came of it."""
        widget: WidgetLetters = self.get_object(request, object_id)
        if not self.has_change_permission(request, widget):
            raise PermissionDenied
        return check_page(self.admin_site, request, widget_id=widget.pk, mailbox=None, back=self.page_of(widget.pk))

    @admin.display(description=_("answers by e-mail"))
    def answers(self, widget: WidgetLetters) -> Any:
        return SETTINGS.by_name["answers"].choices[settings_of(widget.pk).answers]

    @admin.display(description=_("notes"))
    def notes(self, widget: WidgetLetters) -> str:
        """The obstacle to letters, or the offer of them."""
        if not has_mail_server():
            return gettext("There is no mail server: e-mails become files. EMAIL_URL names one.")
        if settings_of(widget.pk).is_offered:
            return gettext("Who leaves can be reached: choose “on”, and unseen answers are mailed.")
        return ""
