from django.db import migrations, models

STEPS = (
    "accepted",
    "assigned",
    "transferred",
    "returned",
    "closed",
    "reopened",
    "rated",
    "waits",
    "translated",
    "untranslated",
    "routed",
    "priority",
    "automation",
    "dealt_with",
    "card",
)


class Migration(migrations.Migration):
    """Where a visitor's message was written, which assistant wrote an AI's, and a step for words that need no answer."""

    dependencies = [("chats", "0030_ratings_by_episode")]

    operations = [
        migrations.AddField(
            "message", "language", models.CharField(blank=True, editable=False, max_length=16, null=True)
        ),
        migrations.AddField("message", "page", models.CharField(blank=True, editable=False, max_length=500, null=True)),
        migrations.AddField("message", "assistant_id", models.BigIntegerField(blank=True, editable=False, null=True)),
        # Choices are Django's alone: the column stays as it is.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    "chatactivity", "kind", models.CharField(choices=[(each, each) for each in STEPS], max_length=16)
                ),
            ],
        ),
    ]
