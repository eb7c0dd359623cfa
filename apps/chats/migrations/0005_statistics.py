"""What statistics are counted from. Writers are not blocked while the indexes are built."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("chats", "0004_files")]

    operations = [
        AddIndexConcurrently(
            "chat",
            models.Index(
                fields=["widget", "created_at"],
                include=("handling", "accepted_type", "handled_type", "accepted_at", "channel", "department"),
                name="chats_chat_counted",
            ),
        ),
        AddIndexConcurrently(
            "message",
            models.Index(
                fields=["widget", "created_at"],
                condition=models.Q(("is_internal", False), models.Q(("sender_kind", "system"), _negated=True)),
                name="chats_message_counted",
            ),
        ),
    ]
