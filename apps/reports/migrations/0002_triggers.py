"""Notes of the chats whose episodes are to be derived anew."""

from pathlib import Path

from django.db import migrations

# As they were then; as they are now: apps/reports/triggers.sql (docs/adr/0017).
TRIGGERS = Path(__file__).with_name("0002_triggers.sql").read_text()
FUNCTIONS = (
    "reports_message_changed",
    "reports_rows_deleted",
    "reports_chat_changed",
    "reports_chats_deleted",
    "reports_join_changed",
    "reports_derive_anew",
    "reports_note_people",
)


class Migration(migrations.Migration):
    dependencies = [("reports", "0001_initial"), ("chats", "0031_message_places")]

    operations = [
        migrations.RunSQL(TRIGGERS, "".join(f"DROP FUNCTION {name} CASCADE;" for name in FUNCTIONS)),
    ]
