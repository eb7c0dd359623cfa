from django.db import migrations


class Migration(migrations.Migration):
    """The documents of invoices are said to be such, so that no chat has them."""

    dependencies = [("billing", "0001_initial"), ("chats", "0003_file_purpose")]

    operations = [
        migrations.RunSQL(
            "UPDATE chats_file SET purpose = 'invoice' FROM billing_invoice WHERE billing_invoice.document_id = chats_file.id",
            migrations.RunSQL.noop,
        )
    ]
