import uuid
from pathlib import Path

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

import apps.core.database.fields

# As they were then; what they are now is in apps/ai/triggers.sql (docs/adr/0017).
TRIGGERS = Path(__file__).with_name("0005_triggers.sql").read_text()
DROP_TRIGGERS = "DROP FUNCTION ai_moves_are_kept CASCADE"  # which go with their functions
WITH_ITS_OPERATOR = """ALTER TABLE ai_operatormove ADD CONSTRAINT ai_operatormove_operator
FOREIGN KEY (operator_id) REFERENCES ai_externaloperator (id) ON DELETE CASCADE"""


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_user_joined_at"),
        ("agents", "0001_initial"),
        ("ai", "0004_persona_wishes_and_cycles"),
        ("chats", "0007_replies"),
    ]

    operations = [
        migrations.CreateModel(
            name="ExternalOperator",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("url", models.CharField(max_length=2048)),
                ("target", models.CharField(editable=False, max_length=2048)),
                (
                    "standing",
                    models.CharField(
                        choices=[
                            ("draft", "draft"),
                            ("active", "active"),
                            ("paused", "paused"),
                            ("killed", "killed"),
                            ("revoked", "revoked"),
                        ],
                        db_default="draft",
                        default="draft",
                        max_length=16,
                    ),
                ),
                (
                    "state_changed_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("verified_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("secret", apps.core.database.fields.EncryptedTextField(editable=False, null=True)),
                ("old_secret", apps.core.database.fields.EncryptedTextField(editable=False, null=True)),
                ("secret_version", models.PositiveIntegerField(db_default=1, default=1, editable=False)),
                ("rotation_started_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("overlap_ends_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("bearer", apps.core.database.fields.EncryptedTextField(blank=True, null=True)),
                ("requires_signed_replies", models.BooleanField(db_default=False, default=False)),
                ("reply_timeout_sec", models.PositiveSmallIntegerField(db_default=120, default=120)),
                (
                    "fallback",
                    models.CharField(
                        choices=[("handoff", "handoff"), ("model", "model")],
                        db_default="handoff",
                        default="handoff",
                        max_length=8,
                    ),
                ),
                ("deleted_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "updated_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "agent",
                    models.OneToOneField(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="external_operator",
                        to="agents.agent",
                    ),
                ),
                (
                    "widget",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="external_operators",
                        to="accounts.widget",
                    ),
                ),
            ],
            options={
                "verbose_name": "external operator",
                "verbose_name_plural": "external operators",
            },
        ),
        migrations.AddField(
            model_name="aisettings",
            name="external_operators_enabled",
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.CreateModel(
            name="OperatorHealth",
            fields=[
                (
                    "operator",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="health",
                        serialize=False,
                        to="ai.externaloperator",
                    ),
                ),
                ("consecutive_failures", models.PositiveIntegerField(db_default=0, default=0)),
                ("degraded_until", models.DateTimeField(null=True)),
                ("last_delivered_at", models.DateTimeField(null=True)),
                ("last_failed_at", models.DateTimeField(null=True)),
                ("last_error", models.CharField(max_length=16, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="ProbeTest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("url", models.CharField(max_length=2048)),
                ("target", models.CharField(max_length=2048)),
                ("challenge", models.CharField(max_length=64)),
                (
                    "status",
                    models.CharField(
                        choices=[("queued", "queued"), ("delivered", "delivered"), ("failed", "failed")],
                        db_default="queued",
                        default="queued",
                        max_length=16,
                    ),
                ),
                ("challenge_ok", models.BooleanField(null=True)),
                ("response_status", models.PositiveSmallIntegerField(null=True)),
                ("error", models.CharField(max_length=16, null=True)),
                ("duration_ms", models.PositiveIntegerField(null=True)),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "operator",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tests",
                        to="ai.externaloperator",
                    ),
                ),
            ],
            options={
                "verbose_name": "test of an external operator",
                "verbose_name_plural": "tests of external operators",
            },
        ),
        migrations.AddField(
            model_name="externaloperator",
            name="last_test",
            field=models.ForeignKey(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="ai.probetest",
            ),
        ),
        migrations.CreateModel(
            name="ReplyToken",
            fields=[
                (
                    "token",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="accounts.apitoken",
                    ),
                ),
                (
                    "operator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reply_tokens",
                        to="ai.externaloperator",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Turn",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("causation_id", models.CharField(db_collation="C", max_length=128)),
                ("first_message_id", models.BigIntegerField()),
                ("last_message_id", models.BigIntegerField()),
                ("way", models.CharField(max_length=16)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "queued"),
                            ("delivered", "delivered"),
                            ("answered", "answered"),
                            ("expired", "expired"),
                            ("failed", "failed"),
                            ("cancelled", "cancelled"),
                            ("abandoned", "abandoned"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "ending",
                    models.CharField(
                        choices=[
                            ("expired", "expired"),
                            ("delivery_failed", "delivery_failed"),
                            ("human_took_over", "human_took_over"),
                            ("chat_closed", "chat_closed"),
                            ("operator_stopped", "operator_stopped"),
                            ("abandoned", "abandoned"),
                            ("ai_disabled", "ai_disabled"),
                        ],
                        db_default="",
                        default="",
                        max_length=24,
                    ),
                ),
                ("owes_cancellation", models.BooleanField(db_default=False, default=False)),
                ("result", models.JSONField(null=True)),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("deadline_at", models.DateTimeField()),
                ("taken_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "chat",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="chats.chat"
                    ),
                ),
                (
                    "operator",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="turns",
                        to="ai.externaloperator",
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
                "verbose_name": "turn of an external operator",
                "verbose_name_plural": "turns of external operators",
            },
        ),
        migrations.CreateModel(
            name="OperatorEvent",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("type", models.CharField(max_length=16)),
                ("secret_version", models.PositiveIntegerField()),
                ("has_next", models.BooleanField(db_default=False, default=False)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("pending", "pending"),
                            ("delivered", "delivered"),
                            ("failed", "failed"),
                            ("dropped", "dropped"),
                        ],
                        db_default="pending",
                        default="pending",
                        max_length=16,
                    ),
                ),
                ("queued_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "operator",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="events",
                        to="ai.externaloperator",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="events", to="ai.turn"),
                ),
            ],
        ),
        migrations.CreateModel(
            name="OperatorMove",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("action", models.CharField(max_length=16)),
                ("from_state", models.CharField(max_length=16)),
                ("to_state", models.CharField(max_length=16)),
                ("reason", models.CharField(blank=True, db_default="", default="", max_length=500)),
                ("actor", models.JSONField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "operator",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="moves",
                        to="ai.externaloperator",
                    ),
                ),
            ],
            options={
                "verbose_name": "move of an external operator",
                "verbose_name_plural": "moves of external operators",
                "indexes": [models.Index(fields=["operator", "-id"], name="ai_operatormove_list")],
            },
        ),
        migrations.AddIndex(
            model_name="probetest",
            index=models.Index(fields=["operator", "-id"], name="ai_probetest_list"),
        ),
        migrations.AddConstraint(
            model_name="probetest",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status", "queued")), fields=("operator",), name="ai_probetest_one_queued"
            ),
        ),
        migrations.AddIndex(
            model_name="externaloperator",
            index=models.Index(fields=["widget", "-created_at", "-id"], name="ai_externaloperator_list"),
        ),
        migrations.AddIndex(
            model_name="turn",
            index=models.Index(fields=["operator", "-id"], name="ai_turn_list"),
        ),
        migrations.AddIndex(
            model_name="turn",
            index=models.Index(fields=["chat", "-id"], name="ai_turn_chat"),
        ),
        migrations.AddIndex(
            model_name="turn",
            index=models.Index(
                condition=models.Q(("state__in", ("queued", "delivered"))), fields=["operator"], name="ai_turn_open"
            ),
        ),
        migrations.AddIndex(
            model_name="turn",
            index=models.Index(fields=["created_at"], name="ai_turn_old"),
        ),
        migrations.AddConstraint(
            model_name="turn",
            constraint=models.UniqueConstraint(fields=("widget", "causation_id"), name="ai_turn_causation"),
        ),
        migrations.AddConstraint(
            model_name="turn",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ("queued", "delivered"))), fields=("chat",), name="ai_turn_one_open"
            ),
        ),
        migrations.AddIndex(
            model_name="operatorevent",
            index=models.Index(
                condition=models.Q(("status", "pending")),
                fields=["operator", "secret_version"],
                name="ai_event_pending",
            ),
        ),
        # Choices are none of the database's.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="alert",
                    name="code",
                    field=models.CharField(
                        choices=[
                            ("not_configured", "not_configured"),
                            ("credential_rejected", "credential_rejected"),
                            ("credential_rate_limited", "credential_rate_limited"),
                            ("provider_failure", "provider_failure"),
                            ("backup_used", "backup_used"),
                            ("budget_exhausted", "budget_exhausted"),
                            ("reply_limit", "reply_limit"),
                            ("untrusted_handoff", "untrusted_handoff"),
                            ("prompt_leak", "prompt_leak"),
                            ("reply_failed", "reply_failed"),
                            ("external_operator_degraded", "external_operator_degraded"),
                        ],
                        max_length=40,
                    ),
                ),
            ]
        ),
        migrations.RunSQL(WITH_ITS_OPERATOR, migrations.RunSQL.noop),
        migrations.RunSQL(TRIGGERS, DROP_TRIGGERS),
    ]
