from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0009_backup_notes")]

    operations = [
        migrations.AddField(
            model_name="widget",
            name="answered_first_since",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
    ]
