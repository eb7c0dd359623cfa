"""What the audit trail is told of by those who do it: a secret's change is none that it could see."""

from django.db import models

from apps.accounts.models import Account, AuditEntry, User, Widget


def record_invitation(account: Account, *, email: str, role: str, by: User) -> None:
    """Records who invited whom to an account's cabinet, and as what."""
    changes = {"invited": ["", f"{email}: {role}"]}
    AuditEntry.objects.log_create(account, action=AuditEntry.Action.UPDATE, changes=changes, actor=by)


def record_secret(row: models.Model, name: str, became: str, *, by: User | None = None) -> None:
    """Records what became of a secret of a watched row ("replaced"), as a change of a field of that name.

    Neither the old one nor the new one is in it. Without `by`, it was whoever works in the cabinet now, if anybody.
    """
    AuditEntry.objects.log_create(row, action=AuditEntry.Action.UPDATE, changes={name: ["…", became]}, actor=by)


def record_of_contact(widget: Widget, number: int, became: str, *, by: User | None) -> None:
    """Records that a contact's data were given out ("copied"), or are gone ("erased"): the contact by number alone."""
    changes = {"contact": [f"#{number}", became]}
    AuditEntry.objects.log_create(widget, action=AuditEntry.Action.UPDATE, changes=changes, actor=by)


def record_of_ticket(widget: Widget, number: int, became: str, *, by: User) -> None:
    """Records what somebody of the cabinet made of a customer's ticket ("closed", "reopened")."""
    changes = {"ticket": [f"#{number}", became]}
    AuditEntry.objects.log_create(widget, action=AuditEntry.Action.UPDATE, changes=changes, actor=by)


def record_export(widget: Widget, became: str, *, by: User | None) -> None:
    """Records that all of a widget was given out ("made"), or came in ("put in")."""
    AuditEntry.objects.log_create(widget, action=AuditEntry.Action.UPDATE, changes={"export": ["", became]}, actor=by)
