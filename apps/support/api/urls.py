from django.urls import path

from apps.support.api.integration import IntegrationViewSet
from apps.support.api.links import AccountLinkViewSet, AccountRevocationViewSet
from apps.support.api.speech import SpeechToTextViewSet, TextToSpeechViewSet
from apps.support.api.tickets import AppTicketStatusViewSet, AppTicketViewSet
from apps.support.api.turns import TurnViewSet

urlpatterns = [
    path(
        "ai/assistant/integration",
        IntegrationViewSet.as_view({"get": "retrieve", "post": "create", "delete": "destroy"}),
    ),
    path("ai/assistant/turn", TurnViewSet.as_view({"post": "create"})),
    path("ai/assistant/speech-to-text", SpeechToTextViewSet.as_view({"post": "create"})),
    path("ai/assistant/text-to-speech", TextToSpeechViewSet.as_view({"post": "create"})),
    path("ai/assistant/tickets", AppTicketViewSet.as_view({"post": "create"})),
    path("ai/assistant/tickets/status", AppTicketStatusViewSet.as_view({"post": "create"})),
    path("ai/assistant/account-link", AccountLinkViewSet.as_view({"post": "create"})),
    path("ai/assistant/account-link/revoke", AccountRevocationViewSet.as_view({"post": "create"})),
]
