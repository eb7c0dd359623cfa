"""The visitor's calls over HTTP."""

import hashlib
from typing import Any

import orjson
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.cache import get_conditional_response
from rest_framework import serializers

from apps.chats.actions import FILE_FORM
from apps.chats.errors import CHAT_IS_EMPTY, STORAGE_FAILED
from apps.chats.models import File
from apps.chats.rules.ratings import HIGHEST_RATING, LOWEST_RATING, MAX_COMMENT_LENGTH
from apps.chats.serializers.chats import MessageSerializer
from apps.chats.serializers.files import FileSerializer
from apps.chats.serializers.requests import Attributes, ContactEmail, ContactName, ContactPhone
from apps.core.endpoints import addresses
from apps.core.endpoints.answers import JSON, dump_json
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Raw, WithStatus, operation
from apps.core.endpoints.serializers import AnyQuery, Body, Integer, Query, QueryInteger, Text
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.core.errors import NOT_FOUND
from apps.core.questions import visitor_desk
from apps.widget import actions, querysets
from apps.widget.authentication import VisitorAuthenticator
from apps.widget.errors import AGENT_HANDLES_CHAT, INVALID_VISITOR_TOKEN, NO_CHAT, PROOF_REQUIRED
from apps.widget.querysets.public_config import absolute, served_config
from apps.widget.querysets.settings import settings_of
from apps.widget.rules.identity import MAX_USER_ID
from apps.widget.rules.proofs import MAX_PROOF
from apps.widget.rules.translations import text_refusal
from apps.widget.serializers.requests import (
    OfflineMessageBody,
    VisitorMessageBody,
    VisitorSeenBody,
    VisitorTypingBody,
    VisitorWishBody,
)
from apps.widget.serializers.visitors import (
    ChallengeSerializer,
    ChosenAssistantSerializer,
    ConfigSerializer,
    RatingSerializer,
    SessionSerializer,
    VerificationSerializer,
    VisibleMessagesSerializer,
)

JAVASCRIPT = "text/javascript; charset=utf-8"
LOADER_CACHED_S = 300


class SessionBody(Body):
    """`POST sessions`: who the visitor is, as far as the page knows."""

    visitor_token = Text(required=False, max_length=200)
    name = ContactName(required=False, allow_blank=True)
    email = ContactEmail(required=False, allow_blank=True)
    phone = ContactPhone(required=False, allow_blank=True)
    attributes = Attributes(required=False, allow_null=True)
    page_url = Text(required=False, allow_blank=True, max_length=2000, default="")
    lang = Text(required=False, allow_blank=True, max_length=35, default="")
    referrer = Text(required=False, allow_blank=True, max_length=4096, default="")  # browsers cut it there
    time_zone = Text(required=False, allow_blank=True, max_length=64, default="", help_text="Such as `Europe/Moscow`.")
    user_id = Text(required=False, min_length=1, max_length=MAX_USER_ID, help_text="The website's own id of its user.")
    identity_hmac = Text(required=False, max_length=200, help_text="The HMAC-SHA256 that proves it, in hexadecimal.")
    proof = Text(
        required=False, max_length=MAX_PROOF, default="", help_text="The answer to a challenge, base64 of JSON."
    )

    def validate_user_id(self, value: str) -> str:
        if refusal := text_refusal(value, multiline=False):
            raise serializers.ValidationError(refusal)
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        pair = ("user_id", "identity_hmac")
        lacking = [name for name in pair if name not in attrs]
        if len(lacking) == 1:
            raise serializers.ValidationError({lacking[0]: ["The two prove each other: send both, or neither."]})
        return attrs


class RatingBody(Body):
    """The visitor's rating of their chat."""

    value = Integer(min_value=LOWEST_RATING, max_value=HIGHEST_RATING)
    comment = Text(required=False, allow_blank=True, max_length=MAX_COMMENT_LENGTH, default="")


class AfterQuery(Query):
    """A position in the chat, and how many messages after it."""

    after_id = QueryInteger(required=False, default=0, min_value=0, max_value=2**63 - 1)
    limit = QueryInteger(required=False, default=20, min_value=1, max_value=100)


class ConfigQuery(Query):
    """The visitor's language, where the page knows it."""

    lang = Text(required=False, allow_blank=True, max_length=35, default="")


class PageViewSet(EndpointViewSet):
    """The calls of a page before there is a visitor."""

    authenticator = VisitorAuthenticator(needs_session=False)

    @operation(
        summary="Load the widget", filters=AnyQuery, media_type=JAVASCRIPT, status=(200, 304), compresses="public"
    )
    def loader(self, call: RequestContext) -> HttpResponse:
        """The script that a page's tag loads: a few kB that load the rest. The query is ignored."""
        config = {
            "guid": call.path["guid"],
            "base_url": settings.PUBLIC_URL,
            "module_url": absolute(static("widget/launcher.js")),
        }
        # `<` would end a script element, should somebody put the loader into a page.
        config_json = orjson.dumps(config).decode().replace("<", "\\u003c")
        source = render_to_string("widget/embed.js", {"config_json": config_json})
        response = HttpResponse("\n".join(map(str.strip, source.splitlines())), content_type=JAVASCRIPT)
        response.headers["Cache-Control"] = f"public, max-age={LOADER_CACHED_S}"
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        return with_etag(call.request, response)

    @operation(
        summary="Read what the widget shows",
        filters=ConfigQuery,
        answers=ConfigSerializer,
        status=(200, 304),
        compresses="public",
    )
    def config(self, call: RequestContext) -> HttpResponse:
        """The widget's config in the visitor's language: their choice (`lang`), if the widget supports it, else the
        widget's; if that is `auto`, the browser's best.

        It is read from the database for each call, and answered with an ETag.
        """
        settings = settings_of(call.widget_id)
        language = settings.language_for(call.filters["lang"], call.request.headers.get("Accept-Language", ""))
        body = dump_json({"data": served_config(settings, language)})
        response = HttpResponse(body, content_type=JSON, headers={"Cache-Control": "no-cache"})
        response.headers["Vary"] = "Accept-Language"
        return with_etag(call.request, response, besides=str(settings.purged_at or ""))

    @operation(summary="Ask for a challenge", answers=ChallengeSerializer)
    def challenge(self, call: RequestContext) -> dict[str, Any]:
        """A challenge for a proof of work, after a session call was refused with `proof_required`.

        The proof is a JSON object in base64: `algorithm`, `challenge`, `salt` and `signature` as they are here, and
        `number`, of 0 to `maxnumber`: that of which `salt` with the number behind it hashes to `challenge` (ALTCHA).
        """
        return actions.new_challenge(widget_id=call.widget_id)

    @operation(
        summary="Open a session",
        takes=SessionBody,
        answers=SessionSerializer,
        status=(201, 200),
        problems=(INVALID_VISITOR_TOKEN, PROOF_REQUIRED),
        example={"name": "Иван", "page_url": "https://shop.example/roses", "lang": "ru"},
    )
    def session(self, call: RequestContext) -> WithStatus:
        """A visitor comes (201), or comes back with their `visitor_token` (200).

        `user_id` with its `identity_hmac` says who they are at the website: of a user who is known (200), the token may
        be another than the one that was sent, which is revoked then. A wrong proof is 422.
        """
        body, widget_id = call.body, call.widget_id
        opened = actions.open_session(
            widget_id=widget_id,
            token=body.get("visitor_token"),
            about={name: body[name] for name in ("name", "email", "phone", "attributes") if name in body},
            page_url=body["page_url"],
            lang=body["lang"],
            referrer=body["referrer"],
            time_zone=body["time_zone"],
            user_agent=call.request.headers.get("User-Agent", ""),
            user_id=body.get("user_id"),
            identity_hmac=body.get("identity_hmac"),
            address=addresses.key_of(call.request),
            proof=body["proof"],
        )
        contact = opened.session.contact
        chat_id = None if opened.is_new else querysets.chat_of(contact.pk)
        presence = querysets.presence_of(widget_id)
        data = {
            "visitor_token": opened.token,
            "contact_id": contact.guid,
            "chat_id": chat_id,
            "online": presence.online,
            "present": presence.shown(querysets.owner_of(chat_id), querysets.display_mode(widget_id)),
            "messages": [] if chat_id is None else querysets.newest_messages(chat_id),
            "steps": [] if chat_id is None else querysets.steps_of(widget_id, chat_id),
            "realtime_url": settings.REALTIME_URL,
        }
        return WithStatus(201 if opened.is_new else 200, data)


class VisitorViewSet(EndpointViewSet):
    """The calls of a visitor. Their session's token goes with every call."""

    authenticator = VisitorAuthenticator()

    @operation(summary="List the chat's messages", filters=AfterQuery, answers=VisibleMessagesSerializer, literal=True)
    def messages(self, call: RequestContext) -> Raw:
        """The visible messages of the visitor's chat after a position, oldest first; empty before the first message."""
        chat_id = querysets.chat_of(call.caller.contact.pk)
        return Raw({"data": [] if chat_id is None else querysets.visible_messages(chat_id, **call.filters)})

    @operation(
        summary="Write a message",
        takes=VisitorMessageBody,
        answers=MessageSerializer,
        status=(201, 200),
        problems=(NOT_FOUND,),
        example={"client_id": "0b8f2f0e-6c6a-4a39-9d57-3f0f5f5b9a51", "type": "text", "body": "Hello!"},
    )
    def send(self, call: RequestContext) -> WithStatus:
        """Stores a message; the first one begins the chat. The same `client_id` again gives the same message (200)."""
        posted = actions.post_message(contact=call.caller.contact, **call.body)
        return WithStatus(201 if posted.is_new else 200, posted.message)

    @operation(
        summary="Leave an offline message",
        takes=OfflineMessageBody,
        answers=MessageSerializer,
        status=(201, 200),
        problems=(NOT_FOUND,),
        example={"name": "Ольга", "phone": "+7 901 123-45-67", "message": "Перезвоните мне, пожалуйста."},
    )
    def leave_offline_message(self, call: RequestContext) -> WithStatus:
        """Stores the message like any other, and what the visitor says of themselves with the contact.

        With `message_id` it is a message that they have written already (200). Emits `offline_message.created`, if no
        operator is connected: once for a message. The same `client_id` again gives the same message (200).
        """
        posted = actions.leave_offline_message(contact=call.caller.contact, about=call.body)
        return WithStatus(201 if posted.is_new else 200, posted.message)

    @operation(
        summary="Upload a file", upload=FILE_FORM, answers=FileSerializer, status=201, problems=(STORAGE_FAILED,)
    )
    def upload(self, call: RequestContext) -> File:
        """Keeps a file of at most 10 MB, which a message of this visitor may send within a day.

        A visitor's uploads within a day are limited, and those of all visitors of a widget together: 429 beyond.
        """
        assert call.upload is not None  # noqa: S101 - it comes in a form or not at all
        return actions.upload_file(contact=call.caller.contact, upload=call.upload)

    @operation(summary="Show the visitor typing", takes=VisitorTypingBody, status=204, example={"state": "start"})
    def typing(self, call: RequestContext) -> None:
        """Shows the operators who have the chat open that the visitor types; without effect before the first
        message.
        """
        chat_id = querysets.chat_of(call.caller.contact.pk)
        if chat_id is not None:
            actions.tell_typing(chat_id=chat_id, state=call.body["state"])

    @operation(
        summary="Mark messages as seen",
        takes=VisitorSeenBody,
        status=204,
        problems=(NOT_FOUND,),
        example={"message_id": 1},
    )
    def seen(self, call: RequestContext) -> None:
        """The visitor has seen everything up to a message."""
        actions.see_messages(contact=call.caller.contact, message_id=call.body["message_id"])

    @operation(
        summary="Rate the chat",
        takes=RatingBody,
        answers=RatingSerializer,
        status=(201, 200),
        problems=(CHAT_IS_EMPTY,),
        example={"value": 5, "comment": "Quick and kind."},
    )
    def rate(self, call: RequestContext) -> WithStatus:
        """Stores the visitor's rating of their chat. A second rating takes the first one's place (200)."""
        given = actions.rate_chat(contact=call.caller.contact, **call.body)
        return WithStatus(201 if given.is_new else 200, given.rating)

    @operation(
        summary="Ask for an e-mail code",
        takes=VisitorWishBody,
        answers=VerificationSerializer,
        status=202,
        problems=(NO_CHAT, AGENT_HANDLES_CHAT),
        example={},
    )
    def verify(self, call: RequestContext) -> dict[str, Any]:
        """The chat asks for the visitor's mailbox, and mails a code to the first address that they write in half an
        hour; the code, written into the chat, proves it. 404 where the widget sends no codes.
        """
        desk, chat_id = visitor_desk(), querysets.chat_of(call.caller.contact.pk)
        asked = desk.ask_for_mailbox(call.widget_id, chat_id) if desk else "off"
        if asked == "off":
            raise NOT_FOUND("The widget sends no codes.")
        if asked != "asked":
            raise {"no_chat": NO_CHAT, "agent_handles_chat": AGENT_HANDLES_CHAT}[asked]()
        return {"chat_id": chat_id, "email_requested": True}

    @operation(
        summary="Choose the assistant",
        takes=VisitorWishBody,
        answers=ChosenAssistantSerializer,
        status=202,
        problems=(NO_CHAT,),
        example={},
    )
    def choose_assistant(self, call: RequestContext) -> dict[str, Any]:
        """The visitor wants the assistant to answer, rather than the person who did. 404 without a support desk."""
        desk, chat_id = visitor_desk(), querysets.chat_of(call.caller.contact.pk)
        if desk is None:
            raise NOT_FOUND("The widget has no support desk.")
        if desk.choose_assistant(call.widget_id, chat_id) == "no_chat":
            raise NO_CHAT()
        return {"chat_id": chat_id}


def with_etag(request: HttpRequest, response: HttpResponse, *, besides: str = "") -> HttpResponse:
    """The response with a weak ETag, as it is sent compressed, too; or 304 when the client has it."""
    hashed = hashlib.sha256(besides.encode() + response.content).hexdigest()
    etag = f'W/"{hashed[:32]}"'
    response.headers["ETag"] = etag
    return get_conditional_response(request, etag=etag, response=response) or response
