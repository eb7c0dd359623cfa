"""What statistics count beforehand (docs/adr/0015): tables, and the triggers that note which hours' rows have changed.

A row that is stored when it happens is noted nowhere: the triggers look at its time and do nothing. Adding them waits for
writers of chats and messages, and blocks them for no time. The functions keep the plans they made first in a connection,
perhaps for empty tables: `enable_seqscan` has them look chats up by their index whatever the size.
"""

import django.db.models.deletion
from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models

LATE = "clock_timestamp() - interval '15 minutes'"
NOTES = f"""
CREATE FUNCTION chats_stale_hour(moment timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN date_bin('1 hour', moment, timestamptz '1970-01-01 00:00:00+00');

CREATE FUNCTION chats_message_changed() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
    INSERT INTO chats_stalehour (widget_id, hour, kind)
    SELECT DISTINCT widget_id, chats_stale_hour(created_at), 'messages'
    FROM (VALUES (OLD.widget_id, OLD.created_at), (NEW.widget_id, NEW.created_at)) AS touched (widget_id, created_at)
    WHERE widget_id IS NOT NULL;
    INSERT INTO chats_stalehour (widget_id, hour, kind)
    SELECT widget_id, chats_stale_hour(created_at), 'responses' FROM chats_chat WHERE id IN (OLD.chat_id, NEW.chat_id);
    RETURN NULL;
END
$$;
CREATE TRIGGER chats_message_late AFTER INSERT ON chats_message FOR EACH ROW
WHEN (NEW.created_at < {LATE}) EXECUTE FUNCTION chats_message_changed();
CREATE TRIGGER chats_message_changed
AFTER UPDATE OF widget_id, chat_id, created_at, sender_kind, is_internal ON chats_message FOR EACH ROW
WHEN ((OLD.widget_id, OLD.chat_id, OLD.created_at, OLD.sender_kind, OLD.is_internal)
      IS DISTINCT FROM (NEW.widget_id, NEW.chat_id, NEW.created_at, NEW.sender_kind, NEW.is_internal))
EXECUTE FUNCTION chats_message_changed();

CREATE FUNCTION chats_messages_gone() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
    INSERT INTO chats_stalehour (widget_id, hour, kind)
    SELECT DISTINCT widget_id, chats_stale_hour(created_at), 'messages' FROM gone WHERE created_at < {LATE}
    UNION ALL
    SELECT DISTINCT widget_id, chats_stale_hour(created_at), 'responses'
    FROM chats_chat WHERE id IN (SELECT chat_id FROM gone WHERE created_at < {LATE});
    RETURN NULL;
END
$$;
CREATE TRIGGER chats_messages_gone AFTER DELETE ON chats_message
REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION chats_messages_gone();

CREATE FUNCTION chats_chat_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO chats_stalehour (widget_id, hour, kind)
    SELECT DISTINCT widget_id, chats_stale_hour(created_at), 'chats'
    FROM (VALUES (OLD.widget_id, OLD.created_at), (NEW.widget_id, NEW.created_at)) AS touched (widget_id, created_at)
    WHERE widget_id IS NOT NULL;
    IF OLD IS NULL OR (OLD.widget_id, OLD.created_at) IS DISTINCT FROM (NEW.widget_id, NEW.created_at) THEN
        INSERT INTO chats_stalehour (widget_id, hour, kind)
        SELECT DISTINCT widget_id, chats_stale_hour(created_at), 'responses'
        FROM (VALUES (OLD.widget_id, OLD.created_at), (NEW.widget_id, NEW.created_at)) AS touched (widget_id, created_at)
        WHERE widget_id IS NOT NULL;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER chats_chat_late AFTER INSERT ON chats_chat FOR EACH ROW
WHEN (NEW.created_at < {LATE}) EXECUTE FUNCTION chats_chat_changed();
CREATE TRIGGER chats_chat_changed
AFTER UPDATE OF widget_id, created_at, channel, department_id, handling, accepted_type, accepted_at, handled_type
ON chats_chat FOR EACH ROW
WHEN (least(OLD.created_at, NEW.created_at) < {LATE}
      AND (OLD.widget_id, OLD.created_at, OLD.channel, OLD.department_id, OLD.handling, OLD.accepted_type,
           OLD.accepted_at, OLD.handled_type)
      IS DISTINCT FROM (NEW.widget_id, NEW.created_at, NEW.channel, NEW.department_id, NEW.handling, NEW.accepted_type,
                        NEW.accepted_at, NEW.handled_type))
EXECUTE FUNCTION chats_chat_changed();

CREATE FUNCTION chats_chats_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO chats_stalehour (widget_id, hour, kind)
    SELECT widget_id, hour, kind
    FROM (SELECT DISTINCT widget_id, chats_stale_hour(created_at) FROM gone WHERE created_at < {LATE}) AS touched
             (widget_id, hour),
         (VALUES ('chats'), ('responses')) AS kinds (kind);
    RETURN NULL;
END
$$;
CREATE TRIGGER chats_chats_gone AFTER DELETE ON chats_chat
REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION chats_chats_gone();

CREATE FUNCTION chats_tally_anew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chats_tallyclock SET until = NULL;
    RETURN NULL;
END
$$;
CREATE TRIGGER chats_messages_truncated AFTER TRUNCATE ON chats_message EXECUTE FUNCTION chats_tally_anew();
CREATE TRIGGER chats_chats_truncated AFTER TRUNCATE ON chats_chat EXECUTE FUNCTION chats_tally_anew()"""  # noqa: S608 - of a constant
FORGET = """
DROP TRIGGER chats_message_late ON chats_message;
DROP TRIGGER chats_message_changed ON chats_message;
DROP TRIGGER chats_messages_gone ON chats_message;
DROP TRIGGER chats_chat_late ON chats_chat;
DROP TRIGGER chats_chat_changed ON chats_chat;
DROP TRIGGER chats_chats_gone ON chats_chat;
DROP TRIGGER chats_messages_truncated ON chats_message;
DROP TRIGGER chats_chats_truncated ON chats_chat;
DROP FUNCTION chats_tally_anew;
DROP FUNCTION chats_message_changed;
DROP FUNCTION chats_messages_gone;
DROP FUNCTION chats_chat_changed;
DROP FUNCTION chats_chats_gone;
DROP FUNCTION chats_stale_hour"""


def _tally(name, *fields):
    """A table of counts by hour. No foreign key: a tally goes when its hour is counted again and nothing is left."""
    widget = models.ForeignKey(
        "accounts.widget",
        django.db.models.deletion.DO_NOTHING,
        db_constraint=False,
        db_index=False,
        related_name="+",
    )
    return migrations.CreateModel(
        name=name,
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("hour", models.DateTimeField(help_text="Its first moment.")),
            *fields,
            ("widget", widget),
        ],
        options={
            "abstract": False,
            "indexes": [models.Index(fields=["widget", "hour"], name=f"chats_{name.lower()}_of_hour")],
        },
    )


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_superuser_of_no_account"), ("chats", "0007_message_search")]

    operations = [
        migrations.CreateModel(
            name="TallyClock",
            fields=[
                ("id", models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("until", models.DateTimeField(null=True)),
                ("seen_at", models.DateTimeField(null=True)),
                ("seen_writing", ArrayField(models.TextField(), db_default=[], default=list)),
            ],
            options={
                "constraints": [models.CheckConstraint(condition=models.Q(("id", 1)), name="chats_tallyclock_one")]
            },
        ),
        _tally(
            "ChatTally",
            ("channel", models.CharField(max_length=32)),
            ("department_id", models.BigIntegerField(null=True)),
            ("handling", models.CharField(max_length=16)),
            ("accepted_type", models.CharField(max_length=8, null=True)),
            ("handled_type", models.CharField(max_length=8, null=True)),
            ("chats", models.IntegerField()),
            ("answered", models.IntegerField()),
            ("waited", models.DurationField()),
        ),
        _tally("MessageTally", ("messages", models.IntegerField())),
        _tally("ResponseTally", ("answered", models.IntegerField()), ("waited", models.DurationField())),
        _tally(
            "StaleHour",
            (
                "kind",
                models.CharField(
                    max_length=9,
                    choices=[("chats", "chats"), ("messages", "messages"), ("responses", "responses")],
                ),
            ),
        ),
        migrations.RunSQL(NOTES, FORGET),
    ]
