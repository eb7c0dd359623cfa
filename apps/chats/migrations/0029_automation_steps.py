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
    "card",
)


class Migration(migrations.Migration):
    """Steps of automations and macros."""

    dependencies = [("chats", "0028_queued")]

    operations = [
        migrations.AddField("chatactivity", "run_id", models.BigIntegerField(blank=True, editable=False, null=True)),
        migrations.AddField(
            "chatactivity", "version", models.PositiveIntegerField(blank=True, editable=False, null=True)
        ),
        # Choices are Django's alone: the column stays as it is.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    "chatactivity", "kind", models.CharField(choices=[(each, each) for each in STEPS], max_length=16)
                ),
            ],
        ),
    ]
