from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("agents", "0004_operator_choices")]

    operations = [
        migrations.AddField(
            model_name="agent",
            name="away_since",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
    ]
