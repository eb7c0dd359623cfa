from datetime import timedelta

from django.db import migrations, models
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Now


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="IdempotencyKey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("token_id", models.BigIntegerField()),
                ("key", models.CharField(max_length=255)),
                ("created_at", models.DateTimeField(db_default=Now())),
            ],
            options={
                "indexes": [models.Index(fields=["created_at"], name="core_idempotencykey_age")],
                "constraints": [models.UniqueConstraint(fields=("token_id", "key"), name="core_idempotencykey_once")],
            },
        ),
        migrations.CreateModel(
            name="OrphanedObject",
            fields=[
                ("key", models.CharField(max_length=255, primary_key=True, serialize=False)),
                (
                    "sweep_at",
                    models.DateTimeField(db_default=CombinedExpression(Now(), "+", models.Value(timedelta(days=1)))),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["sweep_at", "key"], name="core_orphanedobject_due")],
            },
        ),
    ]
