import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Names the relation alone: the table stays as it is."""

    dependencies = [("support", "0008_chat_hold")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    "chathold",
                    "chat",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="support_hold",
                        serialize=False,
                        to="chats.chat",
                    ),
                ),
            ],
        ),
    ]
