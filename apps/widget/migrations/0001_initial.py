from django.db import migrations, models
from django.db.models.functions import Now


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("chats", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="VisitorSession",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "widget",
                    models.ForeignKey(db_index=False, on_delete=models.CASCADE, related_name="+", to="accounts.widget"),
                ),
                (
                    "contact",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="visitor_sessions", to="chats.contact"),
                ),
                ("digest", models.BinaryField(unique=True)),
                ("page_url", models.CharField(blank=True, db_default="", default="", max_length=2000)),
                ("lang", models.CharField(blank=True, db_default="", default="", max_length=35)),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
                ("last_seen_at", models.DateTimeField(db_default=Now(), editable=False)),
                ("revoked_at", models.DateTimeField(blank=True, editable=False, null=True)),
            ],
        ),
    ]
