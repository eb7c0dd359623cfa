"""A widget as the pages of its reports see it: there is one of each kind for every widget, without a row of its own."""

from apps.accounts.models import Widget


class WidgetReport(Widget):
    """The report of a widget, and its lists."""

    class Meta:
        proxy = True


class WidgetOperatorsReport(Widget):
    """The report by operator."""

    class Meta:
        proxy = True


class WidgetRatingsReport(Widget):
    """The report of ratings."""

    class Meta:
        proxy = True


class WidgetRatingPolicy(Widget):
    """How visitors are asked for ratings."""

    class Meta:
        proxy = True


class WidgetWeeklyLetter(Widget):
    """The choice of the weekly letter, and its newest one."""

    class Meta:
        proxy = True


class WidgetMoneyReport(Widget):
    """The report of the cost of models."""

    class Meta:
        proxy = True
