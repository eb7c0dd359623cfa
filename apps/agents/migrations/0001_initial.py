from pathlib import Path

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models
from django.db.models.functions import Now

import apps.agents.models

# As they were then; what they are now is in apps/agents/triggers.sql (docs/adr/0017).
TRIGGERS = Path(__file__).with_name("0001_triggers.sql").read_text()
DROP_TRIGGERS = "DROP FUNCTION agents_agents_deleted CASCADE"  # which go with their functions


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("core", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Agent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("widget", models.ForeignKey(on_delete=models.CASCADE, related_name="agents", to="accounts.widget")),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.SET_NULL,
                        related_name="agents",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "type",
                    models.CharField(
                        choices=[("human", "Human"), ("ai", "Ai"), ("webhook", "Webhook")],
                        db_default="human",
                        default="human",
                        max_length=16,
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[("owner", "Owner"), ("operator", "Operator")],
                        db_default="operator",
                        default="operator",
                        max_length=16,
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("active", "Active"), ("relaxation", "Relaxation"), ("banned", "Banned")],
                        db_default="active",
                        default="active",
                        max_length=16,
                    ),
                ),
                ("name", models.CharField(max_length=255)),
                ("surname", models.CharField(blank=True, db_default="", default="", max_length=255)),
                ("email", models.EmailField(blank=True, db_default="", default="", max_length=254)),
                ("show_in_header", models.BooleanField(db_default=True, default=True)),
                (
                    "avatar",
                    models.CharField(
                        blank=True,
                        db_default="",
                        default="",
                        editable=False,
                        help_text="Its name in the storage.",
                        max_length=255,
                    ),
                ),
                ("online_since", models.DateTimeField(blank=True, editable=False, null=True)),
                ("ai_assistant_id", models.BigIntegerField(blank=True, editable=False, null=True)),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["widget", "id"], name="agents_agent_list"),
                    models.Index(
                        condition=models.Q(("online_since__isnull", False)),
                        fields=["widget"],
                        name="agents_agent_online",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("user__isnull", False)),
                        fields=("widget", "user"),
                        name="agents_agent_user_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("role", "owner")), fields=("widget",), name="agents_agent_one_owner"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Department",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "widget",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="departments", to="accounts.widget"),
                ),
                ("name", models.CharField(max_length=255)),
                (
                    "channels",
                    ArrayField(base_field=models.CharField(max_length=64), blank=True, default=list, size=None),
                ),
                (
                    "schedule",
                    models.JSONField(
                        default=apps.agents.models.open_all_week,
                        help_text="The hours of each day, Monday to Sunday.",
                    ),
                ),
                (
                    "avatar",
                    models.CharField(
                        blank=True,
                        db_default="",
                        default="",
                        editable=False,
                        help_text="Its name in the storage.",
                        max_length=255,
                    ),
                ),
                (
                    "internal",
                    models.BooleanField(
                        db_default=False,
                        default=False,
                        help_text="Chats between colleagues: no transcripts, not in channel statistics.",
                    ),
                ),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("agents", models.ManyToManyField(blank=True, related_name="departments", to="agents.agent")),
            ],
            options={
                "indexes": [models.Index(fields=["widget", "id"], name="agents_department_list")],
            },
        ),
        migrations.CreateModel(
            name="Presence",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("process", models.UUIDField()),
                ("until", models.DateTimeField()),
                (
                    "agent",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.CASCADE,
                        related_name="presences",
                        to="agents.agent",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["until"], name="agents_presence_until")],
                "constraints": [models.UniqueConstraint(fields=("agent", "process"), name="agents_presence_once")],
            },
        ),
        migrations.CreateModel(
            name="AgentEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("type_code", models.PositiveSmallIntegerField()),
                ("details", models.JSONField(db_default={}, default=dict)),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
                ("agent", models.ForeignKey(on_delete=models.CASCADE, related_name="events", to="agents.agent")),
                ("widget", models.ForeignKey(on_delete=models.CASCADE, related_name="+", to="accounts.widget")),
            ],
            options={
                "indexes": [
                    models.Index(fields=["agent", "-id"], name="agents_event_list"),
                    models.Index(fields=["agent", "type_code", "-id"], name="agents_event_type"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("email", models.EmailField(max_length=254)),
                ("digest", models.BinaryField(unique=True)),
                (
                    "status",
                    models.CharField(
                        choices=[("pending", "Pending"), ("accepted", "Accepted"), ("revoked", "Revoked")],
                        db_default="pending",
                        default="pending",
                        max_length=16,
                    ),
                ),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
                ("expires_at", models.DateTimeField()),
                (
                    "agent",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=models.SET_NULL, related_name="+", to="agents.agent"
                    ),
                ),
                (
                    "widget",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="invitations", to="accounts.widget"),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["widget", "id"], name="agents_invitation_list"),
                    models.Index(
                        condition=models.Q(("status", "pending")),
                        fields=["widget", "expires_at"],
                        name="agents_invited",
                    ),
                ],
            },
        ),
        migrations.RunSQL(TRIGGERS, DROP_TRIGGERS),
    ]
