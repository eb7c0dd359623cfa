import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

import apps.reports.models.ratings


def _choice(values, default, **options):
    choices = [(value, value) for value in values]
    return models.CharField(choices=choices, db_default=default, default=default, max_length=10, **options)


def _list(default):
    return django.contrib.postgres.fields.ArrayField(
        models.CharField(max_length=10), db_default=default(), default=default, size=None
    )


def _number(default):
    return models.PositiveSmallIntegerField(db_default=default, default=default)


class Migration(migrations.Migration):
    """How visitors are asked for ratings, and what was decided about ended episodes."""

    atomic = False

    dependencies = [
        ("accounts", "0012_steps_put_away"),
        ("chats", "0030_ratings_by_episode"),
        ("reports", "0002_triggers"),
    ]

    operations = [
        AddIndexConcurrently("episoderow", models.Index(fields=["widget", "ended_from"], name="reports_episode_ended")),
        migrations.CreateModel(
            name="RatingPolicy",
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
                ("ask", _choice(("manual", "after_end"), "manual")),
                ("outcomes", _list(apps.reports.models.ratings.after_people)),
                ("ended_by", _list(apps.reports.models.ratings.after_operators)),
                (
                    "channels",
                    django.contrib.postgres.fields.ArrayField(
                        models.CharField(max_length=32), blank=True, null=True, size=None
                    ),
                ),
                ("delay_minutes", _number(1)),
                ("again_days", _number(30)),
                ("valid_days", _number(7)),
                ("scale", _choice(("stars", "faces", "thumbs"), "stars")),
                ("question_i18n", models.JSONField(blank=True, db_default={}, default=dict)),
                ("thanks_i18n", models.JSONField(blank=True, db_default={}, default=dict)),
                ("comment", _choice(("never", "low", "always"), "low")),
                ("low", _number(2)),
                ("on_low", _choice(("none", "waits"), "none")),
                ("since", models.DateTimeField(blank=True, editable=False, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="RatingDecision",
            fields=[
                ("episode_id", models.BigIntegerField(primary_key=True, serialize=False)),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            (value, value)
                            for value in (
                                "outcome",
                                "ended_by",
                                "channel",
                                "asked_lately",
                                "wrote_again",
                                "unreachable",
                            )
                        ],
                        max_length=12,
                        null=True,
                    ),
                ),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "chat",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="chats.chat"),
                ),
                (
                    "request",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="chats.ratingrequest",
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
                "indexes": [models.Index(fields=["widget", "at"], name="reports_decision_of_widget")],
            },
        ),
    ]
