from django.urls import path

from apps.core import views

urlpatterns = [
    path("", views.home, name="home"),
    path("problems/", views.problem_index, name="problem-index"),
    path("problems/<slug:code>", views.problem_page, name="problem"),
]
