"""The cabinet's pages of widgets and API tokens."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action
from unfold.enums import ActionVariant

from apps.accounts import actions, rules
from apps.accounts.actions import exports
from apps.accounts.models import ApiToken, User, Widget
from apps.cabinet.forms import (
    IssueTokenForm,
    ManagersTokenForm,
    NewWidgetForm,
    OwnWidgetForm,
    WidgetForm,
)
from apps.cabinet.import_page import import_page
from apps.cabinet.menu import PROGRAMS, WIDGET, MenuPlace
from apps.cabinet.shown_once import show_once
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin, changes_of, user_of
from apps.core import cabinet
from apps.core.redis import RedisAway, last_requests
from apps.core.redis.last_requests import LastRequest


@admin.register(Widget)
class WidgetAdmin(TenantAdmin):
    """The installation adds widgets and gives seats; owners add some with one seat, and an account's staff names them
    and opens their API and origins.
    """

    menu = MenuPlace(WIDGET, 20, _("Widgets"))
    purpose = _("A widget is one window for chats, with its own settings, people and knowledge.")
    found_at = 10
    account_path = "account_id"
    may_add = AccessLevel.OWNERS
    may_change = AccessLevel.ACCOUNT
    titles = (_("widget"), _("widgets"))
    labels = {
        "name": pgettext_lazy("of a thing", "name"),
        "guid": _("GUID"),
        "account": _("account"),
        "allowed_origins": _("allowed origins"),
        "seats": _("seats"),
        "created_at": _("created"),
    }
    form = WidgetForm
    list_display = ("name", "guid", "account", "api_enabled", "seats")
    list_select_related = ("account",)
    search_fields = ("name", "guid")
    ordering = ("id",)
    actions_list = ("import_widget",)
    fields = ("name", "guid", "account", "api_enabled", "allowed_origins", "time_zone", "seats", "created_at")
    change_form_outer_before_template = "accounts/facts.html"
    actions_detail = ("export",)

    def has_import_permission(self, request: HttpRequest) -> bool:
        """Imports are for those who run the installation: they take room."""
        return user_of(request).is_superuser

    @unfold_action(description=_("Import…"), url_path="import", permissions=["import"])  # type: ignore[untyped-decorator]
    def import_widget(self, request: HttpRequest) -> HttpResponse:
        """An export of this installation or another becomes a new widget of an account."""
        return import_page(self, request)

    def get_fieldsets(self, request: HttpRequest, obj: Widget | None = None) -> Any:
        if obj is not None:
            return super().get_fieldsets(request, obj)
        fields = (
            ("account", "name", "owner", "seats") if user_of(request).is_superuser else ("account", "name", "owner")
        )
        return ((None, {"fields": fields}),)

    @unfold_action(description=_("Export"), url_path="export")  # type: ignore[untyped-decorator]
    def export(self, request: HttpRequest, object_id: str) -> HttpResponseBase:
        """Asks at a GET; at a POST, all of the widget but its secrets, as a zip that is sent while it is made."""
        widget: Widget = self.get_object(request, object_id)
        if not self.has_change_permission(request, widget):
            raise PermissionDenied
        if request.method != "POST":
            context = {
                **self.admin_site.each_context(request),
                "title": gettext("Export %s") % widget.name,
                "note": gettext("All data of the widget but its secrets, in one file. The owners are told by e-mail."),
                "form": forms.Form(),
                "button": gettext("Export"),
                "back": reverse("admin:accounts_widget_change", args=[widget.pk]),
            }
            return TemplateResponse(request, "admin/simple_form.html", context)
        headers = {
            "Content-Disposition": f'attachment; filename="widget-{widget.guid}.zip"',
            "Cache-Control": "no-store",
        }
        pieces = exports.zip_of_widget(widget=widget, by=user_of(request))
        return StreamingHttpResponse(pieces, content_type="application/zip", headers=headers)

    def get_actions_detail(self, request: HttpRequest, object_id: str) -> list[Any]:
        """Without the export for who may read alone."""
        if not self.has_change_permission(request, self.get_object(request, object_id)):
            return []
        found: list[Any] = super().get_actions_detail(request, object_id)
        return found

    def get_readonly_fields(self, request: HttpRequest, obj: Widget | None = None) -> tuple[str, ...]:
        """Seats are paid for, so only the installation's staff gives them."""
        if obj is None:
            return ()
        fixed = ("guid", "account", "created_at")
        return fixed if user_of(request).is_superuser else (*fixed, "seats")

    def get_form(self, request: HttpRequest, obj: Widget | None = None, change: bool = False, **kwargs: Any) -> Any:
        if obj is None:
            is_own = not user_of(request).is_superuser
            kwargs["form"] = OwnWidgetForm if is_own else NewWidgetForm
        form = super().get_form(request, obj, change, **kwargs)
        if obj is None:
            form.base_fields["owner"].queryset = self.own_choices(User, request).exclude(account=None)
        return form

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        """With what the apps above tell of the widget: how it comes onto a page, which seats are free."""
        widget: Widget | None = context.get("original")
        if widget is not None:
            context["facts"] = cabinet.facts(widget.pk)
        response: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return response

    def write(self, request: HttpRequest, obj: Widget, form: ModelForm[Any], change: bool) -> None:
        wanted = form.cleaned_data
        if not change:
            obj.pk = actions.add_widget(
                account=wanted["account"], name=wanted["name"], owner=wanted["owner"], seats=wanted.get("seats", 1)
            ).pk
            return
        changes = changes_of(form)
        if not changes.get("time_zone", True):
            del changes["time_zone"]  # none chosen is no change
        enabled = changes.pop("api_enabled", None)
        if changes:
            actions.change_widget(widget=obj, changes=changes)
        if enabled is not None:
            actions.set_api_enabled(widget=obj, enabled=enabled)


@admin.register(ApiToken)
class ApiTokenAdmin(TenantAdmin):
    """Tokens are issued and revoked. An issued token can change its name only."""

    menu = MenuPlace(PROGRAMS, 10, _("API tokens"))
    purpose = _("Keys with which your own programs call the API.")
    found_at = 20
    account_path = "widget__account_id"
    may_add = AccessLevel.ACCOUNT
    may_change = AccessLevel.ACCOUNT
    titles = (_("API token"), _("API tokens"))
    labels = {
        "name": pgettext_lazy("of a thing", "name"),
        "hint": _("begins with"),
        "widget": _("widget"),
        "expires_at": _("expires"),
        "revoked_at": _("revoked at"),
        "last_used_at": _("last used"),
        "created_by": _("issued by"),
        "created_at": _("created"),
    }
    list_display = ("__str__", "hint", "widget", "state", "issued_by", "last_used_at", "expires_at", "created_at")
    list_filter = ("widget", "created_by")
    list_select_related = ("widget", "created_by")
    search_fields = ("name", "hint")
    ordering = ("-id",)
    actions = ("revoke",)
    actions_detail = ("show_requests", "revoke_this")

    @admin.display(description=_("state"))
    def state(self, token: ApiToken) -> str:
        if token.revoked_at:
            return gettext("revoked")
        good = rules.is_valid(revoked_at=None, expires_at=token.expires_at, now=timezone.now())
        if good and not token.widget.api_enabled:
            return gettext("the API is off")
        return gettext("active") if good else gettext("expired")

    @admin.display(description=_("scopes"))
    def scope_list(self, token: ApiToken) -> str:
        return ", ".join(token.scopes) or pgettext("no scopes", "none")

    @admin.display(description=_("issued by"))
    def issued_by(self, token: ApiToken) -> str | None:
        """As an account's staff is told of it: by one of the account's people, or by the installation's.

        Tokens issued by a command have no creator.
        """
        person = token.created_by
        if person is None:
            return None
        return str(person) if person.account_id == token.widget.account_id else gettext("the installation")

    def get_fields(self, request: HttpRequest, obj: ApiToken | None = None) -> tuple[str, ...]:
        if obj is None:
            return ("name", "widget", "scopes", "expires")
        return ("name", *self.get_readonly_fields(request, obj))

    def get_readonly_fields(self, request: HttpRequest, obj: ApiToken | None = None) -> tuple[str, ...]:
        if obj is None:
            return ()
        return (
            "hint",
            "widget",
            "scope_list",
            "state",
            "last_used_at",
            "expires_at",
            "revoked_at",
            "created_by" if user_of(request).is_superuser else "issued_by",
            "created_at",
        )

    def get_form(self, request: HttpRequest, obj: ApiToken | None = None, change: bool = False, **kwargs: Any) -> Any:
        if obj is None:
            user = user_of(request)
            kwargs["form"] = IssueTokenForm if user.is_superuser or user.is_owner else ManagersTokenForm
        return super().get_form(request, obj, change, **kwargs)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        context = {
            "title": gettext("Issue an API token"),
            "show_save_and_add_another": False,
            "show_save_and_continue": False,
        }
        response: HttpResponse = super().add_view(request, form_url, context | (extra_context or {}))
        return response

    def write(self, request: HttpRequest, obj: ApiToken, form: ModelForm[Any], change: bool) -> None:
        if change:
            actions.rename_token(token=obj, name=obj.name)
            return
        wanted = form.cleaned_data
        issued = actions.issue_token(
            widget=wanted["widget"],
            scopes=wanted["scopes"],
            name=wanted["name"],
            expires_at=wanted["expires"],
            issued_by=user_of(request),
        )
        obj.pk = issued.token.pk
        request.issued = issued  # type: ignore[attr-defined] # for the one page that shows it

    def response_add(self, request: HttpRequest, obj: ApiToken, post_url_continue: Any = None) -> HttpResponse:
        """Leads to the page that shows the plain token once."""
        issued: actions.IssuedToken = request.issued  # type: ignore[attr-defined]
        return show_once(
            request,
            "admin/accounts/apitoken/issued.html",
            title=gettext("The API token is issued"),
            token_id=issued.token.pk,
            plain_text=issued.plain_text,
            widget_id=issued.token.widget_id,
            widget=str(issued.token.widget),
            api_enabled=issued.token.widget.api_enabled,
        )

    @admin.action(description=_("Revoke"), permissions=["change"])
    def revoke(self, request: HttpRequest, tokens: QuerySet[ApiToken]) -> HttpResponse | None:
        """Asks first, on a page of its own, then revokes those that still stand."""
        standing = list(tokens.filter(revoked_at=None))
        if standing and "confirmed" not in request.POST:
            return self._ask_to_revoke(request, standing)
        for token in standing:
            self.log_change(request, token, "Revoked.")
        actions.revoke_tokens(
            tokens=ApiToken.objects.unscoped("narrowed by the cabinet").filter(pk__in=[token.pk for token in standing])
        )
        self.message_user(request, gettext("Revoked: %(count)d.") % {"count": len(standing)}, messages.SUCCESS)
        return None

    @unfold_action(description=_("Last requests"), url_path="requests")  # type: ignore[untyped-decorator]
    def show_requests(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The page of the token's last requests and their statuses: without bodies, addresses and queries."""
        token: ApiToken = self.get_object(request, object_id)
        is_away, found = False, list[LastRequest]()
        try:
            found = last_requests.of(token.pk)
        except RedisAway:
            is_away = True
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Last requests with %(token)s") % {"token": token},
            "opts": self.opts,
            "is_away": is_away,
            "kept": last_requests.KEPT,
            "requests": [(datetime.fromtimestamp(each.at, UTC), each) for each in found],
            "page": reverse("admin:accounts_apitoken_change", args=[token.pk]),
        }
        return TemplateResponse(request, "admin/accounts/apitoken/requests.html", context)

    @unfold_action(description=_("Revoke…"), variant=ActionVariant.DANGER, url_path="revoke")  # type: ignore[untyped-decorator]
    def revoke_this(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Asks at a GET, revokes at a POST."""
        token: ApiToken = self.get_object(request, object_id)
        if not self.has_change_permission(request, token):
            raise PermissionDenied
        if request.method != "POST":
            return self._ask_to_revoke(request, [token])
        if token.revoked_at is None:
            actions.revoke_token(token=token)
            self.log_change(request, token, "Revoked.")
        self.message_user(request, gettext("%(token)s is revoked.") % {"token": token}, messages.SUCCESS)
        return HttpResponseRedirect(reverse("admin:accounts_apitoken_changelist"))

    def get_actions_detail(self, request: HttpRequest, object_id: str) -> list[Any]:
        """No action for people who may not change the token; no "Revoke" on the page of a revoked one."""
        token = self.get_object(request, object_id)
        if not self.has_change_permission(request, token):
            return []
        found: list[Any] = super().get_actions_detail(request, object_id)
        return [each for each in found if token.revoked_at is None or not each.action_name.endswith("revoke_this")]

    def _ask_to_revoke(self, request: HttpRequest, tokens: list[ApiToken]) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Revoke?"),
            "opts": self.opts,
            "tokens": tokens,
            "is_from_list": "action" in request.POST,
        }
        return TemplateResponse(request, "admin/accounts/apitoken/revoke.html", context)
