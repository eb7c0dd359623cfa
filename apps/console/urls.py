"""The operator's side over HTTP."""

from django.urls import path

from apps.console import views
from apps.console.api.assists import AssistViewSet, ChatAssistViewSet, ToolViewSet
from apps.console.api.attributes import AttributeKindViewSet
from apps.console.api.blocks import ConsoleBlockViewSet
from apps.console.api.cards import ShopCardViewSet
from apps.console.api.chats import ConsoleChatViewSet
from apps.console.api.copies import ChatCopiesViewSet
from apps.console.api.evaluations import MessageCaseViewSet
from apps.console.api.files import ConsoleFileViewSet
from apps.console.api.inbox import InboxViewSet
from apps.console.api.macros import ChatMacroViewSet, ConsoleMacroViewSet, ConsoleRunViewSet
from apps.console.api.me import MeViewSet
from apps.console.api.messages import ConsoleMessageViewSet
from apps.console.api.people import ConsoleContactViewSet, PersonsJoinViewSet, PersonsNoteViewSet
from apps.console.api.pushes import PushViewSet
from apps.console.api.queue import ConsoleQueueViewSet, OfferViewSet
from apps.console.api.replies import FilledReplyViewSet, ReplyTranslationViewSet, ReplyViewSet
from apps.console.api.report import OwnReportViewSet
from apps.console.api.reviews import ConsoleReviewViewSet, ScorecardViewSet
from apps.console.api.settings import DeskSettingsViewSet
from apps.console.api.status import StatusViewSet
from apps.console.api.tickets import TicketViewSet
from apps.console.api.translations import ChatTranslationViewSet
from apps.console.api.wishes import OperatorsWishViewSet
from apps.core.endpoints import converters  # noqa: F401 - registers `id` and `guid`

_CHAT = "console/chats/<id:chat_id>"
_CONTACT = "console/contacts/<guid:contact_guid>"

urlpatterns = [
    path("console/", views.home, name="console"),
    path("console/login/", views.ConsoleSignIn.as_view(), name="console-login"),
    path("console/logout/", views.sign_out, name="console-logout"),
    path("console/two-factor/", views.ConsoleTwoFactor.as_view(), name="console-two-factor"),
    path("console/password/", views.ChangePassword.as_view(), name="console-password"),
    path("console/password/changed/", views.password_changed, name="console-password-changed"),
    path("console/ticket", TicketViewSet.as_view({"post": "create"})),
    path("console/status", StatusViewSet.as_view({"put": "update"})),
    path("console/me", MeViewSet.as_view({"get": "retrieve", "patch": "partial_update"})),
    path("console/report", OwnReportViewSet.as_view({"get": "retrieve"})),
    path("console/scorecard", ScorecardViewSet.as_view({"get": "retrieve", "put": "update"})),
    path("console/reviews", ConsoleReviewViewSet.as_view({"get": "list", "post": "create"})),
    path("console/reviews/agreement", ConsoleReviewViewSet.as_view({"get": "agreement"})),
    path("console/reviews/<id:review_id>", ConsoleReviewViewSet.as_view({"get": "retrieve"})),
    path("console/reviews/<id:review_id>/scores", ConsoleReviewViewSet.as_view({"put": "score"})),
    path("console/reviews/<id:review_id>/reply", ConsoleReviewViewSet.as_view({"post": "reply"})),
    path("console/reviews/<id:review_id>/settle", ConsoleReviewViewSet.as_view({"post": "settle"})),
    path("console/reviews/<id:review_id>/prefill", ConsoleReviewViewSet.as_view({"post": "suggest"})),
    path("console/settings", DeskSettingsViewSet.as_view({"get": "retrieve", "patch": "partial_update"})),
    path("console/attributes", AttributeKindViewSet.as_view({"get": "retrieve", "put": "update"})),
    path("console/push", PushViewSet.as_view({"get": "retrieve", "put": "update", "post": "forget"})),
    path("console/manifest.webmanifest", views.manifest, name="console-manifest"),
    path("console/worker.js", views.worker),
    path("console/inbox", InboxViewSet.as_view({"get": "list"})),
    path("console/unanswered", InboxViewSet.as_view({"get": "elsewhere"})),
    path("console/search", InboxViewSet.as_view({"get": "search"})),
    path(_CHAT, ConsoleChatViewSet.as_view({"get": "retrieve"})),
    path(f"{_CHAT}/messages", ConsoleChatViewSet.as_view({"get": "messages"})),
    path(f"{_CHAT}/accept", ConsoleChatViewSet.as_view({"post": "accept"})),
    path(f"{_CHAT}/assign", ConsoleChatViewSet.as_view({"post": "assign"})),
    path(f"{_CHAT}/transfer", ConsoleChatViewSet.as_view({"post": "transfer"})),
    path(f"{_CHAT}/return", ConsoleChatViewSet.as_view({"post": "give_back"})),
    path(f"{_CHAT}/dealt-with", ConsoleChatViewSet.as_view({"post": "dealt_with"})),
    path(f"{_CHAT}/snooze", ConsoleChatViewSet.as_view({"post": "snooze"})),
    path(f"{_CHAT}/wake", ConsoleChatViewSet.as_view({"post": "wake"})),
    path(f"{_CHAT}/close", ConsoleChatViewSet.as_view({"post": "close"})),
    path(f"{_CHAT}/state", ConsoleChatViewSet.as_view({"post": "set_state"})),
    path("console/queue", ConsoleQueueViewSet.as_view({"get": "retrieve"})),
    path(f"{_CHAT}/decline", OfferViewSet.as_view({"post": "decline"})),
    path(f"{_CHAT}/priority", ConsoleChatViewSet.as_view({"put": "set_priority"})),
    path(f"{_CHAT}/block", ConsoleChatViewSet.as_view({"post": "block"})),
    path(f"{_CHAT}/assists", ChatAssistViewSet.as_view({"post": "create"})),
    path("console/assists/<id:assist_id>", AssistViewSet.as_view({"get": "retrieve", "patch": "partial_update"})),
    path("console/tools", ToolViewSet.as_view({"get": "list"})),
    path("console/blocks/<id:block_id>", ConsoleBlockViewSet.as_view({"delete": "destroy"})),
    path(f"{_CHAT}/rate-request", ConsoleChatViewSet.as_view({"post": "rate_request"})),
    path(
        "console/messages/<id:message_id>",
        ConsoleMessageViewSet.as_view({"patch": "partial_update", "delete": "destroy"}),
    ),
    path("console/messages/<id:message_id>/edits", ConsoleMessageViewSet.as_view({"get": "edits"})),
    path("console/messages/<id:message_id>/resend", ConsoleMessageViewSet.as_view({"post": "resend"})),
    path("console/messages/<id:message_id>/letter", ConsoleMessageViewSet.as_view({"get": "letter"})),
    path("console/messages/<id:message_id>/evaluation-case", MessageCaseViewSet.as_view({"post": "create"})),
    path(f"{_CHAT}/copies", ChatCopiesViewSet.as_view({"get": "retrieve", "put": "update"})),
    path(f"{_CHAT}/translation", ChatTranslationViewSet.as_view({"put": "update"})),
    path(f"{_CHAT}/wishes", OperatorsWishViewSet.as_view({"post": "create"})),
    path(f"{_CHAT}/cards", ShopCardViewSet.as_view({"get": "list"})),
    path(f"{_CHAT}/cards/<str:key>/actions", ShopCardViewSet.as_view({"post": "press"})),
    path("console/replies", ReplyViewSet.as_view({"get": "list", "post": "create"})),
    path("console/replies/<id:reply_id>", ReplyViewSet.as_view({"patch": "partial_update", "delete": "destroy"})),
    path(
        "console/replies/<id:reply_id>/translations/<slug:lang>",
        ReplyTranslationViewSet.as_view({"put": "update", "delete": "destroy"}),
    ),
    path(f"{_CHAT}/replies/<id:reply_id>", FilledReplyViewSet.as_view({"get": "retrieve"})),
    path("console/macros", ConsoleMacroViewSet.as_view({"get": "list", "post": "create"})),
    path(
        "console/macros/<id:macro_id>",
        ConsoleMacroViewSet.as_view({"patch": "partial_update", "delete": "destroy"}),
    ),
    path(f"{_CHAT}/macros/<id:macro_id>", ChatMacroViewSet.as_view({"get": "retrieve", "post": "run"})),
    path("console/runs/<id:run_id>/undo", ConsoleRunViewSet.as_view({"post": "undo"})),
    path("console/files", ConsoleFileViewSet.as_view({"post": "create"})),
    path("console/files/<id:file_id>", ConsoleFileViewSet.as_view({"get": "retrieve"})),
    path("console/contacts", ConsoleContactViewSet.as_view({"get": "list"})),
    path(f"{_CONTACT}/notes", ConsoleContactViewSet.as_view({"post": "note"})),
    path(f"{_CONTACT}/notes/<id:note_id>", PersonsNoteViewSet.as_view({"delete": "destroy"})),
    path(f"{_CONTACT}/join", ConsoleContactViewSet.as_view({"post": "join"})),
    path(f"{_CONTACT}/join/<guid:other_guid>", PersonsJoinViewSet.as_view({"delete": "destroy"})),
    path(_CONTACT, ConsoleContactViewSet.as_view({"get": "retrieve", "patch": "partial_update"})),
    path(f"{_CONTACT}/tags", ConsoleContactViewSet.as_view({"post": "tag"})),
    path(f"{_CONTACT}/tags/<path:name>", ConsoleContactViewSet.as_view({"delete": "untag"})),
]
