"""The pages of a trial, each only with the app that it shows."""

from django.apps import apps
from django.urls import URLPattern, path

urlpatterns: list[URLPattern] = []
if apps.is_installed("apps.widget"):
    from apps.demo.views.played_shop import played_shop

    urlpatterns.append(path("demo/model", played_shop, name="demo-model"))
if apps.is_installed("apps.letters"):
    from apps.demo.views.mail import MailPage

    urlpatterns.append(path("demo/mail", MailPage.as_view(), name="demo-mail"))
