"""The pages of letters' links."""

from django.urls import path

from apps.core.endpoints import converters  # noqa: F401 - `secret`
from apps.letters import doors, views

urlpatterns = [
    path("hooks/letters/<secret:key>", doors.letters_hook, name="letters-hook"),
    path("hooks/letters/<secret:key>/mime", doors.letters_hook),
    path("letters/raw/<secret:name>", doors.raw_letter, name="raw-letter"),
    path("letter/<str:token>", views.OpenLetter.as_view(), name="letter"),
    path("mails/stop/<str:proof>", views.StopLetters.as_view(), name="stop-mails"),
]
