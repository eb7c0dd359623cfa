from django.db import migrations

# Of the chats that are open, or were left without an answer: those whose visitor has mailed words for people.
MARK_LETTERS = """
UPDATE chats_chat c SET for_people_since = c.waiting_since
WHERE (c.status IN ('active', 'ready') OR c.left_unanswered_at IS NOT NULL) AND EXISTS (
    SELECT FROM letters_inletter l JOIN chats_message m ON m.id = l.message_id
    WHERE l.chat_id = c.id AND l.is_for_people AND m.created_at >= c.waiting_since
)"""


class Migration(migrations.Migration):
    dependencies = [("letters", "0004_mailcheck"), ("chats", "0021_for_people")]

    operations = [migrations.RunSQL(MARK_LETTERS, migrations.RunSQL.noop)]
