"""Models have the field's names; their tables stay, so processes of the release before go on."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("agents", "0001_initial")]

    operations = [
        migrations.AlterModelTable("Presence", "agents_presence"),
        migrations.RenameModel("Presence", "AgentPresence"),
    ]
