"""Rows of a tenant: every read of them starts from the widget they belong to, or says why it does not.

`objects` of a model with a `TenantQuerySet` offers the product's own code the openings of `Openings` and no others.
Django itself, tests and scripts find the usual manager there.
"""

import sys
from typing import TYPE_CHECKING, Any, ClassVar, Never, Self, TypeVar

from django.db import models
from django.db.models.manager import BaseManager, ManagerDescriptor

from apps.core.errors import NOT_FOUND

Row_co = TypeVar("Row_co", bound=models.Model, covariant=True)
Rows = TypeVar("Rows", bound=models.QuerySet[Any])

GUARDED = ("apps.", "config.")  # the modules whose use of `objects` is guarded


class UnscopedRead(Exception):
    """The product's own code opened a tenant's rows without their widget and without a reason."""

    def __init__(self, model: type[models.Model], opening: str) -> None:
        name = f"{model.__name__}.objects"
        super().__init__(
            f"{name}.{opening} may reach rows of every widget: begin with {name}.for_widget(widget_id), or say why "
            f'not: {name}.unscoped("the reason").{opening}'
        )


def unscoped(rows: Rows, why: str) -> Rows:
    """The same rows, of any widget; `why` tells the reader the reason. Tests look at each statement for it."""
    if not why.strip():
        raise ValueError("unscoped rows need a reason")
    marked: Rows = rows.all()
    marked.query.unscoped = why  # type: ignore[attr-defined]  # Django copies a query with all it has
    return marked


class Openings:
    """The openings of a tenant's rows that `objects` offers to the product's own code; all else raises UnscopedRead."""

    def __init__(self, manager: Any) -> None:
        self._model = manager.model
        self._get_or_create, self._update_or_create = manager.get_or_create, manager.update_or_create
        self.for_widget, self.unscoped, self.none = manager.for_widget, manager.unscoped, manager.none
        self.create, self.bulk_create = manager.create, manager.bulk_create  # a new row names its tenant

    def get_or_create(self, defaults: Any = None, **look_up: Any) -> Any:
        """The manager's, by a look-up that names the widget."""
        self._ask_for_widget("get_or_create", look_up)
        return self._get_or_create(defaults, **look_up)

    def update_or_create(self, defaults: Any = None, create_defaults: Any = None, **look_up: Any) -> Any:
        """The manager's, by a look-up that names the widget."""
        self._ask_for_widget("update_or_create", look_up)
        return self._update_or_create(defaults, create_defaults, **look_up)

    def _ask_for_widget(self, opening: str, look_up: dict[str, Any]) -> None:
        if not look_up.keys() & {"widget", "widget_id"}:
            raise UnscopedRead(self._model, opening)

    def __getattr__(self, name: str) -> Never:
        raise UnscopedRead(self._model, name)


class _Objects(ManagerDescriptor):
    """The attribute `objects`: what is found there depends on the module that asks."""

    def __init__(self, manager: BaseManager[Any]) -> None:
        super().__init__(manager)
        self._openings: dict[Any, Openings] = {}

    def __get__(self, instance: Any, cls: Any = None) -> Any:
        if instance is not None or not sys._getframe(1).f_globals.get("__name__", "").startswith(GUARDED):
            return super().__get__(instance, cls)
        if cls not in self._openings:
            self._openings[cls] = Openings(super().__get__(instance, cls))
        return self._openings[cls]


def _contribute(manager: BaseManager[Any], model: type[models.Model], name: str) -> None:
    """Django's, but `objects` is guarded. `_default_manager` is the manager itself, as Django's own machinery needs."""
    models.Manager.contribute_to_class(manager, model, name)
    setattr(model, name, _Objects(manager))


class TenantQuerySet(models.QuerySet[Row_co]):
    """The base of the querysets of models whose rows belong to a widget.

    `.for_widget` is where every read begins, so that an id of another widget is one that never was.
    """

    widget_path: ClassVar[str] = "widget_id"

    if not TYPE_CHECKING:  # as django-stubs knows Django's own

        @classmethod
        def as_manager(cls) -> models.Manager[Any]:
            """The guarded manager of a model, its `objects`."""
            manager = super().as_manager()
            type(manager).contribute_to_class = _contribute  # a class of this call alone
            return manager

    def for_widget(self, widget_id: int) -> Self:
        """The rows of a widget."""
        return self.filter(**{self.widget_path: widget_id})

    def unscoped(self, why: str) -> Self:
        """These rows, of any widget. `why` is a literal text that tells the reader the reason."""
        return unscoped(self, why)

    def for_api(self) -> Self:
        """These rows with what the API shows of them besides their own columns: nothing, unless a subclass says so."""
        return self

    def get_or_404(self, refusal: str | None = None, /, **look_up: Any) -> Row_co:
        """The one row of these that the look-up names. Raises NOT_FOUND (404), in the words of `refusal`."""
        row = self.filter(**look_up).first()
        if row is None:
            raise NOT_FOUND(refusal)
        return row

    def get_for_update(self, **look_up: Any) -> Row_co:
        """The row, locked against other changes until the transaction ends; other rows may still refer to it.

        Raises NOT_FOUND (404).
        """
        return self.select_for_update(of=("self",), no_key=True).get_or_404(**look_up)
