from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("messengers", "0016_early_receipts_and_own_apps"),
    ]

    operations = [
        # Choices are Django's alone: the column stays as it is.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="connection",
                    name="problem_code",
                    field=models.CharField(
                        blank=True,
                        choices=[
                            ("credential_rejected", "credential_rejected"),
                            ("webhook_lost", "webhook_lost"),
                            ("conflict", "conflict"),
                            ("subscription_needed", "subscription_needed"),
                        ],
                        db_default="",
                        default="",
                        max_length=24,
                    ),
                ),
            ],
        ),
    ]
