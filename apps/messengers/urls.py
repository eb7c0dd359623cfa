"""The callback addresses of providers: outside the API, as they have no token."""

from django.urls import path

from apps.core.endpoints import converters
from apps.messengers import views
from apps.messengers.adapters import ADAPTERS, CONNECTED

converters.register_keys("messenger", CONNECTED)
converters.register_keys("pathed_messenger", [code for code in CONNECTED if ADAPTERS[code].adds_path])

urlpatterns = [
    path("hooks/<messenger:provider>/<secret:key>", views.hook, name="messenger-hook"),
    path("hooks/<pathed_messenger:provider>/<secret:key>/message", views.hook),
]
