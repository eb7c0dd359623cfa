"""The operator's side over HTTP."""

from django.urls import path

from apps.console import views
from apps.console.api.tickets import TicketViewSet

urlpatterns = [
    path("console/", views.home, name="console"),
    path("console/login/", views.SignIn.as_view(), name="console-login"),
    path("console/logout/", views.sign_out, name="console-logout"),
    path("console/break/", views.switch_break, name="console-break"),
    path("console/ticket", TicketViewSet.as_view({"post": "create"})),
]
