"""The declaration of an operation: who may call it, what it takes, what it answers.

`@operation(...)` on a viewset's method is the single source of what is enforced (`viewsets.py`) and of what is
documented (`openapi.py`). A method without one can't be routed.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypedDict, TypeVar, Unpack

from apps.core import errors
from apps.core.endpoints.answers import JSON
from apps.core.endpoints.compression import Compression
from apps.core.endpoints.deprecation import Deprecation
from apps.core.endpoints.idempotency import EVERY_KEY, KeyRules
from apps.core.endpoints.paging import NumberedQuery, PageQuery
from apps.core.endpoints.row_serializers import RowSerializer, secrets_in
from apps.core.endpoints.serializers import Body, PatchBody, Query
from apps.core.endpoints.uploads import UploadForm
from apps.core.problems import ProblemType
from apps.core.quotas import Quota

Handler = TypeVar("Handler", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Raw:
    """An answer whose body the specification prints literally: no `{"data": …}` around it."""

    body: Any


@dataclass(frozen=True, slots=True)
class WithStatus:
    """An object with another of the operation's statuses than the first."""

    status: int
    data: Any


# The answers of a handler: an object of the model or a mapping, for {"data": …}; either WithStatus; a Page or a
# NumberedPage; a Raw; None for 204; or a response of its own.
Answer = Any

Envelope = Literal["object", "list", "whole", "numbered", "literal", "none"]
Lists = bool | Literal["whole", "numbered"]

_NEED_KEYS = frozenset({"POST", "PUT", "PATCH"})

# The parameters of a list that declares no others.
_PAGES: dict[Envelope, type[Query]] = {"list": PageQuery, "numbered": NumberedQuery}


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One row of the API's contract. See `operation` for the fields."""

    name: str
    summary: str
    description: str
    scopes: tuple[str, ...]
    filters: Query | None
    body: Body | None
    answers: type[RowSerializer] | None
    envelope: Envelope
    statuses: tuple[int, ...]
    idempotent: bool | None
    upload: UploadForm | None = None
    media_type: str = JSON
    streams: bool = False
    compresses: Compression | None = None
    problems: tuple[ProblemType, ...] = ()
    limits: tuple[Quota, ...] = ()
    takes_lock: bool = False
    calls_out: bool = False
    key: KeyRules = EVERY_KEY
    upserts: bool = False
    max_body: int | None = None
    missing: ProblemType = errors.NOT_FOUND
    example: Mapping[str, Any] | None = None
    also_needs: tuple[str, ...] = ()
    may_be_null: bool = False
    adds_nothing: bool = False
    deprecated: Deprecation | None = None
    is_conditional: bool = False
    has_required_members: bool = field(init=False)
    public_id: str = field(init=False)  # its `operationId`

    def __post_init__(self) -> None:
        owner, _, handler = self.name.partition(".")
        snake = re.sub(r"(?<!^)(?=[A-Z])", "_", owner.removesuffix("ViewSet")).lower()
        object.__setattr__(self, "public_id", f"{snake}_{handler}")
        shows_secret = self.answers is not None and bool(secrets_in(self.answers()))
        if self.compresses and (self.streams or self.body or self.upload or self.idempotent or shows_secret):
            raise ValueError(f"the operation {self.name} can't be compressed: it streams, writes, or shows a secret")
        members = self.body._writable_fields if self.body is not None else ()
        object.__setattr__(self, "has_required_members", any(member.required for member in members))

    def routed(self, method: str, *, reads: tuple[str, ...], writes: tuple[str, ...], needs_keys: bool) -> "Operation":
        """As it is at a route: the scopes are its viewset's unless it has its own, and a write needs a key.

        A read is conditional (`conditional.py`) if its viewset's writes need keys, it answers JSON and asks no others.
        """
        scopes = self.scopes or (reads if method == "GET" else writes)
        idempotent = needs_keys and method in _NEED_KEYS if self.idempotent is None else self.idempotent
        is_conditional = needs_keys and method == "GET" and self.answers is not None and not self.calls_out
        return replace(self, scopes=scopes, idempotent=idempotent, is_conditional=is_conditional)

    @property
    def status(self) -> int:
        """The status of a success, unless the handler says otherwise."""
        return self.statuses[0]

    def requires_body(self, method: str) -> bool:
        """Whether a call must have a body: one of which a member is required, and every change.

        A change without a body is a client's mistake. A change of nothing, on purpose, is `{}`.
        """
        return self.has_required_members or (self.body is not None and method in ("PATCH", "PUT"))

    def implied_problems(self, method: str) -> tuple[ProblemType, ...]:
        """The problems that follow from the declaration. A body may come with all but a read, even if none is taken."""
        implied = [errors.INVALID_INPUT]  # an unknown parameter, wherever it is sent
        if method != "GET":
            implied += [errors.INVALID_JSON, errors.BODY_TOO_LARGE, errors.UNSUPPORTED_MEDIA_TYPE]
            implied.append(errors.DUPLICATE_MEMBER)
        if self.upload is not None:
            implied.append(errors.INVALID_FORM)
        if self.idempotent:
            implied += self.key.problems
        implied += [limit.refusal for limit in self.limits]
        if self.calls_out:
            implied.append(errors.OUTBOUND_BUSY)  # no place in the bulkhead
        return tuple(implied)


class More(TypedDict, total=False):
    """Further declarations of an operation, as they are kept (see `operation`)."""

    upload: UploadForm
    media_type: str
    streams: bool
    compresses: Compression
    problems: tuple[ProblemType, ...]
    limits: tuple[Quota, ...]
    takes_lock: bool
    calls_out: bool
    key: KeyRules
    upserts: bool
    max_body: int
    missing: ProblemType
    example: Mapping[str, Any]
    also_needs: tuple[str, ...]
    may_be_null: bool
    adds_nothing: bool
    deprecated: Deprecation


def operation(
    *,
    summary: str,
    scopes: tuple[str, ...] | None = None,
    filters: type[Query] | None = None,
    takes: type[Body] | None = None,
    answers: type[RowSerializer] | None = None,
    lists: Lists = False,
    literal: bool = False,
    status: int | tuple[int, ...] = 200,
    idempotent: bool | None = None,
    **more: Unpack[More],
) -> Callable[[Handler], Handler]:
    """Declares a viewset's method as an operation.

    scopes: any one of them lets a token in; without them the viewset's (`reads`, `writes`). filters, takes: strict
    query and body; without them no parameter, no member is accepted. upload: the operation takes a multipart form with
    a file; beside `takes`, either the one or the other. answers, lists, literal: the serializer of a success, of each
    row of a list, or of the whole body; 204 has none. A list
        comes in pages (`context.page`), or "whole" (`context.whole`), or in pages that are "numbered"
        (`context.numbered`).
    media_type: of a success; where it is not JSON, the handler returns the response.
    streams: a success is a file that is sent while it is made.
    compresses: whether, and how, a success is compressed (`compression.py`); none that holds a secret can be.
    status: of a success; several where the handler chooses (`WithStatus`), the usual one first.
    problems: what this operation may refuse with, beyond what follows from the declaration.
    limits: what its action spends of, beside the caller's requests a minute.
    idempotent: asks for X-Service-Idempotency-Key and runs the handler in the transaction of its claim. POST, PUT and
        PATCH do, where callers are API tokens, unless it is said otherwise.
    takes_lock: the handler's action opens the transaction and takes the idempotency lock itself, in its first
        statement.
    calls_out: waits for somebody outside, so it runs in no transaction; it writes by `context.outbound`, which takes
        the claim (`outbound_writes.py`).
    key: what its idempotency keys may be, and after which refusals they stay taken, where that differs.
    upserts: makes the path's object where it is not there (`context.existing` is None), instead of answering 404.
    max_body: the longest body in bytes, where it differs from the authenticator's.
    missing: the 404 of a path whose object is not there, where the specification gives it a code of its own.
    example: an example of the request's body for the documentation.
    also_needs: scopes that a token needs beside one of `scopes`, all of them.
    may_be_null: of a success that is an object: where the handler answers None, `data` is null.
    adds_nothing: it adds nothing to what the widget has, though it is no GET: it is taken while the account moves.
    deprecated: since when, when it ends, what to call instead: every answer says so, and the document.
    The handler's docstring is the operation's description.
    """
    if scopes == ():
        raise ValueError(f"the operation {summary!r} declares no scope")
    envelope = _envelope(answers, lists, literal)
    query = filters or _PAGES.get(envelope)

    def declare(handler: Handler) -> Handler:
        handler.operation = Operation(  # type: ignore[attr-defined]
            name=handler.__qualname__,
            summary=summary,
            description=(handler.__doc__ or "").strip(),
            scopes=scopes or (),
            filters=query() if query else None,
            body=_body(takes, answers),
            answers=answers,
            envelope=envelope,
            statuses=(status,) if isinstance(status, int) else status,
            idempotent=idempotent,
            **more,
        )
        return handler

    return declare


def _body(takes: type[Body] | None, answers: type[RowSerializer] | None) -> Body | None:
    if takes is None:
        return None
    body = takes()
    if isinstance(body, PatchBody) and answers is not None:
        body.read_only_members = {*body.read_only_members, *(answers().fields.keys() - body.fields.keys())}
    return body


def _envelope(answers: type[RowSerializer] | None, lists: Lists, literal: bool) -> Envelope:
    if lists:
        return "list" if lists is True else lists
    if answers is None:
        return "none"
    return "literal" if literal else "object"
