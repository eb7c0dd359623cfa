"""The model has a name of one meaning; its table stays, so processes of the release before go on."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("widget", "0011_letter_sessions")]

    operations = [
        migrations.AlterModelTable("OfflineNotification", "widget_awayform"),
        migrations.RenameModel("OfflineNotification", "OfflineForm"),
    ]
