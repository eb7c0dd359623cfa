import uuid
from pathlib import Path

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

# As they were then; as they are now: apps/articles/triggers.sql (docs/adr/0017).
TRIGGERS = Path(__file__).with_name("0001_triggers.sql").read_text()


class Migration(migrations.Migration):
    """Help centers, articles with their texts and versions, categories and pictures."""

    initial = True

    dependencies = [
        ("accounts", "0012_steps_put_away"),
    ]

    operations = [
        migrations.CreateModel(
            name="HelpCenter",
            fields=[
                (
                    "widget",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="help_center",
                        serialize=False,
                        to="accounts.widget",
                    ),
                ),
                ("is_public", models.BooleanField(db_default=False, default=False)),
                ("slug", models.CharField(blank=True, max_length=40, null=True, unique=True)),
                ("title", models.JSONField(blank=True, null=True)),
                ("intro", models.JSONField(blank=True, null=True)),
                ("default_language", models.CharField(blank=True, db_default="", default="", max_length=8)),
                ("home_url", models.CharField(blank=True, db_default="", default="", max_length=2000)),
                ("footer", models.JSONField(blank=True, db_default=[], default=list)),
                ("indexing", models.BooleanField(db_default=True, default=True)),
                (
                    "in_widget",
                    models.CharField(
                        choices=[("off", "off"), ("search", "search"), ("suggest", "suggest")],
                        db_default="off",
                        default="off",
                        max_length=8,
                    ),
                ),
                ("for_ai", models.BooleanField(db_default=True, default=True)),
                ("show_chat", models.BooleanField(db_default=True, default=True)),
                ("domain", models.CharField(blank=True, editable=False, max_length=253, null=True, unique=True)),
                (
                    "domain_state",
                    models.CharField(
                        blank=True,
                        choices=[("pending", "pending"), ("verified", "verified"), ("lapsed", "lapsed")],
                        db_default="",
                        default="",
                        editable=False,
                        max_length=8,
                    ),
                ),
                (
                    "domain_token",
                    models.CharField(blank=True, db_default="", default="", editable=False, max_length=32),
                ),
                ("domain_checked_at", models.DateTimeField(editable=False, null=True)),
                ("domain_failed_since", models.DateTimeField(editable=False, null=True)),
                (
                    "domain_problem",
                    models.CharField(blank=True, db_default="", default="", editable=False, max_length=32),
                ),
                (
                    "updated_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
            ],
            options={
                "verbose_name": "help center",
                "verbose_name_plural": "help centers",
            },
        ),
        migrations.CreateModel(
            name="ArticleCategory",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.JSONField()),
                ("position", models.PositiveIntegerField(db_default=0, default=0)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "updated_at",
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
                "verbose_name": "category of articles",
                "verbose_name_plural": "categories of articles",
            },
        ),
        migrations.CreateModel(
            name="Article",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveIntegerField(db_default=0, default=0)),
                ("origin_key", models.CharField(blank=True, editable=False, max_length=500, null=True)),
                ("gap_key", models.CharField(blank=True, editable=False, max_length=200, null=True)),
                ("asked", models.JSONField(blank=True, editable=False, null=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "updated_at",
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
                (
                    "category",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="articles",
                        to="articles.articlecategory",
                    ),
                ),
            ],
            options={
                "verbose_name": "article",
                "verbose_name_plural": "articles",
            },
        ),
        migrations.CreateModel(
            name="ArticlePicture",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("guid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("key", models.CharField(editable=False, max_length=255)),
                ("content_type", models.CharField(editable=False, max_length=32)),
                ("width", models.PositiveSmallIntegerField(editable=False)),
                ("height", models.PositiveSmallIntegerField(editable=False)),
                ("size", models.PositiveIntegerField(editable=False)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "widget",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.widget"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ArticleText",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("lang", models.CharField(max_length=8)),
                ("slug", models.CharField(blank=True, db_default="", default="", max_length=80)),
                ("title", models.CharField(max_length=200)),
                ("summary", models.CharField(blank=True, db_default="", default="", max_length=300)),
                ("body", models.TextField(blank=True, db_default="", default="")),
                ("version", models.PositiveIntegerField(db_default=1, default=1, editable=False)),
                ("published_version", models.PositiveIntegerField(editable=False, null=True)),
                ("published_at", models.DateTimeField(editable=False, null=True)),
                ("publish_at", models.DateTimeField(editable=False, null=True)),
                ("publish_version", models.PositiveIntegerField(editable=False, null=True)),
                (
                    "draft_state",
                    models.CharField(
                        choices=[("none", "none"), ("pending", "pending"), ("ready", "ready"), ("failed", "failed")],
                        db_default="none",
                        default="none",
                        editable=False,
                        max_length=8,
                    ),
                ),
                ("unsupported", models.JSONField(blank=True, db_default=[], default=list, editable=False)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "updated_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "article",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="texts",
                        to="articles.article",
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
                "verbose_name": "text of an article",
                "verbose_name_plural": "texts of articles",
            },
        ),
        migrations.CreateModel(
            name="ArticleVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField()),
                ("slug", models.CharField(blank=True, db_default="", default="", max_length=80)),
                ("title", models.CharField(max_length=200)),
                ("summary", models.CharField(blank=True, db_default="", default="", max_length=300)),
                ("body", models.TextField(blank=True, db_default="", default="")),
                ("actor", models.CharField(blank=True, db_default="", default="", max_length=200)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                (
                    "text",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="versions",
                        to="articles.articletext",
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
        ),
        migrations.AddIndex(
            model_name="articlecategory",
            index=models.Index(fields=["widget", "position", "id"], name="articles_categories"),
        ),
        migrations.AddIndex(
            model_name="article",
            index=models.Index(fields=["widget", "-created_at", "-id"], name="articles_list"),
        ),
        migrations.AddConstraint(
            model_name="article",
            constraint=models.UniqueConstraint(fields=("widget", "origin_key"), name="articles_origin_once"),
        ),
        migrations.AddConstraint(
            model_name="article",
            constraint=models.UniqueConstraint(fields=("widget", "gap_key"), name="articles_gap_once"),
        ),
        migrations.AddIndex(
            model_name="articletext",
            index=models.Index(
                condition=models.Q(("published_version__isnull", False)),
                fields=["widget", "lang", "article"],
                name="articles_published",
            ),
        ),
        migrations.AddIndex(
            model_name="articletext",
            index=models.Index(
                condition=models.Q(("publish_at__isnull", False)), fields=["publish_at"], name="articles_due"
            ),
        ),
        migrations.AddIndex(
            model_name="articletext",
            index=models.Index(fields=["widget", "lang"], name="articles_by_lang"),
        ),
        migrations.AddConstraint(
            model_name="articletext",
            constraint=models.UniqueConstraint(fields=("article", "lang"), name="articles_text_once"),
        ),
        migrations.AddConstraint(
            model_name="articleversion",
            constraint=models.UniqueConstraint(fields=("text", "version"), name="articles_version_once"),
        ),
        migrations.RunSQL(TRIGGERS, "DROP FUNCTION articles_pictures_deleted CASCADE;"),
    ]
