"""One call of an operation, as its handler sees it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import models
from django.http import HttpRequest

from apps.core.database.tenants import TenantQuerySet
from apps.core.endpoints.idempotency import IdempotencyLock
from apps.core.endpoints.operations import Operation
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.endpoints.paging import (
    NEWEST_FIRST,
    NumberedPage,
    Order,
    Page,
    Position,
    RowPage,
    order_of,
    page_of,
    read_cursor,
)
from apps.core.endpoints.row_serializers import RowSerializer
from apps.core.endpoints.uploads import ReceivedFile
from apps.core.problems import Problem


@dataclass(slots=True)
class RequestContext:
    """One admitted and validated call; all that a handler needs to know of the request.

    `body` and `filters` hold validated values; of a list, `filters` are by the look-ups that its query declares as
    `source`. `upload` is the file of a call that came as a form. `lock` is set while a write with an idempotency key
    runs; it has been taken already unless the operation says `takes_lock` or `calls_out`. `target_id` is what the path
    names its object by, whether that is there or not, and `target_within` what it says of the objects around it, by
    look-up.
    """

    request: HttpRequest
    caller: Any
    path: Mapping[str, Any]
    operation: Operation
    target_model: type[models.Model] | None = None
    target_field: str | None = "pk"
    target_id: Any = None
    target_within: Mapping[str, Any] | None = None
    filters: dict[str, Any] = field(default_factory=dict)
    body: dict[str, Any] = field(default_factory=dict)
    limit: int = 0
    cursor: str | None = None
    number: int = 1
    upload: ReceivedFile | None = None
    lock: IdempotencyLock | None = None
    _target: Any = None
    _outbound: ExternalCall | None = None

    @property
    def widget_id(self) -> int:
        """The tenant: every query of a handler starts from it."""
        widget_id: int = self.caller.widget_id
        return widget_id

    @property
    def named_id(self) -> int | str | None:
        """The path's name of its object, as JSON has it; None where it names none."""
        named = self.target_id
        return named if named is None or isinstance(named, int) else str(named)

    @property
    def outbound(self) -> ExternalCall:
        """By what an operation that `calls_out` waits for others, and writes."""
        if self._outbound is None:
            self._outbound = ExternalCall(self.widget_id, self.lock)
        return self._outbound

    @property
    def target(self) -> Any:
        """The path's object, read when it is first asked for. Raises NOT_FOUND (404), also for another tenant's."""
        if self.existing is None:
            raise self.operation.missing()
        return self._target

    @property
    def existing(self) -> Any:
        """The path's object, or None: before an upsert has made it, and for a singleton without a row."""
        if self._target is None:
            answers = self.operation.answers
            related = answers.relations() if answers is not None and self.operation.envelope == "object" else ()
            self._target = self._targets().for_api().select_related(*related).first()
        return self._target

    def as_shown(self, answer: Any) -> Any:
        """A handler's answer. A row that it made of the viewset's model is read again as the API shows it."""
        if type(answer) is not self.target_model or self.target_id is not None or self.target_field is None:
            return answer
        if self.request.method != "POST" or self._target is not None:
            return answer
        self.target_id = getattr(answer, self.target_field)
        return self.target

    def unless_missing(self, problem: Problem) -> Problem:
        """A refusal, or the 404 of the path's object in its place where that is missing and 409 or 422 were refused."""
        is_later = problem.type.status in (409, 422) and not self.operation.upserts
        return self.operation.missing() if is_later and self.target_is_missing() else problem

    def target_is_missing(self) -> bool:
        """Whether the path names an object that is not there, or not the caller's."""
        return self.target_id is not None and self._target is None and not self._targets().exists()

    def _targets(self) -> TenantQuerySet[Any]:
        """The path's object among the tenant's rows. Made when it is asked for: that is 10 % of posting a message."""
        if self.target_model is None:
            raise TypeError(f"the viewset of {self.operation.name} declares no target")
        rows: TenantQuerySet[Any] = self.target_model._default_manager.for_widget(self.widget_id)  # type: ignore[attr-defined]
        if self.target_within:
            rows = rows.filter(**self.target_within)
        return rows if self.target_field is None else rows.filter(**{self.target_field: self.target_id})

    def require_target(self) -> None:
        """Raises NOT_FOUND (404) when the path's object is not there, without reading it."""
        if self.target_is_missing():
            raise self.operation.missing()

    def _list_name(self, order: Order) -> str:
        """The list's own name, which keeps its cursors apart from those of other lists, orders and tenants."""
        within = ":".join(str(value) for value in self.path.values())
        name = f"{self.operation.name}:{self.widget_id}:{within}"
        return name if order == NEWEST_FIRST else f"{name}:by {','.join(order.columns)}"

    @property
    def after(self) -> Position | None:
        """The start of the wanted page of a list that is sorted newest first; None for the first page.

        Raises INVALID_INPUT (422) for a cursor of another list, or of this one in another order.
        """
        return self._after(NEWEST_FIRST)

    def _after(self, order: Order) -> Position | None:
        return read_cursor(self._list_name(order), self.cursor)

    def page(self, rows: TenantQuerySet[Any] | RowPage, *, serializer: type[RowSerializer] | None = None) -> Page:
        """The page that was asked for.

        For a queryset: the rows that pass the filters, from the cursor on, in the queryset's order (newest first by
        default). A read by hand gives what it has Found, newest first, in the columns of the answer's serializer, with
        one row more than the limit. An empty page below a target asks whether that is there (404).

        `serializer` is that of the rows, where the answer's says more than a row holds.
        """
        serializer = serializer or self._row_serializer()
        if isinstance(rows, RowPage):
            found, order = rows, NEWEST_FIRST
        else:
            order = order_of(rows)
            found = order.read(rows.for_api().filter(**self.filters), serializer, self._after(order), self.limit)
        if not found.rows:
            self.require_target()
        return page_of(found, serializer, order, self._list_name(order), self.limit)

    def whole(self, rows: TenantQuerySet[Any] | Iterable[Any]) -> Page:
        """The whole of a list that is never paged: the rows of a queryset that pass the filters, in its order.

        Rows that are no queryset are answered as they are. An empty list below a target asks whether that is there
        (404).
        """
        data = self._shown(rows.filter(**self.filters)) if isinstance(rows, TenantQuerySet) else list(rows)
        if not data:
            self.require_target()
        return Page(data, None)

    def numbered(self, rows: TenantQuerySet[Any] | Sequence[Any]) -> NumberedPage:
        """The page of that number, of the rows of a queryset that pass the filters, or of a sequence as it is."""
        if isinstance(rows, TenantQuerySet):
            rows = rows.filter(**self.filters)
        total = rows.count() if isinstance(rows, TenantQuerySet) else len(rows)
        wanted = rows[(self.number - 1) * self.limit :][: self.limit]
        data = self._shown(wanted) if isinstance(wanted, TenantQuerySet) else list(wanted)
        return NumberedPage(data, self.number, self.limit, total, -(-total // self.limit))

    def _shown(self, rows: TenantQuerySet[Any]) -> list[dict[str, Any]]:
        serializer = self._row_serializer()
        return [serializer.writer()(row) for row in rows.for_api().values_list(*serializer.columns())]

    def _row_serializer(self) -> type[RowSerializer]:
        if self.operation.answers is None:
            raise TypeError(f"{self.operation.name} declares no serializer of its rows")
        return self.operation.answers
