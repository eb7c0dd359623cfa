from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("chats", "0011_model_names")]

    operations = [
        migrations.AddField("contact", "external_id", models.CharField(editable=False, max_length=128, null=True)),
        AddIndexConcurrently(
            "contact",
            models.Index(
                condition=models.Q(("external_id__isnull", False)),
                fields=["widget", "external_id"],
                name="chats_contact_external",
            ),
        ),
    ]
