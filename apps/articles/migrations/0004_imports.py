from pathlib import Path

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

# As they were then; as they are now: apps/articles/triggers.sql (docs/adr/0017).
TRIGGERS = Path(__file__).with_name("0004_triggers.sql").read_text()


class Migration(migrations.Migration):
    """Imports of articles."""

    dependencies = [
        ("accounts", "0012_steps_put_away"),
        ("articles", "0003_pages"),
    ]

    operations = [
        migrations.CreateModel(
            name="ArticleImport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "due_at",
                    models.DateTimeField(
                        blank=True, db_default=django.db.models.functions.datetime.Now(), editable=False, null=True
                    ),
                ),
                ("waiting_since", models.DateTimeField(blank=True, editable=False, null=True)),
                ("lease_until", models.DateTimeField(blank=True, editable=False, null=True)),
                ("claim_id", models.UUIDField(blank=True, editable=False, null=True)),
                ("attempts", models.PositiveSmallIntegerField(db_default=0, default=0, editable=False)),
                ("claims", models.PositiveSmallIntegerField(db_default=0, default=0, editable=False)),
                ("generation", models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                (
                    "state",
                    models.CharField(
                        choices=[("queued", "queued"), ("running", "running"), ("done", "done"), ("failed", "failed")],
                        db_default="queued",
                        default="queued",
                        editable=False,
                        max_length=7,
                    ),
                ),
                ("name", models.CharField(blank=True, db_default="", default="", editable=False, max_length=255)),
                (
                    "storage_key",
                    models.CharField(blank=True, db_default="", default="", editable=False, max_length=255),
                ),
                ("url", models.CharField(blank=True, db_default="", default="", editable=False, max_length=2000)),
                ("lang", models.CharField(blank=True, db_default="", default="", editable=False, max_length=8)),
                ("dry_run", models.BooleanField(db_default=False, default=False, editable=False)),
                ("publish", models.BooleanField(db_default=False, default=False, editable=False)),
                ("actor", models.CharField(blank=True, db_default="", default="", editable=False, max_length=200)),
                ("created", models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ("updated", models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ("unchanged", models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ("refused", models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ("pictures", models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ("problems", models.JSONField(db_default=[], default=list, editable=False)),
                ("error", models.CharField(blank=True, db_default="", default="", editable=False, max_length=32)),
                ("position", models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ("linked", models.JSONField(db_default=[], default=list, editable=False)),
                ("found", models.JSONField(db_default={}, default=dict, editable=False)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "updated_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("finished_at", models.DateTimeField(editable=False, null=True)),
                (
                    "category",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="articles.articlecategory",
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
                "verbose_name": "import of articles",
                "verbose_name_plural": "imports of articles",
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="articles_articleimport_due",
                    ),
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["widget", "due_at"],
                        name="articles_articleimport_turn",
                    ),
                    models.Index(
                        condition=models.Q(("claim_id__isnull", False)),
                        fields=["widget"],
                        name="articles_articleimport_held",
                    ),
                    models.Index(fields=["widget", "-id"], name="articles_imports"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ("done", "failed")), _negated=True),
                        fields=("widget",),
                        name="articles_one_import_at_a_time",
                    )
                ],
            },
        ),
        migrations.RunSQL(TRIGGERS, "DROP FUNCTION articles_imports_deleted CASCADE;"),
    ]
