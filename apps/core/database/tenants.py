"""Rows of a tenant: every read of them starts from the widget they belong to."""

from typing import Any, ClassVar, Self, TypeVar

from django.db import models

from apps.core.errors import NOT_FOUND

Row_co = TypeVar("Row_co", bound=models.Model, covariant=True)


class TenantQuerySet(models.QuerySet[Row_co]):
    """The base of the querysets of models whose rows belong to a widget.

    `.for_widget` is where every read begins, so that an id of another widget is one that never was.
    """

    widget_path: ClassVar[str] = "widget_id"

    def for_widget(self, widget_id: int) -> Self:
        """The rows of a widget."""
        return self.filter(**{self.widget_path: widget_id})

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
