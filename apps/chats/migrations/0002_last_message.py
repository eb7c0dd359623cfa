import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """The column `last_message_id` stays as it is: only Django now knows whose id it holds."""

    dependencies = [("chats", "0001_initial")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField("chat", "last_message_id"),
                migrations.AddField(
                    "chat",
                    "last_message",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="chats.message",
                    ),
                ),
            ]
        )
    ]
