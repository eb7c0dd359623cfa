from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ai", "0007_daily_budget")]

    # Each column comes with a default of the database, so that processes of the version before go on writing rows.
    operations = [
        migrations.AddField("credential", "for_answers", models.BooleanField(db_default=True, default=True)),
        migrations.AddField("credential", "for_knowledge", models.BooleanField(db_default=True, default=True)),
        migrations.AddField("credential", "timeout_s", models.PositiveSmallIntegerField(db_default=20, default=20)),
        migrations.AddField("credential", "context_tokens", models.PositiveIntegerField(blank=True, null=True)),
        migrations.AddField(
            "credential",
            "own_embedding_model",
            models.CharField(blank=True, db_default="", default="", max_length=200),
        ),
        migrations.AddField(
            "credential", "learnt", models.JSONField(blank=True, db_default={}, default=dict, editable=False)
        ),
    ]
