"""The model has a name of one meaning; its table stays, so processes of the release before go on."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("support", "0007_model_names")]

    operations = [
        migrations.AlterModelTable("ChatLease", "support_chatlease"),
        migrations.RenameModel("ChatLease", "ChatHold"),
    ]
