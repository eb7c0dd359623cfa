"""Calls of before this release keep the prices that stand on their keys now, by which pages reckoned them."""

from django.db import migrations

A_BATCH = 10_000

_KEEP = """
UPDATE ai_usage u SET prompt_price = c.prompt_price, completion_price = c.completion_price,
    currency = c.price_currency,
    cost = (u.prompt_tokens * c.prompt_price + u.completion_tokens * c.completion_price) / 1000000
FROM ai_credential c
WHERE c.id = u.credential_id AND u.id >= %s AND u.id < %s AND u.cost IS NULL AND u.purpose <> 'embedding'
    AND c.prompt_price IS NOT NULL AND c.completion_price IS NOT NULL AND c.price_currency <> ''"""


def keep_costs(apps, schema_editor):
    """A few rows at a time, each batch a statement of its own: no call waits for long."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(min(id), 0), coalesce(max(id), -1) FROM ai_usage")
        first, last = cursor.fetchone()
        for start in range(first, last + 1, A_BATCH):
            cursor.execute(_KEEP, [start, start + A_BATCH])


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("ai", "0018_usage_prices"),
    ]

    operations = [migrations.RunPython(keep_costs, migrations.RunPython.noop)]
