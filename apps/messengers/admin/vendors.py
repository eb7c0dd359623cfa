"""Vendors' settings, for those who run the installation. Secrets are set here, and shown nowhere."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.cabinet.menu import INSTALLATION, MenuPlace
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin
from apps.messengers.actions.accounts import app_callback
from apps.messengers.actions.provider_calls import vendor
from apps.messengers.actions.vendors import change_vendor, reset_vendor
from apps.messengers.adapters import ADAPTERS, CONNECTED
from apps.messengers.forms import VendorForm
from apps.messengers.models import VendorSettings

# Others are called at their owners' own addresses.
WITH_SETTINGS = tuple(code for code in CONNECTED if not ADAPTERS[code].has_own_address)


@admin.register(VendorSettings)
class VendorSettingsAdmin(TenantAdmin):
    """A row a vendor, once something of it was set. As `manage.py messenger_vendor`."""

    menu = MenuPlace(INSTALLATION, 30, _("Vendors of messengers"))
    may_add = may_change = may_delete = AccessLevel.INSTALLATION
    titles = (_("vendor settings"), _("vendor settings"))
    labels = {"provider": _("messenger"), "base": _("address of the API"), "client_id": _("client id")}
    list_display = ("messenger", "base", "updates", "has_app_secret", "client_id", "has_client_secret", "callback")
    ordering = ("provider",)

    @admin.display(description=_("messenger"), ordering="provider")
    def messenger(self, row: VendorSettings) -> str:
        return f"{ADAPTERS[row.provider].name} ({row.provider})"

    @admin.display(description=_("to be pasted there"))
    def callback(self, row: VendorSettings) -> str:
        """The address at which the vendor's app delivers for all, and the token by which it is verified."""
        if not row.app_key:
            return "-"
        token = gettext("verify token")
        template = '<code class="break-all">{}</code><br>{}: <code class="break-all">{}</code>'
        return format_html(template, app_callback(row), token, row.app_verify_token)

    @admin.display(description=_("app secret"), boolean=True)
    def has_app_secret(self, row: VendorSettings) -> bool:
        return bool(row.app_secret)

    @admin.display(description=_("client secret"), boolean=True)
    def has_client_secret(self, row: VendorSettings) -> bool:
        return bool(row.client_secret)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """First which vendor; then its settings."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        provider = request.GET.get("provider", "")
        if provider:
            if provider not in WITH_SETTINGS:
                raise Http404
            return self._page(request, provider)
        where = reverse("admin:messengers_vendorsettings_add")
        choices = sorted(
            (ADAPTERS[code].name, ADAPTERS[code].about.picture, f"{where}?provider={code}") for code in WITH_SETTINGS
        )
        context = {**self.admin_site.each_context(request), "opts": self.opts, "title": gettext("Settings of a vendor")}
        return TemplateResponse(request, "admin/messengers/choose.html", {**context, "choices": choices})

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        row: VendorSettings = self.get_object(request, object_id)
        if not self.has_change_permission(request, row):
            raise PermissionDenied
        return self._page(request, row.provider)

    def _page(self, request: HttpRequest, provider: str) -> HttpResponse:
        row, back = vendor(provider), reverse("admin:messengers_vendorsettings_changelist")
        initial = {"base": row.base, "updates": row.updates, "client_id": row.client_id}
        form = VendorForm(request.POST or None, provider=provider, initial=initial)
        if request.method == "POST" and form.is_valid():
            change_vendor(provider=provider, changes=form.changes)
            messages.success(request, gettext("The settings are saved."))
            return HttpResponseRedirect(back)
        remove = reverse("admin:messengers_vendorsettings_delete", args=[provider]) if not row._state.adding else ""
        context = {**self.admin_site.each_context(request), "opts": self.opts, "title": ADAPTERS[provider].name}
        return TemplateResponse(
            request, "admin/kb/form.html", {**context, "form": form, "back": back, "remove": remove}
        )

    def remove(self, request: HttpRequest, obj: VendorSettings) -> None:
        reset_vendor(provider=obj.provider)
