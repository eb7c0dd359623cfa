"""Writing legal entities. All of an account's writes share one hourly budget.

A write is refused before it is counted: with 404, 422 or 409 it uses nothing of the budget. Each takes its lock first
and writes last, in the transaction of the caller's idempotency key.
"""

from collections.abc import Mapping
from datetime import timedelta

from django.db import transaction

from apps.billing.errors import (
    ENTITY_LOCKED_BY_PENDING_WITHDRAWAL,
    ENTITY_REFERENCED_BY_FINANCIAL_RECORD,
    ENTITY_WRITES_LIMITED,
)
from apps.billing.models import LegalEntity
from apps.billing.rules import entities as rules
from apps.core.database.changes import save_changed, set_changes
from apps.core.errors import INVALID_INPUT
from apps.core.quotas import Quota

WRITES = Quota("billing.entity_writes", rules.WRITES_AN_HOUR, timedelta(hours=1), ENTITY_WRITES_LIMITED, "account")


@transaction.atomic
def create_entity(*, account_id: int, fields: Mapping[str, str]) -> LegalEntity:
    """Stores a legal entity of the account. Raises ENTITY_WRITES_LIMITED (429)."""
    WRITES.spend(account_id)
    return LegalEntity.objects.create(account_id=account_id, **fields)


@transaction.atomic
def change_entity(*, widget_id: int, entity_id: int, changes: Mapping[str, str]) -> LegalEntity:
    """Changes the given fields, and returns the entity. Without a difference it is no write.

    Raises NOT_FOUND (404); INVALID_INPUT (422) when an account and the bank's BIK, as they would be then, do not
    belong together; ENTITY_LOCKED_BY_PENDING_WITHDRAWAL (409); ENTITY_WRITES_LIMITED (429).
    """
    entity = _locked(widget_id, entity_id)
    changed = set_changes(entity, changes)
    after = {name: getattr(entity, name) for name in ("bik", *rules.ACCOUNTS)}
    if refusals := rules.bank_refusals(after, frozenset(changes)):
        raise INVALID_INPUT(errors={name: [text] for name, text in refusals.items()})
    _refuse_while_withdrawn_to(entity)
    if changed:
        WRITES.spend(entity.account_id)
        save_changed(entity, changed)
    return entity


@transaction.atomic
def delete_entity(*, widget_id: int, entity_id: int) -> None:
    """Deletes a legal entity that nothing names.

    Raises NOT_FOUND (404), ENTITY_LOCKED_BY_PENDING_WITHDRAWAL and ENTITY_REFERENCED_BY_FINANCIAL_RECORD (409),
    ENTITY_WRITES_LIMITED (429).
    """
    entity = _locked(widget_id, entity_id)
    _refuse_while_withdrawn_to(entity)
    if entity.invoices.exists() or entity.transactions.exists():
        raise ENTITY_REFERENCED_BY_FINANCIAL_RECORD()
    WRITES.spend(entity.account_id)
    entity.delete()


def _locked(widget_id: int, entity_id: int) -> LegalEntity:
    """The entity, held until the transaction ends, also against a withdrawal or an invoice that would name it."""
    return LegalEntity.objects.for_widget(widget_id).select_for_update(of=("self",)).get_or_404(pk=entity_id)


def _refuse_while_withdrawn_to(entity: LegalEntity) -> None:
    if entity.transactions.unpaid_withdrawals().exists():
        raise ENTITY_LOCKED_BY_PENDING_WITHDRAWAL()
