"""Episodes count the answers of machines without the phrases of handovers; pages have the money of models.

Chats in which a machine wrote are noted: their rows are derived anew, by the job or by the next read.
"""

from django.db import migrations, models

NOTE_CHATS = """
INSERT INTO reports_stalechat (widget_id, chat_id)
SELECT DISTINCT widget_id, chat_id FROM reports_episoderow WHERE messages_ai > 0 AND answers_ai IS NULL"""


class Migration(migrations.Migration):
    dependencies = [
        ("reports", "0005_rating_policy_page"),
    ]

    operations = [
        migrations.AddField(
            model_name="episoderow",
            name="answers_ai",
            field=models.IntegerField(help_text="Without the phrases of handovers.", null=True),
        ),
        migrations.RunSQL(NOTE_CHATS, migrations.RunSQL.noop),
        migrations.CreateModel(
            name="WidgetMoneyReport",
            fields=[],
            options={"proxy": True, "indexes": [], "constraints": []},
            bases=("accounts.widget",),
        ),
    ]
