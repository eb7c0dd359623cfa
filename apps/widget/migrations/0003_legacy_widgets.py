from django.db import migrations

# Widgets that were there before there were settings go on in Russian (specification, "Implicit defaults").
LEGACY = "INSERT INTO widget_widgetsettings (widget_id, legacy) SELECT id, true FROM accounts_widget"


class Migration(migrations.Migration):
    dependencies = [
        ("widget", "0002_settings"),
    ]

    operations = [
        migrations.RunSQL(LEGACY, migrations.RunSQL.noop),
    ]
