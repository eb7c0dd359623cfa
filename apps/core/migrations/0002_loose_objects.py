"""Which objects in the storage have no row: a table of its own, no lock."""

import datetime

import django.db.models.expressions
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("core", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="LooseObject",
            fields=[
                ("key", models.CharField(max_length=255, primary_key=True, serialize=False)),
                (
                    "sweep_at",
                    models.DateTimeField(
                        db_default=django.db.models.expressions.CombinedExpression(
                            django.db.models.functions.datetime.Now(), "+", models.Value(datetime.timedelta(days=1))
                        )
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["sweep_at", "key"], name="core_looseobject_due")],
            },
        ),
    ]
