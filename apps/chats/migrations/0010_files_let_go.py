"""The bytes of deleted files are swept (docs/adr/0014), whoever deletes the rows: a contact's go with the contact.

A trigger on deletes alone; adding it waits for writers of files and blocks them for no time.
"""

from django.db import migrations

LET_GO = """
CREATE FUNCTION chats_let_go_of_files() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO core_looseobject (key) SELECT storage_key FROM gone;
    RETURN NULL;
END
$$;
CREATE TRIGGER chats_files_let_go AFTER DELETE ON chats_file
REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION chats_let_go_of_files()"""
HOLD_ON = """
DROP TRIGGER chats_files_let_go ON chats_file;
DROP FUNCTION chats_let_go_of_files"""


class Migration(migrations.Migration):
    dependencies = [("core", "0002_loose_objects"), ("chats", "0008_tallies")]

    operations = [migrations.RunSQL(LET_GO, HOLD_ON)]
