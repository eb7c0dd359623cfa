from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("chats", "0027_timers_of_what_waits")]

    operations = [
        AddIndexConcurrently(
            model_name="chat",
            index=models.Index(
                condition=models.Q(("queued_at__isnull", False)), fields=["widget"], name="chats_chat_queued"
            ),
        ),
    ]
