"""Telegram counts messages by bot: their ids have the bot's before them, so that another bot of the widget loses none.

Rows are kept for a week, so there are few. A process of the release before goes on writing ids without the bot's:
Telegram repeats an update only where it was not answered.
"""

from django.db import migrations

_SQL = """
UPDATE messengers_inbound i SET external_id = left(c.account_id || ':' || i.external_id, 255)
FROM messengers_connection c
WHERE c.id = i.connection_id AND c.provider = 'tg' AND c.account_id <> '' AND i.conversation <> '~receipts'
  AND position(':' in i.external_id) = 0"""


class Migration(migrations.Migration):
    dependencies = [("messengers", "0009_kinds")]

    operations = [migrations.RunSQL(_SQL, migrations.RunSQL.noop)]
