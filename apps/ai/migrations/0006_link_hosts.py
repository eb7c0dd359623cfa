import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ai", "0005_external_operators")]

    operations = [
        migrations.AddField(
            model_name="aisettings",
            name="link_hosts",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=253),
                blank=True,
                db_default=[],
                default=list,
                help_text="Answers may link to any page of them, and of the site's own.",
                size=None,
            ),
        ),
    ]
