import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    """A longer name of a kind, and a column that may be empty: neither writes a table anew."""

    dependencies = [
        ("kb", "0009_lines_everywhere"),
    ]

    operations = [
        migrations.AlterField(
            model_name="source",
            name="type",
            field=models.CharField(
                choices=[("manual", "manual"), ("crawl", "crawl"), ("upload", "upload"), ("article", "article")],
                max_length=7,
            ),
        ),
        migrations.AddField(
            model_name="rule",
            name="languages",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=8), blank=True, editable=False, null=True, size=None
            ),
        ),
    ]
