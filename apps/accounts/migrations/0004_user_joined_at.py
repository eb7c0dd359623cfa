from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_audited_tokens")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="joined_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
    ]
