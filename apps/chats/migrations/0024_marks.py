from pathlib import Path

from django.db import migrations

# As they were then; what they are now is in apps/chats/functions.sql (docs/adr/0017).
FUNCTIONS = Path(__file__).with_name("0024_functions.sql").read_text()


class Migration(migrations.Migration):
    """Runs of more than 30 marks are cut, and 20,000 characters indexed: to texts of a language that does nothing, and
    their entries in the indexes stay right."""

    dependencies = [("chats", "0023_steps_put_away")]

    operations = [migrations.RunSQL(FUNCTIONS, migrations.RunSQL.noop)]
