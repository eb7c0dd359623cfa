"""The base of every API viewset: the order of refusals, and the lean way of a success (docs/adr/0003).

Refusals come in this order: 401, 403 `api_disabled`, 429, 403 `missing_scope`, 415, 400, 404, 422, 409. A success is
answered straight from a dict through orjson: no DRF request, negotiation, throttle, renderer or output serializer runs.
"""

import logging
import time
from collections.abc import Callable
from functools import wraps
from typing import Any, ClassVar

import orjson
from django.db import InterfaceError, OperationalError, connection, transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from rest_framework.settings import api_settings
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSetMixin

from apps.core.endpoints.bodies import throw_away_rest, whole_body
from apps.core.endpoints.callers import Caller
from apps.core.endpoints.idempotency import HEADER_IN_META, Claim, key_of
from apps.core.endpoints.operations import Answer, Call, Literally, Operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.serializers import Body, Query, validated_body, validated_query
from apps.core.endpoints.uploads import is_form, received_upload
from apps.core.errors import (
    API_DISABLED,
    INTERNAL_ERROR,
    METHOD_NOT_ALLOWED,
    MISSING_SCOPE,
    NOT_ACCEPTABLE,
    NOT_FOUND,
    RATE_LIMITED,
    TRY_AGAIN,
    UNSUPPORTED_MEDIA_TYPE,
)
from apps.core.observability import metrics
from apps.core.parsing.strict_json import parse_object
from apps.core.problems import Problem, problem_response
from apps.core.redis.rate_limits import Budget

logger = logging.getLogger(__name__)

JSON = "application/json"
_DUMP_OPTIONS = orjson.OPT_UTC_Z | orjson.OPT_NAIVE_UTC
_NO_BODY = Body()
_NO_QUERY = Query()
# Refusals of those who are not known, or ask too often: what else they send is not read.
_TO_STRANGERS = (401, 429)


def dump_json(value: Any) -> bytes:
    """JSON as the API writes it: datetimes in UTC end in `Z`."""
    return orjson.dumps(value, option=_DUMP_OPTIONS)


class ApiViewSet(ViewSetMixin, APIView):
    """A viewset whose methods are operations (`@operation`); subclasses hold nothing but those.

    A subclass may set `caller_gate`, a static method that refuses callers after the scope check.
    """

    caller_gate: "ClassVar[staticmethod[[HttpRequest, Caller], None] | None]" = None

    @classmethod
    def as_view(cls, actions: Any = None, **initkwargs: Any) -> Any:
        for method, name in (actions or {}).items():
            if not hasattr(getattr(cls, name, None), "operation"):
                raise TypeError(f"{cls.__name__}.{name} ({method.upper()}) is routed without an @operation")
        documented = super().as_view(actions, **initkwargs)
        action_map = {**actions, "head": actions["get"]} if "get" in actions else actions

        @wraps(documented)
        def view(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
            # DRF's own binds the methods to the instance, a cycle that only the garbage collector takes apart.
            viewset = cls(**initkwargs)
            viewset.action_map = action_map
            return viewset.dispatch(request, **kwargs)

        return view

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        began = time.perf_counter()
        self.args, self.kwargs = args, kwargs
        handler = self._handler_for(request)
        budget: Budget | None = None
        response: HttpResponseBase
        try:
            caller, budget = self._admit(request)
            if handler is None:
                raise METHOD_NOT_ALLOWED(headers={"Allow": ", ".join(self._allowed_methods())})
            response = self._answer(request, caller, handler)
        except Exception as error:
            response = refusal(error, request)
            budget = budget or getattr(error, "budget", None)
        if budget is not None:
            budget.write_headers(response)
        name = handler.operation.name if handler else "unknown"
        metrics.requests(name, response.status_code).observe(time.perf_counter() - began)
        return response

    def _handler_for(self, request: HttpRequest) -> Any:
        name = self.action_map.get((request.method or "").lower())
        return getattr(self, name) if name else None

    def _allowed_methods(self) -> list[str]:
        return sorted(method.upper() for method in self.action_map)

    def _admit(self, request: HttpRequest) -> tuple[Caller, Budget]:
        """The caller and what is left of its budget. Raises 401, 403 `api_disabled` or 429."""
        caller, budget = authenticator()(request)
        if not caller.api_enabled:
            raise _with_budget(API_DISABLED(), budget)
        if not budget.allowed:
            raise _with_budget(RATE_LIMITED(headers={"Retry-After": str(max(1, budget.retry_after_s))}), budget)
        return caller, budget

    def _answer(self, request: HttpRequest, caller: Caller, handler: Any) -> HttpResponseBase:
        operation: Operation = handler.operation
        if caller.scopes.isdisjoint(operation.scopes):
            raise MISSING_SCOPE(f"This operation needs the scope {' or '.join(operation.scopes)}.")
        if self.caller_gate is not None:
            self.caller_gate(request, caller)
        _require_acceptable(request)
        call = Call(request, caller, self.kwargs)
        comes_as_form = operation.upload is not None and is_form(request)
        raw = b"" if comes_as_form else _read_body(request, operation)
        if operation.idempotent:
            call.claim = Claim(caller.token_id, key_of(request.META.get(HEADER_IN_META)))
        try:
            if comes_as_form:
                return self._run_with_upload(call, operation, handler)
            self._validate(call, operation, parse_object(raw) if raw or operation.body_required else {})
            return _success(self._run(call, operation, handler), operation)
        except Problem as problem:
            if problem.type.status in (409, 422) and operation.target_exists and not operation.target_exists(call):
                raise NOT_FOUND() from None
            raise

    def _validate(self, call: Call, operation: Operation, document: dict[str, Any]) -> None:
        call.query = _validated_query(call, operation)
        if operation.body is not None or document:
            call.body = validated_body(operation.body or _NO_BODY, document)

    def _run_with_upload(self, call: Call, operation: Operation, handler: Any) -> HttpResponseBase:
        assert operation.upload is not None  # noqa: S101 - only asked for operations with one
        call.query = _validated_query(call, operation)
        with received_upload(call.request, operation.upload) as call.upload:
            return _success(self._run(call, operation, handler), operation)

    def _run(self, call: Call, operation: Operation, handler: Any) -> Answer:
        """Runs the handler; a write's in the transaction of its claim, unless its action takes the claim itself."""
        answer: Answer
        if call.claim is None or operation.takes_claim:
            answer = handler(call, **self.kwargs)
            return answer
        with transaction.atomic():
            call.claim.take()
            answer = handler(call, **self.kwargs)
        return answer


def _validated_query(call: Call, operation: Operation) -> dict[str, Any]:
    return validated_query(operation.query or _NO_QUERY, call.request.META.get("QUERY_STRING", ""))


def _with_budget(problem: Problem, budget: Budget) -> Problem:
    problem.budget = budget  # type: ignore[attr-defined]
    return problem


def authenticator() -> Callable[[HttpRequest], tuple[Caller, Budget]]:
    """How a request becomes a caller: `admit` of the first class of DRF's DEFAULT_AUTHENTICATION_CLASSES."""
    classes: Any = api_settings.DEFAULT_AUTHENTICATION_CLASSES
    admit: Callable[[HttpRequest], tuple[Caller, Budget]] = classes[0].admit
    return admit


def _require_acceptable(request: HttpRequest) -> None:
    accept = request.META.get("HTTP_ACCEPT")
    if accept in (None, "*/*", JSON) or request.accepts(JSON) or request.accepts("application/problem+json"):
        return
    if request.accepts("text/plain"):
        return
    raise NOT_ACCEPTABLE()


def _read_body(request: HttpRequest, operation: Operation) -> bytes:
    """The body's bytes, none for a request without one. Raises 413, 400 or 415."""
    if request.method in ("GET", "HEAD"):
        return b""
    raw = whole_body(request)
    takes_form_alone = operation.upload is not None and operation.body is None
    if takes_form_alone or ((raw or operation.body_required) and request.content_type != JSON):
        raise UNSUPPORTED_MEDIA_TYPE()
    return raw


def _success(answer: Answer, operation: Operation) -> HttpResponseBase:
    if isinstance(answer, Page):
        body: Any = {"data": answer.data, "next_cursor": answer.next_cursor}
    elif isinstance(answer, Literally):
        body = answer.body
    elif isinstance(answer, HttpResponseBase):
        return answer
    elif answer is None:
        return HttpResponse(status=204)
    else:
        body = {"data": answer}
    return HttpResponse(dump_json(body), status=operation.status, content_type=JSON)


def refusal(error: Exception, request: HttpRequest) -> HttpResponse:
    """The problem answer for anything that was raised on the way; what was not meant is logged and answered 500."""
    if isinstance(error, Problem):
        problem = error
    elif isinstance(error, Http404):
        problem = NOT_FOUND()
    elif isinstance(error, OperationalError | InterfaceError):
        logger.warning("database unavailable: %s", error)
        problem = TRY_AGAIN(headers={"Retry-After": "1"})
        connection.close_if_unusable_or_obsolete()
    else:
        logger.exception("unhandled error in %s %s", request.method, request.path)
        problem = INTERNAL_ERROR()
    if problem.type.status not in _TO_STRANGERS:
        throw_away_rest(request)
    return problem_response(problem, request)
