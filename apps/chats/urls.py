"""The addresses of files, signed; and of a page of the cabinet by its former name."""

from django.urls import path, re_path
from django.views.generic import RedirectView

from apps.chats import views

urlpatterns = [
    path("files/<str:name>", views.file, name="file"),
    # For who looks at the end of an address to learn what it leads to, as Viber does.
    # A signed name has a dot: other apps' files are below names without one.
    re_path(r"^files/(?P<name>[^/]+\.[^/]+)/(?P<shown>[^/]+)$", views.file),
    # Links that people kept: the model was called DeskSettings.
    path(
        "admin/chats/desksettings/<path:rest>",
        RedirectView.as_view(url="/admin/chats/consolesettings/%(rest)s", query_string=True),
    ),
    path(
        "admin/chats/desksettings/",
        RedirectView.as_view(url="/admin/chats/consolesettings/", query_string=True),
    ),
]
