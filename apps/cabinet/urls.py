"""The pages on the way into the cabinet. They stand in front of the cabinet's own."""

from django.contrib import admin
from django.urls import path

from apps.cabinet import chosen_widget, first_steps, views
from apps.cabinet.shown_once import shown_once

urlpatterns = [
    path("admin/login/", views.CabinetSignIn.as_view()),
    path("admin/logout/", views.sign_out),
    path("sign-on", views.sign_on, name="sign-on"),
    path("signed-on", views.signed_on, name="signed-on"),
    path("admin/login/code/", views.SecondStep.as_view(), name="sign-in-code"),
    path("admin/password_change/", views.change_password),
    # By this name the cabinet's page of signing in finds it.
    path("password/forgotten", views.ForgottenPassword.as_view(), name="admin_password_reset"),
    path("password/new/<str:who>/<str:proof>", views.NewPassword.as_view(), name="new-password"),
    path("colleagues/<str:link>", views.BecomeColleague.as_view(), name="become-colleague"),
    path("admin/two-factor/", views.CabinetTwoFactor.as_view(), name="two-factor"),
    path("admin/choose/<int:widget_id>/", admin.site.admin_view(chosen_widget.choose), name="choose-widget"),
    path("admin/first-steps/<int:widget_id>/", admin.site.admin_view(first_steps.put_away), name="first-steps"),
    path("admin/shown-once/", admin.site.admin_view(shown_once), name="shown-once"),
]
