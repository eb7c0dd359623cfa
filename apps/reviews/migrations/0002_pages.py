"""The cabinet's pages of reviews and of the scorecard."""

from django.db import migrations


def _page(name: str) -> migrations.CreateModel:
    return migrations.CreateModel(
        name=name,
        fields=[],
        options={"proxy": True, "indexes": [], "constraints": []},
        bases=("accounts.widget",),
    )


class Migration(migrations.Migration):
    dependencies = [("reviews", "0001_initial")]

    operations = [_page("WidgetReviews"), _page("WidgetScorecard")]
