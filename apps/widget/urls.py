"""The visitor's side over HTTP."""

from django.urls import path

from apps.core.endpoints import converters  # noqa: F401 - registers `guid`
from apps.widget import views
from apps.widget.api.offers import InvitationOfferViewSet
from apps.widget.api.pages import PageViewSet
from apps.widget.api.visitors import AnswerViewSet, VisitorViewSet
from apps.widget.querysets.settings import HAS_ARTICLES

urlpatterns = [
    path("widget/<guid:guid>/embed.js", PageViewSet.as_view({"get": "loader"}), name="widget-loader"),
    path("widget/<guid:guid>/config", PageViewSet.as_view({"get": "config"})),
    path("widget/<guid:guid>/challenge", PageViewSet.as_view({"get": "challenge"})),
    path("widget/<guid:guid>/invitations", PageViewSet.as_view({"get": "invitations"})),
    path("widget/<guid:guid>/invitations/<id:invitation_id>/offers", InvitationOfferViewSet.as_view({"post": "ask"})),
    path("widget/<guid:guid>/signals", InvitationOfferViewSet.as_view({"post": "signal"})),
    path("widget/<guid:guid>/sessions", PageViewSet.as_view({"post": "session", "delete": "end_session"})),
    path("widget/<guid:guid>/messages", VisitorViewSet.as_view({"get": "messages", "post": "send"})),
    path("widget/<guid:guid>/messages/<id:message_id>/feedback", AnswerViewSet.as_view({"put": "feedback"})),
    path("widget/<guid:guid>/offline", VisitorViewSet.as_view({"post": "leave_offline_message"})),
    path("widget/<guid:guid>/address", VisitorViewSet.as_view({"put": "give_address"})),
    path("widget/<guid:guid>/files", VisitorViewSet.as_view({"post": "upload"})),
    path("widget/<guid:guid>/typing", VisitorViewSet.as_view({"post": "typing"})),
    path("widget/<guid:guid>/seen", VisitorViewSet.as_view({"post": "seen"})),
    path("widget/<guid:guid>/rating", VisitorViewSet.as_view({"post": "rate"})),
    path("widget/<guid:guid>/rating-request", VisitorViewSet.as_view({"delete": "decline_rating"})),
    path("widget/<guid:guid>/verification", VisitorViewSet.as_view({"post": "verify"})),
    path("widget/<guid:guid>/assistant", VisitorViewSet.as_view({"post": "choose_assistant"})),
    path("widget/<guid:guid>/continue", VisitorViewSet.as_view({"post": "go_on"})),
    path("files/icons/<id:icon_id>/<guid:name>", views.icon, name="widget-icon"),
    path("demo/", views.demo_page, name="demo"),
]

if HAS_ARTICLES:
    from apps.widget.api.articles import ReadArticleViewSet, WidgetArticleViewSet

    urlpatterns += [
        path("widget/<guid:guid>/articles", WidgetArticleViewSet.as_view({"get": "list"})),
        path("widget/<guid:guid>/articles/search", WidgetArticleViewSet.as_view({"post": "search"})),
        path("widget/<guid:guid>/articles/<id:article_id>", ReadArticleViewSet.as_view({"get": "retrieve"})),
        path("widget/<guid:guid>/articles/<id:article_id>/reads", ReadArticleViewSet.as_view({"post": "read"})),
        path("widget/<guid:guid>/articles/<id:article_id>/feedback", ReadArticleViewSet.as_view({"put": "feedback"})),
    ]
