from django.urls import path

from apps.chats.api.agent_statistics import AgentStatisticsViewSet
from apps.chats.api.chats import ChatViewSet
from apps.chats.api.contacts import ContactViewSet, TagViewSet
from apps.chats.api.files import FileViewSet
from apps.chats.api.messages import MessageViewSet
from apps.chats.api.statistics import StatisticsViewSet
from apps.chats.api.transcripts import TranscriptViewSet

urlpatterns = [
    path("chats", ChatViewSet.as_view({"get": "list"})),
    path("chats/<id:chat_id>", ChatViewSet.as_view({"get": "retrieve"})),
    path("chats/<id:chat_id>/close", ChatViewSet.as_view({"post": "close"})),
    path("chats/<id:chat_id>/state", ChatViewSet.as_view({"post": "set_state"})),
    path("chats/<id:chat_id>/transfer", ChatViewSet.as_view({"post": "transfer"})),
    path("chats/<id:chat_id>/priority", ChatViewSet.as_view({"put": "set_priority"})),
    path("chats/<id:chat_id>/rate-request", ChatViewSet.as_view({"post": "rate_request"})),
    path("chats/<id:chat_id>/typing", ChatViewSet.as_view({"post": "typing"})),
    path("chats/<id:chat_id>/seen", ChatViewSet.as_view({"post": "seen"})),
    path("chats/<id:chat_id>/messages", MessageViewSet.as_view({"get": "list", "post": "create"})),
    path("files", FileViewSet.as_view({"post": "create"})),
    path("files/<id:file_id>", FileViewSet.as_view({"get": "retrieve"})),
    path("chats/<id:chat_id>/transcript", TranscriptViewSet.as_view({"get": "retrieve"})),
    path("stats", StatisticsViewSet.as_view({"get": "total"})),
    path("stats/channels", StatisticsViewSet.as_view({"get": "channels"})),
    path("stats/timeseries", StatisticsViewSet.as_view({"get": "series"})),
    path("agents/stats", AgentStatisticsViewSet.as_view({"get": "list"})),
    path("agents/<id:agent_id>/stats", AgentStatisticsViewSet.as_view({"get": "retrieve"})),
    path("contacts", ContactViewSet.as_view({"get": "list"})),
    path("contacts/<guid:guid>", ContactViewSet.as_view({"get": "retrieve", "patch": "partial_update"})),
    path("contacts/<guid:guid>/tags", ContactViewSet.as_view({"post": "tag"})),
    path("tags", TagViewSet.as_view({"get": "list"})),
]
