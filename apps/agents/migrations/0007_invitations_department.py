import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("agents", "0006_longer_holidays")]

    operations = [
        migrations.AddField(
            model_name="invitation",
            name="department",
            field=models.ForeignKey(
                blank=True,
                help_text="Where they are once they come.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="agents.department",
            ),
        ),
    ]
