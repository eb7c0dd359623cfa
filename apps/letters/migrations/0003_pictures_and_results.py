import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("letters", "0002_incoming")]

    operations = [
        migrations.AddField(
            model_name="inletter",
            name="pictures",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=32), db_default=[], default=list, editable=False, size=None
            ),
        ),
        migrations.AddField(
            model_name="inletter",
            name="results",
            field=models.JSONField(blank=True, editable=False, null=True),
        ),
    ]
