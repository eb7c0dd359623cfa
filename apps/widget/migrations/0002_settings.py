from pathlib import Path

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

import apps.core.database.fields

# As they were then; what they are now is in apps/widget/triggers.sql (docs/adr/0017).
TRIGGERS = Path(__file__).with_name("0002_triggers.sql").read_text()
DROP_TRIGGERS = "DROP FUNCTION widget_icons_deleted CASCADE"  # which go with their functions


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_audited_tokens"),
        ("widget", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="WidgetSettings",
            fields=[
                (
                    "widget",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="widget_settings",
                        serialize=False,
                        to="accounts.widget",
                    ),
                ),
                ("stored", models.JSONField(blank=True, db_default={}, default=dict)),
                ("legacy", models.BooleanField(db_default=False, default=False, editable=False)),
                ("policy_revision", models.PositiveBigIntegerField(db_default=1, default=1, editable=False)),
                ("identity_secret", apps.core.database.fields.EncryptedTextField(blank=True, null=True)),
                ("previous_identity_secret", apps.core.database.fields.EncryptedTextField(blank=True, null=True)),
                ("previous_until", models.DateTimeField(blank=True, editable=False, null=True)),
                ("purged_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("updated_at", models.DateTimeField(blank=True, editable=False, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Icon",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(editable=False, max_length=255)),
                ("still_key", models.CharField(blank=True, db_default="", default="", editable=False, max_length=255)),
                ("content_type", models.CharField(editable=False, max_length=32)),
                ("animated", models.BooleanField(editable=False)),
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
            name="Translation",
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
                ("field", models.CharField(editable=False, max_length=32)),
                ("locale", models.CharField(editable=False, max_length=8)),
                ("text", models.TextField(blank=True, db_default="", default="", editable=False)),
                ("source_hash", models.CharField(blank=True, db_default="", default="", editable=False, max_length=64)),
                ("wanted_hash", models.CharField(blank=True, db_default="", default="", editable=False, max_length=64)),
                (
                    "state",
                    models.CharField(
                        choices=[("pending", "Pending"), ("ready", "Ready"), ("failed", "Failed")],
                        editable=False,
                        max_length=8,
                    ),
                ),
                ("error", models.CharField(blank=True, db_default="", default="", editable=False, max_length=32)),
                ("is_reserved", models.BooleanField(db_default=False, default=False, editable=False)),
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
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="widget_translation_due"
                    ),
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["widget", "due_at"],
                        name="widget_translation_turn",
                    ),
                    models.Index(
                        condition=models.Q(("claim_id__isnull", False)),
                        fields=["widget"],
                        name="widget_translation_held",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("widget", "field", "locale"), name="widget_translation_one")
                ],
            },
        ),
        migrations.RunSQL(TRIGGERS, DROP_TRIGGERS),
    ]
