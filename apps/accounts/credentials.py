"""Pages of one's own password and second factor, whichever frame they are drawn in."""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

import django_otp
from csp.decorators import csp_replace
from django import forms
from django.conf import settings
from django.contrib import auth
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.tokens import default_token_generator
from django.contrib.auth.views import PasswordChangeView, redirect_to_login
from django.contrib.messages import success
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode
from django.utils.safestring import mark_safe
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.debug import sensitive_post_parameters
from unfold.forms import AuthenticationForm
from unfold.widgets import UnfoldAdminTextInputWidget

from apps.accounts import actions, sign_in_limits, two_factor
from apps.accounts.models import Authenticator, User


class CabinetSignInForm(AuthenticationForm):  # type: ignore[misc] # unfold has no types
    """The cabinet's form of address and password. Only who knows the password learns that the door is another."""

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": _("The e-mail address or the password is wrong."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("E-mail address")

    def confirm_login_allowed(self, user: Any) -> None:
        if not user.is_staff:
            text = _("You have no access to the cabinet: operators work in the console, at %(address)s.")
            raise forms.ValidationError(text, code="no_staff", params={"address": settings.PUBLIC_URL + "/console/"})


class OwnPassword(PasswordChangeView):
    """A page of one's own password, by the old one, of which there are as few tries as at signing in.

    Everything that is open elsewhere in its name is closed at once; this session goes on.
    """

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        wait = sign_in_limits.seconds_until_next_attempt(request, request.user.get_username())
        return self.too_many(wait) if wait else super().post(request, *args, **kwargs)

    def too_many(self, seconds: int) -> HttpResponse:
        """The refusal of one more try (429)."""
        raise NotImplementedError

    def form_valid(self, form: Any) -> HttpResponse:
        """Through our action: the form's own `save` would write the whole row as it was read."""
        try:
            actions.change_password(user=form.user, password=form.cleaned_data["new_password1"])
        except actions.PasswordReplaced:
            form.add_error("old_password", form.error_messages["password_incorrect"])
            return self.form_invalid(form)
        auth.update_session_auth_hash(self.request, form.user)
        return redirect(self.get_success_url())


def kept_in(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """A view whose address holds a secret: its page is not stored, and says nothing of its address to anybody."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **path: Any) -> HttpResponseBase:
        response = view(request, *args, **path)
        response.headers["Referrer-Policy"] = "strict-origin"
        response.headers["X-Robots-Tag"] = "noindex"
        return response

    return csp_replace({"script-src": None, "connect-src": None})(never_cache(guarded))


class ForgottenForm(forms.Form):
    """The address of who has forgotten their password."""

    email = forms.EmailField(
        label=_("E-mail address"), max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "username"})
    )


class CodeForm(forms.Form):
    """One code: of the authenticator, or a backup code."""

    code = forms.CharField(
        label=_("Code"),
        max_length=40,
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "one-time-code", "autofocus": True}),
    )


@method_decorator([sensitive_post_parameters(), csrf_protect, never_cache], name="dispatch")
class TwoFactor(View):
    """The person's own second factor: setting it up, new backup codes, turning it off. The last two take a code."""

    request: HttpRequest
    sign_in = "admin:login"

    def may(self) -> bool:
        """Whether the pages around this one are for who is signed in."""
        raise NotImplementedError

    def draw(self, template: str, context: dict[str, Any]) -> HttpResponse:
        """`two_factor.html` or `backup_codes.html` in the frame of those pages."""
        raise NotImplementedError

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._show(CodeForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        form = CodeForm(request.POST)
        if not self.may() or not form.is_valid():
            return self._show(form)
        user, code = cast("User", request.user), form.cleaned_data["code"]
        if not two_factor.is_set_up(user):
            return self._confirm(form, code)
        if two_factor.match(user=user, code=code) is None:
            form.add_error("code", gettext("This code is wrong, or was used before."))
            return self._show(form)
        if "turn_off" in request.POST:
            two_factor.reset(users=[user])
            success(request, gettext("Two-factor sign-in is off."))
            return redirect(request.path)
        return self._show_codes(two_factor.renew_codes(user=user))

    def _confirm(self, form: CodeForm, code: str) -> HttpResponse:
        confirmed = two_factor.confirm(user=cast("User", self.request.user), code=code)
        if confirmed is None:
            form.add_error("code", gettext("This code is wrong, or was used before."))
            return self._show(form)
        authenticator, codes = confirmed
        self.request.session.cycle_key()
        django_otp.login(self.request, authenticator)
        return self._show_codes(codes)

    def _show(self, form: CodeForm) -> HttpResponse:
        if not self.may():
            return redirect_to_login(self.request.path, self.sign_in)
        user = cast("User", self.request.user)
        context: dict[str, Any] = {"form": form, "title": gettext("Two-factor sign-in"), "is_on": False}
        if two_factor.is_set_up(user):
            left = two_factor.codes_left(user)
            said = ngettext("%(count)d backup code is left.", "%(count)d backup codes are left.", left)
            context |= {"is_on": True, "left": said % {"count": left}}
        else:
            context |= self._to_set_up(two_factor.begin(user=user))
        return self.draw("two_factor.html", context)

    def _to_set_up(self, authenticator: Authenticator) -> dict[str, Any]:
        drawing = mark_safe(two_factor.qr_code(authenticator))  # noqa: S308 - drawn by us, of paths alone
        return {"qr_code": drawing, "secret": two_factor.secret_text(authenticator)}

    def _show_codes(self, codes: list[str]) -> HttpResponse:
        """In this answer alone: only their hashes are kept."""
        return self.draw("backup_codes.html", {"codes": codes, "title": gettext("Your backup codes"), "is_on": True})


def path_of_new_password(user: User) -> str:
    """The address of the page where a person chooses another password, by a link that works once."""
    who = urlsafe_base64_encode(str(user.pk).encode())
    return reverse("new-password", args=[who, default_token_generator.make_token(user)])


def form_of_new_password(user: User, data: Any = None) -> "SetPasswordForm[User]":
    """The form of the page that the link leads to."""
    form = SetPasswordForm(user, data, label_suffix="")
    if user.has_never_signed_in:
        form.fields["new_password1"].label = gettext("Password")
        form.fields["new_password2"].label = gettext("The password again")
    return form


def person_of_link(who: str, proof: str) -> User | None:
    """The person to whom the link was sent; None for a link that is wrong, used or too old, or of a person who may not
    sign in.
    """
    try:
        user = User.objects.filter(pk=int(urlsafe_base64_decode(who)), is_active=True).first()
    except (ValueError, OverflowError):
        return None
    return user if user is not None and default_token_generator.check_token(user, proof) else None
