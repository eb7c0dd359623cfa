import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_superuser_of_no_account"), ("chats", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Tag",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(db_collation="C", max_length=64)),
                (
                    "account",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tags",
                        to="accounts.account",
                    ),
                ),
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
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "contact",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="chats.contact",
                    ),
                ),
                (
                    "tag",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="chats.tag"),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("contact", "tag"), name="chats_contacttag_once")],
            },
        ),
    ]
