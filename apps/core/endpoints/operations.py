"""The declaration of an API operation: who may call it, what it takes, what it answers.

`@operation(...)` on a viewset's method is the single source of what is enforced (`viewsets.py`) and of what is
documented (`openapi.py`). A method without one can't be routed, and one without scopes can't be declared.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from apps.core import errors
from apps.core.endpoints.callers import Caller
from apps.core.endpoints.idempotency import Claim
from apps.core.endpoints.paging import Page
from apps.core.endpoints.serializers import Body, Query, Shape
from apps.core.endpoints.uploads import Upload, UploadForm
from apps.core.problems import ProblemType

Handler = TypeVar("Handler", bound=Callable[..., Any])


@dataclass(slots=True)
class Call:
    """One authorised and validated call of an operation; all that a handler needs to know of the request.

    `query` and `body` hold validated values; `upload` is the file of a call that came as a form. `claim` is set while a
    write with an idempotency key runs; it has been taken already unless the operation says `takes_claim`.
    """

    request: HttpRequest
    caller: Caller
    path: Mapping[str, Any]
    query: dict[str, Any] = field(default_factory=dict)
    body: dict[str, Any] = field(default_factory=dict)
    upload: Upload | None = None
    claim: Claim | None = None

    @property
    def widget_id(self) -> int:
        """The tenant: every query of a handler starts from it."""
        return self.caller.widget_id


@dataclass(frozen=True, slots=True)
class Literally:
    """An answer whose body the specification prints literally: no `{"data": …}` around it."""

    body: Any


# What a handler may return: a Page, an object for {"data": …}, a Literally, None for 204, or a response of its own.
Answer = Page | Mapping[str, Any] | Literally | HttpResponseBase | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One row of the API's contract. See `operation` for the fields."""

    name: str
    summary: str
    description: str
    scopes: tuple[str, ...]
    query: Query | None
    body: Body | None
    upload: UploadForm | None
    answer: type[Shape] | None
    envelope: Literal["object", "list", "literal", "none"]
    streams: str | None
    status: int
    problems: tuple[ProblemType, ...]
    idempotent: bool
    takes_claim: bool
    target_exists: Callable[[Call], bool] | None
    example: Mapping[str, Any] | None
    body_required: bool

    @property
    def every_problem(self) -> tuple[ProblemType, ...]:
        """What the operation may refuse with: its own problems, and those that follow from its declaration."""
        implied = [errors.NOT_AUTHENTICATED, errors.API_DISABLED, errors.MISSING_SCOPE, errors.RATE_LIMITED]
        implied.append(errors.INVALID_INPUT)  # an unknown parameter, wherever it is sent
        if self.body is not None:
            implied += [errors.INVALID_JSON, errors.BODY_TOO_LARGE, errors.UNSUPPORTED_MEDIA_TYPE]
            implied.append(errors.DUPLICATE_MEMBER)
        if self.upload is not None:
            implied += [errors.INVALID_FORM, errors.UNSUPPORTED_MEDIA_TYPE]
        if self.idempotent:
            implied += [errors.IDEMPOTENCY_KEY_REQUIRED, errors.INVALID_IDEMPOTENCY_KEY]
            implied.append(errors.IDEMPOTENCY_KEY_REUSED)
        return tuple(dict.fromkeys([*implied, *self.problems]))


def operation(
    *,
    scopes: tuple[str, ...],
    summary: str,
    query: type[Query] | None = None,
    body: type[Body] | None = None,
    upload: UploadForm | None = None,
    answer: type[Shape] | None = None,
    envelope: Literal["object", "list", "literal"] = "object",
    streams: str | None = None,
    status: int = 200,
    problems: tuple[ProblemType, ...] = (),
    idempotency: Literal["none", "required"] = "none",
    takes_claim: bool = False,
    target_exists: Callable[[Call], bool] | None = None,
    example: Mapping[str, Any] | None = None,
) -> Callable[[Handler], Handler]:
    """Declares a viewset's method as an API operation.

    scopes: any one of them lets a token in; at least one.
    query, body: strict serializers; without them no parameter, no member is accepted.
    upload: the operation takes a multipart form with a file; beside `body`, either the one or the other.
    answer, envelope, status: the shape of a success; 204 has none.
    streams: the media type of a success that is a file, sent while it is made; the handler returns the response.
    problems: what this operation may refuse with, beyond what follows from the declaration (`every_problem`).
    idempotency: "required" asks for X-Service-Idempotency-Key and runs the handler in the transaction of its claim.
    takes_claim: the handler's action opens the transaction and takes the claim itself, in its first statement.
    target_exists: whether the object of the path exists for the caller; asked only before a 422 or 409, so that 404
        wins.
    example: an example of the request's body for the documentation.
    The handler's docstring is the operation's description.
    """
    if not scopes:
        raise ValueError(f"the operation {summary!r} declares no scope")

    def declare(handler: Handler) -> Handler:
        handler.operation = Operation(  # type: ignore[attr-defined]
            name=handler.__qualname__,
            summary=summary,
            description=(handler.__doc__ or "").strip(),
            scopes=scopes,
            query=query() if query else None,
            body=body() if body else None,
            upload=upload,
            answer=answer,
            envelope="none" if answer is None else envelope,
            streams=streams,
            status=status,
            problems=problems,
            idempotent=idempotency == "required",
            takes_claim=takes_claim,
            target_exists=target_exists,
            example=example,
            body_required=body is not None and any(member.required for member in body()._writable_fields),
        )
        return handler

    return declare
