"""Meta calls one address for an app: its key is made here for those who have connected something of Meta's already.

What a person is called may change (`renamed`). Peers move on when their new name is learnt, with their next message.
"""

import hashlib
import secrets
from typing import Any

from django.db import migrations, models

import apps.core.database.fields


def make_keys(state: Any, _editor: Any) -> None:
    settings, connections = (state.get_model("messengers", name) for name in ("VendorSettings", "Connection"))
    for provider in ("wa", "fb"):
        row = settings._default_manager.filter(pk=provider).first()
        if row is None and not connections._base_manager.filter(provider=provider).exists():
            continue
        row = row or settings(provider=provider)
        row.app_key, row.app_verify_token = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        row.app_digest = hashlib.sha256(row.app_key.encode()).digest()
        row.save()


class Migration(migrations.Migration):
    dependencies = [("messengers", "0012_start_links")]

    operations = [
        migrations.AddField(
            "vendorsettings",
            "app_key",
            apps.core.database.fields.EncryptedTextField(blank=True, editable=False, null=True),
        ),
        migrations.AddField("vendorsettings", "app_digest", models.BinaryField(editable=False, null=True, unique=True)),
        migrations.AddField(
            "vendorsettings",
            "app_verify_token",
            apps.core.database.fields.EncryptedTextField(blank=True, editable=False, null=True),
        ),
        migrations.AddField("connection", "route", models.BinaryField(editable=False, null=True)),
        # The database knows nothing of choices.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    "inbound",
                    "event",
                    models.CharField(
                        blank=True,
                        choices=[(name, name) for name in ("edited", "deleted", "started", "added", "renamed")],
                        db_default="",
                        default="",
                        max_length=8,
                    ),
                )
            ]
        ),
        migrations.RunPython(make_keys, migrations.RunPython.noop),
    ]
