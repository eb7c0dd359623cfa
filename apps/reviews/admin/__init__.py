from apps.reviews.admin.pages import WidgetReviewsAdmin, WidgetScorecardAdmin

__all__ = ["WidgetReviewsAdmin", "WidgetScorecardAdmin"]
