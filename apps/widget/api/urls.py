from django.urls import path

from apps.widget.api.appearance import AppearanceViewSet
from apps.widget.api.invitations import ChatInvitationViewSet, InvitationSettingsViewSet
from apps.widget.api.questions import QuestionViewSet
from apps.widget.api.settings import SettingsViewSet
from apps.widget.api.translations import TranslationViewSet

urlpatterns = [
    path("chat-invitations", ChatInvitationViewSet.as_view({"get": "list", "post": "create"})),
    path(
        "chat-invitations/<id:invitation_id>",
        ChatInvitationViewSet.as_view({"get": "retrieve", "patch": "partial_update", "delete": "destroy"}),
    ),
    path("chat-invitations/<id:invitation_id>/results", ChatInvitationViewSet.as_view({"get": "results"})),
    path(
        "widget/invitation-settings",
        InvitationSettingsViewSet.as_view({"get": "retrieve", "patch": "partial_update"}),
    ),
    path("widget/settings/schema", SettingsViewSet.as_view({"get": "describe"})),
    path("widget/settings", SettingsViewSet.as_view({"get": "retrieve", "patch": "partial_update"})),
    path("widget/language", SettingsViewSet.as_view({"get": "language", "put": "set_language"})),
    path("widget/translations", TranslationViewSet.as_view({"get": "retrieve"})),
    path("widget/translations/regenerate", TranslationViewSet.as_view({"post": "regenerate"})),
    path("widget/skins", AppearanceViewSet.as_view({"get": "skins"})),
    path("widget/icons", AppearanceViewSet.as_view({"get": "icons", "post": "upload_icon"})),
    path("widget/embed", AppearanceViewSet.as_view({"get": "embed"})),
    path("widget/questions", QuestionViewSet.as_view({"get": "retrieve", "put": "update"})),
    path("widget/cache/purge", AppearanceViewSet.as_view({"post": "purge"})),
]
