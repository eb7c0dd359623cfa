"""Entries of the audit trail that actions write themselves: the trail cannot see a secret's change."""

from django.db import models

from apps.accounts.models import Account, AuditEntry, User, Widget


def record_invitation(account: Account, *, email: str, role: str, by: User) -> None:
    """Records who invited whom to an account's cabinet, and as what."""
    changes = {"invited": ["", f"{email}: {role}"]}
    AuditEntry.objects.log_create(account, action=AuditEntry.Action.UPDATE, changes=changes, actor=by)


def record_secret(row: models.Model, name: str, became: str, *, by: User | None = None) -> None:
    """Records what became of a secret of a watched row ("replaced"), as a change of a field of that name.

    It holds neither the old secret nor the new one. Without `by`, the actor is the person who works in the cabinet now,
    if any.
    """
    AuditEntry.objects.log_create(row, action=AuditEntry.Action.UPDATE, changes={name: ["…", became]}, actor=by)


def record_of_contact(widget: Widget, number: int, became: str, *, by: User | None) -> None:
    """Records that a contact's data were given out ("copied"), or are gone ("erased"): the contact by number alone."""
    changes = {"contact": [f"#{number}", became]}
    AuditEntry.objects.log_create(widget, action=AuditEntry.Action.UPDATE, changes=changes, actor=by)


def record_of_ticket(widget: Widget, number: int, became: str, *, by: User) -> None:
    """Records that a person of the cabinet "closed" or "reopened" a customer's ticket."""
    changes = {"ticket": [f"#{number}", became]}
    AuditEntry.objects.log_create(widget, action=AuditEntry.Action.UPDATE, changes=changes, actor=by)


def record_export(widget: Widget, became: str, *, by: User | None) -> None:
    """Records that all of a widget was given out ("made"), or came in ("put in")."""
    AuditEntry.objects.log_create(widget, action=AuditEntry.Action.UPDATE, changes={"export": ["", became]}, actor=by)


def record_of_card(widget: Widget, what: str, *, by: User | None) -> None:
    """Records that an operator pressed a button of a card: the chat's number, the card's key and the action."""
    AuditEntry.objects.log_create(widget, action=AuditEntry.Action.UPDATE, changes={"card": ["", what]}, actor=by)
