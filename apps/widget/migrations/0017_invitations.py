import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

import apps.widget.models.invitations


class Migration(migrations.Migration):
    """Invitations to chat, and their offers to browsers."""

    dependencies = [
        ("accounts", "0012_steps_put_away"),
        ("agents", "0009_breaks"),
        ("chats", "0033_answered_invitations"),
        ("widget", "0016_answers_shown"),
    ]

    operations = [
        migrations.AddField(
            model_name="widgetsettings",
            name="invitations",
            field=models.JSONField(blank=True, db_default={}, default=dict),
        ),
        migrations.CreateModel(
            name="ChatInvitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=80)),
                (
                    "state",
                    models.CharField(
                        choices=[("draft", "draft"), ("live", "live"), ("paused", "paused")],
                        db_default="draft",
                        default="draft",
                        max_length=8,
                    ),
                ),
                ("texts", models.JSONField()),
                ("buttons", models.JSONField(blank=True, db_default=[], default=list)),
                (
                    "speaker",
                    models.CharField(
                        choices=[("widget", "widget"), ("ai", "ai"), ("agent", "agent")],
                        db_default="widget",
                        default="widget",
                        max_length=8,
                    ),
                ),
                ("rule", models.JSONField(blank=True, db_default={}, default=dict)),
                ("priority", models.PositiveSmallIntegerField(db_default=50, default=50)),
                ("holdout", models.PositiveSmallIntegerField(db_default=10, default=10)),
                ("times", models.PositiveSmallIntegerField(db_default=1, default=1)),
                ("days", models.PositiveSmallIntegerField(db_default=30, default=30)),
                ("per_day", models.PositiveIntegerField(blank=True, null=True)),
                ("goal", models.JSONField(blank=True, null=True)),
                ("starts_at", models.DateTimeField(blank=True, null=True)),
                ("ends_at", models.DateTimeField(blank=True, null=True)),
                ("round", models.PositiveIntegerField(db_default=1, default=1, editable=False)),
                (
                    "round_since",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("shown_on", models.DateField(blank=True, editable=False, null=True)),
                ("shown_that_day", models.PositiveIntegerField(db_default=0, default=0, editable=False)),
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
                    "department",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="agents.department",
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
                "verbose_name": "chat invitation",
                "verbose_name_plural": "chat invitations",
            },
        ),
        migrations.CreateModel(
            name="InvitationOffer",
            fields=[
                (
                    "id",
                    models.BigIntegerField(
                        default=apps.widget.models.invitations.new_offer_id,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("round", models.PositiveIntegerField(editable=False)),
                ("key_digest", models.BinaryField(null=True)),
                ("is_held", models.BooleanField(db_default=False, default=False, editable=False)),
                ("text", models.TextField(blank=True, db_default="", default="", editable=False)),
                ("shown_from", models.JSONField(editable=False, null=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("opened_at", models.DateTimeField(editable=False, null=True)),
                ("dismissed_at", models.DateTimeField(editable=False, null=True)),
                ("answered_at", models.DateTimeField(editable=False, null=True)),
                ("converted_at", models.DateTimeField(editable=False, null=True)),
                (
                    "chat",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="chats.chat",
                    ),
                ),
                (
                    "contact",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="chats.contact",
                    ),
                ),
                (
                    "invitation",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="widget.chatinvitation",
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
        ),
        migrations.AddIndex(
            model_name="chatinvitation",
            index=models.Index(fields=["widget", "-id"], name="widget_invitation_list"),
        ),
        migrations.AddIndex(
            model_name="invitationoffer",
            index=models.Index(fields=["widget", "key_digest"], name="widget_offer_of_key"),
        ),
        migrations.AddIndex(
            model_name="invitationoffer",
            index=models.Index(
                condition=models.Q(("contact__isnull", False)), fields=["contact"], name="widget_offer_of_contact"
            ),
        ),
        migrations.AddIndex(
            model_name="invitationoffer",
            index=models.Index(
                condition=models.Q(("chat__isnull", False)), fields=["chat"], name="widget_offer_of_chat"
            ),
        ),
        migrations.AddIndex(
            model_name="invitationoffer",
            index=models.Index(fields=["invitation", "round", "created_at"], name="widget_offer_figures"),
        ),
        migrations.AddIndex(
            model_name="invitationoffer",
            index=models.Index(
                condition=models.Q(("key_digest__isnull", False)), fields=["created_at"], name="widget_offer_age"
            ),
        ),
    ]
