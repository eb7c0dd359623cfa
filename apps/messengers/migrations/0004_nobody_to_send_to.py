"""A message of a chat in whose messenger nobody has written has no peer. Dropping NOT NULL reads no row."""

import django.db.models.deletion
from django.db import migrations, models


def may_be_null(model: str, field: models.Field) -> migrations.SeparateDatabaseAndState:
    return migrations.SeparateDatabaseAndState(
        database_operations=[
            migrations.RunSQL(
                f"ALTER TABLE messengers_{model} ALTER COLUMN peer_id DROP NOT NULL",
                f"ALTER TABLE messengers_{model} ALTER COLUMN peer_id SET NOT NULL",
            )
        ],
        state_operations=[migrations.AlterField(model_name=model, name="peer", field=field)],
    )


class Migration(migrations.Migration):
    dependencies = [("messengers", "0003_polls")]

    operations = [
        may_be_null(
            "outboundline",
            models.OneToOneField(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="messengers.peer"
            ),
        ),
        may_be_null(
            "outboundmessage",
            models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="messengers.peer",
            ),
        ),
    ]
