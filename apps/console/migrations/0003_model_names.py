"""Models have the field's names; their tables stay, so processes of the release before go on."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("console", "0002_browsers")]

    operations = [
        migrations.AlterModelTable("Ticket", "console_ticket"),
        migrations.RenameModel("Ticket", "SocketTicket"),
        migrations.AlterModelTable("Reply", "console_reply"),
        migrations.RenameModel("Reply", "CannedReply"),
        migrations.AlterModelTable("Browser", "console_browser"),
        migrations.RenameModel("Browser", "PushSubscription"),
    ]
