from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0011_seen_language")]

    operations = [
        migrations.AddField(
            model_name="widget",
            name="steps_put_away_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
    ]
