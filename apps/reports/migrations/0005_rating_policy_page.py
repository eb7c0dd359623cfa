from django.db import migrations


class Migration(migrations.Migration):
    """The cabinet's page of asking for ratings."""

    dependencies = [("accounts", "0012_steps_put_away"), ("reports", "0004_weekly_letters")]

    operations = [
        migrations.CreateModel(
            name="WidgetRatingPolicy",
            fields=[],
            options={"proxy": True, "indexes": [], "constraints": []},
            bases=("accounts.widget",),
        ),
    ]
