from pathlib import Path

import django.contrib.postgres.indexes
from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models

# As they were then; what they are now is in apps/kb/functions.sql (docs/adr/0017).
FUNCTIONS = Path(__file__).with_name("0004_functions.sql").read_text()
DROP_FUNCTIONS = "DROP FUNCTION kb_word_query, kb_spelt_alike, kb_spelling"


class Migration(migrations.Migration):
    atomic = False  # for its indexes

    dependencies = [
        ("kb", "0003_rule_doc_id"),
    ]

    operations = [
        migrations.RunSQL(FUNCTIONS, DROP_FUNCTIONS),
        RemoveIndexConcurrently(model_name="rule", name="kb_rule_spelling"),
        AddIndexConcurrently(
            model_name="rule",
            index=django.contrib.postgres.indexes.GinIndex(
                models.F("widget"),
                django.contrib.postgres.indexes.OpClass(
                    models.Func(output_field=models.TextField(), template="kb_spelling(title || ' ' || content)"),
                    name="gin_trgm_ops",
                ),
                name="kb_rule_spelt",
            ),
        ),
    ]
