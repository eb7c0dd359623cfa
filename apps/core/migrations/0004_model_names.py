"""Models have the field's names; their tables stay, so processes of the release before go on."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("core", "0003_spending")]

    operations = [
        migrations.AlterModelTable("Spending", "core_spending"),
        migrations.RenameModel("Spending", "QuotaUse"),
    ]
