"""The addresses of files, signed."""

from django.urls import path

from apps.chats import views

urlpatterns = [path("files/<str:name>", views.file, name="file")]
