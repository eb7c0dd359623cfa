from django.db import migrations


class Migration(migrations.Migration):
    """Widgets that have a bot say so in their row from now on (`accounts.rules.Answerer`)."""

    dependencies = [("compat", "0001_initial"), ("accounts", "0002_widget_answerers")]

    operations = [
        migrations.RunSQL(
            """
            UPDATE accounts_widget SET answerers = array_append(answerers, 'legacy_bot')
            WHERE id IN (SELECT widget_id FROM compat_legacybot WHERE is_active)
              AND NOT 'legacy_bot' = ANY (answerers)""",
            migrations.RunSQL.noop,
        )
    ]
