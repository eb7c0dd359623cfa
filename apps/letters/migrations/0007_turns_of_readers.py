"""Mailboxes are read in turn, by widget; the rows are few, one for each mailbox."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("letters", "0006_standing"),
    ]

    operations = [
        migrations.AddField(
            model_name="readjob",
            name="turn_of",
            field=models.BigIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.RunSQL(
            "UPDATE letters_readjob SET turn_of = widget_id WHERE widget_id IS NOT NULL", migrations.RunSQL.noop
        ),
        AddIndexConcurrently(
            model_name="readjob",
            index=models.Index(
                condition=models.Q(("due_at__isnull", False)), fields=["turn_of", "due_at"], name="letters_readjob_turn"
            ),
        ),
        AddIndexConcurrently(
            model_name="readjob",
            index=models.Index(
                condition=models.Q(("claim_id__isnull", False)), fields=["turn_of"], name="letters_readjob_held"
            ),
        ),
    ]
