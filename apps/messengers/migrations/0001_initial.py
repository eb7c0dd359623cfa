import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

import apps.core.database.fields


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("chats", "0002_last_message"),
    ]

    operations = [
        migrations.CreateModel(
            name="Channel",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=255)),
                ("outbound_url", models.CharField(max_length=2048)),
                ("target", models.CharField(max_length=2048)),
                ("secret", apps.core.database.fields.EncryptedTextField(editable=False)),
                ("digest", models.BinaryField(unique=True)),
                ("is_active", models.BooleanField(db_default=True, default=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "widget",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="channels", to="accounts.widget"
                    ),
                ),
            ],
            options={
                "verbose_name": "custom channel",
            },
        ),
        migrations.CreateModel(
            name="Peer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("channel", models.CharField(max_length=32)),
                ("account", models.CharField(blank=True, db_default="", default="", max_length=64)),
                ("conversation", models.CharField(max_length=255)),
                ("external_channel_id", models.CharField(blank=True, db_default="", default="", max_length=255)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "contact",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="peers", to="chats.contact"
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
                "constraints": [
                    models.UniqueConstraint(
                        fields=("widget", "channel", "account", "conversation"),
                        name="messengers_peer_one_a_conversation",
                    )
                ],
            },
        ),
    ]
