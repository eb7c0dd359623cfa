"""Contacts show the users whom they were proved to be."""

from typing import Any

from django.db import connection, migrations

# As it was then; what it is now is in apps/widget/triggers.sql (docs/adr/0017).
TRIGGER = """
CREATE OR REPLACE FUNCTION widget_visitor_verified() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chats_contact SET external_id = NEW.user_id WHERE id = NEW.contact_id;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER widget_visitor_verified
AFTER INSERT ON widget_verifiedvisitor FOR EACH ROW
EXECUTE FUNCTION widget_visitor_verified();
"""
BATCH = 5000
COPY = """
UPDATE chats_contact c SET external_id = v.user_id FROM widget_verifiedvisitor v
WHERE v.contact_id = c.id AND c.external_id IS NULL AND v.id > %(after)s AND v.id <= %(until)s
/* unscoped: every widget's contacts */"""


def copy_ids(apps: Any, schema_editor: Any) -> None:
    """In batches, each a transaction of its own; may be run again."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(min(id), 1), coalesce(max(id), 0) FROM widget_verifiedvisitor")
        first, last = cursor.fetchone()
        for after in range(first - 1, last, BATCH):
            cursor.execute(COPY, {"after": after, "until": after + BATCH})


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("widget", "0009_model_names"), ("chats", "0012_contact_external_id")]

    operations = [
        migrations.RunSQL(
            TRIGGER,
            "DROP TRIGGER widget_visitor_verified ON widget_verifiedvisitor; DROP FUNCTION widget_visitor_verified()",
        ),
        migrations.RunPython(copy_ids, migrations.RunPython.noop),
    ]
