"""The cabinet's page of the weekly letter: to whom it goes, and whether to oneself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.cabinet.menu import MenuPlace
from apps.cabinet.tenant_admin import AccessLevel, user_of
from apps.cabinet.widget_pages import WidgetPageAdmin
from apps.reports.actions.letters import choose_letter
from apps.reports.cabinet.menu import REPORTS
from apps.reports.models.pages import WidgetWeeklyLetter
from apps.reports.querysets.readers import may_read, readers_of, wants_letter

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@admin.register(WidgetWeeklyLetter)
class WidgetWeeklyLetterAdmin(WidgetPageAdmin):
    """The weekly letter of a widget: each owner or manager chooses for themselves."""

    menu = MenuPlace(REPORTS, 40, _("Weekly letter"))
    purpose = _("The figures of the week, each Monday at 9:00: to whom they go.")
    account_path = "account_id"
    may_change = AccessLevel.ACCOUNT
    titles: ClassVar[tuple[StrOrPromise, StrOrPromise]] = (_("weekly letter"), _("weekly letter"))
    list_display = ("name",)
    ordering = ("name",)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        widget: Any = self.get_object(request, object_id)
        if not self.has_view_permission(request, widget):
            raise PermissionDenied
        request.head_widget = widget  # type: ignore[attr-defined] # the switcher in the head
        user = user_of(request)
        if request.method == "POST":
            if not may_read(user, widget):
                raise PermissionDenied
            if request.POST.get("weekly") not in ("0", "1"):
                return HttpResponseRedirect(request.path)
            is_wanted = request.POST["weekly"] == "1"
            choose_letter(widget_id=widget.pk, user_id=user.pk, is_wanted=is_wanted)
            said = (
                gettext("You get the letter from now on.")
                if is_wanted
                else gettext("The letter does not come to you any more.")
            )
            messages.success(request, said)
            return HttpResponseRedirect(request.path)
        context = {
            **self.admin_site.each_context(request),
            "title": self.name_of_list(),
            "opts": self.opts,
            "original": widget,
            "may_choose": may_read(user, widget),
            "is_wanted": wants_letter(user, widget),
            "readers": readers_of(widget),
            "zone": widget.time_zone,
        }
        return TemplateResponse(request, "reports/letter.html", context)
