from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("chats", "0006_left_unanswered"),
    ]

    # One more choice, of which the database knows nothing.
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="message",
                    name="via",
                    field=models.CharField(
                        blank=True,
                        choices=[
                            ("api", "api"),
                            ("console", "console"),
                            ("support_api", "support_api"),
                            ("legacy_bot", "legacy_bot"),
                            ("offline_form", "offline_form"),
                        ],
                        max_length=16,
                        null=True,
                    ),
                )
            ]
        ),
    ]
