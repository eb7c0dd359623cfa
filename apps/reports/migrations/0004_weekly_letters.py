import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0012_steps_put_away"),
        ("reports", "0003_ratings"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="WidgetOperatorsReport",
            fields=[],
            options={"proxy": True, "indexes": [], "constraints": []},
            bases=("accounts.widget",),
        ),
        migrations.CreateModel(
            name="WidgetRatingsReport",
            fields=[],
            options={"proxy": True, "indexes": [], "constraints": []},
            bases=("accounts.widget",),
        ),
        migrations.CreateModel(
            name="WidgetReport",
            fields=[],
            options={"proxy": True, "indexes": [], "constraints": []},
            bases=("accounts.widget",),
        ),
        migrations.CreateModel(
            name="WidgetWeeklyLetter",
            fields=[],
            options={"proxy": True, "indexes": [], "constraints": []},
            bases=("accounts.widget",),
        ),
        migrations.CreateModel(
            name="WeeklyChoice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("is_wanted", models.BooleanField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "widget",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.widget",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("widget", "user"), name="reports_weeklychoice_once")],
            },
        ),
        migrations.CreateModel(
            name="WeeklyLetter",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("week", models.DateField()),
                ("queued_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "widget",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.widget",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("widget", "week", "user"), name="reports_weeklyletter_once")
                ],
            },
        ),
    ]
