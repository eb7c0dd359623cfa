"""Notes of backups: a script tells that it came to its end."""

from datetime import datetime

from django.db import transaction

from apps.accounts.models import BackupNote


@transaction.atomic
def note_backup(*, name: str, at: datetime) -> BackupNote:
    """Notes that the backup of that name was made at a moment; the latest one counts."""
    row, is_new = BackupNote.objects.select_for_update().get_or_create(name=name, defaults={"at": at})
    if not is_new and row.at < at:
        row.at = at
        row.save(update_fields=["at"])
    return row
