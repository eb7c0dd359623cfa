"""Models have the field's names; their tables stay, so processes of the release before go on."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("widget", "0008_blocks")]

    operations = [
        migrations.AlterModelTable("AwayForm", "widget_awayform"),
        migrations.RenameModel("AwayForm", "OfflineNotification"),
        migrations.AlterModelTable("StoppedAddress", "widget_stoppedaddress"),
        migrations.RenameModel("StoppedAddress", "UnsubscribedEmail"),
        migrations.AlterModelTable("UsedProof", "widget_usedproof"),
        migrations.RenameModel("UsedProof", "SpentChallenge"),
    ]
