"""The page that an invitation's link leads to.

The link's secret is the right to accept, so the page keeps it in: nothing is stored on the way (`no-store`), other
sites hear of the origin alone (`strict-origin`; with `no-referrer` browsers would hide it from our own check of forms),
nothing of theirs is loaded, and logs name the route, not the path. Reading the page changes nothing: programs follow
links in mails, too.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import Resolver404, resolve, reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from apps.accounts import credentials
from apps.accounts.sign_on import ProviderAway
from apps.agents import rules
from apps.agents.actions.invitations import InviteeHasAccount, NoInvitation, accept_invitation
from apps.agents.models import Agent, Invitation
from apps.cabinet.access import let_in
from apps.cabinet.invitation_forms import (
    KnownPersonForm,
    NewPersonForm,
    TooManyAttempts,
    VouchedPersonForm,
    form_of_invited,
    provider_of,
    sent_to_provider,
)
from apps.core import hashing
from apps.core.endpoints import addresses
from apps.core.problems import Problem
from apps.core.redis import rate_limits

# Of one address, for people. How often the password of an account may be tried is limited as at every other door.
CALLS_A_MINUTE = 20
SIGN_IN = "/console/login/"

View = Callable[..., HttpResponse]


def kept_in(view: View) -> Callable[..., HttpResponseBase]:
    """A view whose page says nothing of its address to anybody, and is asked for a limited number of times."""

    @wraps(view)
    def guarded(request: HttpRequest, **path: Any) -> HttpResponse:
        wait_s = _seconds_until_next_call(request)
        return _too_many(request, wait_s) if wait_s else view(request, **path)

    return credentials.kept_in(guarded)


def _seconds_until_next_call(request: HttpRequest) -> int:
    """Takes a call from the address's budget: 0 if it may be made.

    A call that waited for its turn was counted before.
    """
    if hashing.is_second_run(request.META):
        return 0
    budget = rate_limits.spend(f"invitation:{addresses.key_of(request)}", CALLS_A_MINUTE)
    return 0 if budget.allowed else max(1, budget.retry_after_s)


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@kept_in
def invitation(request: HttpRequest, secret: str) -> HttpResponse:
    """Shows the invitation, and makes the person who fills in the form an agent.

    Statuses: 422 for what was filled in, 404 for a secret of nothing, 410 for an invitation that is accepted, revoked
    or expired, 409 while no seat is free, 429, 503 while the provider of the sign-in is away.
    """
    found = Invitation.objects.unscoped("found by its secret").with_digest(rules.secret_digest(secret))
    if found is None:
        return _over(request, None, 404)
    if found.status_now != Invitation.Status.PENDING:
        return _over(request, found.status_now, 410)
    try:
        if (away := sent_to_provider(request)) is not None:
            return away
    except ProviderAway:
        return _over(request, "provider_away", 503)
    form = form_of_invited(found.email, request.POST if request.method == "POST" else None, request=request)
    status = 200
    if form.is_bound:
        try:
            if form.is_valid():
                return _led_on(request, _accept(secret, form))
            status = 422
        except TooManyAttempts as refusal:
            return _too_many(request, refusal.seconds)
        except NoInvitation as refusal:
            return _over(request, refusal.status, 410)
        except Problem as problem:
            return _over(request, problem.type.code, problem.type.status)
        except InviteeHasAccount:
            form, status = KnownPersonForm(email=found.email, request=request), 409
    context = {
        "invitation": found,
        "form": form,
        "is_known": isinstance(form, KnownPersonForm),
        "is_vouched": isinstance(form, VouchedPersonForm),
        "provider": provider_of(form),
    }
    return render(request, "agents/invitation.html", context, status=status)


def _accept(secret: str, form: NewPersonForm | KnownPersonForm) -> Agent:
    if isinstance(form, KnownPersonForm):
        return accept_invitation(secret=secret, user=form.user)
    return accept_invitation(secret=secret, **form.cleaned_data)


def _led_on(request: HttpRequest, agent: Agent) -> HttpResponse:
    """Leads to the console, signed in; to a page that names the way there where the person may not sign in so."""
    user = agent.user
    if user is None or _sign_in() is None:
        return HttpResponseRedirect(reverse("invitation-accepted"))
    if request.user.pk == user.pk:
        return HttpResponseRedirect(settings.LOGIN_REDIRECT_URL)
    led = let_in(request, user, then=settings.LOGIN_REDIRECT_URL)
    return led or HttpResponseRedirect(reverse("invitation-accepted"))


def _over(request: HttpRequest, reason: str | None, status: int) -> HttpResponse:
    context = {"reason": reason, "sign_in": _sign_in() if reason == "accepted" else None}
    return render(request, "agents/invitation_over.html", context, status=status)


def _too_many(request: HttpRequest, seconds: int) -> HttpResponse:
    response = _over(request, "too_many", 429)
    response.headers["Retry-After"] = str(seconds)
    return response


@require_safe
@kept_in
def accepted(request: HttpRequest) -> HttpResponse:
    """The page after an accepted invitation; the address has no secret any more."""
    return render(request, "agents/invitation_accepted.html", {"sign_in": _sign_in()})


def _sign_in() -> str | None:
    """The address at which operators sign in; None where the console is not installed."""
    try:
        resolve(SIGN_IN)
    except Resolver404:
        return None
    return SIGN_IN
