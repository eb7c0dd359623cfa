"""A cause of alerts more: Python's choices alone, so the database is not asked."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ai", "0012_credential_prices"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="alert",
                    name="code",
                    field=models.CharField(
                        choices=[
                            ("not_configured", "not_configured"),
                            ("credential_rejected", "credential_rejected"),
                            ("credential_rate_limited", "credential_rate_limited"),
                            ("provider_failure", "provider_failure"),
                            ("model_gone", "model_gone"),
                            ("backup_used", "backup_used"),
                            ("budget_low", "budget_low"),
                            ("budget_exhausted", "budget_exhausted"),
                            ("reply_limit", "reply_limit"),
                            ("untrusted_handoff", "untrusted_handoff"),
                            ("prompt_leak", "prompt_leak"),
                            ("reply_failed", "reply_failed"),
                            ("external_operator_degraded", "external_operator_degraded"),
                            ("evaluation_worse", "evaluation_worse"),
                        ],
                        max_length=40,
                    ),
                ),
            ],
        ),
    ]
