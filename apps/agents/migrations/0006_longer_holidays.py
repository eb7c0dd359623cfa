from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("agents", "0005_away_since")]

    operations = [
        migrations.AddField(
            model_name="holiday",
            name="until",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="holiday",
            name="every_year",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
