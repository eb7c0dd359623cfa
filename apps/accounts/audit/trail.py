"""The models that the audit trail watches, and the account to which a change belongs.

An app calls `watch` from the `ready` of its config. Only what the cabinet manages is watched: the models that visitors
and operators write to have no listener, and cost nothing (tests/accounts/test_audit.py).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from auditlog.models import LogEntryManager
from auditlog.registry import auditlog
from django.db import models
from django.http import HttpRequest

from apps.core.database.fields import EncryptedTextField
from apps.core.database.tenants import unscoped

_SECRET_FIELDS = (EncryptedTextField, models.BinaryField)
_account_paths: dict[type[models.Model], str | None] = {}
# The readers' names of fields, and of members of JSON, by model.
_labels: dict[type[models.Model], Mapping[str, Any]] = {}
_titles: dict[type[models.Model], str] = {}


def watch(
    model: type[models.Model],
    account_path: str | None,
    *,
    without: Collection[str] = (),
    many: Collection[str] = (),
    masked: Collection[str] = (),
    labels: Mapping[str, Any] | None = None,
    title: str = "",
) -> None:
    """Records every change of a model's rows from now on, but for encrypted and binary fields and those of `without`.

    `account_path` leads from a row to its account's id ("widget__account_id"); without one, the rows are the
    installation's. `many` are relations to many that count. `masked` fields keep their last four characters.
    `labels` name fields, and members of JSON, which the model's admin has not named. `title` names a row of a model
    that has no page of its own, marked by `gettext_noop`.
    `QuerySet.update` and `bulk_create` go unrecorded.
    """
    _labels[model] = labels or {}
    _titles[model] = title
    fields = [field for field in model._meta.concrete_fields if not isinstance(field, _SECRET_FIELDS)]
    _account_paths[model] = account_path
    auditlog.register(
        model,
        include_fields=[field.name for field in fields if field.name not in without],
        m2m_fields=set(many),
        mask_fields=list(masked),
        mask_callable="apps.accounts.audit.trail.last_four",
    )


def last_four(value: str) -> str:
    """The masked form of a number in the trail: its last four characters."""
    return f"…{value[-4:]}" if value not in ("", "None") else value


# The API token by which what is done now is done.
_token: ContextVar[int | None] = ContextVar("audited_token", default=None)


@contextmanager
def by_token(token_id: int | None) -> Iterator[None]:
    """Records what the block changes as done by that API token."""
    before = _token.set(token_id)
    try:
        yield
    finally:
        _token.reset(before)


def acting_token() -> int | None:
    """The API token by which what is done now is done, where `by_token` or a request tells of one."""
    return _token.get() or getattr(_request.get(), "token_id", None)


# The request in which what is done now is done.
_request: ContextVar[HttpRequest | None] = ContextVar("audited_request", default=None)


@contextmanager
def by_request(request: HttpRequest) -> Iterator[None]:
    """Records what the block changes as done by the request's API token, or else by the person who is signed in."""
    before = _request.set(request)
    try:
        yield
    finally:
        _request.reset(before)


def _acting() -> dict[str, Any]:
    """The author of a change made now, as far as the request tells. The cabinet tells it by auditlog's own means."""
    request, token_id = _request.get(), acting_token()
    if request is None or token_id is not None:
        return {"token_id": token_id}
    user = getattr(request, "user", None)
    return {"token_id": None} | ({"actor": user} if user is not None and user.is_authenticated else {})


def labels_of(model: type[models.Model] | None) -> Mapping[str, Any]:
    """The names that `watch` was given for a model."""
    return _labels.get(model, {}) if model else {}


def title_of(model: type[models.Model]) -> str:
    """The name that `watch` was given for a row of a model; empty without one."""
    return _titles.get(model, "")


def watched() -> list[type[models.Model]]:
    """The models that are watched."""
    return list(_account_paths)


def account_of(row: models.Model) -> Any:
    """The id of the account that a watched row belongs to; None for one of the installation's own."""
    path = _account_paths.get(row._meta.model)  # its type may be a lazy object's
    found: Any = row
    for name in path.split("__") if path else ():
        found = getattr(found, name, None)
    return found if path else None


def _given(fields: dict[str, Any]) -> dict[str, Any]:
    """Without an actor of None, which says no more than that the caller knows of none."""
    return {name: value for name, value in fields.items() if name != "actor" or value is not None}


class AuditEntryManager(LogEntryManager):  # type: ignore[misc] # django-auditlog has no types
    """Writes each line with the account that it belongs to."""

    def log_create(self, instance: models.Model, force_log: bool = False, **fields: Any) -> Any:
        return super().log_create(
            instance, force_log, **{"account_id": account_of(instance), **_acting(), **_given(fields)}
        )

    def log_m2m_changes(
        self, changed_queryset: Any, instance: models.Model, operation: str, field_name: str, **fields: Any
    ) -> Any:
        fields = {"account_id": account_of(instance), **_acting(), **fields}
        changed_queryset = unscoped(changed_queryset, "the rows that a change of this row names")
        return super().log_m2m_changes(changed_queryset, instance, operation, field_name, **fields)
