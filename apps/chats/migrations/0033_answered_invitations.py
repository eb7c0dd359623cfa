from django.db import migrations, models


class Migration(migrations.Migration):
    """The invitation that a chat began with."""

    dependencies = [("chats", "0032_answers")]

    operations = [
        migrations.AddField("chat", "invitation_id", models.BigIntegerField(blank=True, editable=False, null=True)),
        migrations.AddField(
            "chat",
            "invitation_name",
            models.CharField(blank=True, db_default="", default="", editable=False, max_length=80),
        ),
    ]
