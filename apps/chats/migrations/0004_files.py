import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_superuser_of_no_account"),
        ("chats", "0003_contact_search"),
    ]

    operations = [
        migrations.CreateModel(
            name="File",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "contact",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="files",
                        to="chats.contact",
                    ),
                ),
                (
                    "token",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="accounts.apitoken",
                    ),
                ),
                (
                    "widget",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="files", to="accounts.widget"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("size__gt", 0)), name="chats_file_not_empty")
                ],
            },
        ),
    ]
