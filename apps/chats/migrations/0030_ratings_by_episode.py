import django.db.models.deletion
import django.db.models.functions.datetime
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

CAUSES = ("operator", "api", "automation", "macro", "policy")

# As they were then; what they are now is in apps/chats/triggers.sql (docs/adr/0017).
PLACES = """
CREATE OR REPLACE FUNCTION chats_place_rating() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
    NEW.after_message_id := coalesce((
        SELECT max(id) FROM chats_message WHERE chat_id = NEW.chat_id AND created_at <= NEW.rated_at
    ), 0);
    RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER chats_rating_without_place
BEFORE INSERT ON chats_rating FOR EACH ROW
WHEN (NEW.after_message_id = 0)
EXECUTE FUNCTION chats_place_rating();
"""

PLACE_RATINGS = """
UPDATE chats_rating r SET after_message_id = coalesce((
    SELECT max(m.id) FROM chats_message m WHERE m.chat_id = r.chat_id AND m.created_at <= r.rated_at
), 0)
WHERE r.after_message_id = 0"""

# Who asked is known no more.
KEEP_REQUESTS = """
INSERT INTO chats_ratingrequest (widget_id, chat_id, cause, channel, after_message_id, at)
SELECT c.widget_id, c.id, 'api', c.channel, coalesce((
    SELECT max(m.id) FROM chats_message m WHERE m.chat_id = c.id AND m.created_at <= c.rating_requested_at
), 0), c.rating_requested_at
FROM chats_chat c
WHERE c.rating_requested_at IS NOT NULL AND NOT EXISTS (SELECT FROM chats_ratingrequest r WHERE r.chat_id = c.id)"""


def _reference(to, **options):
    return models.ForeignKey(db_index=False, related_name="+", to=to, **options)


class Migration(migrations.Migration):
    """A chat has a rating for each of its episodes, and requests for ratings are kept."""

    atomic = False

    dependencies = [
        ("accounts", "0012_steps_put_away"),
        ("agents", "0008_other_hours"),
        ("chats", "0029_automation_steps"),
    ]

    operations = [
        migrations.AddField(
            "rating",
            "after_message_id",
            models.BigIntegerField(
                db_default=0,
                default=0,
                editable=False,
                help_text=(
                    "The chat's newest message then; a row that comes without it gets it by `rated_at` (triggers.sql)."
                ),
            ),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    "rating",
                    "chat",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ratings",
                        to="chats.chat",
                    ),
                ),
            ],
        ),
        AddIndexConcurrently("rating", models.Index(fields=["chat", "-after_message_id"], name="chats_rating_in_chat")),
        migrations.RunSQL(PLACES, "DROP FUNCTION chats_place_rating CASCADE"),
        migrations.RunSQL(PLACE_RATINGS, migrations.RunSQL.noop),
        # Only the catalogue changes: the index that replaces the constraint's stands already.
        migrations.RunSQL(
            "ALTER TABLE chats_rating DROP CONSTRAINT IF EXISTS chats_rating_chat_id_key", migrations.RunSQL.noop
        ),
        migrations.CreateModel(
            name="RatingRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("cause", models.CharField(choices=[(each, each) for each in CAUSES], max_length=12)),
                ("channel", models.CharField(max_length=32)),
                ("after_message_id", models.BigIntegerField(help_text="The chat's newest message then.")),
                (
                    "at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("until", models.DateTimeField(blank=True, null=True)),
                ("digest", models.CharField(blank=True, max_length=64, null=True, unique=True)),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                ("declined_at", models.DateTimeField(blank=True, null=True)),
                (
                    "agent",
                    _reference("agents.agent", blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL),
                ),
                (
                    "chat",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rating_requests",
                        to="chats.chat",
                    ),
                ),
                ("widget", _reference("accounts.widget", on_delete=django.db.models.deletion.CASCADE)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["chat", "-after_message_id"], name="chats_request_in_chat"),
                    models.Index(fields=["widget", "at"], name="chats_request_of_widget"),
                ],
            },
        ),
        migrations.RunSQL(KEEP_REQUESTS, migrations.RunSQL.noop),
    ]
