import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now


class Migration(migrations.Migration):
    dependencies = [("widget", "0005_visit")]

    operations = [
        migrations.CreateModel(
            "VerifiedVisitor",
            [
                ("id", models.BigAutoField(primary_key=True, serialize=False, auto_created=True, verbose_name="ID")),
                ("user_id", models.CharField(editable=False, max_length=128)),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
                (
                    "contact",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="verified_visitor",
                        to="chats.contact",
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
                    models.UniqueConstraint(fields=("widget", "user_id"), name="widget_verified_visitor_one")
                ]
            },
        ),
    ]
