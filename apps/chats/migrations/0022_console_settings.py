"""The model has a name of one meaning; its table stays, so processes of the release before go on."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("chats", "0021_for_people")]

    operations = [
        migrations.AlterModelTable("DeskSettings", "chats_desksettings"),
        migrations.RenameModel("DeskSettings", "ConsoleSettings"),
    ]
