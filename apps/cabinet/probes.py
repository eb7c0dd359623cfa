"""The questions of supervisors, load balancers and Prometheus: does a process live, can it work, what are its figures.

They ask by address, without a Host of ours and without https, so `ProbesMiddleware` answers before either is looked at.
"""

import hmac
import ipaddress
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest, multiprocess

from apps.cabinet.redis_usage import is_usable
from apps.core import database
from apps.core.errors import NOT_FOUND, TRY_AGAIN
from apps.core.problems import problem_response

# By any of these a proxy says that it asks for somebody else.
FORWARDING = ("X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Forwarded", "Via")


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 while the process can answer at all, with its version."""
    return JsonResponse({"status": "ok", "version": settings.VERSION})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 while the database can be read and written (503 otherwise; "read-only" is one that can still be read).

    Tells of Redis, too, without which the service goes on, slower. Redis is "ok" if it does all that the service asks
    of it; one that is full or read-only is not.
    """
    checks = {"database": database.state(), "redis": "ok"}
    if not is_usable():
        checks["redis"] = "unavailable"
    ready = checks["database"] == "ok"
    return JsonResponse({"status": "ok" if ready else "unavailable", "checks": checks}, status=200 if ready else 503)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus metrics: with `Authorization: Bearer METRICS_TOKEN`, or if there is no such token, to this machine.

    404 for everybody else. 503 while the files in which the processes share their figures cannot be read.
    """
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    token = settings.METRICS_TOKEN
    trusted = hmac.compare_digest(given.encode(), token.encode()) if token else is_from_this_machine(request)
    if not trusted:
        return problem_response(NOT_FOUND(), request)
    if settings.PROMETHEUS_MULTIPROC_DIR:
        try:
            return HttpResponse(_of_all_processes(), content_type=CONTENT_TYPE_LATEST)
        except (OSError, ValueError):  # as it says of no folder
            return problem_response(
                TRY_AGAIN("The metrics' folder cannot be read.", headers={"Retry-After": "1"}), request
            )
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)


def _of_all_processes() -> bytes:
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry, settings.PROMETHEUS_MULTIPROC_DIR)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


PROBES: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": healthz,
    "/readyz": readyz,
    "/metrics": metrics,
}


class ProbesMiddleware:
    """Answers PROBES; stands before whatever asks for a host, https or a session."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: Any) -> HttpResponseBase:
        probe = PROBES.get(request.path_info)
        if probe is None:
            return self.get_response(request)
        request.route = request.path_info  # for the access log
        response = probe(request)
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Content-Length"] = str(len(response.content))
        return response


def is_from_this_machine(request: HttpRequest) -> bool:
    """Whether a process of this machine asks for itself.

    Behind a proxy every caller seems to be local, so none counts: with TRUSTED_PROXIES or https (the service itself
    speaks http), or if the request says that it was forwarded. A name other than localhost in Host is a page's in a
    browser of this machine (DNS rebinding).
    """
    if settings.TRUSTED_PROXIES or settings.IS_HTTPS or any(name in request.headers for name in FORWARDING):
        return False
    host = urlsplit(f"//{request.META.get('HTTP_HOST', '')}").hostname
    return _is_loopback(request.META.get("REMOTE_ADDR", "")) and (host in (None, "localhost") or _is_loopback(host))


def _is_loopback(address: str | None) -> bool:
    try:
        parsed = ipaddress.ip_address(address or "")
    except ValueError:
        return False
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return (mapped or parsed).is_loopback
