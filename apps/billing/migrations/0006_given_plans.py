from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("billing", "0005_payee_and_undoing")]

    operations = [
        migrations.AddField(
            model_name="plansubscription",
            name="given_by",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=64),
        ),
    ]
