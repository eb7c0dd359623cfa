from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("messengers", "0004_nobody_to_send_to")]

    operations = [
        migrations.RenameModel("Cabinet", "AdCabinet"),
        migrations.AddField(
            "connection", "renewing_until", models.DateTimeField(null=True, blank=True, editable=False)
        ),
        migrations.AddField("connection", "checked_at", models.DateTimeField(null=True, blank=True, editable=False)),
    ]
