import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0005_user_provider_subject"),
    ]

    operations = [
        migrations.CreateModel(
            name="WidgetImport",
            fields=[
                (
                    "widget",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="accounts.widget",
                    ),
                ),
                ("digest", models.BinaryField(editable=False, max_length=32)),
                ("keeps_numbers", models.BooleanField()),
                ("step", models.PositiveIntegerField(db_default=0, default=0)),
                ("position", models.PositiveBigIntegerField(db_default=0, default=0)),
                ("left_out", models.PositiveBigIntegerField(db_default=0, default=0)),
                (
                    "begun_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ImportedNumber",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("table", models.CharField(max_length=32)),
                ("was", models.BigIntegerField()),
                ("now", models.BigIntegerField()),
                (
                    "importing",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="numbers",
                        to="accounts.widgetimport",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("importing", "table", "was"), name="accounts_importednumber_once")
                ],
            },
        ),
    ]
