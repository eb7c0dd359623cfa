from pathlib import Path

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

# As they were then; what they are now is in apps/articles/functions.sql (docs/adr/0017).
FUNCTIONS = Path(__file__).with_name("0002_functions.sql").read_text()


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0012_steps_put_away"),
        ("articles", "0001_initial"),
        ("chats", "0034_no_statistics_page"),
        ("kb", "0010_articles"),
    ]

    operations = [
        migrations.CreateModel(
            name="ArticleReader",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("lang", models.CharField(max_length=8)),
                ("key", models.BinaryField(max_length=32)),
                (
                    "place",
                    models.CharField(
                        choices=[
                            ("page", "page"),
                            ("widget", "widget"),
                            (
                                "markdown",
                                "markdown",
                            ),
                        ],
                        max_length=8,
                    ),
                ),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("read_at", models.DateTimeField(null=True)),
                ("chatted", models.BooleanField(null=True)),
                ("helpful", models.BooleanField(null=True)),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("wrong", "wrong"),
                            (
                                "unclear",
                                "unclear",
                            ),
                            (
                                "missing",
                                "missing",
                            ),
                            ("other", "other"),
                        ],
                        db_default="",
                        default="",
                        max_length=8,
                    ),
                ),
                ("text", models.CharField(blank=True, db_default="", default="", max_length=500)),
                (
                    "article",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="articles.article",
                    ),
                ),
                (
                    "contact",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="chats.contact",
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
                "indexes": [
                    models.Index(fields=["widget", "at"], name="articles_reader_days"),
                    models.Index(fields=["widget", "key"], name="articles_reader_of_key"),
                    models.Index(
                        condition=models.Q(("contact__isnull", False)),
                        fields=["contact"],
                        name="articles_reader_of_contact",
                    ),
                    models.Index(fields=["at"], name="articles_reader_age"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("article", "lang", "key"), name="articles_reader_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="ArticleSearch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.BinaryField(max_length=32)),
                (
                    "place",
                    models.CharField(
                        choices=[
                            ("page", "page"),
                            ("widget", "widget"),
                            (
                                "markdown",
                                "markdown",
                            ),
                        ],
                        max_length=8,
                    ),
                ),
                ("lang", models.CharField(max_length=8)),
                ("query", models.CharField(max_length=200)),
                ("day", models.DateField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "found",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), db_default=[], default=list, size=None
                    ),
                ),
                ("is_opened", models.BooleanField(db_default=False, default=False)),
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
                "indexes": [
                    models.Index(fields=["widget", "at"], name="articles_search_days"),
                    models.Index(fields=["at"], name="articles_search_age"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("widget", "key", "day", "lang", "query"), name="articles_search_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ArticleTally",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("lang", models.CharField(max_length=8)),
                ("day", models.DateField()),
                ("page", models.PositiveIntegerField(db_default=0, default=0)),
                ("widget_views", models.PositiveIntegerField(db_default=0, default=0)),
                ("markdown", models.PositiveIntegerField(db_default=0, default=0)),
                ("suggested", models.PositiveIntegerField(db_default=0, default=0)),
                ("opened", models.PositiveIntegerField(db_default=0, default=0)),
                ("helpful", models.PositiveIntegerField(db_default=0, default=0)),
                ("not_helpful", models.PositiveIntegerField(db_default=0, default=0)),
                ("wrong", models.PositiveIntegerField(db_default=0, default=0)),
                ("unclear", models.PositiveIntegerField(db_default=0, default=0)),
                ("missing", models.PositiveIntegerField(db_default=0, default=0)),
                ("other", models.PositiveIntegerField(db_default=0, default=0)),
                ("chatted_after", models.PositiveIntegerField(db_default=0, default=0)),
                ("silent", models.PositiveIntegerField(db_default=0, default=0)),
                (
                    "article",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
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
                "indexes": [
                    models.Index(fields=["widget", "day"], name="articles_tally_days"),
                    models.Index(fields=["day"], name="articles_tally_age"),
                ],
                "constraints": [models.UniqueConstraint(fields=("article", "lang", "day"), name="articles_tally_once")],
            },
        ),
        migrations.CreateModel(
            name="ArticleWord",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("lexeme", models.CharField(max_length=64)),
                ("spelling", models.CharField(max_length=128)),
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
                "indexes": [
                    django.contrib.postgres.indexes.GinIndex(
                        models.F("widget"),
                        django.contrib.postgres.indexes.OpClass(models.F("spelling"), name="gin_trgm_ops"),
                        name="articles_spelt",
                    )
                ],
                "constraints": [models.UniqueConstraint(fields=("widget", "lexeme"), name="articles_word_once")],
            },
        ),
        migrations.CreateModel(
            name="SearchableText",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("lang", models.CharField(max_length=8)),
                ("version", models.PositiveIntegerField()),
                ("titled", django.contrib.postgres.search.SearchVectorField()),
                ("searched", django.contrib.postgres.search.SearchVectorField()),
                ("marks", django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), size=None)),
                ("excerpt", models.TextField()),
                ("is_due", models.BooleanField(db_default=False, default=False)),
                (
                    "article",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="articles.article",
                    ),
                ),
                (
                    "text",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="articles.articletext"
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
                "indexes": [
                    django.contrib.postgres.indexes.GinIndex(
                        models.F("widget"), models.F("searched"), name="articles_words"
                    ),
                    django.contrib.postgres.indexes.GinIndex(
                        models.F("widget"), models.F("marks"), name="articles_marks"
                    ),
                    models.Index(fields=["widget", "article", "lang"], name="articles_searchable"),
                    models.Index(
                        condition=models.Q(("is_due", True)), fields=["widget", "id"], name="articles_due_for_ai"
                    ),
                ],
            },
        ),
        migrations.RunSQL(FUNCTIONS, "DROP FUNCTION articles_spelt_alike"),
    ]
