"""The base of every viewset: one order of refusals for every call of any caller (docs/adr/0003).

First the authenticator's own (for API tokens 401, 403 `api_disabled`, 429), then 405, what the caller may not do
(`missing_scope`), 503 for a write while the account moves, 406, 415, 400, 404, 422, 409. A success is answered straight
through orjson: no DRF request, negotiation, throttle, renderer or output serializer runs.
"""

import logging
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, ClassVar

from django.db import DatabaseError, models, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSetMixin

from apps.core import questions
from apps.core.endpoints.answers import JSON, dump_json, refusal
from apps.core.endpoints.authentication import AuthResult, CallAuthenticator, TokenAuthenticator, moving
from apps.core.endpoints.bodies import AWAITED, admitted_before, await_body, has_body, is_asked_again, whole_body
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.compression import compress
from apps.core.endpoints.conditional import with_etag
from apps.core.endpoints.idempotency import HEADER_IN_META, IdempotencyLock, digest_of, key_of
from apps.core.endpoints.operations import Operation, Raw, WithStatus
from apps.core.endpoints.paging import NumberedPage, Page
from apps.core.endpoints.serializers import Body, Query, validated_body, validated_query
from apps.core.endpoints.uploads import is_form, received_upload
from apps.core.errors import METHOD_NOT_ALLOWED, NOT_ACCEPTABLE, UNSUPPORTED_MEDIA_TYPE
from apps.core.observability import metrics
from apps.core.parsing.strict_json import parse_object
from apps.core.problems import Problem

logger = logging.getLogger(__name__)

_NO_BODY = Body()
_NO_QUERY = Query()
_READING = ("GET", "HEAD")


class EndpointViewSet(ViewSetMixin, APIView):
    """A viewset whose methods are operations (`@operation`); subclasses hold nothing but those, and say:

    authenticator: who may come in.
    reads, writes: the scopes of its GETs, and of the rest.
    target: the model of the object that the path leads to, found among the tenant's (`Model.objects.for_widget`) by
        its first argument as `target_field`: an id, a guid, a slug. If it is not there, the call is 404, unless it
        `upserts`. A singleton has no key in the path: its `target_field` is None.
    target_within: for an object within others, the look-ups of these (`("operator__guid",)`): their arguments come
        first in the path.
    shared_arguments: arguments that name an object of no tenant, such as a template; their converter knows them all.
    """

    authenticator: ClassVar[CallAuthenticator]
    reads: ClassVar[tuple[str, ...]] = ()
    writes: ClassVar[tuple[str, ...]] = ()
    operations: ClassVar[Mapping[str, Operation]] = {}  # as they are routed, by the name of the handler
    target: ClassVar[type[models.Model] | None] = None
    target_field: ClassVar[str | None] = "pk"
    target_within: ClassVar[tuple[str, ...]] = ()
    shared_arguments: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def object_arguments(cls, path: Iterable[str]) -> list[str]:
        """The arguments of a path that lead to a tenant's object; the authenticator answers for any others."""
        others = cls.authenticator.path_arguments + cls.shared_arguments
        return [name for name in path if name not in others]

    @classmethod
    def as_view(cls, actions: Any = None, **initkwargs: Any) -> Any:
        operations = dict(cls.operations)
        for method, name in (actions or {}).items():
            declared: Operation | None = getattr(getattr(cls, name, None), "operation", None)
            if declared is None:
                raise TypeError(f"{cls.__name__}.{name} ({method.upper()}) is routed without an @operation")
            operations[name] = declared.routed(
                method.upper(), reads=cls.reads, writes=cls.writes, needs_keys=cls.authenticator.needs_keys
            )
            if cls.authenticator.needs_scopes and not operations[name].scopes:
                raise TypeError(f"{cls.__name__}.{name} ({method.upper()}) declares no scope")
        cls.operations = operations
        return super().as_view(actions, **initkwargs)

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The one door. Each step refuses by raising, and the order of the steps is the order of refusals."""
        began, door = time.perf_counter(), self.authenticator
        name = self.action_map.get((request.method or "").lower(), "")
        operation, auth = self.operations.get(name), AuthResult()
        response: HttpResponseBase
        try:
            if request.method == "OPTIONS" and door.answers_options:
                response = door.preflight(request, kwargs, self._allowed_methods())
            else:
                auth = admitted_before(request) or door.admit(request, kwargs)  # 401, 403 `api_disabled`, 429
                request.token_id = getattr(auth.caller, "token_id", None)  # type: ignore[attr-defined] # for records
                operation = self._permit(request, auth, operation)  # 405, 403 `missing_scope`, 503
                _accept(request, operation)  # 406
                if AWAITED in request.META and (go_on := self._await(request, auth, operation)):
                    return go_on  # 100; the call comes again, with its body
                raw = self._read_body(request, auth.caller, operation)  # 413, 400, 415
                call = self._call(request, auth.caller, operation, kwargs)  # 400 for its key
                try:
                    document = _parse(call, raw)  # 400, 422
                    self._validate(call, document)  # 404, 422
                    answer = _run(call, document, getattr(self, name))  # 404, 409, 422
                except Problem as problem:
                    raise call.unless_missing(problem) from None
                response = _render(call, answer)
        except Exception as error:
            response = refusal(error, request, door.members)
        if auth.budget is not None:
            auth.budget.write_headers(response)
        if operation is not None and operation.deprecated is not None:
            operation.deprecated.write_headers(response)
        door.finish(request, response, auth)
        routed = operation.name if operation else "unknown"
        metrics.REQUESTS.labels(routed, response.status_code).observe(time.perf_counter() - began)
        return response

    def is_there(self, context: RequestContext) -> bool:
        """Whether its addresses are there for a caller, where a setting of theirs decides; else they are 404."""
        return True

    def _allowed_methods(self) -> list[str]:
        besides = ["OPTIONS"] if self.authenticator.answers_options else []
        return [*(method.upper() for method in self.action_map), *besides]

    def _permit(self, request: HttpRequest, auth: AuthResult, operation: Operation | None) -> Operation:
        """The operation, for a caller that may call it now. A call that is run again with its body is permitted."""
        if auth.refusal is not None:
            raise auth.refusal
        if operation is None:
            raise METHOD_NOT_ALLOWED(headers={"Allow": ", ".join(self._allowed_methods())})
        caller, again = auth.caller, is_asked_again(request)
        if not again:
            self.authenticator.permit(request, caller, operation)
        if request.method in _READING or operation.adds_nothing:
            return operation
        # Looked up where the body was waited for: that may have taken long.
        if questions.is_moving(caller.widget_id) if again else caller.is_moving:
            raise moving()
        return operation

    def _await(self, request: HttpRequest, auth: AuthResult, operation: Operation) -> HttpResponse | None:
        """The answer that asks for a body that has not come yet, if it may be read."""
        longest = operation.max_body or self.authenticator.max_body
        if operation.upload is not None and is_form(request):
            longest = operation.upload.longest_form
        return await_body(request, auth, longest)

    def _read_body(self, request: HttpRequest, caller: Any, operation: Operation) -> bytes:
        """The body's bytes; none of a request without one, and none of a form, which is read when the operation runs.

        Raises 413, 400, the authenticator's own, or 415.
        """
        if request.method in _READING:
            if self.authenticator.unexpected_body is not None and has_body(request):
                raise self.authenticator.unexpected_body()
            return b""
        if operation.upload is not None and is_form(request):
            return b""
        raw = whole_body(request, operation.max_body or self.authenticator.max_body)
        self.authenticator.inspect(request, caller, raw)
        if raw:
            _refuse_encoded(request)
        takes_form_alone = operation.upload is not None and operation.body is None
        is_expected = raw or operation.requires_body(request.method or "")
        if takes_form_alone or (is_expected and request.content_type != JSON):
            raise UNSUPPORTED_MEDIA_TYPE()
        return raw

    def _call(self, request: HttpRequest, caller: Any, operation: Operation, path: Mapping[str, Any]) -> RequestContext:
        call = RequestContext(request, caller, path, operation, self.target, self.target_field)
        if path and (names := self.object_arguments(path)):
            call.target_id = path[names[len(self.target_within)]]
            if self.target_within:
                around = (path[name] for name in names)
                call.target_within = dict(zip(self.target_within, around, strict=False))
        if operation.idempotent:
            rules = operation.key
            key = key_of(request.META.get(HEADER_IN_META), rules)
            call.lock = IdempotencyLock(caller.widget_id, key, rules.reused, operation.public_id)
            call.lock.status = operation.status
            call.lock.made_id = call.named_id
        return call

    def _validate(self, context: RequestContext, document: dict[str, Any] | None) -> None:
        """Puts the validated query and body into the call. `document` is None where the body is a form."""
        operation = context.operation
        if document is not None and not self.is_there(context):
            raise operation.missing()
        query_string = context.request.META.get("QUERY_STRING", "")
        if query_string or operation.filters is not None:
            filters = validated_query(operation.filters or _NO_QUERY, query_string)
            if operation.envelope == "list":
                context.limit, context.cursor = filters.pop("limit"), filters.pop("cursor", None)
            elif operation.envelope == "numbered":
                context.limit, context.number = filters.pop("limit"), filters.pop("page")
            context.filters = filters
        if document is not None and (operation.body is not None or document):
            body = operation.body or _NO_BODY
            if body.requires_context:
                read_only = body.read_only_members
                body = type(body)(context={"call": context})
                body.read_only_members = read_only
            context.body = validated_body(body, document)


class ApiViewSet(EndpointViewSet):
    """A viewset of the REST API: callers are API tokens."""

    authenticator = TokenAuthenticator()


def _parse(context: RequestContext, raw: bytes) -> dict[str, Any] | None:
    """The document of the body, empty without one; None of a form."""
    operation = context.operation
    if operation.upload is not None and is_form(context.request):
        return None
    return parse_object(raw) if raw or operation.requires_body(context.request.method or "") else {}


def _run(context: RequestContext, document: dict[str, Any] | None, handler: Any) -> Any:
    """Runs the handler; a write's in the transaction of its claim, unless its action takes the claim itself."""
    operation, request = context.operation, context.request
    if operation.upload is not None and context.upload is None and is_form(request):
        with received_upload(request, operation.upload) as context.upload:
            return _run(context, document, handler)
    if context.lock is not None:
        file, texts = (context.upload.sha256, context.upload.texts) if context.upload is not None else (b"", None)
        context.lock.digest = digest_of(request.method or "", request.path, texts or document, file)
    if operation.calls_out:
        return _run_outside(context, handler)
    if context.lock is None or operation.takes_lock:
        return context.as_shown(handler(context))
    with transaction.atomic():
        context.lock.take()
        answer = context.as_shown(handler(context))
        context.lock.tell(_made(context, answer), _status(answer))
        return answer


def _run_outside(context: RequestContext, handler: Any) -> Any:
    """Runs a handler that waits for others. A refusal gives back the key that it has claimed, unless it keeps that."""
    if context.lock is not None:
        context.lock.refuse_if_taken()
    try:
        answer = context.as_shown(handler(context))
    except Exception as error:
        if not (isinstance(error, Problem) and error.type in context.operation.key.kept_after):
            context.outbound.release()
        raise
    if context.lock is not None:
        try:
            context.lock.tell(_made(context, answer), _status(answer))
        except DatabaseError:
            logger.exception("what the write with a key has made is not noted")
    return answer


def _made(context: RequestContext, answer: Any) -> int | str | None:
    """The id of what a write made or changed: that of its answer, else what its path names; None without one."""
    if isinstance(answer, WithStatus):
        answer = answer.data
    made = answer.get("id") if isinstance(answer, dict) else getattr(answer, context.target_field or "", None)
    if made is None and context.lock is not None:
        made = context.lock.made_id
    return made if made is None or isinstance(made, int) else str(made)


def _status(answer: Any) -> int | None:
    return answer.status if isinstance(answer, WithStatus) else None


def _refuse_encoded(request: HttpRequest) -> None:
    """Raises UNSUPPORTED_MEDIA_TYPE (415) for a body that says it is compressed, or not in UTF-8."""
    if request.META.get("HTTP_CONTENT_ENCODING", "identity").strip().lower() not in ("", "identity"):
        plain = {"Accept-Encoding": "identity"}  # RFC 9110, 15.5.16
        raise UNSUPPORTED_MEDIA_TYPE("Send the body without a `Content-Encoding`.", headers=plain)
    if (request.content_params or {}).get("charset", "utf-8").lower() not in ("utf-8", "utf8", "us-ascii"):
        raise UNSUPPORTED_MEDIA_TYPE("Send the body in UTF-8.")


def _accept(request: HttpRequest, operation: Operation) -> None:
    """Raises NOT_ACCEPTABLE (406) for who reads nothing that may be answered; a redirect is answered whatever it is."""
    accept = request.META.get("HTTP_ACCEPT")
    if not accept or accept in ("*/*", JSON) or operation.statuses[0] == 302:
        return
    kinds = (JSON, "application/problem+json", "text/plain", operation.media_type.partition(";")[0])
    # Parameters of `Accept`, such as a charset, are never a reason to refuse.
    if not any(accepted.match(kind) for accepted in request.accepted_types for kind in kinds):
        raise NOT_ACCEPTABLE()


def _render(context: RequestContext, answer: Any) -> HttpResponseBase:
    response = _success(answer, context.operation)
    if context.operation.is_conditional and isinstance(response, HttpResponse) and response.status_code == 200:
        response = with_etag(context.request, response)
    if context.operation.compresses is not None:
        compress(context.request, response, context.operation.compresses)
    return response


def _success(answer: Any, operation: Operation) -> HttpResponseBase:
    status = operation.statuses[0]
    if isinstance(answer, WithStatus):
        status, answer = answer.status, answer.data
    if isinstance(answer, Page):
        body: Any = {"data": answer.data, "next_cursor": answer.next_cursor}
    elif isinstance(answer, Raw):
        body = answer.body
    elif isinstance(answer, NumberedPage):
        body = asdict(answer)
    elif isinstance(answer, HttpResponseBase):
        return answer
    elif answer is None and not operation.may_be_null:
        nothing = HttpResponse(status=204)
        del nothing.headers["Content-Type"]
        return nothing
    elif isinstance(answer, models.Model) and operation.answers is not None:
        body = {"data": operation.answers.show(answer)}
    else:
        body = {"data": answer}
    return HttpResponse(dump_json(body), status=status, content_type=JSON)
