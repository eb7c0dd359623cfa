from pathlib import Path

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

# As they were then; what they are now is in apps/kb/functions.sql (docs/adr/0017).
FUNCTIONS = Path(__file__).with_name("0007_functions.sql").read_text()
DROP_FUNCTIONS = "DROP FUNCTION kb_marks_of, kb_marks, kb_same_letters"


class Migration(migrations.Migration):
    atomic = False  # for its index

    dependencies = [
        ("kb", "0006_words_spelt_alike"),
    ]

    operations = [
        migrations.RunSQL(FUNCTIONS, DROP_FUNCTIONS),
        AddIndexConcurrently(
            model_name="rule",
            index=django.contrib.postgres.indexes.GinIndex(
                models.F("widget"),
                models.Func(
                    output_field=django.contrib.postgres.fields.ArrayField(models.TextField()),
                    template="kb_marks_of(title, content)",
                ),
                name="kb_rule_marks",
            ),
        ),
        # With constant defaults, which write no row.
        migrations.AddField(
            model_name="rule",
            name="embedding_error",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=32),
        ),
        migrations.AddField(
            model_name="crawler",
            name="repeated",
            field=django.contrib.postgres.fields.ArrayField(
                models.CharField(max_length=16), blank=True, db_default=[], default=list, editable=False, size=None
            ),
        ),
        migrations.AddField(
            model_name="crawlpage",
            name="note",
            field=models.CharField(blank=True, db_default="", default="", max_length=32),
        ),
        migrations.AddField(
            model_name="crawlpage", name="listed_at", field=models.DateTimeField(blank=True, null=True)
        ),
        migrations.AddField(model_name="crawlpage", name="read_at", field=models.DateTimeField(blank=True, null=True)),
    ]
