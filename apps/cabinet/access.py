"""The door of the cabinet: it asks for the second factor, and records changes under the person's name."""

import time
from collections.abc import Callable
from ipaddress import ip_address

from auditlog.context import set_extra_data
from csp.constants import SELF, UNSAFE_EVAL, UNSAFE_INLINE
from csp.decorators import csp_update
from django.conf import settings
from django.contrib.auth import load_backend, login
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

from apps.accounts import rules, two_factor
from apps.accounts.audit.trail import by_request
from apps.accounts.models import User
from apps.cabinet.error_pages import page_of
from apps.core.endpoints.addresses import address_of
from apps.core.endpoints.bodies import AT_MOST, AWAITED
from apps.core.files import storage

# Bytes of a form with a file of 10 MB, of somebody who has signed in.
MAX_FORM = 11 * 1024 * 1024


class CabinetMiddleware:
    """Guards every page below the cabinet's address; other pages pass by, and what they change is recorded as theirs.

    Unfold's scripts are files, but its pages have styles in them, and expressions that its Alpine evaluates as code
    (django-unfold #2129). A script in a page is not run all the same.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(reverse("admin:index")):
            with by_request(request):
                return self.get_response(request)
        policy = {
            "script-src": [UNSAFE_EVAL],
            "style-src": [UNSAFE_INLINE],
            "img-src": ["data:", *storage.origins()],
            "font-src": [SELF],
        }
        return csp_update(policy)(self._guarded)(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The cabinet's own pages of what is missing or refused, with DEBUG on too."""
        if not request.path_info.startswith(reverse("admin:index")):
            return None
        return page_of(request, exception)

    def _guarded(self, request: HttpRequest) -> HttpResponseBase:
        user = request.user
        at_most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if user.is_authenticated and user.is_staff:
            at_most = MAX_FORM
            elsewhere = first_to(request, user)
            if elsewhere is not None:
                return elsewhere
        if AWAITED in request.META:
            return HttpResponse(status=100, headers={AT_MOST: str(at_most)})
        with set_extra_data({"actor": _known(user), "remote_addr": _address(request)}):
            return self.get_response(request)


def first_to(request: HttpRequest, user: User) -> HttpResponse | None:
    """The page to which a person who has signed in with their password alone has to go first; None without one."""
    if not two_factor.is_by_password_alone(user):
        return None
    code, set_up = reverse("sign-in-code"), reverse("two-factor")
    if two_factor.is_set_up(user):
        if request.path_info in (code, reverse("admin:login"), reverse("admin:logout")):
            return None
        return redirect_to_login(request.get_full_path(), code)
    if two_factor.is_to_be_set_up(user) and request.path_info not in (set_up, reverse("admin:logout")):
        return redirect(set_up)
    return None


def _known(user: User | AnonymousUser) -> User | None:
    return user if user.is_authenticated else None


def _address(request: HttpRequest) -> str | None:
    try:
        return str(ip_address(address_of(request)))
    except ValueError:
        return None


def let_in(request: HttpRequest, user: User, *, then: str = "") -> HttpResponse | None:
    """Signs in a person who has just given or chosen their password, and leads on to `then`, else to where they work.

    A second factor is asked for first. None, and nobody is signed in, where they may not sign in by a password.
    """
    backends = ((name, load_backend(name)) for name in settings.AUTHENTICATION_BACKENDS)
    takes = (name for name, each in backends if isinstance(each, ModelBackend) and each.user_can_authenticate(user))
    name = next(takes, None)
    if name is None:
        return None
    then = then or (reverse("admin:index") if user.is_staff else settings.LOGIN_REDIRECT_URL)
    user.backend = name
    if two_factor.is_set_up(user):
        owe_code(request, user, then=then)
        return redirect("sign-in-code")
    login(request, user)
    return redirect(then)


# The session's note of who has given their password and owes a code.
OWES_CODE = "owes_code"


def owe_code(request: HttpRequest, user: User, *, then: str) -> None:
    """Notes in the session that a password was right, for the page `sign-in-code`, which leads on to `then`.

    The session gets another key: a key that an attacker planted in the browser does not come to the code.
    """
    request.session.cycle_key()
    request.session[OWES_CODE] = {
        "user": user.pk,
        "backend": user.backend,
        "session_hash": user.get_session_auth_hash(),
        "until": int(time.time()) + rules.CODE_WITHIN_S,
        "next": then,
    }
