from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("messengers", "0013_apps_of_meta")]

    operations = [
        AddIndexConcurrently(
            "connection",
            models.Index(
                condition=models.Q(("route__isnull", False)), fields=["route"], name="messengers_connection_route"
            ),
        ),
    ]
