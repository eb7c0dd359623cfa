import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

# Widgets whose AI was switched on before it could answer: from now on it does.
SWITCH_ON = """
UPDATE accounts_widget w
SET answerers = array_append(w.answerers, CASE WHEN s.shadow_mode THEN 'ai_shadow' ELSE 'ai' END)
FROM ai_aisettings s WHERE s.widget_id = w.id AND s.enabled"""


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_user_joined_at"),
        ("ai", "0002_embeddings"),
        ("chats", "0007_replies"),
    ]

    operations = [
        migrations.CreateModel(
            name="Conversation",
            fields=[
                (
                    "chat",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="chats.chat",
                    ),
                ),
                (
                    "mode",
                    models.CharField(
                        choices=[("ai", "ai"), ("waiting", "waiting"), ("offline", "offline"), ("person", "person")],
                        max_length=8,
                    ),
                ),
                ("mode_since", models.DateTimeField()),
                ("operator_id", models.BigIntegerField(null=True)),
                ("language", models.CharField(db_default="", default="", max_length=8)),
                ("answered_message_id", models.BigIntegerField(db_default=0, default=0)),
            ],
        ),
        migrations.AddField(
            model_name="aisettings",
            name="enabled_since",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.CreateModel(
            name="Exchange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("operator_id", models.BigIntegerField(null=True)),
                ("persona_version", models.PositiveIntegerField(null=True)),
                ("first_message_id", models.BigIntegerField()),
                ("last_message_id", models.BigIntegerField()),
                ("answer_message_id", models.BigIntegerField(null=True)),
                ("question", models.TextField()),
                ("answer", models.TextField(blank=True)),
                ("language", models.CharField(max_length=8)),
                ("way", models.CharField(max_length=16)),
                ("transformation", models.CharField(max_length=32)),
                ("classifier", models.CharField(max_length=16)),
                ("reason", models.CharField(blank=True, db_default="", default="", max_length=32)),
                ("rag_status", models.CharField(max_length=16)),
                (
                    "chunk_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), blank=True, db_default=[], default=list, size=None
                    ),
                ),
                ("sources", models.JSONField(blank=True, db_default=[], default=list)),
                (
                    "outcome",
                    models.CharField(
                        choices=[("shown", "Shown"), ("dropped", "Dropped"), ("shadow", "Shadow")], max_length=8
                    ),
                ),
                ("model", models.CharField(blank=True, db_default="", default="", max_length=200)),
                ("operations", models.PositiveSmallIntegerField(db_default=0, default=0)),
                ("prompt_tokens", models.PositiveIntegerField(db_default=0, default=0)),
                ("completion_tokens", models.PositiveIntegerField(db_default=0, default=0)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "assistant",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="ai.assistant"
                    ),
                ),
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
                "verbose_name": "exchange",
                "verbose_name_plural": "exchanges",
                "indexes": [
                    models.Index(fields=["widget", "-at", "-id"], name="ai_exchange_list"),
                    models.Index(fields=["at"], name="ai_exchange_old"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ReplyJob",
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
                ("restarts", models.PositiveSmallIntegerField(db_default=0, default=0)),
                (
                    "chat",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="chats.chat"
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
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="ai_replyjob_due"
                    ),
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["widget", "due_at"],
                        name="ai_replyjob_turn",
                    ),
                    models.Index(
                        condition=models.Q(("claim_id__isnull", False)), fields=["widget"], name="ai_replyjob_held"
                    ),
                ],
            },
        ),
        migrations.RunSQL("UPDATE ai_aisettings SET enabled_since = now() WHERE enabled", migrations.RunSQL.noop),
        migrations.RunSQL(SWITCH_ON, migrations.RunSQL.noop),
    ]
