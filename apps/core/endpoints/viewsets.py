"""The base of every viewset: one order of refusals for every call of any caller (docs/adr/0003).

First the admission's own (for API tokens 401, 403 `api_disabled`, 429), then 405, what the caller may not do
(`missing_scope`), 503 for a write while the account moves, 406, 415, 400, 404, 422, 409. A success is answered straight
through orjson: no DRF request, negotiation, throttle, renderer or output serializer runs.
"""

import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, ClassVar

from django.db import models, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSetMixin

from apps.core import portable
from apps.core.endpoints.admission import Admission, Admitted, TokenAdmission, moving
from apps.core.endpoints.answers import JSON, dump_json, refusal
from apps.core.endpoints.bodies import admitted_before, await_body, has_body, is_asked_again, whole_body
from apps.core.endpoints.calls import Call
from apps.core.endpoints.compression import compress
from apps.core.endpoints.idempotency import HEADER_IN_META, Claim, key_of
from apps.core.endpoints.operations import Literally, Operation, WithStatus
from apps.core.endpoints.paging import NumberedPage, Page
from apps.core.endpoints.serializers import Body, Query, validated_body, validated_query
from apps.core.endpoints.uploads import is_form, received_upload
from apps.core.errors import METHOD_NOT_ALLOWED, NOT_ACCEPTABLE, UNSUPPORTED_MEDIA_TYPE
from apps.core.observability import metrics
from apps.core.parsing.strict_json import parse_object
from apps.core.problems import Problem

_NO_BODY = Body()
_NO_QUERY = Query()
_READING = ("GET", "HEAD")


class EndpointViewSet(ViewSetMixin, APIView):
    """A viewset whose methods are operations (`@operation`); subclasses hold nothing but those, and say:

    admission: who may come in.
    reads, writes: the scopes of its GETs, and of the rest.
    target: the model of the object that the path leads to, found among the tenant's (`Model.objects.of`) by its first
        argument as `target_field`: an id, a guid, a slug. If it is not there, the call is 404, unless it `upserts`.
        A singleton has no key in the path: its `target_field` is None.
    target_within: for an object within others, the look-ups of these (`("operator__guid",)`): their arguments come
        first in the path.
    shared_arguments: arguments that name an object of no tenant, such as a template; their converter knows them all.
    """

    admission: ClassVar[Admission]
    reads: ClassVar[tuple[str, ...]] = ()
    writes: ClassVar[tuple[str, ...]] = ()
    operations: ClassVar[Mapping[str, Operation]] = {}  # as they are routed, by the name of the handler
    target: ClassVar[type[models.Model] | None] = None
    target_field: ClassVar[str | None] = "pk"
    target_within: ClassVar[tuple[str, ...]] = ()
    shared_arguments: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def object_arguments(cls, path: Iterable[str]) -> list[str]:
        """The arguments of a path that lead to a tenant's object: the admission answers for the others, if for any."""
        others = cls.admission.path_arguments + cls.shared_arguments
        return [name for name in path if name not in others]

    @classmethod
    def as_view(cls, actions: Any = None, **initkwargs: Any) -> Any:
        operations = dict(cls.operations)
        for method, name in (actions or {}).items():
            declared: Operation | None = getattr(getattr(cls, name, None), "operation", None)
            if declared is None:
                raise TypeError(f"{cls.__name__}.{name} ({method.upper()}) is routed without an @operation")
            operations[name] = declared.routed(
                method.upper(), reads=cls.reads, writes=cls.writes, needs_keys=cls.admission.needs_keys
            )
            if cls.admission.needs_scopes and not operations[name].scopes:
                raise TypeError(f"{cls.__name__}.{name} ({method.upper()}) declares no scope")
        cls.operations = operations
        return super().as_view(actions, **initkwargs)

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        began = time.perf_counter()
        self.kwargs = kwargs
        name = self.action_map.get((request.method or "").lower())
        operation = self.operations[name] if name else None
        admitted = Admitted()
        response: HttpResponseBase
        try:
            if request.method == "OPTIONS" and self.admission.answers_options:
                response = self.admission.preflight(request, kwargs, self._allowed_methods())
            else:
                admitted = admitted_before(request) or self.admission.admit(request, kwargs)
                response = self._answer(request, admitted, operation, getattr(self, name or "", None))
            if response.status_code == 100:
                return response
        except Exception as error:
            response = refusal(error, request, self.admission.members)
        request.token_id = getattr(admitted.caller, "token_id", None)  # type: ignore[attr-defined] # for its line
        if admitted.budget is not None:
            admitted.budget.write_headers(response)
        self.admission.finish(request, response, admitted)
        routed = operation.name if operation else "unknown"
        metrics.REQUESTS.labels(routed, response.status_code).observe(time.perf_counter() - began)
        return response

    def is_there(self, call: Call) -> bool:
        """Whether its addresses are there for a caller, where a setting of theirs decides; else they are 404."""
        return True

    def _allowed_methods(self) -> list[str]:
        besides = ["OPTIONS"] if self.admission.answers_options else []
        return [*(method.upper() for method in self.action_map), *besides]

    def _answer(
        self, request: HttpRequest, admitted: Admitted, operation: Operation | None, handler: Any
    ) -> HttpResponseBase:
        if admitted.refusal is not None:
            raise admitted.refusal
        if operation is None:
            raise METHOD_NOT_ALLOWED(headers={"Allow": ", ".join(self._allowed_methods())})
        if not is_asked_again(request):
            self.admission.permit(request, admitted.caller, operation)
        if request.method not in _READING and not operation.adds_nothing and _is_moving(request, admitted.caller):
            raise moving()
        _require_acceptable(request, operation)
        call = self._call(request, admitted.caller, operation)
        comes_as_form = operation.upload is not None and is_form(request)
        at_most = operation.max_body or self.admission.max_body
        longest = operation.upload.longest_form if operation.upload and comes_as_form else at_most
        if (go_on := await_body(request, admitted, longest)) is not None:
            return go_on
        raw = b"" if comes_as_form else self._read_body(request, admitted.caller, operation, at_most)
        if operation.idempotent:
            call.claim = _claim_of(call)
        try:
            if comes_as_form:
                return _run_with_upload(call, handler)
            must_parse = raw or operation.requires_body(request.method or "")
            document = parse_object(raw) if must_parse else {}
            if not self.is_there(call):
                raise operation.missing()
            _validate(call, document)
            response = _success(_run(call, handler), operation)
        except Problem as problem:
            if problem.type.status in (409, 422) and not operation.upserts and call.target_is_missing():
                raise operation.missing() from None
            raise
        if operation.compresses is not None:
            compress(request, response, operation.compresses)
        return response

    def _read_body(self, request: HttpRequest, caller: Any, operation: Operation, at_most: int | None) -> bytes:
        """The body's bytes, none for a request without one. Raises 413, 400, the admission's own, or 415."""
        if request.method in ("GET", "HEAD"):
            if self.admission.unexpected_body is not None and has_body(request):
                raise self.admission.unexpected_body()
            return b""
        raw = whole_body(request, at_most)
        self.admission.inspect(request, caller, raw)
        takes_form_alone = operation.upload is not None and operation.body is None
        is_expected = raw or operation.requires_body(request.method or "")
        if takes_form_alone or (is_expected and request.content_type != JSON):
            raise UNSUPPORTED_MEDIA_TYPE()
        return raw

    def _call(self, request: HttpRequest, caller: Any, operation: Operation) -> Call:
        call = Call(request, caller, self.kwargs, operation, self.target, self.target_field)
        if names := self.object_arguments(self.kwargs):
            call.target_id = self.kwargs[names[len(self.target_within)]]
            if self.target_within:
                around = (self.kwargs[name] for name in names)
                call.target_within = dict(zip(self.target_within, around, strict=False))
        return call


class ApiViewSet(EndpointViewSet):
    """A viewset of the REST API: callers are API tokens."""

    admission = TokenAdmission()


def _is_moving(request: HttpRequest, caller: Any) -> bool:
    """Whether the caller's account moves. Asked again if the body came late, as that may have taken long."""
    return bool(portable.is_moving(caller.widget_id) if is_asked_again(request) else caller.is_moving)


def _validate(call: Call, document: dict[str, Any]) -> None:
    _read_query(call)
    if call.operation.body is not None or document:
        body = call.operation.body or _NO_BODY
        if body.requires_context:
            read_only = body.read_only_members
            body = type(body)(context={"call": call})
            body.read_only_members = read_only
        call.body = validated_body(body, document)


def _read_query(call: Call) -> None:
    query_string = call.request.META.get("QUERY_STRING", "")
    if not query_string and call.operation.filters is None:
        return
    filters = validated_query(call.operation.filters or _NO_QUERY, query_string)
    if call.operation.envelope == "list":
        call.limit, call.cursor = filters.pop("limit"), filters.pop("cursor", None)
    elif call.operation.envelope == "numbered":
        call.limit, call.number = filters.pop("limit"), filters.pop("page")
    call.filters = filters


def _run_with_upload(call: Call, handler: Any) -> HttpResponseBase:
    operation = call.operation
    assert operation.upload is not None  # noqa: S101 - only asked for operations with one
    _read_query(call)
    with received_upload(call.request, operation.upload) as call.upload:
        return _success(_run(call, handler), operation)


def _run(call: Call, handler: Any) -> Any:
    """Runs the handler; a write's in the transaction of its claim, unless its action takes the claim itself."""
    if call.operation.calls_out:
        return _run_outside(call, handler)
    if call.claim is None or call.operation.takes_claim:
        return handler(call)
    with transaction.atomic():
        call.claim.take()
        return handler(call)


def _run_outside(call: Call, handler: Any) -> Any:
    """Runs a handler that waits for others. A refusal gives back the key that it has claimed, unless it keeps that."""
    if call.claim is not None:
        call.claim.refuse_if_taken()
    try:
        return handler(call)
    except Exception as error:
        if not (isinstance(error, Problem) and error.type in call.operation.key.kept_after):
            call.outbound.release()
        raise


def _claim_of(call: Call) -> Claim:
    rules = call.operation.key
    return Claim(call.caller.token_id, key_of(call.request.META.get(HEADER_IN_META), rules), rules.reused)


def _require_acceptable(request: HttpRequest, operation: Operation) -> None:
    accept = request.META.get("HTTP_ACCEPT")
    if operation.status == 302:
        return  # a redirect is answered whatever `Accept` says
    if not accept or accept in ("*/*", JSON):
        return
    kinds = (JSON, "application/problem+json", "text/plain", operation.media_type.partition(";")[0])
    # Parameters of `Accept`, such as a charset, are never a reason to refuse.
    if not any(accepted.match(kind) for accepted in request.accepted_types for kind in kinds):
        raise NOT_ACCEPTABLE()


def _success(answer: Any, operation: Operation) -> HttpResponseBase:
    status = operation.status
    if isinstance(answer, WithStatus):
        status, answer = answer.status, answer.data
    if isinstance(answer, Page):
        body: Any = {"data": answer.data, "next_cursor": answer.next_cursor}
    elif isinstance(answer, Literally):
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
