"""The callback addresses of providers: outside the API, as they have no token."""

from django.urls import path

from apps.core.endpoints import converters
from apps.messengers import views
from apps.messengers.rules.providers import CONNECTED

converters.register_keys("messenger", CONNECTED)
converters.register_keys("apple", ("apple",))

urlpatterns = [
    path("hooks/<messenger:provider>/<secret:key>", views.hook, name="messenger-hook"),
    path("hooks/<apple:provider>/<secret:key>/message", views.hook),
]
