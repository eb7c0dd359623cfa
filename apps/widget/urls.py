"""The visitor's side over HTTP."""

from django.urls import path

from apps.core.endpoints import converters  # noqa: F401 - registers `guid`
from apps.widget import views

urlpatterns = [
    path("widget/<guid:guid>/embed.js", views.LoaderCall.as_view(), name="widget-loader"),
    path("widget/<guid:guid>/config", views.ConfigCall.as_view()),
    path("widget/<guid:guid>/sessions", views.SessionsCall.as_view()),
    path("widget/<guid:guid>/messages", views.MessagesCall.as_view()),
    path("widget/<guid:guid>/files", views.FilesCall.as_view()),
    path("widget/<guid:guid>/typing", views.TypingCall.as_view()),
    path("widget/<guid:guid>/seen", views.SeenCall.as_view()),
    path("widget/<guid:guid>/rating", views.RatingCall.as_view()),
    path("demo/", views.demo_page, name="demo"),
]
