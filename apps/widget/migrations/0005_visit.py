from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("widget", "0004_look")]

    operations = [
        migrations.AddField(
            "visitorsession", "user_agent", models.CharField(blank=True, db_default="", default="", max_length=400)
        ),
        migrations.AddField(
            "visitorsession", "referrer", models.CharField(blank=True, db_default="", default="", max_length=4096)
        ),
        migrations.AddField(
            "visitorsession", "time_zone", models.CharField(blank=True, db_default="", default="", max_length=64)
        ),
        migrations.AddField("visitorsession", "pages", models.JSONField(blank=True, db_default=[], default=list)),
    ]
