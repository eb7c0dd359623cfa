from django.db import migrations, models

KINDS = (
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
    "card",
)


class Migration(migrations.Migration):
    dependencies = [("chats", "0018_people")]

    operations = [
        # Choices are no matter of the database.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    "chatactivity",
                    "kind",
                    models.CharField(choices=[(one, one) for one in KINDS], max_length=16),
                ),
            ],
        ),
    ]
