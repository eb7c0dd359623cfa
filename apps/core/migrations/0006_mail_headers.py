from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("core", "0005_idempotency_by_widget"),
    ]

    operations = [
        migrations.AddField(
            model_name="mail",
            name="headers",
            field=models.JSONField(db_default={}, default=dict),
        ),
    ]
