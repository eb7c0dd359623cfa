import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    """A longer name of a kind, and a column that may be empty: neither writes a table anew."""

    dependencies = [
        ("kb", "0009_lines_everywhere"),
    ]

    operations = [
        # A longer varchar changes the catalogue alone: no row is looked at.
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL("ALTER TABLE kb_source ALTER COLUMN type TYPE varchar(7)", migrations.RunSQL.noop),
            ],
            state_operations=[
                migrations.AlterField(
                    model_name="source",
                    name="type",
                    field=models.CharField(
                        choices=[
                            ("manual", "manual"),
                            ("crawl", "crawl"),
                            ("upload", "upload"),
                            ("article", "article"),
                        ],
                        max_length=7,
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="rule",
            name="languages",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=8), blank=True, editable=False, null=True, size=None
            ),
        ),
    ]
