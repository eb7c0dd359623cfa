from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("support", "0004_email_codes")]

    operations = [
        AddIndexConcurrently(
            model_name="supportaction",
            index=models.Index(fields=["chat_id", "finished_at"], name="support_action_in_chat"),
        ),
    ]
