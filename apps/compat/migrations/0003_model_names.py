"""Models have the field's names; their tables stay, so processes of the release before go on."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("compat", "0002_answerers")]

    operations = [
        migrations.AlterModelTable("TakenChat", "compat_takenchat"),
        migrations.RenameModel("TakenChat", "ClaimedChat"),
    ]
