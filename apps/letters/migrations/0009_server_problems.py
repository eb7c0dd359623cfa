"""More reasons why a mailbox is not read: Python's choices alone, so the database is not asked."""

from django.db import migrations, models

CODES = (
    *("login_refused", "app_password", "login_or_off", "switched_off", "passwords_off", "no_folder", "unreachable"),
    *("no_tls", "too_slow", "odd_answer", "not_found", "busy"),
)


class Migration(migrations.Migration):
    dependencies = [
        ("letters", "0008_shown"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="readjob",
                    name="problem_code",
                    field=models.CharField(
                        blank=True,
                        choices=[(code, code) for code in CODES],
                        db_default="",
                        default="",
                        max_length=24,
                    ),
                ),
            ],
        ),
    ]
