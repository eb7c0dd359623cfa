"""The checks of the examination: language, sources, a judge; where a case was made; the gate. New columns alone."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ai", "0016_alert_sentences_of_before"),
    ]

    operations = [
        migrations.AddField(
            model_name="aisettings",
            name="evaluation_gate",
            field=models.CharField(
                choices=[("ask", "ask"), ("off", "off")],
                db_default="ask",
                default="ask",
                max_length=8,
                verbose_name="a change that loses a test question",
            ),
        ),
        migrations.AddField(
            model_name="evaluationcase",
            name="born_chat_id",
            field=models.BigIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="evaluationcase",
            name="born_from",
            field=models.CharField(
                choices=[
                    ("hand", "hand"),
                    ("api", "api"),
                    ("chat", "chat"),
                    ("thumb", "thumb"),
                    ("demand", "demand"),
                    ("wizard", "wizard"),
                    ("draft", "draft"),
                ],
                db_default="hand",
                default="hand",
                editable=False,
                max_length=8,
            ),
        ),
        migrations.AddField(
            model_name="evaluationcase",
            name="born_message_id",
            field=models.BigIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="evaluationcase",
            name="is_active",
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AddField(
            model_name="evaluationcase",
            name="judge",
            field=models.TextField(blank=True, db_default="", default=""),
        ),
        migrations.AddField(
            model_name="evaluationcase",
            name="language",
            field=models.CharField(blank=True, db_default="", default="", max_length=8),
        ),
        migrations.AddField(
            model_name="evaluationcase",
            name="sources",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=500), blank=True, db_default=[], default=list, size=None
            ),
        ),
        migrations.AddField(
            model_name="evaluationresult",
            name="checks",
            field=models.JSONField(blank=True, db_default=[], default=list),
        ),
        migrations.AddField(
            model_name="evaluationrun",
            name="wish_id",
            field=models.BigIntegerField(null=True),
        ),
        # Choices are Python's alone, so the database is not asked.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="evaluationresult",
                    name="verdict",
                    field=models.CharField(
                        choices=[("right", "right"), ("wrong", "wrong"), ("failed", "failed"), ("unsure", "unsure")],
                        max_length=8,
                    ),
                ),
                migrations.AlterField(
                    model_name="evaluationrun",
                    name="cause",
                    field=models.CharField(
                        choices=[
                            ("person", "person"),
                            ("draft", "draft"),
                            ("by_itself", "by_itself"),
                            ("cycle", "cycle"),
                        ],
                        db_default="person",
                        default="person",
                        max_length=12,
                    ),
                ),
                migrations.AlterField(
                    model_name="evaluationrun",
                    name="reason",
                    field=models.CharField(
                        blank=True,
                        choices=[
                            ("budget_exhausted", "budget_exhausted"),
                            ("provider_failure", "provider_failure"),
                            ("no_credential", "no_credential"),
                            ("cancelled", "cancelled"),
                            ("crashed", "crashed"),
                            ("persona_changed", "persona_changed"),
                        ],
                        db_default="",
                        default="",
                        max_length=24,
                    ),
                ),
            ],
        ),
    ]
