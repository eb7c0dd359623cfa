"""Each call keeps the price and the money of its moment; what was taken out of an answer is kept with it.

Prices have six places. Keys are a few a widget, so their table is written anew at once.
"""

import django.contrib.postgres.fields
from django.db import migrations, models

_PRICES = ("prompt_price", "completion_price")
_TYPE = "ALTER TABLE ai_credential " + ", ".join(f"ALTER COLUMN {name} TYPE numeric({{}})" for name in _PRICES)


def _price():
    return models.DecimalField(blank=True, decimal_places=6, max_digits=14, null=True)


class Migration(migrations.Migration):
    dependencies = [
        ("ai", "0017_examination_checks"),
    ]

    operations = [
        migrations.AddField(
            model_name="exchange",
            name="facts_removed",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.TextField(), blank=True, db_default=[], default=list, size=None
            ),
        ),
        migrations.AddField(model_name="usage", name="prompt_price", field=_price()),
        migrations.AddField(model_name="usage", name="completion_price", field=_price()),
        migrations.AddField(
            model_name="usage",
            name="currency",
            field=models.CharField(blank=True, db_default="", default="", max_length=3),
        ),
        migrations.AddField(
            model_name="usage",
            name="cost",
            field=models.DecimalField(decimal_places=12, max_digits=28, null=True),
        ),
        migrations.SeparateDatabaseAndState(
            [migrations.RunSQL(_TYPE.format("14,6", "14,6"), _TYPE.format("12,4", "12,4"))],
            [migrations.AlterField("credential", name, _price()) for name in _PRICES],
        ),
    ]
