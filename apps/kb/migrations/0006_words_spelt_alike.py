from pathlib import Path

from django.contrib.postgres.operations import CreateExtension, RemoveIndexConcurrently
from django.db import migrations

# As they were then; what they are now is in apps/kb/functions.sql (docs/adr/0017).
FUNCTIONS = Path(__file__).with_name("0006_functions.sql").read_text()


class Migration(migrations.Migration):
    atomic = False  # for its index

    dependencies = [
        ("kb", "0005_crawler"),
    ]

    operations = [
        CreateExtension("fuzzystrmatch"),
        migrations.RunSQL(FUNCTIONS, migrations.RunSQL.noop),
        RemoveIndexConcurrently(model_name="rule", name="kb_rule_spelt"),
    ]
