"""Cian was told our address by calls that it does not have: every connection is registered once more, by those that it has.

Only rows of Cian are written, of which there are few. The registration waits for six minutes (a worker takes what is
pending for one), so that no process of the release before makes it.
"""

from django.db import migrations

_SQL = """
UPDATE messengers_connection
SET webhook_status = 'pending', webhook_attempted = false, webhook_detail = '', pending_since = now() + interval '5 minutes'
WHERE provider = 'cian'"""


class Migration(migrations.Migration):
    dependencies = [("messengers", "0010_ids_of_bots")]

    operations = [migrations.RunSQL(_SQL, migrations.RunSQL.noop)]
