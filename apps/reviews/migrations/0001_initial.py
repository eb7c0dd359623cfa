import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

import apps.reviews.models


class Migration(migrations.Migration):
    """Scorecards, reviews, and scores that nobody confirmed."""

    initial = True

    dependencies = [
        ("accounts", "0012_steps_put_away"),
        ("agents", "0009_breaks"),
        ("chats", "0034_no_statistics_page"),
    ]

    operations = [
        migrations.CreateModel(
            name="Review",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("episode_id", models.BigIntegerField()),
                ("kind", models.CharField(choices=[("person", "person"), ("ai", "ai")], max_length=6)),
                ("agent_id", models.BigIntegerField(null=True)),
                ("assistant_id", models.BigIntegerField(null=True)),
                (
                    "origin",
                    models.CharField(
                        choices=[("sample", "sample"), ("flag", "flag"), ("person", "person")], max_length=6
                    ),
                ),
                (
                    "flags",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("low_rating", "low_rating"),
                                ("thumb_down", "thumb_down"),
                                ("reopened", "reopened"),
                                ("slow", "slow"),
                                ("untrusted_handoff", "untrusted_handoff"),
                                ("facts_removed", "facts_removed"),
                                ("safety", "safety"),
                            ],
                            max_length=20,
                        ),
                        blank=True,
                        db_default=[],
                        default=list,
                        size=None,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("open", "open"), ("done", "done"), ("answered", "answered"), ("settled", "settled")],
                        db_default="open",
                        default="open",
                        max_length=8,
                    ),
                ),
                ("version", models.PositiveIntegerField(db_default=1, default=1)),
                ("scorecard_version", models.PositiveIntegerField()),
                ("scores", models.JSONField(blank=True, db_default=[], default=list)),
                ("first_scores", models.JSONField(blank=True, null=True)),
                ("score", models.PositiveSmallIntegerField(null=True)),
                ("comment", models.TextField(blank=True, db_default="", default="")),
                ("suggestion", models.JSONField(blank=True, null=True)),
                ("assist_id", models.BigIntegerField(null=True)),
                ("reply", models.TextField(blank=True, db_default="", default="")),
                ("replied_at", models.DateTimeField(null=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("done_at", models.DateTimeField(null=True)),
                (
                    "chat",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="chats.chat"),
                ),
                (
                    "reviewer",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="agents.agent",
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
                "verbose_name": "review",
                "verbose_name_plural": "reviews",
                "indexes": [
                    models.Index(fields=["widget", "-created_at", "-id"], name="reviews_review_list"),
                    models.Index(
                        condition=models.Q(("state", "open")), fields=["widget", "id"], name="reviews_review_open"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("episode_id", "kind", "agent_id", "assistant_id"),
                        name="reviews_review_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Scorecard",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField()),
                ("criteria", models.JSONField()),
                ("per_operator", models.PositiveSmallIntegerField(db_default=3, default=3)),
                ("ai", models.PositiveSmallIntegerField(db_default=10, default=10)),
                (
                    "flags",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("low_rating", "low_rating"),
                                ("thumb_down", "thumb_down"),
                                ("reopened", "reopened"),
                                ("slow", "slow"),
                                ("untrusted_handoff", "untrusted_handoff"),
                                ("facts_removed", "facts_removed"),
                                ("safety", "safety"),
                            ],
                            max_length=20,
                        ),
                        blank=True,
                        default=apps.reviews.models.all_flags,
                        size=None,
                    ),
                ),
                (
                    "prefill",
                    models.CharField(
                        choices=[("off", "off"), ("reviews", "reviews"), ("all_ai", "all_ai")],
                        db_default="off",
                        default="off",
                        max_length=8,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
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
                "verbose_name": "scorecard",
                "verbose_name_plural": "scorecards",
                "constraints": [
                    models.UniqueConstraint(fields=("widget", "version"), name="reviews_scorecard_version")
                ],
            },
        ),
        migrations.CreateModel(
            name="UnconfirmedScore",
            fields=[
                ("episode_id", models.BigIntegerField(primary_key=True, serialize=False)),
                ("agent_id", models.BigIntegerField(null=True)),
                ("assistant_id", models.BigIntegerField(null=True)),
                ("scorecard_version", models.PositiveIntegerField()),
                ("scores", models.JSONField(blank=True, null=True)),
                ("score", models.PositiveSmallIntegerField(null=True)),
                ("assist_id", models.BigIntegerField(null=True)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "chat",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="chats.chat"),
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
                "indexes": [models.Index(fields=["widget", "-at"], name="reviews_unconfirmed_list")],
            },
        ),
    ]
