import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [
        migrations.AddField(
            "widget",
            "answerers",
            django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=32), blank=True, db_default=[], default=list, editable=False
            ),
        )
    ]
