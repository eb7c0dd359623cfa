"""Models have the field's names; their tables stay, so processes of the release before go on."""

from typing import Any

from django.db import migrations


def rename_permissions(apps: Any, schema_editor: Any) -> None:
    """Staff who may edit subscriptions still may: a permission is looked up by the model's name."""
    for permission in apps.get_model("auth", "Permission").objects.filter(
        content_type__app_label="billing", codename__endswith="_subscription"
    ):
        action, _, _ = permission.codename.partition("_")
        permission.codename = f"{action}_plansubscription"
        permission.save(update_fields=["codename"])


class Migration(migrations.Migration):
    dependencies = [("billing", "0003_entity_writes"), ("auth", "0012_alter_user_first_name_max_length")]

    operations = [
        migrations.AlterModelTable("Subscription", "billing_subscription"),
        migrations.RenameModel("Subscription", "PlanSubscription"),
        migrations.RunPython(rename_permissions, migrations.RunPython.noop, elidable=True),
    ]
