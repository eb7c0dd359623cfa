from pathlib import Path

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

# As they were then; what they are now is in apps/kb/triggers.sql (docs/adr/0017).
TRIGGERS = Path(__file__).with_name("0002_triggers.sql").read_text()
DROP_TRIGGERS = "DROP FUNCTION kb_uploads_deleted CASCADE"


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_user_joined_at"),
        ("kb", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Upload",
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
                ("name", models.CharField(editable=False, max_length=255)),
                ("size", models.PositiveIntegerField(editable=False)),
                ("content_type", models.CharField(editable=False, max_length=100)),
                ("storage_key", models.CharField(editable=False, max_length=255)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "queued"),
                            ("extracting", "extracting"),
                            ("embedding", "embedding"),
                            ("ready", "ready"),
                            ("failed", "failed"),
                        ],
                        db_default="queued",
                        default="queued",
                        editable=False,
                        max_length=10,
                    ),
                ),
                ("error_code", models.CharField(blank=True, db_default="", default="", editable=False, max_length=32)),
                (
                    "error_detail",
                    models.CharField(blank=True, db_default="", default="", editable=False, max_length=255),
                ),
                ("characters", models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "updated_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("finished_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "widget",
                    models.ForeignKey(
                        db_index=False,
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="kb_uploads",
                        to="accounts.widget",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="kb_upload_due"
                    ),
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["widget", "due_at"],
                        name="kb_upload_turn",
                    ),
                    models.Index(
                        condition=models.Q(("claim_id__isnull", False)), fields=["widget"], name="kb_upload_held"
                    ),
                    models.Index(fields=["widget", "-created_at", "-id"], name="kb_upload_list"),
                    models.Index(fields=["widget", "state", "-created_at", "-id"], name="kb_upload_by_state"),
                ],
            },
        ),
        migrations.RunSQL(TRIGGERS, DROP_TRIGGERS),
    ]
