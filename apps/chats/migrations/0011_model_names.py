"""Models have the field's names; their tables stay, so processes of the release before go on."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("chats", "0010_retention")]

    operations = [
        migrations.AlterModelTable("ChatStep", "chats_chatstep"),
        migrations.RenameModel("ChatStep", "ChatActivity"),
    ]
