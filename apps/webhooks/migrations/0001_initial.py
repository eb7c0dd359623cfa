import django.db.models.deletion
from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models
from django.db.models.functions import Now

import apps.core.database.fields


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="EventSwitch",
            fields=[
                ("name", models.CharField(editable=False, max_length=64, primary_key=True, serialize=False)),
                (
                    "enabled",
                    models.BooleanField(
                        db_default=False,
                        default=False,
                        help_text="While off, subscriptions are accepted and nothing is delivered.",
                    ),
                ),
            ],
            options={
                "verbose_name": "event type",
            },
        ),
        migrations.CreateModel(
            name="Subscription",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "widget",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.CASCADE,
                        related_name="webhook_subscriptions",
                        to="accounts.widget",
                    ),
                ),
                ("url", models.CharField(max_length=2048)),
                ("target", models.CharField(max_length=2048)),
                ("events", ArrayField(base_field=models.CharField(max_length=64), size=None)),
                (
                    "secret",
                    apps.core.database.fields.EncryptedTextField(
                        blank=True, default="", help_text="Signs the deliveries; without one they fail."
                    ),
                ),
                ("is_active", models.BooleanField(db_default=True, default=True)),
                ("is_legacy_compat", models.BooleanField(db_default=False, default=False)),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
                ("updated_at", models.DateTimeField(db_default=Now(), editable=False)),
            ],
            options={
                "verbose_name": "webhook subscription",
                "indexes": [models.Index(fields=["widget", "-created_at", "-id"], name="webhooks_subscription_list")],
                "constraints": [
                    models.UniqueConstraint(fields=("widget", "target"), name="webhooks_subscription_target")
                ],
            },
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("guid", models.UUIDField(editable=False)),
                (
                    "widget",
                    models.ForeignKey(db_index=False, on_delete=models.CASCADE, related_name="+", to="accounts.widget"),
                ),
                ("type", models.CharField(max_length=64)),
                ("body", apps.core.database.fields.SealedTextField(sealed_by="is_sealed")),
                ("is_sealed", models.BooleanField(db_default=False, default=False)),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
            ],
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("guid", models.UUIDField(editable=False, unique=True)),
                (
                    "event",
                    models.ForeignKey(
                        db_constraint=False, on_delete=models.CASCADE, related_name="deliveries", to="webhooks.event"
                    ),
                ),
                ("kind", models.CharField(db_collation="C", editable=False, max_length=32)),
                ("destination_id", models.BigIntegerField(editable=False)),
                ("event_type", models.CharField(max_length=64)),
                (
                    "is_legacy",
                    models.BooleanField(db_default=False, default=False, help_text="Sent in the legacy envelope."),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("pending", "pending"),
                            ("delivered", "delivered"),
                            ("failed", "failed"),
                            ("skipped", "skipped"),
                        ],
                        db_default="pending",
                        default="pending",
                        max_length=9,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(db_default=0, default=0)),
                ("claims", models.PositiveSmallIntegerField(db_default=0, default=0)),
                ("due_at", models.DateTimeField(db_default=Now())),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("claim_id", models.UUIDField(blank=True, null=True)),
                ("response_status", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("last_error", models.CharField(blank=True, db_default="", default="", max_length=255)),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
                ("delivered_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name_plural": "deliveries",
                "indexes": [
                    models.Index(
                        condition=models.Q(("status", "pending")),
                        fields=["destination_id", "kind", "due_at"],
                        name="webhooks_delivery_queue",
                    ),
                    models.Index(
                        condition=models.Q(("is_legacy", False), ("status", "failed"), _connector="OR"),
                        fields=["destination_id", "kind", "-id"],
                        name="webhooks_delivery_log",
                    ),
                    models.Index(
                        condition=models.Q(("status", "delivered"), _negated=True),
                        fields=["destination_id", "kind", "status", "-id"],
                        name="webhooks_delivery_by_status",
                    ),
                    models.Index(
                        condition=models.Q(("is_legacy", False), ("status", "failed"), _connector="OR"),
                        fields=["destination_id", "kind", "event_type", "-id"],
                        name="webhooks_delivery_by_type",
                    ),
                ],
            },
        ),
        # A queue is a table that changes all the time: room on each page for a row's next version, and early vacuums.
        migrations.RunSQL(
            "ALTER TABLE webhooks_delivery SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02)",
            "ALTER TABLE webhooks_delivery RESET (fillfactor, autovacuum_vacuum_scale_factor)",
        ),
        migrations.CreateModel(
            name="Attempt",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "delivery_id", "number", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("started_at", models.DateTimeField()),
                ("milliseconds", models.PositiveIntegerField()),
                ("response_status", models.PositiveSmallIntegerField(null=True)),
                ("error", models.CharField(blank=True, db_default="", default="", max_length=255)),
                (
                    "delivery",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="attempt_rows",
                        to="webhooks.delivery",
                    ),
                ),
            ],
        ),
    ]
