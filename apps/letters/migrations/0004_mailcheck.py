import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0008_idempotency_by_widget"), ("letters", "0003_pictures_and_results")]

    operations = [
        migrations.CreateModel(
            name="MailCheck",
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
                ("address", models.CharField(max_length=254)),
                ("letter_id", models.CharField(blank=True, db_default="", default="", max_length=998)),
                ("result", models.JSONField(null=True)),
                (
                    "asked_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("sent_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "mailbox",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="letters.mailbox",
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
                        condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="letters_mailcheck_due"
                    ),
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["widget", "due_at"],
                        name="letters_mailcheck_turn",
                    ),
                    models.Index(
                        condition=models.Q(("claim_id__isnull", False)),
                        fields=["widget"],
                        name="letters_mailcheck_held",
                    ),
                    models.Index(fields=["widget", "-id"], name="letters_mailcheck_latest"),
                ],
            },
        ),
    ]
