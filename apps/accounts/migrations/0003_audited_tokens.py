from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_widget_answerers")]

    operations = [
        migrations.AddField("auditentry", "token_id", models.BigIntegerField(editable=False, null=True)),
    ]
