"""Snoozes, and the patience with absent owners, end by timers; a job looked for them every ten seconds.

Chats of owners who are away are looked at once at once; those that do not wait, or not for long enough, set their own
timers then.
"""

from django.db import migrations

SNOOZES = """
INSERT INTO chats_timer (widget_id, chat_id, kind, anchor, due_at)
SELECT widget_id, id, 'snooze',
    to_char(snoozed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')
    || CASE WHEN extract(microseconds FROM snoozed_at)::bigint % 1000000 = 0 THEN ''
        ELSE to_char(snoozed_at AT TIME ZONE 'UTC', '.US') END || '+00:00',
    snoozed_until
FROM chats_chat WHERE snoozed_at IS NOT NULL AND snoozed_until IS NOT NULL
ON CONFLICT (chat_id, kind, key) DO NOTHING
"""
OWNERS = """
INSERT INTO chats_timer (widget_id, chat_id, kind, anchor, due_at)
SELECT c.widget_id, c.id, 'owner_away', 'upgrade', now()
FROM chats_chat c JOIN agents_agent a ON a.id = c.agent_id
WHERE (c.status IN ('active', 'ready') OR c.left_unanswered_at IS NOT NULL)
    AND (a.online_since IS NULL OR a.status <> 'active')
ON CONFLICT (chat_id, kind, key) DO NOTHING
"""


class Migration(migrations.Migration):
    dependencies = [("chats", "0026_nobody_waits")]

    operations = [
        migrations.RunSQL(SNOOZES, migrations.RunSQL.noop),
        migrations.RunSQL(OWNERS, migrations.RunSQL.noop),
    ]
