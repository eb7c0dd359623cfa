"""Models have the field's names; their tables stay, so processes of the release before go on."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("messengers", "0007_check_lines")]

    operations = [
        migrations.AlterModelTable("InboundLine", "messengers_inboundline"),
        migrations.RenameModel("InboundLine", "InboundJob"),
        migrations.AlterModelTable("PollLine", "messengers_pollline"),
        migrations.RenameModel("PollLine", "PollJob"),
        migrations.AlterModelTable("CheckLine", "messengers_checkline"),
        migrations.RenameModel("CheckLine", "CheckJob"),
        migrations.AlterModelTable("OutboundLine", "messengers_outboundline"),
        migrations.RenameModel("OutboundLine", "OutboundJob"),
    ]
