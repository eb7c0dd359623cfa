"""The cabinet's page of the audit trail, to be read."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import SimpleListFilter, display
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import FieldDoesNotExist
from django.db.models import BooleanField, Exists, Model, OuterRef, QuerySet, Value
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from apps.accounts import rules
from apps.accounts.audit.trail import watched
from apps.accounts.audit.words import field_name
from apps.accounts.cabinet import TenantAdmin, display_value, user_of
from apps.accounts.models import User

# What is said of a change that is none of a field.
NAMES = {"second_factor": gettext_noop("two-factor sign-in")}
VALUES = {"on": gettext_noop("on"), "off": gettext_noop("off"), "new backup codes": gettext_noop("new backup codes")}
BOOLEANS = {"True": gettext_noop("yes"), "False": gettext_noop("no")}
LONGEST_SHOWN = 200


class KindFilter(SimpleListFilter):
    """The filter by the kind of the changed rows."""

    title = _("kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(model._meta.label_lower, name_of(model)) for model in watched()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() is None:
            return queryset
        kinds = [model for model in watched() if model._meta.label_lower == self.value()]
        return queryset.filter(content_type__in=ContentType.objects.get_for_models(*kinds).values())


class AuditEntryAdmin(TenantAdmin):
    """The audit trail: the changes of an account's rows and their authors, newest first.

    A line cannot be changed or deleted.

    An account's staff is told of superusers as "the installation"; addresses are shown to owners and superusers.
    """

    account_path = "account_id"
    list_display = ("at", "who", "done", "kind", "row", "what")
    list_filter = (KindFilter, "action", "actor")
    list_select_related = ("actor", "content_type")
    date_hierarchy = "timestamp"
    search_fields = ("object_repr", "=object_pk")
    search_help_text = _("By what was changed: its name or its id.")
    ordering = ("-id",)
    show_full_result_count = False
    list_display_links = ("at",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Each line with whether its reader may know who made the change."""
        may_know = Value(True) if user_of(request).is_superuser else Exists(self._colleagues(request))
        rows: QuerySet[Any] = super().get_queryset(request).annotate(names_actor=may_know)
        return rows

    def _colleagues(self, request: HttpRequest) -> QuerySet[User]:
        found: QuerySet[User] = User.objects.filter(pk=OuterRef("actor_id"), account=user_of(request).account_id)
        return found

    @display(description=_("when"), ordering="timestamp")
    def at(self, entry: Any) -> Any:
        return entry.timestamp

    @display(description=_("of what"))
    def row(self, entry: Any) -> str:
        """The row's name at the time of the change."""
        return str(entry.object_repr)

    @display(description=_("id"))
    def row_id(self, entry: Any) -> str:
        return str(entry.object_pk)

    @display(description=_("address"), empty_value="—")
    def address(self, entry: Any) -> str | None:
        found: str | None = entry.remote_addr
        return found

    @display(description=_("who"))
    def who(self, entry: Any) -> str:
        if entry.actor_id is None and not entry.actor_email:
            if entry.token_id is not None:
                return gettext("API token %(id)d") % {"id": entry.token_id}
            return gettext("API, command or job")
        if not entry.names_actor:
            return gettext("the installation") if entry.actor_id else gettext("somebody who has left")
        return str(entry.actor or entry.actor_email)

    @display(description=_("did"))
    def done(self, entry: Any) -> str:
        return {0: gettext("added"), 1: gettext("changed"), 2: gettext("deleted")}.get(entry.action, "")

    @display(description=_("kind"))
    def kind(self, entry: Any) -> str:
        model = entry.content_type.model_class()
        return name_of(model) if model else entry.content_type.model

    @display(description=_("what"))
    def what(self, entry: Any) -> str:
        """Each field that changed, with its value before and after."""
        model = entry.content_type.model_class()
        lines = (
            (_label(model, name), _said(_field(model, name), name, change))
            for name, change in (entry.changes or {}).items()
        )
        return format_html_join("", "<div>{}: {}</div>", lines)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        fields = ("at", "who", "done", "kind", "row", "row_id", "what")
        user = user_of(request)
        return (*fields, "address") if user.is_superuser or rules.reaches(user.role, rules.OWNER) else fields

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return self.get_fields(request, obj)


def name_of(model: type[Model]) -> str:
    return str(capfirst(model._meta.verbose_name))


def _field(model: type[Model] | None, name: str) -> Any:
    try:
        return model._meta.get_field(name) if model else None
    except FieldDoesNotExist:
        return None


def _label(model: type[Model] | None, name: str) -> str:
    """The cabinet's name of a field; without one, the words of `field_name`."""
    if name in NAMES:
        return gettext(NAMES[name])
    found = str(getattr(_field(model, name), "verbose_name", name))
    return field_name(name) if found in (name, name.replace("_", " ")) else found


def _said(field: Any, name: str, change: Any) -> str:
    """A field's values, before and after; or what was added to a relation, or taken from it."""
    if isinstance(change, dict):
        sign = "+" if change.get("operation") == "add" else "−"
        return _short(", ".join(f"{sign} {row}" for row in change.get("objects", ())))
    if name in NAMES:
        change = [gettext(VALUES.get(value, value)) for value in change]
    elif isinstance(field, BooleanField):
        change = [gettext(BOOLEANS.get(str(value), str(value))) for value in change]
    elif getattr(field, "choices", None):
        change = [value if value in (None, "None", "") else display_value(value) for value in change]
    before, after = ("—" if value in (None, "None", "") else _short(str(value)) for value in change)
    return f"{before} → {after}"


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
