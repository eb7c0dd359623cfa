from django.db import migrations, models

# Of the chats that are open, or were left without an answer: those whose visitor has left words for people.
MARK_FORMS = """
UPDATE chats_chat c SET for_people_since = c.waiting_since
WHERE (c.status IN ('active', 'ready') OR c.left_unanswered_at IS NOT NULL) AND EXISTS (
    SELECT FROM chats_message m
    WHERE m.chat_id = c.id AND m.created_at >= c.waiting_since AND m.via = 'offline_form'
)"""


class Migration(migrations.Migration):
    dependencies = [("chats", "0020_desksettings_attribute_kinds")]

    operations = [
        migrations.AddField(
            "chat",
            "for_people_since",
            models.DateTimeField(
                blank=True, null=True, help_text="Since when a word of the visitor waits that machines leave to people."
            ),
        ),
        migrations.RunSQL(MARK_FORMS, migrations.RunSQL.noop),
    ]
