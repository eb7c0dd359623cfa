from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chats", "0003_file_purpose")]

    operations = [
        migrations.AddField(
            "chat",
            "handed_over_at",
            models.DateTimeField(
                blank=True, help_text="Since when it waits for a person, to whom it was handed over.", null=True
            ),
        ),
        migrations.AddField("chat", "handover_reason", models.CharField(blank=True, max_length=32, null=True)),
        migrations.AddField(
            "message",
            "via",
            models.CharField(
                blank=True,
                choices=[
                    ("api", "api"),
                    ("console", "console"),
                    ("support_api", "support_api"),
                    ("legacy_bot", "legacy_bot"),
                ],
                max_length=16,
                null=True,
            ),
        ),
    ]
