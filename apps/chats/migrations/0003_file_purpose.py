from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chats", "0002_last_message")]

    operations = [
        migrations.AddField(
            "file",
            "purpose",
            models.CharField(
                choices=[("attachment", "attachment"), ("invoice", "invoice")],
                db_default="attachment",
                default="attachment",
                editable=False,
                max_length=16,
            ),
        )
    ]
