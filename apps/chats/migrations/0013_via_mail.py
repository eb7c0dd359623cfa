from django.db import migrations, models

VIA = ("api", "console", "support_api", "legacy_bot", "offline_form", "mail")


class Migration(migrations.Migration):
    dependencies = [("chats", "0012_contact_external_id")]

    operations = [
        # Choices are no matter of the database.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    "message",
                    "via",
                    models.CharField(blank=True, choices=[(one, one) for one in VIA], max_length=16, null=True),
                ),
            ],
        ),
    ]
