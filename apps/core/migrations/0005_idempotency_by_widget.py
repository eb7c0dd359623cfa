"""Idempotency keys count by widget. Accounts' migration gives a widget to the keys that were claimed before."""

from django.db import migrations, models

OF_WIDGET = "core_idempotencykey_of_widget"


class Migration(migrations.Migration):
    atomic = False  # the index is built beside writers

    dependencies = [("core", "0004_model_names")]

    operations = [
        migrations.AddField("idempotencykey", "widget_id", models.BigIntegerField(null=True)),
        migrations.AddField("idempotencykey", "about", models.JSONField(null=True)),
        # Takes no look at the rows. Processes of the release before go on filling it.
        migrations.SeparateDatabaseAndState(
            [
                migrations.RunSQL(
                    "ALTER TABLE core_idempotencykey ALTER COLUMN token_id DROP NOT NULL", migrations.RunSQL.noop
                )
            ],
            [migrations.AlterField("idempotencykey", "token_id", models.BigIntegerField(null=True))],
        ),
        migrations.SeparateDatabaseAndState(
            [
                # What a build that was ended has left.
                migrations.RunSQL(f"DROP INDEX CONCURRENTLY IF EXISTS {OF_WIDGET}_built", migrations.RunSQL.noop),
                migrations.RunSQL(
                    f"CREATE UNIQUE INDEX CONCURRENTLY {OF_WIDGET}_built ON core_idempotencykey (widget_id, key)",
                    migrations.RunSQL.noop,
                ),
                migrations.RunSQL(
                    f"ALTER TABLE core_idempotencykey ADD CONSTRAINT {OF_WIDGET} UNIQUE USING INDEX {OF_WIDGET}_built",
                    f"ALTER TABLE core_idempotencykey DROP CONSTRAINT {OF_WIDGET}",
                ),
            ],
            [
                migrations.AddConstraint(
                    "idempotencykey", models.UniqueConstraint(fields=["widget_id", "key"], name=OF_WIDGET)
                )
            ],
        ),
    ]
