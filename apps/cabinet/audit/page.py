"""The cabinet's page of the audit trail, to be read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.apps import apps as django_apps
from django.contrib.admin import SimpleListFilter, display
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Exists, Model, OuterRef, Q, QuerySet, Subquery, Value
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.accounts import rules
from apps.accounts.audit.trail import labels_of, title_of, watched
from apps.accounts.models import ApiToken, User
from apps.cabinet.audit.values import DEEDS, deed_of, members_of, said
from apps.cabinet.audit.words import field_name
from apps.cabinet.menu import ACCOUNT, MenuPlace
from apps.cabinet.tenant_admin import TenantAdmin, user_of
from apps.core.database.tenants import unscoped

MAX_ROWS_MEANT = 10
# What of a widget is told by number, as its rows are not watched.
NUMBERED = ("ticket", "contact")
SENTENCES = {name for name, _became in DEEDS} | {"invited"}


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


class AreaFilter(SimpleListFilter):
    """The filter by the part of the service: what belongs to chats, to AI, to billing."""

    title = _("area")
    parameter_name = "area"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        labels = dict.fromkeys(model._meta.app_label for model in watched())
        return [(label, str(django_apps.get_app_config(label).verbose_name)) for label in labels]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(content_type__app_label=self.value()) if self.value() else queryset


class ObjectFilter(SimpleListFilter):
    """The filter by rows, as a row's history has it: "accounts.widget:3", several with commas.

    "kb.rule:*:widget=3" is all of a widget's rows of a kind, those that are deleted, too.
    """

    title = _("object")
    parameter_name = "of"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        value = request.GET.get(self.parameter_name, "")
        pairs = list(_rows_meant(value))
        return [(value, ", ".join(_name_meant(model, key, number) for model, key, number in pairs))] if pairs else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        if value is None:
            return queryset
        meant = Q(pk__in=[])
        for model, key, number in _rows_meant(value):
            if key == "*":
                meant |= _all_of_widget(model, number)
                continue
            rows = Q(content_type=ContentType.objects.get_for_model(model), object_pk=key)
            member, _equals, named = number.partition("=")
            meant |= rows & Q(**{f"changes__{member}__0": named}) if member in NUMBERED else rows
        return queryset.filter(meant)


def _name_meant(model: type[Model], key: str, number: str) -> str:
    return name_of(model) if key == "*" else f"{name_of(model)} {number.partition('=')[2] or key}"


def _all_of_widget(model: type[Model], number: str) -> Q:
    """The lines of a widget's rows: of those that are there, and of those that its lines say were there."""
    member, _equals, widget_id = number.partition("=")
    if member != "widget" or not (widget_id.isascii() and widget_id.isdecimal() and len(widget_id) < 19):
        return Q(pk__in=[])
    rows: Any = getattr(model, "objects", None)
    if not hasattr(rows, "for_widget"):
        return Q(pk__in=[])
    there = rows.for_widget(int(widget_id)).values("pk")
    were = Q(changes__widget__0=widget_id) | Q(changes__widget__1=widget_id)
    return Q(content_type=ContentType.objects.get_for_model(model)) & (Q(object_id__in=there) | were)


def _rows_meant(value: str) -> Iterator[tuple[type[Model], str, str]]:
    known = {model._meta.label_lower: model for model in watched()}
    for each in value.split(",")[:MAX_ROWS_MEANT]:
        label, _colon, key = each.partition(":")
        key, _colon, number = key.partition(":")
        if label in known and key:
            yield known[label], key, number


DEEDS_OF_ROWS = {0: _("added"), 1: _("changed"), 2: _("deleted")}


def name_of(model: type[Model]) -> str:
    title = title_of(model)
    return str(capfirst(gettext(title) if title else model._meta.verbose_name))


class DeedFilter(SimpleListFilter):
    """The filter by what was done."""

    title = _("deed")
    parameter_name = "action__exact"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(str(code), name) for code, name in DEEDS_OF_ROWS.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(action=self.value()) if self.value() in ("0", "1", "2") else queryset


class AuditEntryAdmin(TenantAdmin):
    """The audit trail: the changes of an account's rows and their authors, newest first.

    A line cannot be changed or deleted.

    An account's staff is told of superusers as "the installation"; addresses are shown to owners and superusers.
    """

    menu = MenuPlace(ACCOUNT, 40, _("Audit trail"))
    purpose = _("Who changed what, and when.")
    account_path = "account_id"
    list_display = ("at", "who", "said", "what")
    list_filter = ("actor", AreaFilter, KindFilter, DeedFilter, ObjectFilter)
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
        tokens = ApiToken.objects.unscoped("the tokens that the account's own lines name").filter(
            pk=OuterRef("token_id")
        )
        rows: QuerySet[Any] = (
            super()
            .get_queryset(request)
            .annotate(
                names_actor=may_know,
                token_name=Subquery(tokens.values("name")[:1]),
                token_hint=Subquery(tokens.values("hint")[:1]),
            )
        )
        return rows

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """The list, with the names of the rows that its lines mean by id."""
        found = super().get_changelist_instance(request)
        _name_rows(list(found.result_list))
        return found

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        entry = super().get_object(request, object_id, from_field)
        _name_rows([entry])
        return entry

    def _colleagues(self, request: HttpRequest) -> QuerySet[User]:
        found: QuerySet[User] = User.objects.filter(pk=OuterRef("actor_id"), account=user_of(request).account_id)
        return found

    @display(description=_("when"), ordering="timestamp")
    def at(self, entry: Any) -> Any:
        return entry.timestamp

    @display(description=_("when"))
    def whole_moment(self, entry: Any) -> str:
        return date_format(localtime(entry.timestamp), "DATETIME_FORMAT")

    @display(description=_("of what"))
    def row(self, entry: Any) -> str:
        """The row's name at the time of the change."""
        return str(entry.object_repr)

    @display(description=_("number"))
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
                name = entry.token_name or entry.token_hint or f"№ {entry.token_id}"
                return gettext("API token “%(name)s”") % {"name": name}
            return gettext("API, command or job")
        if not entry.names_actor:
            return gettext("the installation") if entry.actor_id else gettext("somebody who has left")
        return str(entry.actor or entry.actor_email)

    @display(description=_("did"))
    def done(self, entry: Any) -> str:
        return str(DEEDS_OF_ROWS.get(entry.action, ""))

    @display(description=_("of what"))
    def said(self, entry: Any) -> str:
        """The kind and the name of the row, which leads to all of its lines, and what was done."""
        of = f"{entry.content_type.app_label}.{entry.content_type.model}:{entry.object_pk}"
        line = '{}: <a class="text-link" href="?of={}">{}</a> <span class="card-note">{}</span>'
        return format_html(line, self.kind(entry), of, entry.object_repr, self.done(entry))

    @display(description=_("kind"))
    def kind(self, entry: Any) -> str:
        model = entry.content_type.model_class()
        return name_of(model) if model else entry.content_type.model

    @display(description=_("what"))
    def what(self, entry: Any) -> str:
        """Each field that changed, with its value before and after."""
        lines = _lines(entry.content_type.model_class(), entry.changes or {}, getattr(entry, "names", {}))
        return format_html_join("", "<div>{}</div>", ((line,) for line in lines))

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        fields = ("whole_moment", "who", "done", "kind", "row", "row_id", "what")
        user = user_of(request)
        return (*fields, "address") if user.is_superuser or rules.reaches(user.role, rules.OWNER) else fields

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return self.get_fields(request, obj)


def _field(model: type[Model] | None, name: str) -> Any:
    try:
        return model._meta.get_field(name) if model else None
    except FieldDoesNotExist:
        return None


def _label(model: type[Model] | None, name: str) -> str:
    """The cabinet's name of a field; without one, the words of `field_name`."""
    if name in (labels := labels_of(model)):
        return str(labels[name])
    found = str(getattr(_field(model, name), "verbose_name", name))
    app = model._meta.app_label if model else ""
    return field_name(app, name) if found in (name, name.replace("_", " ")) else found


def _lines(model: type[Model] | None, changes: dict[str, Any], names: dict[str, dict[str, str]]) -> Iterator[str]:
    """A sentence for each field that changed; for an object of JSON, for each of its members."""
    for name, change in changes.items():
        deed = deed_of(name, change)
        members = dict(members_of(change))
        if deed is not None:
            yield deed if name in SENTENCES else f"{_label(model, name)}: {deed}"
        elif members:
            for key, both in members.items():
                of = "" if key in labels_of(model) else f"{_label(model, name)}, "
                inner = dict(members_of(both))
                for part, pair in inner.items() if inner else [("", both)]:
                    yield f"{of}{_label(model, key)}{f' ({part})' if part else ''}: {said(None, pair, {})}"
        else:
            yield f"{_label(model, name)}: {said(_field(model, name), change, names.get(name, {}))}"


def _name_rows(entries: list[Any]) -> None:
    """Gives lines the names of the rows that their relations mean by id, in one query a kind of row."""
    wanted: dict[type[Model], set[str]] = {}
    relations: list[tuple[Any, str, type[Model], set[str]]] = []
    for entry in entries:
        entry.names = {}
        model = entry.content_type.model_class()
        for name, change in (entry.changes or {}).items():
            field = _field(model, name)
            if field is None or (not field.many_to_one and not field.one_to_one) or isinstance(change, dict):
                continue
            keys = {str(value) for value in change if str(value).isdecimal()}
            wanted.setdefault(field.related_model, set()).update(keys)
            relations.append((entry, name, field.related_model, keys))
    rows = {model: _names_of(model, keys) for model, keys in wanted.items() if keys}
    for entry, name, model, keys in relations:
        entry.names[name] = {key: rows[model][key] for key in keys if key in rows.get(model, {})}


def _names_of(model: type[Model], keys: set[str]) -> dict[str, str]:
    found = unscoped(model._default_manager.all(), "the rows that the account's own lines name").filter(pk__in=keys)
    return {str(row.pk): str(row) for row in found}
