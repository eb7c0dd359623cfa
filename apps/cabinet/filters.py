"""The filters of the cabinet's lists: they offer what the reader may see, in the reader's words."""

from typing import Any

from django.contrib.admin.filters import ChoicesFieldListFilter, RelatedFieldListFilter
from django.http import HttpRequest

from apps.cabinet.coded_values import display_value


class OwnRelatedFilter(RelatedFieldListFilter):
    """A filter by a relation, which offers the rows that the user may see."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> Any:
        return [(row.pk, str(row)) for row in model_admin.own_choices(field.related_model, request)]


class NamedValuesFilter(ChoicesFieldListFilter):
    """A filter by one of some values, which are called as readers call them."""

    name_of = staticmethod(display_value)

    def choices(self, changelist: Any) -> Any:
        for choice in super().choices(changelist):
            yield choice | {"display": self.name_of(choice["display"])}
