from django.apps import apps as django_apps
from django.urls import path

from apps.reports.api.money import MoneyReportViewSet
from apps.reports.api.ratings import RatingPolicyViewSet, RatingViewSet
from apps.reports.api.reports import ReportViewSet

urlpatterns = [
    path("reports", ReportViewSet.as_view({"get": "total"})),
    path("reports/ai", MoneyReportViewSet.as_view({"get": "total"})),
    path("reports/export", ReportViewSet.as_view({"get": "export"})),
    path("reports/episodes", ReportViewSet.as_view({"get": "episodes"})),
    path("ratings", RatingViewSet.as_view({"get": "list"})),
]

if django_apps.is_installed("apps.widget"):  # whose scopes it asks for
    urlpatterns += [
        path("rating-policy", RatingPolicyViewSet.as_view({"get": "retrieve", "patch": "partial_update"})),
    ]
