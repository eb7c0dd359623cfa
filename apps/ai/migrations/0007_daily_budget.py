from django.db import migrations, models

CODES = (
    *("not_configured", "credential_rejected", "credential_rate_limited", "provider_failure", "backup_used"),
    *("budget_low", "budget_exhausted", "reply_limit", "untrusted_handoff", "prompt_leak", "reply_failed"),
    "external_operator_degraded",
)


class Migration(migrations.Migration):
    dependencies = [("ai", "0006_link_hosts")]

    operations = [
        migrations.AddField(
            model_name="usage",
            name="reserved_tokens",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        # The database knows neither help texts nor choices.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="aisettings",
                    name="daily_token_budget",
                    field=models.PositiveBigIntegerField(
                        blank=True,
                        help_text="Beyond them no model is asked, and chats are handed over. "
                        "Empty: the installation's limit; 0: none.",
                        null=True,
                        verbose_name="tokens a day",
                    ),
                ),
                migrations.AlterField(
                    model_name="alert",
                    name="code",
                    field=models.CharField(choices=[(code, code) for code in CODES], max_length=40),
                ),
            ]
        ),
    ]
