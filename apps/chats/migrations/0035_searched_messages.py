from pathlib import Path

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

# As they were then; as they are now: apps/chats/triggers.sql (docs/adr/0017).
TRIGGERS = Path(__file__).with_name("0035_triggers.sql").read_text()
FUNCTIONS = ("chats_note_unsearched", "chats_forget_searched", "chats_search_anew")
UNLOGGED = "".join(
    f"ALTER TABLE chats_{name} SET UNLOGGED;" for name in ("searchedmessage", "unsearchedmessage", "searchprogress")
)


def _widget() -> models.ForeignKey:
    return models.ForeignKey(
        db_constraint=False,
        db_index=False,
        on_delete=django.db.models.deletion.DO_NOTHING,
        related_name="+",
        to="accounts.widget",
    )


class Migration(migrations.Migration):
    """What changes is noted from here on; the next one fills the table."""

    dependencies = [("accounts", "0012_steps_put_away"), ("chats", "0034_no_statistics_page")]

    operations = [
        migrations.CreateModel(
            name="SearchedMessage",
            fields=[
                ("message_id", models.BigIntegerField(primary_key=True, serialize=False)),
                ("chat_id", models.BigIntegerField()),
                ("body", models.TextField(help_text="Its first 10,000 characters.")),
                ("widget", _widget()),
            ],
        ),
        migrations.CreateModel(
            name="SearchProgress",
            fields=[
                ("id", models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("settled_id", models.BigIntegerField(null=True)),
                ("filled_from", models.BigIntegerField(null=True)),
                ("seen_id", models.BigIntegerField(null=True)),
                (
                    "seen_writing",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), db_default=[], default=list, size=None
                    ),
                ),
            ],
            options={
                "constraints": [models.CheckConstraint(condition=models.Q(("id", 1)), name="chats_searchprogress_one")],
            },
        ),
        migrations.CreateModel(
            name="UnsearchedMessage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("message_id", models.BigIntegerField()),
                ("widget", _widget()),
            ],
            options={
                "indexes": [models.Index(fields=["widget", "message_id"], name="chats_unsearched_noted")],
            },
        ),
        migrations.RunSQL(UNLOGGED, migrations.RunSQL.noop),
        migrations.RunSQL(TRIGGERS, "".join(f"DROP FUNCTION {name} CASCADE;" for name in FUNCTIONS)),
    ]
