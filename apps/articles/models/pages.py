"""A widget as pages of its articles see it: there is one of each kind for every widget, without a row of its own."""

from apps.accounts.models import Widget


class WidgetArticleGaps(Widget):
    """The page of questions in vain."""

    class Meta:
        proxy = True


class WidgetArticleResults(Widget):
    """The page of articles' results."""

    class Meta:
        proxy = True
