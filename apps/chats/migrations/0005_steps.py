import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

KINDS = ("accepted", "assigned", "transferred", "returned", "closed", "reopened", "rated", "waits")


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_widget_answerers"),
        ("agents", "0001_initial"),
        ("chats", "0004_speakers"),
    ]

    operations = [
        migrations.AddField("chat", "waiting_since", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("chat", "dealt_with_message_id", models.BigIntegerField(blank=True, null=True)),
        migrations.AddField("chat", "left_unanswered_at", models.DateTimeField(blank=True, null=True)),
        migrations.CreateModel(
            "ChatStep",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[(kind, kind) for kind in KINDS], max_length=16)),
                ("comment", models.CharField(blank=True, db_default="", default="", max_length=1000)),
                (
                    "after_message_id",
                    models.BigIntegerField(help_text="The chat's newest message then, notes too; 0 without any."),
                ),
                ("at", models.DateTimeField(db_default=Now(), editable=False)),
                (
                    "agent",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="agents.agent",
                    ),
                ),
                (
                    "chat",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="steps",
                        to="chats.chat",
                    ),
                ),
                (
                    "department",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="agents.department",
                    ),
                ),
                (
                    "to_agent",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
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
                        related_name="+",
                        to="accounts.widget",
                    ),
                ),
            ],
            options={"indexes": [models.Index(fields=["chat", "-id"], name="chats_step_in_chat")]},
        ),
    ]
