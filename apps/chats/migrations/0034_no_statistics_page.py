from django.db import migrations


class Migration(migrations.Migration):
    """The page of statistics is gone: its model was a proxy, without a table."""

    dependencies = [
        ("chats", "0033_answered_invitations"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel(name="WidgetStatistics")]),
    ]
