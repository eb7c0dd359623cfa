"""Models have the field's names; their tables stay, so processes of the release before go on."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("support", "0006_desk_page")]

    operations = [
        migrations.AlterModelTable("TakenMessage", "support_takenmessage"),
        migrations.RenameModel("TakenMessage", "ClaimedMessage"),
    ]
