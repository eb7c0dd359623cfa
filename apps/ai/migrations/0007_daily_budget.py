from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ai", "0006_link_hosts")]

    operations = [
        migrations.AddField(
            model_name="usage",
            name="reserved_tokens",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AlterField(
            model_name="aisettings",
            name="daily_token_budget",
            field=models.PositiveBigIntegerField(
                blank=True,
                help_text="Beyond them no model is asked, and chats are handed over. "
                "Empty: the installation's limit. 0: no limit.",
                null=True,
                verbose_name="tokens a day",
            ),
        ),
    ]
