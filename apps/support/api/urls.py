from django.urls import path

from apps.core.endpoints import converters  # noqa: F401 - registers `id`
from apps.support.api.application_turns import TurnViewSet
from apps.support.api.desk_chats import SupportActionViewSet, SupportAttachmentViewSet, SupportChatViewSet
from apps.support.api.desk_tickets import SupportTicketViewSet
from apps.support.api.integration import IntegrationViewSet
from apps.support.api.links import AccountLinkViewSet, AccountRevocationViewSet
from apps.support.api.speech import SpeechToTextViewSet, TextToSpeechViewSet
from apps.support.api.tickets import AppTicketStatusViewSet, AppTicketViewSet

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
    path("support/tickets", SupportTicketViewSet.as_view({"get": "list"})),
    path("support/tickets/<id:number>", SupportTicketViewSet.as_view({"get": "retrieve"})),
    path("support/tickets/<id:number>/close", SupportTicketViewSet.as_view({"post": "close"})),
    path("support/tickets/<id:number>/reopen", SupportTicketViewSet.as_view({"post": "reopen"})),
    path("support/chats", SupportChatViewSet.as_view({"get": "list"})),
    path("support/chats/<id:chat_id>", SupportChatViewSet.as_view({"get": "retrieve"})),
    path("support/chats/<id:chat_id>/messages", SupportChatViewSet.as_view({"get": "messages"})),
    path(
        "support/chats/<id:chat_id>/messages/<id:message_id>/attachment",
        SupportAttachmentViewSet.as_view({"get": "retrieve"}),
    ),
    path("support/chats/<id:chat_id>/claim", SupportChatViewSet.as_view({"post": "claim"})),
    path("support/chats/<id:chat_id>/release", SupportChatViewSet.as_view({"post": "release"})),
    path("support/chats/<id:chat_id>/reply", SupportChatViewSet.as_view({"post": "reply"})),
    path("support/actions/<id:action_id>", SupportActionViewSet.as_view({"get": "retrieve"})),
]
