"""The pages of a trial; the post's, only with the app that writes letters."""

from django.apps import apps
from django.urls import URLPattern, path

urlpatterns: list[URLPattern] = []
if apps.is_installed("apps.letters"):
    from apps.demo import views

    urlpatterns = [path("demo/mail", views.MailPage.as_view(), name="demo-mail")]
