from pathlib import Path

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models
from django.db.models import Q

# As they were then; what they are now is in apps/chats/functions.sql (docs/adr/0017).
FUNCTIONS = Path(__file__).with_name("0015_functions.sql").read_text()
DROP_FUNCTIONS = """
DROP FUNCTION chats_term_trigrams, chats_message_trigrams, chats_searchable, chats_folded_grams, chats_contact_entries,
    chats_phone_digits, chats_contact_text, chats_fold, chats_alike"""

# Tags that look alike become the oldest of them.
JOIN_TAGS = """
CREATE TEMPORARY TABLE chats_tag_double AS
    SELECT id, kept_id FROM (
        SELECT id, first_value(id) OVER (PARTITION BY account_id, chats_alike(name) ORDER BY id) AS kept_id FROM chats_tag
    ) tag WHERE id <> kept_id;
INSERT INTO chats_contacttag (contact_id, tag_id, created_at)
    SELECT t.contact_id, d.kept_id, min(t.created_at)
    FROM chats_contacttag t JOIN chats_tag_double d ON d.id = t.tag_id GROUP BY 1, 2
    ON CONFLICT DO NOTHING;
DELETE FROM chats_contacttag WHERE tag_id IN (SELECT id FROM chats_tag_double);
DELETE FROM chats_tag WHERE id IN (SELECT id FROM chats_tag_double);
DROP TABLE chats_tag_double"""


class Migration(migrations.Migration):
    """The new indexes are built beside the old ones, which then go: two would double what a message costs."""

    atomic = False  # for its indexes

    dependencies = [("chats", "0014_desk_settings")]

    operations = [
        migrations.RunSQL(FUNCTIONS, DROP_FUNCTIONS),
        migrations.RunSQL(JOIN_TAGS, migrations.RunSQL.noop),
        AddIndexConcurrently(
            "tag", models.Index("account", models.Func("name", function="chats_alike"), name="chats_tag_alike")
        ),
        AddIndexConcurrently(
            "contact",
            GinIndex(
                models.Func("widget_id", "name", "email", "phone", function="chats_contact_entries"),
                name="chats_contact_found",
                gin_pending_list_limit=256,
            ),
        ),
        AddIndexConcurrently(
            "message",
            GinIndex(
                models.Func("widget_id", "chat_id", "body", function="chats_message_trigrams"),
                condition=Q(is_internal=False),
                name="chats_message_found",
                gin_pending_list_limit=256,
            ),
        ),
        RemoveIndexConcurrently("contact", "chats_contact_search"),
        RemoveIndexConcurrently("message", "chats_message_said"),
    ]
