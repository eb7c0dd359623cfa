"""The idempotency keys of the last 24 hours count by widget; of two that collide the older one stays."""

from typing import Any

from django.db import IntegrityError, connection, migrations, transaction

# As it was then; what it is now is in apps/accounts/triggers.sql (docs/adr/0017).
TRIGGER = """
CREATE OR REPLACE FUNCTION accounts_idempotencykey_widget() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.widget_id := (SELECT widget_id FROM accounts_apitoken WHERE id = NEW.token_id);
    DELETE FROM core_idempotencykey k
    WHERE k.widget_id = NEW.widget_id AND k.key = NEW.key AND k.token_id IS DISTINCT FROM NEW.token_id
      AND k.created_at <= now() - interval '24 hours';
    -- Nothing is inserted for a key that another token of the widget used: it is refused.
    IF EXISTS (
        SELECT FROM core_idempotencykey k
        WHERE k.widget_id = NEW.widget_id AND k.key = NEW.key AND k.token_id IS DISTINCT FROM NEW.token_id
    ) THEN
        RETURN NULL;
    END IF;
    RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER accounts_idempotencykey_widget
BEFORE INSERT ON core_idempotencykey FOR EACH ROW WHEN (NEW.widget_id IS NULL)
EXECUTE FUNCTION accounts_idempotencykey_widget();
"""
BATCH = 5000

FORGET_NEWER = """
DELETE FROM core_idempotencykey k USING accounts_apitoken t
WHERE t.id = k.token_id AND k.widget_id IS NULL AND k.id > %(after)s AND k.id <= %(until)s AND EXISTS (
    SELECT FROM core_idempotencykey o LEFT JOIN accounts_apitoken ot ON ot.id = o.token_id
    WHERE o.key = k.key AND o.id <> k.id AND coalesce(o.widget_id, ot.widget_id) = t.widget_id
      AND (o.created_at, o.id) < (k.created_at, k.id)
) /* unscoped: every widget's keys */"""
GIVE_WIDGET = """
UPDATE core_idempotencykey k SET widget_id = t.widget_id FROM accounts_apitoken t
WHERE t.id = k.token_id AND k.widget_id IS NULL AND k.id > %(after)s AND k.id <= %(until)s
/* unscoped: every widget's keys */"""


def give_widgets(apps: Any, schema_editor: Any) -> None:
    """In batches, each a transaction of its own, while keys go on being claimed; may be run again."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE INDEX CONCURRENTLY IF NOT EXISTS core_idempotencykey_moved ON core_idempotencykey (key)")
        cursor.execute("SELECT coalesce(min(id), 0), coalesce(max(id), 0) FROM core_idempotencykey")
        first, last = cursor.fetchone()
        for after in range(first - 1, last, BATCH):
            _give(cursor, {"after": after, "until": after + BATCH})
        cursor.execute("DROP INDEX CONCURRENTLY core_idempotencykey_moved")


def _give(cursor: Any, batch: dict[str, int]) -> None:
    for is_last in (False, False, True):
        try:
            with transaction.atomic():
                cursor.execute(FORGET_NEWER, batch)
                cursor.execute(GIVE_WIDGET, batch)
                return
        except IntegrityError:  # somebody claimed the same key meanwhile
            if is_last:
                raise


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("accounts", "0007_widget_moving_since"), ("core", "0005_idempotency_by_widget")]

    operations = [
        migrations.RunSQL(
            TRIGGER,
            "DROP TRIGGER accounts_idempotencykey_widget ON core_idempotencykey;"
            "DROP FUNCTION accounts_idempotencykey_widget()",
        ),
        migrations.RunPython(give_widgets, migrations.RunPython.noop),
    ]
