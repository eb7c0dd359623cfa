"""Signing in to the cabinet, in one step or two, and the page of the second factor."""

from __future__ import annotations

import logging
import time
from typing import Any, cast

import django_otp
from django.conf import settings
from django.contrib import admin, auth
from django.contrib.auth.views import LoginView, RedirectURLMixin
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render, resolve_url
from django.template.response import TemplateResponse
from django.urls import reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language, gettext, ngettext
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe
from unfold.forms import AdminOwnPasswordChangeForm

from apps.accounts import actions, sign_in_limits, two_factor
from apps.accounts import sign_on as provider
from apps.accounts.actions.colleagues import (
    AccountExists,
    Colleague,
    LinkIsOver,
    OfAnotherAccount,
    accept_colleague,
    read_link,
)
from apps.accounts.actions.provided import user_of_person
from apps.accounts.actions.sign_in_mail import send_new_password
from apps.accounts.credentials import (
    CabinetSignInForm,
    CodeForm,
    ForgottenForm,
    OwnPassword,
    TwoFactor,
    form_of_new_password,
    kept_in,
    path_of_new_password,
    person_of_link,
)
from apps.accounts.models import User
from apps.cabinet.access import OWES_CODE, let_in, owe_code
from apps.cabinet.invitation_forms import (
    KnownPersonForm,
    TooManyAttempts,
    VouchedPersonForm,
    form_of_invited,
    provider_of,
    sent_to_provider,
)

logger = logging.getLogger(__name__)


class CabinetSignIn(LoginView):
    """The first step, by e-mail address and password. Unknown and known addresses get the same error."""

    template_name = "accounts/sign_in.html"
    authentication_form = CabinetSignInForm
    next_page = "admin:index"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method == "GET" and admin.site.has_permission(request):
            return redirect(self.get_success_url())
        return super().dispatch(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        wait = sign_in_limits.seconds_until_next_attempt(request, request.POST.get("username", ""))
        return too_many(request, wait) if wait else super().post(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        user: User = form.get_user()
        if not two_factor.is_set_up(user):
            return super().form_valid(form)
        owe_code(self.request, user, then=self.get_success_url())
        return redirect("sign-in-code")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        note = gettext("Owners and managers set up their widgets here.")
        provided = {"provider": settings.OIDC_NAME if settings.OIDC_ISSUER else None, "then": self.get_success_url()}
        return {**context, **provided, "title": gettext("Sign in to the cabinet"), "note": note, "is_cabinet": True}


@method_decorator([sensitive_post_parameters(), csrf_protect, never_cache], name="dispatch")
class SecondStep(RedirectURLMixin, View):
    """The second step, by a code. Only then is anybody signed in."""

    next_page = "admin:index"
    request: HttpRequest

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._ask(CodeForm()) if self._who() else redirect("admin:login")

    def post(self, request: HttpRequest) -> HttpResponse:
        user = self._who()
        if user is None:
            return redirect("admin:login")
        form = CodeForm(request.POST)
        if not form.is_valid():
            return self._ask(form)
        code = form.cleaned_data["code"]
        wait = sign_in_limits.seconds_until_next_code(request, user.pk)
        if wait := wait or two_factor.seconds_until_next_code(user=user, code=code):
            return too_many(request, wait)
        factor = two_factor.match(user=user, code=code)
        if factor is None:
            form.add_error("code", gettext("This code is wrong, or was used before."))
            return self._ask(form)
        return self._let_in(user, factor)

    def _who(self) -> User | None:
        """The person who owes a code: their password was right a moment ago, or they are signed in by it alone."""
        note = self.request.session.get(OWES_CODE)
        if note is None:
            user = self.request.user
            is_waiting = user.is_authenticated and two_factor.is_owed(user)
            return cast("User", user) if is_waiting else None
        found: User | None = User.objects.filter(pk=note["user"], is_active=True).first()
        if found is not None and not found.is_staff and note["next"].startswith(reverse("admin:index")):
            found = None  # the cabinet is not for them; where else they were going may be
        if found is None or time.time() > note["until"] or not found.has_session_hash(note["session_hash"]):
            del self.request.session[OWES_CODE]
            return None
        return found

    def _let_in(self, user: User, factor: two_factor.Factor) -> HttpResponse:
        note = self.request.session.pop(OWES_CODE, None)
        if note is None:
            self.request.session.cycle_key()
            django_otp.login(self.request, factor)
            return redirect(self.get_success_url())
        auth.login(self.request, user, note["backend"])
        django_otp.login(self.request, factor)
        return redirect(note["next"])

    def get_default_redirect_url(self) -> str:
        return resolve_url(self.next_page)

    def _ask(self, form: CodeForm) -> HttpResponse:
        return render(self.request, "accounts/code.html", {"form": form, "title": gettext("Code")})


@never_cache
@require_POST
def sign_out(request: HttpRequest) -> HttpResponseBase:
    """Ends the session here, and at the provider of who came by one."""
    address = provider.way_to_sign_out(request, then=reverse("admin:login"))
    if address is None:
        return admin.site.logout(request)
    auth.logout(request)
    return redirect(address)


@never_cache
@require_safe
def sign_on(request: HttpRequest) -> HttpResponse:
    """Sends the browser to the provider to sign in there; 404 where no setting names one."""
    if not settings.OIDC_ISSUER:
        raise Http404
    then = request.GET.get("next", "")
    if not url_has_allowed_host_and_scheme(then, {request.get_host()}, require_https=request.is_secure()):
        then = reverse("admin:index")
    try:
        return provider.way_to_provider(then=then)
    except provider.ProviderAway as error:
        return _not_signed_on(request, error, status=503)


@never_cache
@require_safe
def signed_on(request: HttpRequest) -> HttpResponse:
    """The page to which the provider sends the browser back; the person it vouches for is signed in."""
    if not settings.OIDC_ISSUER:
        raise Http404
    return provider.without_way(_signed_on(request))


def _signed_on(request: HttpRequest) -> HttpResponse:
    try:
        back = provider.come_back(request)
        user = user_of_person(person=back.person)
    except provider.ProviderAway as error:
        return _not_signed_on(request, error, status=503)
    except provider.NotVouchedFor as error:
        return _not_signed_on(request, error, status=403)
    auth.login(request, user, "apps.accounts.sign_on.ProviderBackend")
    request.session[provider.ID_TOKEN] = back.token
    if not user.is_staff and back.then.startswith(reverse("admin:index")):
        return redirect(settings.LOGIN_REDIRECT_URL)  # the cabinet is not for them; the console may be
    return redirect(back.then)


def _not_signed_on(request: HttpRequest, error: Exception, *, status: int) -> HttpResponse:
    """Says that it did not work, in general words: the reason is for the log."""
    logger.warning("signing in by the provider: %s", error)
    context = {"title": gettext("Not signed in"), "is_away": status == 503, "name": settings.OIDC_NAME}
    return render(request, "accounts/not_signed_on.html", context, status=status)


class CabinetPassword(OwnPassword):
    """In the cabinet's frame."""

    form_class = AdminOwnPasswordChangeForm
    success_url = reverse_lazy("admin:password_change_done")

    def too_many(self, seconds: int) -> HttpResponse:
        return too_many(self.request, seconds)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), **admin.site.each_context(self.request)}


def change_password(request: HttpRequest) -> HttpResponseBase:
    """The cabinet's page of one's own password."""
    response: HttpResponseBase = admin.site.admin_view(CabinetPassword.as_view(), cacheable=True)(request)
    return response


class CabinetTwoFactor(TwoFactor):
    """In the cabinet's frame."""

    def may(self) -> bool:
        return admin.site.has_permission(self.request)

    def draw(self, template: str, context: dict[str, Any]) -> HttpResponse:
        return page(self.request, f"accounts/{template}", context)


def page(request: HttpRequest, template: str, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
    """A page in the frame of the cabinet."""
    return TemplateResponse(request, template, {**admin.site.each_context(request), **context}, **kwargs)


def too_many(request: HttpRequest, seconds: int) -> HttpResponse:
    """429, and when to try again."""
    context = {"title": gettext("Too many attempts"), "seconds": seconds}
    response = render(request, "accounts/too_many.html", context, status=429)
    response.headers["Retry-After"] = str(seconds)
    return response


def _password_page(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    return render(request, "accounts/password_page.html", context, status=status)


def _too_many_passwords(request: HttpRequest, seconds: int) -> HttpResponse:
    text = ngettext("Try again in %(seconds)s second.", "Try again in %(seconds)s seconds.", seconds)
    context = {"title": gettext("Too many attempts"), "text": text % {"seconds": seconds}}
    response = _password_page(request, 429, **context)
    response.headers["Retry-After"] = str(seconds)
    return response


@method_decorator([csrf_protect, never_cache], name="dispatch")
class ForgottenPassword(View):
    """Asks for an address, and answers the same for every one: only the mail tells whether it is known."""

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._ask(ForgottenForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        form = ForgottenForm(request.POST)
        if not form.is_valid():
            return self._ask(form, 422)
        email = form.cleaned_data["email"]
        if wait := sign_in_limits.seconds_until_next_attempt(request, email):
            return _too_many_passwords(request, wait)
        send_new_password(email=email, path_of=path_of_new_password, language=get_language() or "en")
        text = gettext(
            "If somebody signs in with this address, an e-mail with a link is on its way. It works for an hour."
        )
        return _password_page(request, title=gettext("Look into your mail"), text=text)

    def _ask(self, form: ForgottenForm, status: int = 200) -> HttpResponse:
        context = {
            "title": gettext("Forgotten your password?"),
            "text": gettext("Enter your e-mail address, and you get a link to choose another password."),
            "button": gettext("Send the link"),
        }
        return _password_page(self.request, status, form=form, **context)


@method_decorator([sensitive_post_parameters(), csrf_protect, kept_in], name="dispatch")
class NewPassword(View):
    """The page of the mail's link: the first or another password for the person who has proved the address.

    It signs them in; a second factor is asked for as ever.
    """

    def get(self, request: HttpRequest, who: str, proof: str) -> HttpResponse:
        user = person_of_link(who, proof)
        return self._ask(user, form_of_new_password(user)) if user else self._over()

    def post(self, request: HttpRequest, who: str, proof: str) -> HttpResponse:
        user = person_of_link(who, proof)
        if user is None:
            return self._over()
        form = form_of_new_password(user, request.POST)
        if not form.is_valid():
            return self._ask(user, form, 422)
        user = person_of_link(who, proof)  # as stored: the form has put the new one into the other
        try:
            if user is None:
                return self._over()
            actions.change_password(user=user, password=form.cleaned_data["new_password1"])
        except actions.PasswordReplaced:
            return self._over()
        text = gettext("From now on you sign in with the new one.")
        title = gettext("The password is changed")
        return let_in(request, user) or _password_page(request, title=title, text=text)

    def _ask(self, user: User, form: Any, status: int = 200) -> HttpResponse:
        if user.has_never_signed_in:
            title, button = gettext("Choose your password"), gettext("Save and sign in")
            text = gettext("From now on you sign in with %(email)s and this password.") % {"email": user.email}
        else:
            title, button = gettext("A new password"), gettext("Change password")
            text = gettext("You go on here; wherever else you are signed in, you will be signed out.")
        return _password_page(self.request, status, form=form, title=title, text=text, button=button)

    def _over(self) -> HttpResponse:
        text = gettext("This link does not work any more. It works once, for an hour; ask for another one.")
        return _password_page(self.request, 410, title=gettext("The link is over"), text=text)


@method_decorator([sensitive_post_parameters(), csrf_protect, kept_in], name="dispatch")
class BecomeColleague(View):
    """The page of an owner's invitation to the cabinet. Only the owner of the address learns whether it is known."""

    request: HttpRequest

    def get(self, request: HttpRequest, link: str) -> HttpResponse:
        found = read_link(link)
        if found is None:
            return self._over()
        try:
            away = sent_to_provider(request)
        except provider.ProviderAway as error:
            return _not_signed_on(request, error, status=503)
        return away or self._ask(found, form_of_invited(found.email, None, request=request))

    def post(self, request: HttpRequest, link: str) -> HttpResponse:
        found = read_link(link)
        if found is None:
            return self._over()
        form = form_of_invited(found.email, request.POST, request=request)
        try:
            if not form.is_valid():
                return self._ask(found, form, 422)
            said = {"user": form.user} if isinstance(form, KnownPersonForm) else form.cleaned_data
            colleague = accept_colleague(invitation=found, **said)
        except TooManyAttempts as refusal:
            return _too_many_passwords(request, refusal.seconds)
        except AccountExists:
            return self._ask(found, form_of_invited(found.email, None, request=request), 409)
        except LinkIsOver:
            return self._over()
        except OfAnotherAccount:
            text = gettext("You belong to another account here. Ask for an invitation to another address.")
            return _password_page(request, 409, title=gettext("Invitation"), text=text)
        if request.user.is_authenticated and request.user.pk == colleague.pk:
            return redirect("admin:index")
        text = gettext("You can sign in to the cabinet now, with your e-mail address and your password.")
        return let_in(request, colleague) or _password_page(request, title=gettext("Welcome!"), text=text)

    def _ask(self, invitation: Colleague, form: Any, status: int = 200) -> HttpResponse:
        text = gettext("%(email)s is invited to the cabinet.") % {"email": invitation.email}
        if isinstance(form, VouchedPersonForm):
            text += " " + gettext("You are signed in with this address. Nothing of your account is changed.")
        elif isinstance(form, KnownPersonForm):
            text += " " + gettext("Enter the password with which you sign in here.")
        context = {
            "title": gettext("Invitation"),
            "text": text,
            "button": gettext("Accept the invitation"),
            "provider": provider_of(form),
        }
        return _password_page(self.request, status, form=form, **context)

    def _over(self) -> HttpResponse:
        text = gettext("This invitation does not count any more. A link works once, for 7 days; ask for a new one.")
        return _password_page(self.request, 410, title=gettext("Invitation"), text=text)
