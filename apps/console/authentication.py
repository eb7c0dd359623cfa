"""The calls of the console: the session of a person who is an operator.

Refusals come in this order: 401 without a session, 403 for a write that another page made the browser send, 403 for a
person who is no operator, 429.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.utils.datastructures import MultiValueDict
from rest_framework.authentication import CSRFCheck

from apps.accounts import two_factor
from apps.accounts.rules import MANAGER, reaches
from apps.agents.models import Agent
from apps.console import querysets
from apps.console.errors import CSRF_FAILED, NOT_AN_OPERATOR, NOT_SIGNED_IN
from apps.core.endpoints.authentication import AuthResult, CallAuthenticator, over_budget
from apps.core.errors import RATE_LIMITED
from apps.core.redis import rate_limits

# What a session remembers: the guid of the widget that the person works at.
WIDGET_KEY = "console_widget"
# What a page says with each call: the guid of the widget that it shows.
WIDGET_HEADER = "X-Widget"
_READING = ("GET", "HEAD", "OPTIONS")


@dataclass(frozen=True, slots=True)
class OperatorCaller:
    """A caller from the console: who they are at the widget that their session picked."""

    agent: Agent
    session_key: str

    @property
    def widget_id(self) -> int:
        return self.agent.widget_id

    @property
    def is_manager(self) -> bool:
        """Whether the person is an owner or a manager of the widget's account."""
        user = self.agent.user
        is_staff = user is not None and user.is_staff and user.account_id == self.agent.widget.account_id
        return is_staff and user is not None and reaches(user.role, MANAGER)

    @property
    def is_moving(self) -> bool:
        return self.agent.widget.is_moving


class SessionAuthenticator(CallAuthenticator):
    """The session of an operator."""

    tag = "console"
    problems = (NOT_SIGNED_IN, CSRF_FAILED, NOT_AN_OPERATOR, RATE_LIMITED)
    security = ({"session": []},)

    def admit(self, request: HttpRequest, path: Mapping[str, Any]) -> AuthResult:
        user = request.user
        if not user.is_authenticated:
            return AuthResult(refusal=NOT_SIGNED_IN())
        if request.method not in _READING and not _is_meant(request):
            return AuthResult(refusal=CSRF_FAILED())
        session = request.session
        operators = querysets.operators_of(user.pk, by_password_alone=two_factor.is_by_password_alone(user))
        agent = _meant(request, operators)
        if agent is None:
            owes = two_factor.is_owed(user) or two_factor.is_to_be_set_up(user)
            return AuthResult(refusal=NOT_SIGNED_IN() if owes else NOT_AN_OPERATOR())
        budget = rate_limits.spend(f"console:{user.pk}")
        refusal = None if budget.allowed else over_budget(budget, "Too many calls of this person's.")
        return AuthResult(OperatorCaller(agent, session.session_key or ""), budget, refusal)

    def finish(self, request: HttpRequest, response: HttpResponseBase, auth: AuthResult) -> None:
        """Answers are one person's, and must not be cached."""
        response.headers.setdefault("Cache-Control", "no-store")


def _meant(request: HttpRequest, operators: list[Agent]) -> Agent | None:
    """The operator at the widget that a page says it is of, or else at the session's; never at another than the page's.

    Two pages of one session may be of two widgets: which one was picked last is no matter of the other's.
    """
    guid = request.headers.get(WIDGET_HEADER)
    if guid is None:
        return querysets.chosen(operators, request.session.get(WIDGET_KEY))
    return next((operator for operator in operators if operator.widget.guid == guid), None)


def _is_meant(request: HttpRequest) -> bool:
    """Whether the console's own page sent it: Django's check, by the header alone.

    The check looks for its token in a form first. It is given an empty one, so that it reads nothing of the body.
    """
    request._post, request._files = QueryDict(), MultiValueDict()  # type: ignore[attr-defined]
    check = CSRFCheck(_nothing)
    check.process_request(request)
    return check.process_view(request, _nothing, (), {}) is None


def _nothing(request: HttpRequest) -> HttpResponse:
    """The view that the check asks for, and never calls."""
    return HttpResponse()
