from pathlib import Path

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import migrations, models
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Now

import apps.accounts.models
from apps.core.database.fields import JsonNumbers

# As they were then; what they are now is in apps/chats/functions.sql and triggers.sql (docs/adr/0017).
FUNCTIONS = Path(__file__).with_name("0001_functions.sql").read_text()
TRIGGERS = Path(__file__).with_name("0001_triggers.sql").read_text()
DROP_FUNCTIONS = """
DROP FUNCTION chats_hour_of (timestamptz);
DROP FUNCTION chats_term_entries (bigint, bigint, text);
DROP FUNCTION chats_message_entries (bigint, bigint, text);
DROP FUNCTION chats_term_grams (bigint, text);
DROP FUNCTION chats_contact_grams (bigint, text, text, text);
DROP FUNCTION chats_grams (bigint, text, boolean);
DROP FUNCTION chats_folded (text)"""
# The triggers go with their functions.
DROP_TRIGGERS = """
DROP FUNCTION chats_message_changed, chats_messages_deleted, chats_chat_changed, chats_chats_deleted, chats_recount_tallies,
              chats_files_deleted CASCADE"""


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("agents", "0001_initial"),
        ("core", "0001_initial"),
    ]

    operations = [
        # Before the indexes that use them.
        migrations.RunSQL(FUNCTIONS, DROP_FUNCTIONS),
        migrations.CreateModel(
            name="Contact",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("widget", models.ForeignKey(on_delete=models.CASCADE, related_name="contacts", to="accounts.widget")),
                (
                    "guid",
                    models.CharField(default=apps.accounts.models.new_guid, editable=False, max_length=32, unique=True),
                ),
                ("name", models.CharField(blank=True, db_default="", default="", max_length=255)),
                ("email", models.CharField(blank=True, db_default="", default="", max_length=254)),
                ("phone", models.CharField(blank=True, db_default="", default="", max_length=32)),
                ("attributes", models.JSONField(blank=True, db_default={}, decoder=JsonNumbers, default=dict)),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
                ("updated_at", models.DateTimeField(db_default=Now(), editable=False)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["widget", "-created_at", "-id"], name="chats_contact_list"),
                    models.Index(
                        condition=models.Q(("name__gt", ""), ("email__gt", ""), ("phone__gt", ""), _connector="OR"),
                        fields=["widget", "-created_at", "-id"],
                        name="chats_contact_known",
                    ),
                    GinIndex(
                        models.Func("widget_id", "name", "email", "phone", function="chats_contact_grams"),
                        gin_pending_list_limit=256,
                        name="chats_contact_search",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Tag",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "account",
                    models.ForeignKey(
                        db_index=False, on_delete=models.CASCADE, related_name="tags", to="accounts.account"
                    ),
                ),
                ("name", models.CharField(db_collation="C", max_length=64)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("account", "name"), name="chats_tag_once")],
            },
        ),
        migrations.CreateModel(
            name="ContactTag",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "contact",
                    models.ForeignKey(db_index=False, on_delete=models.CASCADE, related_name="+", to="chats.contact"),
                ),
                ("tag", models.ForeignKey(on_delete=models.CASCADE, related_name="+", to="chats.tag")),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("contact", "tag"), name="chats_contacttag_once")],
            },
        ),
        migrations.CreateModel(
            name="Chat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("widget", models.ForeignKey(on_delete=models.CASCADE, related_name="chats", to="accounts.widget")),
                ("contact", models.ForeignKey(on_delete=models.CASCADE, related_name="chats", to="chats.contact")),
                (
                    "department",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=models.SET_NULL, related_name="chats", to="agents.department"
                    ),
                ),
                (
                    "internal",
                    models.BooleanField(
                        db_default=False,
                        default=False,
                        help_text="Whether it has been a chat between colleagues: it stays one.",
                    ),
                ),
                ("channel", models.CharField(db_default="widget", default="widget", max_length=32)),
                (
                    "status",
                    models.CharField(
                        choices=[("active", "active"), ("ready", "ready"), ("expired", "expired"), ("spam", "spam")],
                        db_default="active",
                        default="active",
                        max_length=8,
                    ),
                ),
                (
                    "agent",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=models.SET_NULL, related_name="chats", to="agents.agent"
                    ),
                ),
                (
                    "handling",
                    models.CharField(
                        choices=[
                            ("missed", "missed"),
                            ("human", "human"),
                            ("ai", "ai"),
                            ("ai_to_human", "ai_to_human"),
                            ("human_to_ai", "human_to_ai"),
                        ],
                        db_default="missed",
                        default="missed",
                        max_length=16,
                    ),
                ),
                (
                    "accepted_agent",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=models.SET_NULL, related_name="+", to="agents.agent"
                    ),
                ),
                (
                    "accepted_type",
                    models.CharField(blank=True, choices=[("human", "human"), ("ai", "ai")], max_length=8, null=True),
                ),
                ("accepted_at", models.DateTimeField(blank=True, null=True)),
                (
                    "handled_agent",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=models.SET_NULL, related_name="+", to="agents.agent"
                    ),
                ),
                (
                    "handled_type",
                    models.CharField(blank=True, choices=[("human", "human"), ("ai", "ai")], max_length=8, null=True),
                ),
                ("handled_at", models.DateTimeField(blank=True, null=True)),
                ("has_client_messages", models.BooleanField(db_default=False, default=False)),
                ("last_message_at", models.DateTimeField(blank=True, null=True)),
                ("last_message_id", models.BigIntegerField(blank=True, null=True)),
                (
                    "expired_at",
                    models.DateTimeField(blank=True, help_text="When it last moved into expired.", null=True),
                ),
                (
                    "rating_requested_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="When the visitor was asked for a rating; null once they gave one.",
                        null=True,
                    ),
                ),
                ("version", models.BigIntegerField(db_default=1, default=1)),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["widget", "-created_at", "-id"], name="chats_chat_list"),
                    models.Index(fields=["widget", "status", "-created_at", "-id"], name="chats_chat_by_status"),
                    models.Index(fields=["widget", "channel", "-created_at", "-id"], name="chats_chat_by_channel"),
                    models.Index(
                        condition=models.Q(("has_client_messages", True)),
                        fields=["widget", "-created_at", "-id"],
                        name="chats_chat_with_client",
                    ),
                    models.Index(
                        condition=models.Q(("status__in", ["active", "ready"])), fields=["id"], name="chats_chat_open"
                    ),
                    models.Index(
                        condition=models.Q(("status", "expired")), fields=["expired_at"], name="chats_chat_expired"
                    ),
                    models.Index(
                        condition=models.Q(("status__in", ["active", "ready"])),
                        fields=["widget"],
                        name="chats_chat_inbox",
                    ),
                    models.Index(
                        condition=models.Q(("status", "expired")),
                        fields=["widget", "-expired_at", "-id"],
                        name="chats_chat_closed",
                    ),
                    models.Index(
                        fields=["widget", "created_at"],
                        include=("handling", "accepted_type", "handled_type", "accepted_at", "channel", "internal"),
                        name="chats_chat_counted",
                    ),
                    models.Index(
                        models.F("widget"),
                        CombinedExpression(models.F("id"), ">>", models.Value(13)),
                        models.F("created_at"),
                        name="chats_chat_in_block",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("contact", "channel"), name="chats_chat_one_a_channel")
                ],
            },
        ),
        migrations.CreateModel(
            name="Message",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "chat",
                    models.ForeignKey(
                        db_index=False, on_delete=models.CASCADE, related_name="messages", to="chats.chat"
                    ),
                ),
                (
                    "widget",
                    models.ForeignKey(db_index=False, on_delete=models.CASCADE, related_name="+", to="accounts.widget"),
                ),
                (
                    "type",
                    models.CharField(
                        choices=[
                            ("text", "text"),
                            ("image", "image"),
                            ("file", "file"),
                            ("location", "location"),
                            ("sticker", "sticker"),
                            ("keyboard", "keyboard"),
                        ],
                        db_default="text",
                        max_length=8,
                    ),
                ),
                ("body", models.TextField(blank=True, db_default="", default="")),
                ("markdown", models.TextField(blank=True, null=True)),
                (
                    "details",
                    models.JSONField(
                        blank=True,
                        help_text="What the type adds: {coords}, {sticker}, {keyboard} or {file}.",
                        null=True,
                    ),
                ),
                ("origin", models.CharField(blank=True, max_length=64, null=True)),
                (
                    "sender_kind",
                    models.CharField(
                        choices=[
                            ("client", "client"),
                            ("agent", "agent"),
                            ("ai", "ai"),
                            ("external_operator", "external_operator"),
                            ("system", "system"),
                        ],
                        max_length=17,
                    ),
                ),
                (
                    "agent",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=models.SET_NULL,
                        related_name="+",
                        to="agents.agent",
                    ),
                ),
                ("sender_name", models.CharField(blank=True, db_default="", default="", max_length=511)),
                (
                    "is_internal",
                    models.BooleanField(
                        db_default=False,
                        default=False,
                        help_text="For operators only: a note, an operator-only e-mail.",
                    ),
                ),
                (
                    "client_id",
                    models.UUIDField(blank=True, help_text="Named by the sender; makes sending repeatable.", null=True),
                ),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
                ("seen_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["chat", "id"], name="chats_message_in_chat"),
                    models.Index(fields=["chat", "-created_at", "-id"], name="chats_message_list"),
                    models.Index(
                        condition=models.Q(("is_internal", False), models.Q(("sender_kind", "system"), _negated=True)),
                        fields=["widget", "created_at"],
                        name="chats_message_counted",
                    ),
                    GinIndex(
                        models.Func("widget_id", "chat_id", "body", function="chats_message_entries"),
                        condition=models.Q(("is_internal", False)),
                        gin_pending_list_limit=256,
                        name="chats_message_said",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("client_id__isnull", False)),
                        fields=("chat", "client_id"),
                        name="chats_message_client_id",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="File",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("widget", models.ForeignKey(on_delete=models.CASCADE, related_name="files", to="accounts.widget")),
                (
                    "token",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=models.SET_NULL, related_name="+", to="accounts.apitoken"
                    ),
                ),
                (
                    "contact",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=models.CASCADE, related_name="files", to="chats.contact"
                    ),
                ),
                ("name", models.CharField(help_text="The original name, without a path.", max_length=255)),
                ("size", models.BigIntegerField(help_text="Bytes.")),
                (
                    "content_type",
                    models.CharField(
                        help_text="Found in the content; what the sender said is not kept.", max_length=100
                    ),
                ),
                ("storage_key", models.CharField(editable=False, max_length=64, unique=True)),
                ("sha256", models.BinaryField(max_length=32)),
                (
                    "is_sent",
                    models.BooleanField(
                        db_default=False, default=False, editable=False, help_text="A message carries it."
                    ),
                ),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("contact__isnull", False)),
                        fields=["widget", "created_at"],
                        include=("contact", "size"),
                        name="chats_file_of_visitors",
                    ),
                    models.Index(
                        condition=models.Q(("contact__isnull", False), ("is_sent", False)),
                        fields=["created_at", "id"],
                        name="chats_file_unsent",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("size__gt", 0)), name="chats_file_not_empty")
                ],
            },
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "widget",
                    models.ForeignKey(db_index=False, on_delete=models.CASCADE, related_name="+", to="accounts.widget"),
                ),
                ("chat", models.OneToOneField(on_delete=models.CASCADE, related_name="rating", to="chats.chat")),
                ("value", models.PositiveSmallIntegerField()),
                ("comment", models.TextField(blank=True, db_default="", default="")),
                (
                    "agent",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=models.SET_NULL,
                        related_name="+",
                        to="agents.agent",
                    ),
                ),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
                (
                    "rated_at",
                    models.DateTimeField(db_default=Now(), editable=False, help_text="When it was given, or replaced."),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["widget", "rated_at"], include=("value", "agent"), name="chats_rating_counted")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("value__gte", 1), ("value__lte", 5)), name="chats_rating_value"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Transfer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "widget",
                    models.ForeignKey(db_index=False, on_delete=models.CASCADE, related_name="+", to="accounts.widget"),
                ),
                ("chat", models.ForeignKey(on_delete=models.CASCADE, related_name="transfers", to="chats.chat")),
                (
                    "from_agent",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=models.SET_NULL,
                        related_name="+",
                        to="agents.agent",
                    ),
                ),
                (
                    "to_agent",
                    models.ForeignKey(
                        db_index=False, null=True, on_delete=models.SET_NULL, related_name="+", to="agents.agent"
                    ),
                ),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["widget", "created_at"],
                        include=("from_agent", "to_agent"),
                        name="chats_transfer_counted",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ChatTally",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "widget",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=models.DO_NOTHING,
                        related_name="+",
                        to="accounts.widget",
                    ),
                ),
                ("hour", models.DateTimeField(help_text="Its first moment.")),
                ("channel", models.CharField(max_length=32)),
                ("internal", models.BooleanField()),
                ("handling", models.CharField(max_length=16)),
                ("accepted_type", models.CharField(max_length=8, null=True)),
                ("handled_type", models.CharField(max_length=8, null=True)),
                ("chats", models.IntegerField()),
                ("answered", models.IntegerField()),
                ("waited", models.DurationField()),
            ],
            options={
                "indexes": [models.Index(fields=["widget", "hour"], name="chats_chattally_of_hour")],
            },
        ),
        migrations.CreateModel(
            name="MessageTally",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "widget",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=models.DO_NOTHING,
                        related_name="+",
                        to="accounts.widget",
                    ),
                ),
                ("hour", models.DateTimeField(help_text="Its first moment.")),
                ("messages", models.IntegerField()),
            ],
            options={
                "indexes": [models.Index(fields=["widget", "hour"], name="chats_messagetally_of_hour")],
            },
        ),
        migrations.CreateModel(
            name="ResponseTally",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "widget",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=models.DO_NOTHING,
                        related_name="+",
                        to="accounts.widget",
                    ),
                ),
                ("hour", models.DateTimeField(help_text="Its first moment.")),
                ("answered", models.IntegerField()),
                ("waited", models.DurationField()),
            ],
            options={
                "indexes": [models.Index(fields=["widget", "hour"], name="chats_responsetally_of_hour")],
            },
        ),
        migrations.CreateModel(
            name="StaleHour",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "widget",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=models.DO_NOTHING,
                        related_name="+",
                        to="accounts.widget",
                    ),
                ),
                ("hour", models.DateTimeField(help_text="Its first moment.")),
                (
                    "kind",
                    models.CharField(
                        choices=[("chats", "chats"), ("messages", "messages"), ("responses", "responses")], max_length=9
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["widget", "hour"], name="chats_stalehour_of_hour")],
            },
        ),
        migrations.CreateModel(
            name="TallyProgress",
            fields=[
                ("id", models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("until", models.DateTimeField(null=True)),
                ("seen_at", models.DateTimeField(null=True)),
                ("seen_writing", ArrayField(base_field=models.TextField(), db_default=[], default=list, size=None)),
            ],
            options={
                "constraints": [models.CheckConstraint(condition=models.Q(("id", 1)), name="chats_tallyprogress_one")],
            },
        ),
        migrations.RunSQL(TRIGGERS, DROP_TRIGGERS),
    ]
