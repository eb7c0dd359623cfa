"""The first page, and the answers to addresses that are not there."""

import logging
import sys
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.core import database, disk, hashing
from apps.core.endpoints.addresses import key_of
from apps.core.endpoints.routing import nearly
from apps.core.errors import INTERNAL_ERROR, NOT_FOUND, RATE_LIMITED, TRY_AGAIN
from apps.core.problems import Problem, problem_response

logger = logging.getLogger(__name__)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The page that tells where everything is."""
    return render(request, "core/home.html")


def not_found(request: HttpRequest, exception: Any = None) -> HttpResponse:
    """404 for an unknown address: a problem for programs, a page for people."""
    if _wants_json(request):
        meant = nearly(request.path)
        return problem_response(NOT_FOUND(), request, {"did_you_mean": meant} if meant else None)
    return render(request, "core/not_found.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """500 outside the API's base view. 503, if all that failed is the database or the room on a disk; 429, if others
    hash passwords, and a turn did not come, or can't be waited for.
    """
    error = sys.exc_info()[1]
    if isinstance(error, hashing.Busy):
        return _in_turn(request)
    if database.is_unavailable(error):
        return _not_now(request, error, "database unavailable", TRY_AGAIN(headers={"Retry-After": "1"}))
    if error is not None and disk.is_full(error):
        return _not_now(request, error, "no room on a disk", disk.no_room())
    if isinstance(error, Problem) and error.type is TRY_AGAIN:
        return _not_now(request, error, "not now", error)
    if _wants_json(request):
        return problem_response(INTERNAL_ERROR(), request)
    return render(request, "core/server_error.html", status=500)


def _in_turn(request: HttpRequest) -> HttpResponse:
    """Asks the server to run the page again in its turn; where it can't wait, or has waited, the page is refused."""
    if hashing.CAN_WAIT in request.META:
        response = HttpResponse(status=100, headers={hashing.TURN_OF: key_of(request)})
        response._has_been_logged = True  # type: ignore[attr-defined]
        return response
    wait = {"Retry-After": str(hashing.RETRY_AFTER_S)}
    return _not_now(request, None, "too many passwords at once", RATE_LIMITED("Too many sign in now.", headers=wait))


def _not_now(request: HttpRequest, error: BaseException | None, what: str, problem: Problem) -> HttpResponse:
    logger.warning("%s: %s", what, str(error))
    if _wants_json(request):
        response = problem_response(problem, request)
    else:
        response = render(request, "core/unavailable.html", {"status": problem.type.status}, status=problem.type.status)
        response.headers["Retry-After"] = problem.headers["Retry-After"]
    response._has_been_logged = True  # type: ignore[attr-defined] # or Django logs a traceback for each request
    return response


def _wants_json(request: HttpRequest) -> bool:
    """Whether an answer is for a program: people's browsers name text/html, programs take anything."""
    return request.path_info.startswith(("/api", "/widget/", "/compat/")) or not any(
        accepted.main_type == "text" and accepted.match("text/html") for accepted in request.accepted_types
    )
