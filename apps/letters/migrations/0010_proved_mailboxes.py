"""An address is one mailbox of a widget, no longer of the installation; what it does is a matter of its proof.

Mailboxes from before are not proved: they go on receiving, and their answers leave from the installation's address.
"""

from django.db import migrations, models

# The table has a row for each mailbox: few.
NOT_UNIQUE = """
ALTER TABLE letters_mailbox DROP CONSTRAINT letters_mailbox_address_key;
DROP INDEX IF EXISTS letters_mailbox_address_0c0ebfcd_like"""
UNIQUE = "ALTER TABLE letters_mailbox ADD CONSTRAINT letters_mailbox_address_key UNIQUE (address)"


class Migration(migrations.Migration):
    dependencies = [
        ("letters", "0009_server_problems"),
    ]

    operations = [
        migrations.AddField("mailbox", "proof_asked_at", models.DateTimeField(editable=False, null=True)),
        migrations.AddField("mailbox", "proof_code", models.BinaryField(null=True)),
        migrations.AddField("mailbox", "proof_letter", models.UUIDField(editable=False, null=True)),
        migrations.AddField("mailbox", "proved_at", models.DateTimeField(blank=True, editable=False, null=True)),
        migrations.SeparateDatabaseAndState(
            [migrations.RunSQL(NOT_UNIQUE, UNIQUE)],
            [migrations.AlterField("mailbox", "address", models.CharField(max_length=254))],
        ),
        migrations.AddConstraint(
            "mailbox", models.UniqueConstraint(fields=("widget", "address"), name="letters_mailbox_one_an_address")
        ),
    ]
