from django.urls import path

from apps.core import views

urlpatterns = [
    path("", views.home, name="home"),
    path("healthz", views.healthz),
    path("readyz", views.readyz),
    path("metrics", views.metrics),
    path("problems/", views.problem_index, name="problem-index"),
    path("problems/<slug:code>", views.problem_page, name="problem"),
]
