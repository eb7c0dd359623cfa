from pathlib import Path

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

import apps.core.database.fields
import apps.letters.rules.mailboxes
import apps.letters.rules.reading.proofs

# As they were then; what they are now is in apps/letters/triggers.sql (docs/adr/0017).
TRIGGERS = Path(__file__).with_name("0002_triggers.sql").read_text()
DROP_TRIGGERS = "DROP FUNCTION letters_letters_deleted CASCADE"  # which go with their functions


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_idempotency_by_widget"),
        ("agents", "0002_model_names"),
        ("chats", "0013_via_mail"),
        ("letters", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Mailbox",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("address", models.CharField(max_length=254, unique=True)),
                ("name", models.CharField(blank=True, db_default="", default="", max_length=255)),
                ("imap", apps.core.database.fields.EncryptedTextField(blank=True, null=True)),
                ("smtp", apps.core.database.fields.EncryptedTextField(blank=True, null=True)),
                ("signature", models.TextField(blank=True, db_default="", default="")),
                (
                    "ai",
                    models.CharField(
                        choices=[
                            (apps.letters.rules.mailboxes.Ai["OFF"], apps.letters.rules.mailboxes.Ai["OFF"]),
                            (apps.letters.rules.mailboxes.Ai["DRAFTS"], apps.letters.rules.mailboxes.Ai["DRAFTS"]),
                            (apps.letters.rules.mailboxes.Ai["ANSWERS"], apps.letters.rules.mailboxes.Ai["ANSWERS"]),
                        ],
                        db_default=apps.letters.rules.mailboxes.Ai["OFF"],
                        default=apps.letters.rules.mailboxes.Ai["OFF"],
                        max_length=8,
                    ),
                ),
                (
                    "authserv_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=255), blank=True, db_default=[], default=list, size=None
                    ),
                ),
                (
                    "form_senders",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=254), blank=True, db_default=[], default=list, size=None
                    ),
                ),
                ("hook_key", apps.core.database.fields.EncryptedTextField(editable=False)),
                ("digest", models.BinaryField(unique=True)),
                ("last_inbound_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "department",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="agents.department",
                    ),
                ),
                (
                    "widget",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="mailboxes", to="accounts.widget"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "mailboxes",
            },
        ),
        migrations.CreateModel(
            name="SenderJob",
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
                ("sender", models.CharField(max_length=254, unique=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="letters_senderjob_due"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="GatherJob",
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
                        condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="letters_gatherjob_due"
                    ),
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["widget", "due_at"],
                        name="letters_gatherjob_turn",
                    ),
                    models.Index(
                        condition=models.Q(("claim_id__isnull", False)),
                        fields=["widget"],
                        name="letters_gatherjob_held",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="InLetter",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "door",
                    models.CharField(
                        choices=[
                            (apps.letters.rules.mailboxes.Door["IMAP"], apps.letters.rules.mailboxes.Door["IMAP"]),
                            (apps.letters.rules.mailboxes.Door["HOOK"], apps.letters.rules.mailboxes.Door["HOOK"]),
                            (apps.letters.rules.mailboxes.Door["PIPE"], apps.letters.rules.mailboxes.Door["PIPE"]),
                            (apps.letters.rules.mailboxes.Door["TRIAL"], apps.letters.rules.mailboxes.Door["TRIAL"]),
                        ],
                        max_length=8,
                    ),
                ),
                ("raw_key", models.CharField(blank=True, db_default="", default="", editable=False, max_length=64)),
                ("size", models.PositiveIntegerField(db_default=0, default=0)),
                (
                    "recipients",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=254), db_default=[], default=list, size=None
                    ),
                ),
                ("envelope_sender", models.CharField(blank=True, max_length=254, null=True)),
                ("sender", models.CharField(blank=True, db_default="", default="", max_length=254)),
                ("sender_name", models.CharField(blank=True, db_default="", default="", max_length=255)),
                ("subject", models.CharField(blank=True, db_default="", default="", max_length=1000)),
                ("letter_id", models.CharField(blank=True, db_default="", default="", max_length=998)),
                (
                    "copies",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=254), db_default=[], default=list, size=None
                    ),
                ),
                ("key", models.CharField(blank=True, db_default="", default="", editable=False, max_length=64)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            (
                                apps.letters.rules.mailboxes.LetterKind["WAITING"],
                                apps.letters.rules.mailboxes.LetterKind["WAITING"],
                            ),
                            (
                                apps.letters.rules.mailboxes.LetterKind["MESSAGE"],
                                apps.letters.rules.mailboxes.LetterKind["MESSAGE"],
                            ),
                            (
                                apps.letters.rules.mailboxes.LetterKind["NOTE"],
                                apps.letters.rules.mailboxes.LetterKind["NOTE"],
                            ),
                            (
                                apps.letters.rules.mailboxes.LetterKind["DROPPED"],
                                apps.letters.rules.mailboxes.LetterKind["DROPPED"],
                            ),
                            (
                                apps.letters.rules.mailboxes.LetterKind["REPORT"],
                                apps.letters.rules.mailboxes.LetterKind["REPORT"],
                            ),
                            (
                                apps.letters.rules.mailboxes.LetterKind["STOP"],
                                apps.letters.rules.mailboxes.LetterKind["STOP"],
                            ),
                            (
                                apps.letters.rules.mailboxes.LetterKind["PARKED"],
                                apps.letters.rules.mailboxes.LetterKind["PARKED"],
                            ),
                            (
                                apps.letters.rules.mailboxes.LetterKind["NO_CHAT"],
                                apps.letters.rules.mailboxes.LetterKind["NO_CHAT"],
                            ),
                        ],
                        db_default=apps.letters.rules.mailboxes.LetterKind["WAITING"],
                        default=apps.letters.rules.mailboxes.LetterKind["WAITING"],
                        max_length=10,
                    ),
                ),
                ("reason", models.CharField(blank=True, db_default="", default="", max_length=40)),
                (
                    "proof",
                    models.CharField(
                        blank=True,
                        choices=[
                            (
                                apps.letters.rules.reading.proofs.Proof["PASS"],
                                apps.letters.rules.reading.proofs.Proof["PASS"],
                            ),
                            (
                                apps.letters.rules.reading.proofs.Proof["FAIL"],
                                apps.letters.rules.reading.proofs.Proof["FAIL"],
                            ),
                            (
                                apps.letters.rules.reading.proofs.Proof["NONE"],
                                apps.letters.rules.reading.proofs.Proof["NONE"],
                            ),
                        ],
                        db_default="",
                        default="",
                        max_length=4,
                    ),
                ),
                ("is_third", models.BooleanField(db_default=False, default=False)),
                ("is_cut", models.BooleanField(db_default=False, default=False)),
                (
                    "is_for_people",
                    models.BooleanField(db_default=True, default=True, help_text="Whether AI leaves it to people."),
                ),
                ("tries", models.PositiveSmallIntegerField(db_default=0, default=0, editable=False)),
                (
                    "received_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("handled_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "chat",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="chats.chat",
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="chats.message",
                    ),
                ),
                (
                    "thread",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="letters.thread",
                    ),
                ),
                (
                    "widget",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.widget",
                    ),
                ),
                (
                    "mailbox",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="letters.mailbox",
                    ),
                ),
            ],
            options={
                "verbose_name": "letter",
                "indexes": [
                    models.Index(
                        condition=models.Q(("handled_at__isnull", True)),
                        fields=["sender", "id"],
                        name="letters_inletter_open",
                    ),
                    models.Index(
                        condition=models.Q(("key", ""), _negated=True), fields=["key"], name="letters_inletter_key"
                    ),
                    models.Index(fields=["sender", "received_at"], name="letters_inletter_sender"),
                    models.Index(fields=["mailbox", "received_at"], name="letters_inletter_door"),
                    models.Index(fields=["widget", "kind", "-id"], name="letters_inletter_list"),
                    models.Index(fields=["received_at"], name="letters_inletter_age"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Correspondent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("address", models.CharField(max_length=254)),
                ("subject", models.CharField(blank=True, db_default="", default="", max_length=1000)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "contact",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="chats.contact"
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
                (
                    "mailbox",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="letters.mailbox"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("mailbox", "address"), name="letters_correspondent_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="ReadJob",
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
                ("uid_validity", models.BigIntegerField(blank=True, null=True)),
                ("last_uid", models.BigIntegerField(db_default=0, default=0)),
                (
                    "problem_code",
                    models.CharField(
                        blank=True,
                        choices=[
                            (
                                "login_refused",
                                "login_refused",
                            ),
                            (
                                "no_folder",
                                "no_folder",
                            ),
                            (
                                "unreachable",
                                "unreachable",
                            ),
                        ],
                        db_default="",
                        default="",
                        max_length=24,
                    ),
                ),
                ("problem_detail", models.CharField(blank=True, db_default="", default="", max_length=255)),
                ("problem_at", models.DateTimeField(blank=True, null=True)),
                ("connected_at", models.DateTimeField(blank=True, null=True)),
                (
                    "mailbox",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reading",
                        to="letters.mailbox",
                    ),
                ),
                (
                    "widget",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.widget",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="letters_readjob_due"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        models.Value(1),
                        condition=models.Q(("mailbox__isnull", True)),
                        name="letters_readjob_installation",
                    )
                ],
            },
        ),
        migrations.RunSQL(TRIGGERS, DROP_TRIGGERS),
    ]
