"""The minutes that an answer of AI is taken to save a person. A new column alone."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ai", "0019_costs_of_before"),
    ]

    operations = [
        migrations.AddField(
            model_name="aisettings",
            name="minutes_per_reply",
            field=models.PositiveSmallIntegerField(
                db_default=2, default=2, verbose_name="minutes that an answer saves"
            ),
        ),
    ]
