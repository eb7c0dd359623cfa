from django.db import migrations


def _page(name: str) -> migrations.CreateModel:
    return migrations.CreateModel(
        name=name,
        fields=[],
        options={"proxy": True, "indexes": [], "constraints": []},
        bases=("accounts.widget",),
    )


class Migration(migrations.Migration):
    """The cabinet's pages of what was asked in vain, and of which articles answer."""

    dependencies = [("accounts", "0012_steps_put_away"), ("articles", "0002_searching")]

    operations = [_page("WidgetArticleGaps"), _page("WidgetArticleResults")]
