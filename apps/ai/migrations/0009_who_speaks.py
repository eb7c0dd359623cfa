from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ai", "0008_credential_settings")]

    operations = [
        migrations.AddField(
            model_name="aisettings",
            name="ai_disclosure",
            field=models.CharField(blank=True, db_default="", default="", max_length=500),
        ),
        migrations.AddField(
            model_name="aisettings",
            name="ai_disclosure_i18n",
            field=models.JSONField(blank=True, db_default={}, default=dict),
        ),
        migrations.AddField(
            model_name="externaloperator",
            name="answers_by_person",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
