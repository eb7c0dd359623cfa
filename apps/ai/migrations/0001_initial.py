from pathlib import Path

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

import apps.core.database.fields

# As they were then; what they are now is in apps/ai/triggers.sql (docs/adr/0017).
TRIGGERS = Path(__file__).with_name("0001_triggers.sql").read_text()
DROP_TRIGGERS = "DROP FUNCTION ai_history_is_kept CASCADE"  # which go with their functions
WITH_ITS_WIDGET = """ALTER TABLE ai_personahistory ADD CONSTRAINT ai_personahistory_widget
FOREIGN KEY (widget_id) REFERENCES accounts_widget (id) ON DELETE CASCADE"""


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0002_widget_answerers"),
        ("agents", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="DetachedTest",
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
                ("lease_until", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="AiOperator",
            fields=[],
            options={
                "verbose_name": "AI operator",
                "verbose_name_plural": "AI operators",
                "proxy": True,
                "indexes": [],
                "constraints": [],
            },
            bases=("agents.agent",),
        ),
        migrations.CreateModel(
            name="Assistant",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=120)),
                ("enabled", models.BooleanField(db_default=True, default=True)),
                ("is_default", models.BooleanField(db_default=False, default=False)),
                ("persona", models.TextField(blank=True, db_default="", default="")),
                ("system_prompt", models.TextField(blank=True, db_default="", default="")),
                ("temperature", models.FloatField(blank=True, null=True)),
                ("rag_enabled", models.BooleanField(db_default=True, default=True)),
                (
                    "escalation_triggers",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, db_default=[], default=list, size=None
                    ),
                ),
                ("greeting", models.TextField(blank=True, db_default="", default="")),
                ("greeting_i18n", models.JSONField(blank=True, db_default={}, default=dict)),
                (
                    "quick_phrases",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, db_default=[], default=list, size=None
                    ),
                ),
                ("quick_phrases_i18n", models.JSONField(blank=True, db_default={}, default=dict)),
                ("provider", models.CharField(blank=True, db_default="", default="", max_length=32)),
                ("model", models.CharField(blank=True, db_default="", default="", max_length=200)),
                ("persona_version", models.PositiveIntegerField(db_default=1, default=1, editable=False)),
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
                        related_name="assistants",
                        to="accounts.widget",
                    ),
                ),
            ],
            options={
                "verbose_name": "assistant",
                "verbose_name_plural": "assistants",
            },
        ),
        migrations.CreateModel(
            name="AiSettings",
            fields=[
                (
                    "widget",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="ai_settings",
                        serialize=False,
                        to="accounts.widget",
                    ),
                ),
                ("enabled", models.BooleanField(db_default=False, default=False)),
                ("rag_enabled", models.BooleanField(db_default=True, default=True)),
                ("shadow_mode", models.BooleanField(db_default=False, default=False)),
                ("autonomous_tuning_enabled", models.BooleanField(db_default=False, default=False)),
                ("presence_context_enabled", models.BooleanField(db_default=True, default=True)),
                ("takeover_timeout_sec", models.PositiveIntegerField(db_default=300, default=300)),
                (
                    "offline_outcome_mode",
                    models.CharField(
                        choices=[
                            ("handover", "hand over all the same"),
                            ("answer_only", "show the assistant's text, if there is one"),
                        ],
                        db_default="handover",
                        default="handover",
                        max_length=16,
                        verbose_name="when nobody is there",
                    ),
                ),
                (
                    "legacy_persona",
                    models.TextField(blank=True, db_default="", default="", verbose_name="persona of before"),
                ),
                ("is_migrated", models.BooleanField(db_default=False, default=False, editable=False)),
                (
                    "daily_token_budget",
                    models.PositiveBigIntegerField(
                        blank=True,
                        help_text="Beyond them chats are handed over. Empty: no limit.",
                        null=True,
                        verbose_name="tokens a day",
                    ),
                ),
                ("phrases", models.JSONField(blank=True, db_default={}, default=dict, editable=False)),
                (
                    "updated_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "migrated_assistant",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="ai.assistant",
                    ),
                ),
            ],
            options={
                "verbose_name": "AI settings",
                "verbose_name_plural": "AI settings",
            },
        ),
        migrations.CreateModel(
            name="Credential",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("provider", models.CharField(max_length=32)),
                ("api_key", apps.core.database.fields.EncryptedTextField()),
                ("base_url", models.CharField(blank=True, db_default="", default="", max_length=2048)),
                ("target", models.CharField(blank=True, db_default="", default="", editable=False, max_length=2048)),
                ("model", models.CharField(blank=True, db_default="", default="", max_length=200)),
                ("signing_secret", apps.core.database.fields.EncryptedTextField(blank=True, null=True)),
                ("is_active", models.BooleanField(db_default=True, default=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "updated_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "assistant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="credentials",
                        to="ai.assistant",
                    ),
                ),
                (
                    "backup",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="backed_up",
                        to="ai.credential",
                    ),
                ),
                (
                    "operator",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ai_credentials",
                        to="agents.agent",
                    ),
                ),
                (
                    "widget",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ai_credentials",
                        to="accounts.widget",
                    ),
                ),
            ],
            options={
                "verbose_name": "credential",
                "verbose_name_plural": "credentials",
            },
        ),
        migrations.CreateModel(
            name="Alert",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "code",
                    models.CharField(
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
                        ],
                        max_length=40,
                    ),
                ),
                (
                    "severity",
                    models.CharField(choices=[("warning", "warning"), ("critical", "critical")], max_length=16),
                ),
                ("message", models.TextField()),
                ("chat_id", models.BigIntegerField(blank=True, null=True)),
                ("occurrences", models.PositiveIntegerField(db_default=1, default=1)),
                ("first_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("last_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("acknowledged_at", models.DateTimeField(blank=True, null=True)),
                (
                    "operator",
                    models.ForeignKey(
                        blank=True,
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
                        related_name="ai_alerts",
                        to="accounts.widget",
                    ),
                ),
                (
                    "assistant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="ai.assistant",
                    ),
                ),
                (
                    "credential",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="ai.credential",
                    ),
                ),
            ],
            options={
                "verbose_name": "alert",
                "verbose_name_plural": "alerts",
            },
        ),
        migrations.CreateModel(
            name="PersonaHistory",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("assistant_id", models.BigIntegerField()),
                (
                    "action",
                    models.CharField(
                        choices=[
                            ("created", "created"),
                            ("edited", "edited"),
                            ("wish_approved", "wish_approved"),
                            ("wish_reverted", "wish_reverted"),
                            ("tuned", "tuned"),
                            ("refused", "refused"),
                            ("reverted", "reverted"),
                            ("kept", "kept"),
                            ("rolled_back", "rolled_back"),
                        ],
                        max_length=16,
                    ),
                ),
                ("from_version", models.PositiveIntegerField(null=True)),
                ("to_version", models.PositiveIntegerField()),
                ("actor", models.JSONField()),
                ("patch", models.JSONField(null=True)),
                ("reason", models.TextField(blank=True, db_default="", default="")),
                ("metrics", models.JSONField(null=True)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "widget",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="accounts.widget",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PersonaVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField()),
                (
                    "cause",
                    models.CharField(
                        choices=[
                            ("created", "created"),
                            ("template", "template"),
                            ("migrated", "migrated"),
                            ("edited", "edited"),
                            ("wish", "wish"),
                            ("cycle", "cycle"),
                            ("revert", "revert"),
                            ("rollback", "rollback"),
                        ],
                        max_length=16,
                    ),
                ),
                ("persona", models.TextField(blank=True)),
                ("system_prompt", models.TextField(blank=True)),
                ("summary", models.TextField(blank=True, db_default="", default="")),
                ("restores", models.PositiveIntegerField(null=True)),
                ("patch", models.JSONField(null=True)),
                ("actor", models.JSONField()),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "assistant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="versions",
                        to="ai.assistant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Usage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("operator_id", models.BigIntegerField(null=True)),
                ("chat_id", models.BigIntegerField(null=True)),
                ("purpose", models.CharField(max_length=16)),
                ("model", models.CharField(max_length=200)),
                ("prompt_tokens", models.PositiveIntegerField(default=0)),
                ("completion_tokens", models.PositiveIntegerField(default=0)),
                ("latency_ms", models.PositiveIntegerField()),
                ("outcome", models.CharField(max_length=24)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "assistant",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="ai.assistant",
                    ),
                ),
                (
                    "credential",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="ai.credential"
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
                "verbose_name": "use of a model",
                "verbose_name_plural": "uses of models",
            },
        ),
        migrations.AddIndex(
            model_name="assistant",
            index=models.Index(fields=["widget", "-created_at", "-id"], name="ai_assistant_list"),
        ),
        migrations.AddConstraint(
            model_name="assistant",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_default", True)), fields=("widget",), name="ai_assistant_one_default"
            ),
        ),
        migrations.AddIndex(
            model_name="credential",
            index=models.Index(fields=["widget", "-created_at", "-id"], name="ai_credential_list"),
        ),
        migrations.AddConstraint(
            model_name="credential",
            constraint=models.CheckConstraint(
                condition=models.Q(("assistant__isnull", True), ("operator__isnull", True), _connector="OR"),
                name="ai_credential_one_owner",
            ),
        ),
        migrations.AddIndex(
            model_name="alert",
            index=models.Index(fields=["widget", "-first_at", "-id"], name="ai_alert_list"),
        ),
        migrations.AddIndex(
            model_name="alert",
            index=models.Index(
                condition=models.Q(("acknowledged_at__isnull", True)),
                fields=["widget", "-first_at", "-id"],
                name="ai_alert_open",
            ),
        ),
        migrations.AddConstraint(
            model_name="alert",
            constraint=models.UniqueConstraint(
                condition=models.Q(("acknowledged_at__isnull", True)),
                fields=("widget", "code", "assistant", "operator", "credential"),
                name="ai_alert_one_open",
                nulls_distinct=False,
            ),
        ),
        migrations.AddIndex(
            model_name="personahistory",
            index=models.Index(fields=["widget", "-at", "-id"], name="ai_personahistory_list"),
        ),
        migrations.AddConstraint(
            model_name="personaversion",
            constraint=models.UniqueConstraint(fields=("assistant", "version"), name="ai_personaversion_once"),
        ),
        migrations.AddIndex(
            model_name="usage",
            index=models.Index(fields=["widget", "at"], name="ai_usage_widget"),
        ),
        migrations.AddIndex(
            model_name="usage",
            index=models.Index(fields=["assistant", "at"], name="ai_usage_assistant"),
        ),
        migrations.RunSQL(WITH_ITS_WIDGET, migrations.RunSQL.noop),
        migrations.RunSQL(TRIGGERS, DROP_TRIGGERS),
    ]
