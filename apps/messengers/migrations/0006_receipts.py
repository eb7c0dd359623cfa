from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("messengers", "0005_health_and_renewal")]

    operations = [
        AddIndexConcurrently("outboundmessage", GinIndex(fields=["external_ids"], name="messengers_outbound_external")),
    ]
