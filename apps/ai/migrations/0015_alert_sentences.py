"""An alert's sentence as a code with values. Both have defaults in the database: no row is written."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ai", "0014_examination_pieces")]

    operations = [
        migrations.AddField(
            "alert", "sentence", models.CharField(blank=True, db_default="", default="", max_length=40)
        ),
        migrations.AddField("alert", "values", models.JSONField(blank=True, db_default={}, default=dict)),
    ]
