from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("chats", "0005_steps")]

    operations = [
        AddIndexConcurrently(
            "chat",
            models.Index(
                condition=models.Q(left_unanswered_at__isnull=False),
                fields=["widget", "left_unanswered_at"],
                name="chats_chat_left",
            ),
        )
    ]
