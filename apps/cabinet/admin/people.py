"""The cabinet's pages of accounts and of people who sign in."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.accounts import actions, two_factor
from apps.accounts.actions.colleagues import invite_colleague
from apps.accounts.models import Account, ApiToken, User
from apps.accounts.sign_in_limits import seconds_until_next_attempt
from apps.cabinet.customer_page import customer_page
from apps.cabinet.forms import (
    AccountForm,
    ColleagueForm,
    DeleteAccountForm,
    NewUserForm,
    PersonForm,
)
from apps.cabinet.menu import ACCOUNT, MenuPlace
from apps.cabinet.refusals import words_of
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin, changes_of, user_of
from apps.core.problems import Problem

PERSON_LABELS = {
    "email": _("e-mail"),
    "name": _("name"),
    "surname": _("surname"),
    "created_at": _("created"),
}


@admin.register(Account)
class AccountAdmin(TenantAdmin):
    """The installation opens accounts; an account's staff changes its e-mail address and profile, or deletes it."""

    menu = MenuPlace(ACCOUNT, 10, _("Account"))
    account_path = "id"
    may_add = AccessLevel.INSTALLATION
    may_change = AccessLevel.OWNERS
    may_delete = AccessLevel.OWNERS
    titles = (_("account"), _("accounts"))
    labels = PERSON_LABELS
    form = AccountForm
    actions_list = ("open_customer",)
    list_display = ("email", "name", "surname", "created_at")
    search_fields = ("email", "name", "surname")
    delete_confirmation_template = "admin/accounts/account/delete.html"

    def get_fields(self, request: HttpRequest, obj: Account | None = None) -> tuple[str, ...]:
        """The recommender of an account is set once, and hidden from its staff: it is another customer."""
        profile = ("email", "name", "surname", "phone")
        if obj is None:
            return (*profile, "referred_by")
        return (*profile, *self.get_readonly_fields(request, obj))

    def get_readonly_fields(self, request: HttpRequest, obj: Account | None = None) -> tuple[str, ...]:
        if obj is None:
            return ()
        return ("referral_code", "referred_by") if user_of(request).is_superuser else ("referral_code",)

    def write(self, request: HttpRequest, obj: Account, form: ModelForm[Any], change: bool) -> None:
        if change:
            actions.change_profile(account_id=obj.pk, changes=changes_of(form))
        else:
            actions.open_account(account=obj)

    @unfold_action(description=_("New customer…"), url_path="customer", permissions=["add"])  # type: ignore[untyped-decorator]
    def open_customer(self, request: HttpRequest) -> HttpResponse:
        """Account, owner by invitation, widget and plan in one form."""
        return customer_page(self, request)

    def remove(self, request: HttpRequest, obj: Account) -> None:
        actions.delete_account(account=obj)

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """Asks for the account's address and the password of who deletes it: nothing brings it back."""
        account = self.get_object(request, object_id)
        data = request.POST if request.method == "POST" else None
        form = DeleteAccountForm(data, account=account, user=user_of(request))
        context = {**(extra_context or {}), "form": form}
        if request.method == "POST" and self.has_delete_permission(request, account):
            wait = seconds_until_next_attempt(request, user_of(request).email)
            if wait or not form.is_valid():
                if wait:
                    messages.error(request, gettext("Too many attempts"))
                request.method, request.POST = "GET", QueryDict()  # Django's page, which asks again
        try:
            page: HttpResponse = super().delete_view(request, object_id, context)
        except actions.HeldByLeftOutApp as error:
            text = gettext("The account can't be deleted: %(app)s, which is left out here, has data of it.")
            messages.error(request, text % {"app": error.app})
            return HttpResponseRedirect(reverse("admin:accounts_account_change", args=[object_id]))
        return page

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """The things that go with an account, in words: naming every row of it could fill a book."""
        (account,) = objs
        lost = [
            gettext("widget %(name)s, with its agents, contacts, chats and tokens") % {"name": widget}
            for widget in account.widgets.all()
        ]
        people = account.users.count()
        return [str(account), *lost], {gettext("widgets"): len(lost), gettext("people who sign in"): people}, set(), []


@admin.register(User)
class UserAdmin(TenantAdmin):
    """People who may sign in. Passwords are changed by their owners, under "Change password".

    An account's owners invite people to it and give them roles; of themselves, they can't change what they may do.
    Everybody chooses the language of their own cabinet.
    """

    menu = MenuPlace(ACCOUNT, 20, _("Who may sign in"))
    purpose = _("The people who may sign in to this cabinet.")
    found_at = 30
    account_path = "account_id"
    may_add = AccessLevel.OWNERS
    may_change = AccessLevel.OWNERS
    titles = (_("person who signs in"), _("people who sign in"))
    labels = PERSON_LABELS | {
        "account": _("account"),
        "role": _("role in the cabinet"),
        "is_staff": _("may enter the cabinet"),
        "is_active": _("active"),
        "language": _("language"),
        "last_login": _("last signed in"),
    }
    list_display = ("email", "name", "surname", "account", "access", "is_active")
    list_filter = ("role", "is_staff", "is_active")
    actions = ("reset_second_factor",)
    list_select_related = ("account",)
    search_fields = ("email", "name", "surname")
    ordering = ("email",)
    form = PersonForm
    fields = (
        "email",
        "name",
        "surname",
        "account",
        "language",
        "role",
        "is_staff",
        "is_active",
        "has_second_factor",
        "last_login",
        "created_at",
    )

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        if obj is not None:
            shown = [name for name in self.fields if not (obj.is_superuser and name in ("account", "role", "is_staff"))]
            return ((None, {"fields": shown}),)
        fields = ("email", "name", "surname", "account", "is_staff", "role", "password1", "password2")
        return ((None, {"fields": fields}),)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """The installation makes people; an account's owners invite them: an address belongs to who proves it."""
        if user_of(request).is_superuser:
            response: HttpResponse = super().add_view(request, form_url, extra_context)
            return response
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = ColleagueForm(request.POST or None)
        if request.method == "POST" and form.is_valid() and self._invited(request, form):
            return HttpResponseRedirect(reverse("admin:accounts_user_changelist"))
        context = {**self.admin_site.each_context(request), "opts": self.opts, "title": gettext("Invite"), "form": form}
        return TemplateResponse(request, "admin/accounts/user/invite.html", context)

    def _invited(self, request: HttpRequest, form: ColleagueForm) -> bool:
        wanted = form.cleaned_data
        try:
            invite_colleague(
                **wanted,
                inviter=user_of(request),
                path_of=lambda link: reverse("become-colleague", args=[link]),
                language=get_language() or "en",
            )
        except Problem as refused:
            form.add_error(None, words_of(refused))
            return False
        messages.success(request, gettext("%(email)s is invited.") % {"email": wanted["email"]})
        return True

    def has_change_permission(self, request: HttpRequest, obj: User | int | str | None = None) -> bool:
        """Owners whom they may, everybody themselves."""
        key = obj.pk if isinstance(obj, User) else obj
        is_own = key is not None and str(key) == str(user_of(request).pk)
        return super().has_change_permission(request, obj) or (is_own and self.has_view_permission(request, obj))

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        if obj is None:
            return ()
        fixed = ("email", "account", "has_second_factor", "last_login", "created_at")
        if obj.pk != user_of(request).pk:
            return (*fixed, "language")
        others = () if super().has_change_permission(request, obj) else ("name", "surname")
        return (*fixed, *others, "role", "is_staff", "is_active")

    def get_form(self, request: HttpRequest, obj: User | None = None, change: bool = False, **kwargs: Any) -> Any:
        if obj is None:
            kwargs["form"] = NewUserForm
        return super().get_form(request, obj, change, **kwargs)

    def write(self, request: HttpRequest, obj: User, form: ModelForm[Any], change: bool) -> None:
        if change:
            changes = changes_of(form)
            suspends = changes.get("is_active") is False
            request.has_suspended = suspends  # type: ignore[attr-defined] # for the answer
            by_account = user_of(request).account_id
            if suspends and by_account is not None:
                del changes["is_active"]
            if changes:
                actions.change_user(user_id=obj.pk, changes=changes)
            if suspends and by_account is not None:
                actions.suspend_person(account_id=by_account, user_id=obj.pk)
            return
        actions.add_user(user=obj)

    def response_change(self, request: HttpRequest, obj: User) -> HttpResponse:
        """After a suspension, the API tokens that the person issued and that still stand, to be revoked or left."""
        tokens = list(self._tokens_of(request, obj)) if getattr(request, "has_suspended", False) else []
        if not tokens:
            response: HttpResponse = super().response_change(request, obj)
            return response
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Revoke the API tokens that they issued?"),
            "opts": ApiToken._meta,
            "tokens": tokens,
            "is_from_list": True,
            "action_url": reverse("admin:accounts_apitoken_changelist"),
        }
        messages.success(request, gettext("%(person)s is suspended.") % {"person": obj})
        return TemplateResponse(request, "admin/accounts/apitoken/revoke.html", context)

    def _tokens_of(self, request: HttpRequest, person: User) -> QuerySet[ApiToken]:
        issued: Any = self.own_choices(ApiToken, request)
        found: QuerySet[ApiToken] = issued.valid(timezone.now()).filter(created_by=person).order_by("-id")
        return found

    def has_installation_permission(self, request: HttpRequest) -> bool:
        return user_of(request).is_superuser

    @admin.display(description=_("access"), ordering="role")
    def access(self, user: User) -> str:
        """The person's rights in one word: a role counts for those alone who may enter the cabinet."""
        if user.is_superuser:
            return gettext("the installation")
        return str(user.get_role_display()) if user.is_staff else gettext("console only")

    @admin.display(description=_("two-factor sign-in"), boolean=True)
    def has_second_factor(self, user: User) -> bool:
        return two_factor.is_set_up(user)

    @admin.action(description=_("Reset two-factor sign-in"), permissions=["installation"])
    def reset_second_factor(self, request: HttpRequest, users: QuerySet[User]) -> None:
        count = two_factor.reset(users=users)
        self.message_user(request, gettext("Reset: %(count)d.") % {"count": count}, messages.SUCCESS)
