from pathlib import Path

import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.db.models.deletion
import django.db.models.functions.datetime
import pgvector.django.halfvec
from django.contrib.postgres.operations import BtreeGinExtension, TrigramExtension
from django.db import migrations, models
from pgvector.django import VectorExtension

# As they were then; what they are now is in apps/kb/triggers.sql (docs/adr/0017).
TRIGGERS = Path(__file__).with_name("0001_triggers.sql").read_text()
DROP_TRIGGERS = "DROP FUNCTION kb_rules_counted CASCADE"  # which go with their function
# A search reads every vector of a widget: out of line, each would be another look-up.
IN_LINE = "ALTER TABLE kb_embedding ALTER COLUMN vector SET STORAGE PLAIN"


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0004_user_joined_at"),
        ("agents", "0001_initial"),
    ]

    operations = [
        # Of these, `vector` asks for a superuser, or for somebody who has made it before (docs/guides/deployment.md).
        VectorExtension(),
        TrigramExtension(),
        BtreeGinExtension(),
        migrations.CreateModel(
            name="Source",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ref", models.CharField(max_length=600)),
                (
                    "type",
                    models.CharField(
                        choices=[("manual", "manual"), ("crawl", "crawl"), ("upload", "upload")], max_length=6
                    ),
                ),
                ("title", models.CharField(blank=True, db_default="", default="", max_length=255)),
                ("doc_id", models.CharField(blank=True, max_length=255, null=True)),
                ("url", models.TextField(blank=True, null=True)),
                ("upload_id", models.BigIntegerField(blank=True, editable=False, null=True)),
                ("regenerates", models.BooleanField(db_default=False, default=False)),
                ("chunks", models.PositiveIntegerField(db_default=0, default=0, editable=False)),
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
                        related_name="kb_sources",
                        to="accounts.widget",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Rule",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("content", models.TextField()),
                ("title", models.CharField(blank=True, db_default="", default="", max_length=255)),
                ("chunk_index", models.PositiveIntegerField(db_default=0, default=0)),
                ("digest", models.BinaryField(max_length=32)),
                (
                    "embedding_status",
                    models.CharField(
                        choices=[("ready", "ready"), ("pending", "pending"), ("failed", "failed"), ("none", "none")],
                        db_default="none",
                        default="none",
                        max_length=7,
                    ),
                ),
                (
                    "searched",
                    models.GeneratedField(
                        db_persist=True,
                        expression=models.Func(
                            output_field=django.contrib.postgres.search.SearchVectorField(),
                            template="setweight(to_tsvector('russian', translate(title, 'ёЁ', 'еЕ')), 'A') || setweight(to_tsvector('russian', translate(content, 'ёЁ', 'еЕ')), 'B')",
                        ),
                        output_field=django.contrib.postgres.search.SearchVectorField(),
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "updated_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "operator",
                    models.ForeignKey(
                        blank=True,
                        help_text="The AI operator that alone may be given it; empty: all.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="kb_rules",
                        to="agents.agent",
                    ),
                ),
                (
                    "widget",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="kb_rules",
                        to="accounts.widget",
                    ),
                ),
                (
                    "source",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rules",
                        to="kb.source",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Embedding",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.BinaryField(max_length=32)),
                ("space", models.CharField(db_collation="C", max_length=32)),
                ("vector", pgvector.django.halfvec.HalfVectorField()),
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
                "constraints": [models.UniqueConstraint(fields=("widget", "digest"), name="kb_embedding_text")],
            },
        ),
        migrations.CreateModel(
            name="KnowledgeBase",
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
                ("rules", models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ("sources", models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ("ready", models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ("pending", models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ("failed", models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ("none", models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                ("provider", models.CharField(blank=True, db_default="", default="", editable=False, max_length=32)),
                ("endpoint", models.CharField(blank=True, db_default="", default="", editable=False, max_length=2048)),
                ("model", models.CharField(blank=True, db_default="", default="", editable=False, max_length=200)),
                ("dimension", models.PositiveSmallIntegerField(blank=True, editable=False, null=True)),
                ("last_indexed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "widget",
                    models.OneToOneField(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="knowledge_base",
                        to="accounts.widget",
                    ),
                ),
            ],
            options={
                "verbose_name": "knowledge base",
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="kb_knowledgebase_due"
                    ),
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["widget", "due_at"],
                        name="kb_knowledgebase_turn",
                    ),
                    models.Index(
                        condition=models.Q(("claim_id__isnull", False)), fields=["widget"], name="kb_knowledgebase_held"
                    ),
                ],
            },
        ),
        migrations.AddIndex(
            model_name="source",
            index=models.Index(
                condition=models.Q(("chunks__gt", 0)), fields=["widget", "-created_at", "-id"], name="kb_source_list"
            ),
        ),
        migrations.AddIndex(
            model_name="source",
            index=models.Index(
                condition=models.Q(("chunks__gt", 0)),
                fields=["widget", "type", "-created_at", "-id"],
                name="kb_source_by_type",
            ),
        ),
        migrations.AddIndex(
            model_name="source",
            index=models.Index(
                condition=models.Q(("doc_id__isnull", False)), fields=["widget", "doc_id"], name="kb_source_by_doc"
            ),
        ),
        migrations.AddConstraint(
            model_name="source",
            constraint=models.UniqueConstraint(fields=("widget", "ref"), name="kb_source_ref"),
        ),
        migrations.AddIndex(
            model_name="rule",
            index=models.Index(fields=["widget", "-created_at", "-id"], name="kb_rule_list"),
        ),
        migrations.AddIndex(
            model_name="rule",
            index=models.Index(fields=["source", "-created_at", "-id"], name="kb_rule_by_source"),
        ),
        migrations.AddIndex(
            model_name="rule",
            index=models.Index(fields=["widget", "digest"], name="kb_rule_by_digest"),
        ),
        migrations.AddIndex(
            model_name="rule",
            index=models.Index(
                condition=models.Q(("embedding_status", "pending")),
                fields=["widget", "-id"],
                name="kb_rule_pending",
            ),
        ),
        migrations.AddIndex(
            model_name="rule",
            index=django.contrib.postgres.indexes.GinIndex(
                models.F("widget"), models.F("searched"), name="kb_rule_words"
            ),
        ),
        migrations.AddIndex(
            model_name="rule",
            index=django.contrib.postgres.indexes.GinIndex(
                models.F("widget"),
                django.contrib.postgres.indexes.OpClass(
                    models.Func(
                        output_field=models.TextField(), template="(translate(title || ' ' || content, 'ёЁ', 'еЕ'))"
                    ),
                    name="gin_trgm_ops",
                ),
                name="kb_rule_spelling",
            ),
        ),
        migrations.RunSQL(IN_LINE, migrations.RunSQL.noop),
        migrations.RunSQL(TRIGGERS, DROP_TRIGGERS),
    ]
