import django.db.models.deletion
import django.db.models.functions.datetime
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q


def _moment(**options):
    return models.DateTimeField(blank=True, null=True, **options)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("accounts", "0009_backup_notes"),
        ("agents", "0005_away_since"),
        ("chats", "0016_translations"),
    ]

    operations = [
        migrations.AddField("chat", "snoozed_at", _moment()),
        migrations.AddField("chat", "snoozed_until", _moment()),
        migrations.AddField(
            "chat",
            "snoozed_by",
            models.ForeignKey(
                blank=True,
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="agents.agent",
            ),
        ),
        migrations.AddField(
            "chat",
            "snoozed_after_id",
            models.BigIntegerField(blank=True, help_text="The last message then; 0 without any.", null=True),
        ),
        migrations.AddField("chat", "woken_at", _moment()),
        migrations.AddField(
            "chat",
            "owner_away_at",
            _moment(help_text="When operators were told that its owner is away (querysets/ringing.py)."),
        ),
        AddIndexConcurrently(
            "chat",
            models.Index(
                fields=["widget"],
                condition=Q(snoozed_at__isnull=False) | Q(woken_at__isnull=False),
                name="chats_chat_aside",
            ),
        ),
        AddIndexConcurrently(
            "chat",
            models.Index(fields=["id"], condition=Q(owner_away_at__isnull=False), name="chats_chat_owner_away"),
        ),
        migrations.CreateModel(
            name="MessageEdit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "change",
                    models.CharField(choices=[("edited", "edited"), ("deleted", "deleted")], max_length=8),
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
                        max_length=8,
                    ),
                ),
                ("body", models.TextField(blank=True, db_default="", default="")),
                ("markdown", models.TextField(blank=True, null=True)),
                ("details", models.JSONField(blank=True, null=True)),
                (
                    "at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
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
                        db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="chats.chat"
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="edits", to="chats.message"
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
                "indexes": [models.Index(fields=["chat", "id"], name="chats_messageedit_in_chat")],
            },
        ),
    ]
