from django.db import migrations, models

KINDS = (
    *("accepted", "assigned", "transferred", "returned", "closed", "reopened", "rated", "waits"),
    *("translated", "untranslated"),
)


class Migration(migrations.Migration):
    dependencies = [("chats", "0015_folded_searches")]

    operations = [
        migrations.AddField(
            "chat",
            "translation",
            models.JSONField(
                blank=True,
                editable=False,
                help_text="The switch of its translation; null: never switched.",
                null=True,
            ),
        ),
        # Choices are no matter of the database.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    "chatactivity", "kind", models.CharField(choices=[(kind, kind) for kind in KINDS], max_length=16)
                ),
            ],
        ),
    ]
