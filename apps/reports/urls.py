"""The pages of links in letters, and the addresses of pages that reports took the place of."""

from django.urls import path
from django.views.generic import RedirectView

from apps.core.endpoints import converters  # noqa: F401 - registers `secret`
from apps.reports.views.ratings import Rate
from apps.reports.views.weekly_letter import StopWeeklyLetter, old_statistics

_STATISTICS = "admin/chats/widgetstatistics/"

urlpatterns = [
    path("rate/<secret:token>", Rate.as_view(), name="rate"),
    path("letters/weekly/stop/<str:proof>", StopWeeklyLetter.as_view(), name="stop-weekly-letter"),
    path(_STATISTICS, RedirectView.as_view(pattern_name="admin:reports_widgetreport_changelist")),
    path(f"{_STATISTICS}<int:widget_id>/change/", old_statistics),
]
