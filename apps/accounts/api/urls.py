from django.urls import path

from apps.accounts.api.account import AccountViewSet

urlpatterns = [path("account", AccountViewSet.as_view({"get": "retrieve", "patch": "partial_update"}))]
