from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("kb", "0007_marks"),
    ]

    operations = [
        migrations.AddField(
            model_name="upload",
            name="notes",
            field=models.JSONField(db_default=[], default=list, editable=False),
        ),
    ]
