from apps.reports.models.episodes import DerivedChat, EpisodeProgress, EpisodeRow, StaleChat
from apps.reports.models.letters import WeeklyChoice, WeeklyLetter
from apps.reports.models.pages import (
    WidgetMoneyReport,
    WidgetOperatorsReport,
    WidgetRatingPolicy,
    WidgetRatingsReport,
    WidgetReport,
    WidgetWeeklyLetter,
)
from apps.reports.models.ratings import RatingDecision, RatingPolicy

__all__ = [
    "DerivedChat",
    "EpisodeProgress",
    "EpisodeRow",
    "RatingDecision",
    "RatingPolicy",
    "StaleChat",
    "WeeklyChoice",
    "WeeklyLetter",
    "WidgetMoneyReport",
    "WidgetOperatorsReport",
    "WidgetRatingPolicy",
    "WidgetRatingsReport",
    "WidgetReport",
    "WidgetWeeklyLetter",
]
