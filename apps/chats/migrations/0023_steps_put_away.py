"""Widgets that had a chat were past the first steps until now: their owners are not shown the list again."""

from django.db import migrations

PUT_AWAY = """
UPDATE accounts_widget SET steps_put_away_at = now()
WHERE steps_put_away_at IS NULL AND EXISTS (SELECT FROM chats_chat WHERE chats_chat.widget_id = accounts_widget.id)
"""


class Migration(migrations.Migration):
    dependencies = [("chats", "0022_console_settings"), ("accounts", "0012_steps_put_away")]

    operations = [migrations.RunSQL(PUT_AWAY, migrations.RunSQL.noop)]
