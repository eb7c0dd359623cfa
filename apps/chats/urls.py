"""The addresses of files, signed."""

from django.urls import path

from apps.chats import views

urlpatterns = [
    path("files/<str:name>", views.file, name="file"),
    # For who looks at the end of an address to learn what it leads to, as Viber does.
    path("files/<str:name>/<str:shown>", views.file),
]
