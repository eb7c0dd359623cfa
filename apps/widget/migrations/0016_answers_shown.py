"""Chats show the answers with which they began."""

from django.db import migrations

# As it was then; the current source is apps/widget/triggers.sql (docs/adr/0017).
TRIGGERS = """
CREATE OR REPLACE FUNCTION widget_chat_answered() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chats_chat c SET answers = (
        SELECT a.answers FROM widget_chatanswers a WHERE a.chat_id = c.id ORDER BY a.message_id DESC LIMIT 1
    ) WHERE c.id IN (SELECT chat_id FROM changed);
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER widget_chat_answers_added
AFTER INSERT ON widget_chatanswers REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
EXECUTE FUNCTION widget_chat_answered();

CREATE OR REPLACE TRIGGER widget_chat_answers_changed
AFTER UPDATE ON widget_chatanswers REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
EXECUTE FUNCTION widget_chat_answered();
"""
AWAY = """
DROP TRIGGER widget_chat_answers_added ON widget_chatanswers;
DROP TRIGGER widget_chat_answers_changed ON widget_chatanswers;
DROP FUNCTION widget_chat_answered()
"""


class Migration(migrations.Migration):
    dependencies = [("widget", "0015_questions"), ("chats", "0032_answers")]

    operations = [migrations.RunSQL(TRIGGERS, AWAY)]
