"""A widget as pages of its articles see it: there is one of each kind for every widget, without a row of its own."""

from apps.accounts.models import Widget


class WidgetArticleGaps(Widget):
    """What was asked in vain."""

    class Meta:
        proxy = True


class WidgetArticleResults(Widget):
    """Which articles answer."""

    class Meta:
        proxy = True
