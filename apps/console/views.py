"""The console's pages: signing in and out, one's own password, and the page that an operator comes to."""

from pathlib import Path
from typing import Any

from csp.constants import SELF
from csp.decorators import csp_update
from django.apps import apps as django_apps
from django.conf import settings
from django.contrib import auth
from django.contrib.auth.views import LoginView, redirect_to_login
from django.http import FileResponse, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import NoReverseMatch, reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from apps.accounts import sign_in_limits, sign_on, two_factor
from apps.accounts.credentials import OwnPassword, TwoFactor
from apps.agents.models import Agent
from apps.agents.questions import messengers
from apps.cabinet.access import owe_code
from apps.chats.questions import alias_languages, channel_names
from apps.chats.rules.aliases import alias_words
from apps.console import querysets
from apps.console.actions import sign_in
from apps.console.authentication import WIDGET_KEY, OperatorCaller
from apps.console.forms import SignInForm
from apps.console.querysets.page import HAS_REPORTS, HAS_REVIEWS
from apps.console.querysets.routing import queue_of_page
from apps.console.rules.limits import spoken
from apps.console.serializers.page import page_limits
from apps.core import cabinet
from apps.core.files import storage

WORKER = Path(__file__).parent / "static/console/worker.js"
# Whether the log says that this session's person came to the console, by whichever door.
RECORDED_KEY = "console_sign_in_recorded"


class ConsoleSignIn(LoginView):
    """Signs an operator in, and leads staff who are none to the cabinet, which signs them in itself."""

    template_name = "accounts/sign_in.html"
    authentication_form = SignInForm
    next_page = "console"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        own = {"title": gettext("Sign in to the console"), "note": gettext("Operators answer their visitors here.")}
        provided = {"provider": settings.OIDC_NAME if settings.OIDC_ISSUER else None, "then": self.get_success_url()}
        return {**super().get_context_data(**kwargs), **own, **provided}

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated and querysets.operators_of(request.user.pk):
            return redirect(self.get_success_url())
        return super().get(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        wait_s = sign_in_limits.seconds_until_next_attempt(request, request.POST.get("username", ""))
        return too_many(request, wait_s) if wait_s else super().post(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        if not form.operators:
            return redirect("admin:index")
        if two_factor.is_set_up(form.get_user()):
            owe_code(self.request, form.get_user(), then=self.get_success_url())
            return redirect("sign-in-code")
        response = super().form_valid(form)
        record_sign_in(self.request)
        return response


def first_to(request: HttpRequest) -> HttpResponse | None:
    """The page to which a person signed in by their password alone has to go first: to give a code, as they have a
    second factor since; to set one up, if all have to; None without one.
    """
    user: Any = request.user
    if two_factor.is_owed(user):
        return redirect_to_login(request.get_full_path(), reverse("sign-in-code"))
    return redirect("console-two-factor") if two_factor.is_to_be_set_up(user) else None


def too_many(request: HttpRequest, wait_s: int) -> HttpResponse:
    """The refusal of one more try of a password (429)."""
    context = {"title": gettext("Too many attempts"), "seconds": wait_s, "back": reverse("console-login")}
    refusal = render(request, "accounts/too_many.html", context, status=429)
    refusal.headers["Retry-After"] = str(wait_s)
    return refusal


@method_decorator(never_cache, name="dispatch")
class ChangePassword(OwnPassword):
    """In the console's frame."""

    template_name = "console/password.html"
    success_url = reverse_lazy("console-password-changed")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        elsewhere = first_to(request) if request.user.is_authenticated else None
        return elsewhere or super().dispatch(request, *args, **kwargs)

    def too_many(self, seconds: int) -> HttpResponse:
        return too_many(self.request, seconds)


class ConsoleTwoFactor(TwoFactor):
    """In the console's frame: not every operator has the cabinet."""

    sign_in = "console-login"

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._code_first() or super().get(request)

    def post(self, request: HttpRequest) -> HttpResponse:
        return self._code_first() or super().post(request)

    def _code_first(self) -> HttpResponse | None:
        """A person with a second factor gives a code before; without one they are where they belong."""
        user: Any = self.request.user
        return first_to(self.request) if user.is_authenticated and two_factor.is_owed(user) else None

    def may(self) -> bool:
        return self.request.user.is_authenticated and bool(querysets.operators_of(self.request.user.pk))

    def draw(self, template: str, context: dict[str, Any]) -> HttpResponse:
        return render(self.request, f"console/{template}", context)


@never_cache
@require_safe
def password_changed(request: HttpRequest) -> HttpResponse:
    """Says that it is another one now."""
    return render(request, "console/password_changed.html")


def record_sign_in(request: HttpRequest) -> None:
    """Adds to the log that a person came to the console, once a session, by any entrance."""
    if request.user.pk is not None and not request.session.get(RECORDED_KEY):
        sign_in.record_sign_in(user_id=request.user.pk)
        request.session[RECORDED_KEY] = True


@never_cache
@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """Ends the session, and the sockets that were opened in its name."""
    request.session[RECORDED_KEY] = True  # who leaves by this door has been here
    address = sign_on.way_to_sign_out(request, then=reverse("console-login"))
    auth.logout(request)
    return redirect(address or "console-login")


def end_at_sign_out(request: HttpRequest, user: Any, **_: object) -> None:
    """Signs a person of the console out of it when they sign out anywhere (Django's `user_logged_out`)."""
    if user is not None and request.session.get(RECORDED_KEY):
        request.session.flush()  # as Django does next: who looks now must find it ended
        sign_in.record_sign_out(user_id=user.pk)


@never_cache
@require_safe
def home(request: HttpRequest) -> HttpResponseBase:
    """The page on which operators answer. While it is open, the operator is online.

    `?widget=<guid>` picks another of the person's widgets, for this session.
    """
    policy = {
        "connect-src": [settings.REALTIME_URL],
        "img-src": ["blob:", *storage.origins()],
        "media-src": [SELF, *storage.origins()],
        "require-trusted-types-for": ["'script'"],
        "trusted-types": ["lit-html", "worker"],
        "manifest-src": [SELF],
    }
    return csp_update(policy)(_home)(request)


def _home(request: HttpRequest) -> HttpResponseBase:
    if not request.user.is_authenticated:
        return redirect("console-login")
    by_password_alone = two_factor.is_by_password_alone(request.user)
    operators = querysets.operators_of(request.user.pk, by_password_alone=by_password_alone)
    if elsewhere := first_to(request) if querysets.operators_of(request.user.pk) else None:
        return elsewhere
    if not operators:
        return redirect("admin:index") if request.user.is_staff else render_none(request)
    if "widget" in request.GET:
        request.session[WIDGET_KEY] = request.GET["widget"]
        return redirect("console")
    record_sign_in(request)
    operator = querysets.chosen(operators, request.session.get(WIDGET_KEY)) or operators[0]
    get_token(request)  # the page's writes send along the cookie that this sets
    language = spoken(get_language())
    config = page_config(request, operator, operators, language)
    context = {"title": operator.widget.name, "language": language, "config": config}
    return render(request, "console/home.html", context)


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """The name and look of the console as an application of its own (W3C, Web Application Manifest)."""
    icon = {"src": static("core/icon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"}
    said = {
        "name": "Parley",
        "short_name": "Parley",
        "start_url": reverse("console"),
        "scope": reverse("console"),
        "display": "standalone",
        "background_color": "#ffffff",
        "theme_color": "#ffffff",
        "icons": [icon],
    }
    return JsonResponse(said, content_type="application/manifest+json")


@require_safe
def worker(request: HttpRequest) -> HttpResponseBase:
    """The script that a browser runs when a push message comes. It stands beneath the page that it belongs to."""
    return FileResponse(WORKER.open("rb"), content_type="text/javascript", headers={"Cache-Control": "no-cache"})


def page_config(request: HttpRequest, operator: Agent, operators: list[Agent], language: str) -> dict[str, Any]:
    """The page's config before it has a socket (static/console/base/types.d.ts, Config)."""
    has_chats = querysets.has_chats(operator.widget_id)
    return {
        "language": language,
        "socket_url": f"{settings.REALTIME_URL}/ws/operator",
        "sign_out_url": reverse("console-logout"),
        "sign_in_url": reverse("console-login"),
        "password_url": reverse("console-password"),
        "two_factor_url": reverse("console-two-factor"),
        "cabinet_url": reverse("admin:index") if request.user.is_staff else None,
        "demo_url": demo_url(operator.widget_id),
        "embed_code": "" if has_chats else embed_code(operator.widget_id),
        "has_chats": has_chats,
        "board_css": static("console/board.css"),
        "has_reports": HAS_REPORTS,
        "has_reviews": HAS_REVIEWS,
        **queue_of_page(operator.widget_id, operator.pk),
        "has_cards": querysets.has_shop_cards(operator.widget_id),
        # All readers know a visitor by one name: the page has a language of its own.
        "alias_words": alias_words(alias_languages([operator.widget_id]).get(operator.widget_id, "en")),
        "assists": kinds_of_help(operator.widget_id),
        "channels": channels(),
        "channel_names": channel_names([operator.widget_id]),
        "limits": page_limits(),
        "person": {
            "name": operator.full_name,
            "email": operator.email,
            "is_manager": OperatorCaller(operator, "").is_manager,
        },
        "widgets": [
            {"guid": each.widget.guid, "name": each.widget.name, "is_current": each.pk == operator.pk}
            for each in operators
        ],
    }


def kinds_of_help(widget_id: int) -> list[str]:
    """The kinds of help that a model gives operators of the widget; none without the app that does it."""
    if not django_apps.is_installed("apps.assists"):
        return []
    from apps.assists.actions.asking import available_kinds

    return [str(kind) for kind in available_kinds(widget_id)]


def channels() -> dict[str, dict[str, Any]]:
    """The messengers by their codes: their names, and whether they take edits; none without the app that has them."""
    return {each.code: {"name": each.called, "takes_changes": each.takes_changes} for each in messengers()}


def demo_url(widget_id: int) -> str | None:
    """The page where a visitor of this widget can be played: the demo page has the installation's first widget."""
    try:
        address = reverse("demo")
    except NoReverseMatch:  # the app that has it is a leaf
        return None
    return address if querysets.is_first_widget(widget_id) else None


def embed_code(widget_id: int) -> str:
    """The code that puts the widget on a website; blank if no app has it."""
    return next((fact.value for fact in cabinet.facts(widget_id) if fact.is_code), "")


def render_none(request: HttpRequest) -> HttpResponse:
    """For a person who is no operator any more."""
    return render(request, "console/none.html", status=403)
