from django.db import migrations, models


class Migration(migrations.Migration):
    """Reviews are assists, too. No column changes."""

    dependencies = [
        ("assists", "0003_pastquestion"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="assist",
                    name="kind",
                    field=models.CharField(
                        choices=[
                            ("draft", "draft"),
                            ("rewrite", "rewrite"),
                            ("translation", "translation"),
                            ("summary", "summary"),
                            ("review", "review"),
                        ],
                        max_length=16,
                    ),
                ),
            ],
        ),
    ]
