import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

PRIORITIES = ("low", "normal", "high", "urgent")
STEPS = (
    "accepted",
    "assigned",
    "transferred",
    "returned",
    "closed",
    "reopened",
    "rated",
    "waits",
    "translated",
    "untranslated",
    "routed",
    "priority",
    "card",
)
TIMERS = (
    "snooze",
    "owner_away",
    "owner_silent",
    "offer",
    "overflow",
    "sla_warning",
    "sla_breach",
    "automation",
)


def _moment(**options):
    return models.DateTimeField(blank=True, null=True, **options)


def _counted(field):
    return field(db_default=0, default=0, editable=False)


class Migration(migrations.Migration):
    """What the router and the answer times find of a chat, as facts; and the moments that a chat waits for."""

    dependencies = [
        ("accounts", "0012_steps_put_away"),
        ("agents", "0008_other_hours"),
        ("chats", "0025_widget_statistics"),
    ]

    operations = [
        migrations.AddField(
            "chat",
            "priority",
            models.CharField(
                choices=[(each, each) for each in PRIORITIES], db_default="normal", default="normal", max_length=8
            ),
        ),
        migrations.AddField(
            "chat",
            "queued_at",
            _moment(help_text="Since when it waits for a place in the queue of its department."),
        ),
        migrations.AddField(
            "chat",
            "offered_to",
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
        migrations.AddField("chat", "offered_at", _moment()),
        migrations.AddField("chat", "offered_until", _moment()),
        migrations.AddField(
            "chat",
            "owner_silent_at",
            _moment(help_text="When its owner, who is here, had let the visitor wait for too long."),
        ),
        migrations.AddField("chat", "answer_missed_at", _moment(help_text="When an answer time of it was missed.")),
        # Choices are Django's alone: the column stays as it is.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    "chatactivity", "kind", models.CharField(choices=[(each, each) for each in STEPS], max_length=16)
                ),
            ],
        ),
        migrations.CreateModel(
            name="Timer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "due_at",
                    models.DateTimeField(
                        blank=True,
                        db_default=django.db.models.functions.datetime.Now(),
                        editable=False,
                        null=True,
                    ),
                ),
                ("waiting_since", _moment(editable=False)),
                ("lease_until", _moment(editable=False)),
                ("claim_id", models.UUIDField(blank=True, editable=False, null=True)),
                ("attempts", _counted(models.PositiveSmallIntegerField)),
                ("claims", _counted(models.PositiveSmallIntegerField)),
                ("generation", _counted(models.PositiveIntegerField)),
                ("kind", models.CharField(choices=[(each, each) for each in TIMERS], max_length=16)),
                ("key", models.CharField(blank=True, db_default="", default="", max_length=64)),
                ("anchor", models.CharField(max_length=64)),
                (
                    "chat",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="chats.chat",
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
                        condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="chats_timer_due"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("chat", "kind", "key"), name="chats_timer_one_a_kind"),
                ],
            },
        ),
    ]
