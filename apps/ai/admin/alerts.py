"""The cabinet's page of AI alerts."""

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.ai.actions import advice
from apps.ai.actions.alerts import acknowledge
from apps.ai.actions.cures import cure_of
from apps.ai.models import Alert
from apps.cabinet.log_admin import LogAdmin
from apps.cabinet.menu import KNOWLEDGE, MenuPlace
from apps.cabinet.tenant_admin import AccessLevel


@admin.register(Alert)
class AlertAdmin(LogAdmin):
    menu = MenuPlace(KNOWLEDGE, 70, _("Usage and alerts"), _("Alerts"))
    purpose = _("What went wrong with AI and needs you.")
    titles = (_("alert"), _("alerts"))
    labels = {
        "widget": _("widget"),
        "code": _("code"),
        "severity": _("severity"),
        "message": _("what happened"),
        "occurrences": _("times"),
        "first_at": _("first"),
        "last_at": _("last"),
        "acknowledged_at": _("acknowledged"),
    }
    list_display = ("last_at", "code", "severity", "told", "widget", "occurrences", "acknowledged_at")
    list_filter = ("widget", "severity", ("acknowledged_at", admin.EmptyFieldListFilter))
    fields = ("code", "severity", "told", "widget", "occurrences", "first_at", "last_at", "acknowledged_at")
    actions_detail = ("mend", "acknowledge")

    @unfold_action(description=_("Mend it"), url_path="mend", permissions=())  # type: ignore[untyped-decorator]
    def mend(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Leads to the page where its cause is mended."""
        alert: Alert = self.get_object(request, object_id)
        if not self._is_allowed(request, AccessLevel.ACCOUNT, alert):
            raise PermissionDenied
        return HttpResponseRedirect(cure_of(alert))

    @admin.display(description=_("what happened"))
    def told(self, alert: Alert) -> str:
        """The message in the reader's language."""
        return advice.told(alert)

    @unfold_action(description=_("Acknowledge"), url_path="acknowledge")  # type: ignore[untyped-decorator]
    def acknowledge(self, request: HttpRequest, object_id: str) -> HttpResponse:
        alert: Alert = self.get_object(request, object_id)
        if not self._is_allowed(request, AccessLevel.ACCOUNT, alert):
            raise PermissionDenied
        back = reverse("admin:ai_alert_change", args=[alert.pk])
        if request.method != "POST":
            context = {
                **self.admin_site.each_context(request),
                "title": gettext("Acknowledge the alert?"),
                "alert": alert,
                "told": advice.told(alert),
                "back": back,
            }
            return TemplateResponse(request, "admin/ai/acknowledge.html", context)
        acknowledge(widget_id=alert.widget_id, ids=[alert.pk])
        messages.success(request, gettext("It is acknowledged. Should it happen again, a new one begins."))
        return HttpResponseRedirect(back)
