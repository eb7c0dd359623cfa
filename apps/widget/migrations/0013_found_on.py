from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("widget", "0012_offline_form")]

    operations = [
        migrations.AddField(
            model_name="widgetsettings",
            name="found_on",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=2048),
        ),
    ]
