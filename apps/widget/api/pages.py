"""The calls of a page before there is a visitor."""

import hashlib
from typing import Any

import orjson
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.cache import get_conditional_response
from django.utils.translation import override
from rest_framework import serializers

from apps.chats.models import Contact
from apps.chats.rules.texts import text_refusal
from apps.chats.serializers.requests import Attributes, ContactEmail, ContactName, ContactPhone
from apps.core.endpoints import addresses
from apps.core.endpoints.answers import JSON, dump_json
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import WithStatus, operation
from apps.core.endpoints.serializers import AnyQuery, Body, Boolean, Query, Text
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.routing.actions.visitors import place_of
from apps.widget import actions, querysets
from apps.widget.actions.offers import note_key
from apps.widget.actions.previews import is_preview_asked
from apps.widget.authentication import VisitorAuthenticator, token_of
from apps.widget.cabinet.invitation_words import words_by_condition
from apps.widget.errors import (
    INVALID_VISITOR_TOKEN,
    LETTER_OVER,
    LETTER_SESSION,
    PROOF_REQUIRED,
)
from apps.widget.querysets.invitations import served_invitations
from apps.widget.querysets.public_config import absolute, served_config
from apps.widget.querysets.questions import known_keys
from apps.widget.querysets.settings import HAS_ARTICLES, settings_of
from apps.widget.rules import MAX_LETTER, MIN_LETTER
from apps.widget.rules.identity import MAX_USER_ID
from apps.widget.rules.proofs import MAX_PROOF
from apps.widget.serializers.invitations import BrowserKey, ServedInvitationsQuery, ServedInvitationsSerializer
from apps.widget.serializers.visitors import (
    ChallengeSerializer,
    ConfigSerializer,
    SessionSerializer,
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

    key = BrowserKey(
        required=False, help_text="The browser's own: what invitations it was offered is its visitor's from now on."
    )
    letter = Text(
        required=False,
        min_length=MIN_LETTER,
        max_length=MAX_LETTER,
        help_text="The token of a letter's link: it opens the chat from the message on that the letter quotes.",
    )
    letter_agreed = Boolean(
        required=False,
        default=False,
        help_text="With `letter`: the visitor was asked, and opens another chat than that of their `visitor_token`.",
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
        if "letter" in attrs and attrs.keys() & {"name", "email", "phone", "attributes", "user_id"}:
            raise serializers.ValidationError({"letter": ["A letter's link says who comes: send nothing of them."]})
        return attrs


class ConfigQuery(Query):
    """The visitor's language, where the page knows it."""

    lang = Text(required=False, allow_blank=True, max_length=35, default="")


class PageViewSet(EndpointViewSet):
    """The calls of a page before there is a visitor."""

    authenticator = VisitorAuthenticator(needs_session=False)

    @operation(
        summary="Load the widget", filters=AnyQuery, media_type=JAVASCRIPT, status=(200, 304), compresses="public"
    )
    def loader(self, context: RequestContext) -> HttpResponse:
        """The script that a page's tag loads: a few kB that load the rest. The query is ignored."""
        config = {
            "guid": context.path["guid"],
            "base_url": settings.PUBLIC_URL,
            "module_url": absolute(static("widget/launcher.js")),
        }
        # `<` would end a script element, should somebody put the loader into a page.
        config_json = orjson.dumps(config).decode().replace("<", "\\u003c")
        source = render_to_string("widget/loader.js", {"config_json": config_json})
        response = HttpResponse(source, content_type=JAVASCRIPT)
        response.headers["Cache-Control"] = f"public, max-age={LOADER_CACHED_S}"
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        return with_etag(context.request, response)

    @operation(
        summary="Read what the widget shows",
        filters=ConfigQuery,
        answers=ConfigSerializer,
        status=(200, 304),
        compresses="public",
    )
    def config(self, context: RequestContext) -> HttpResponse:
        """The widget's config in the visitor's language: their choice (`lang`), if the widget supports it, else the
        widget's; if that is `auto`, the browser's best.

        It is read from the database for each call, and answered with an ETag.
        """
        settings = settings_of(context.widget_id)
        language = settings.language_for(context.filters["lang"], context.request.headers.get("Accept-Language", ""))
        body = dump_json({"data": served_config(settings, language)})
        response = HttpResponse(body, content_type=JSON, headers={"Cache-Control": "no-cache"})
        response.headers["Vary"] = "Accept-Language"
        return with_etag(context.request, response, besides=str(settings.purged_at or ""))

    @operation(
        summary="Read the invitations to chat",
        filters=ServedInvitationsQuery,
        answers=ServedInvitationsSerializer,
        status=(200, 304),
        compresses="public",
    )
    def invitations(self, context: RequestContext) -> HttpResponse:
        """The live invitations as browsers judge them, the first first, without names and texts; with a preview's
        token all of them, with their names, states and conditions in words (404 where it has expired).
        """
        is_preview = is_preview_asked(context.widget_id, context.filters.get("preview"))
        found = served_invitations(settings_of(context.widget_id), is_preview=is_preview)
        if is_preview:
            with override(context.filters["lang"] or None):
                for row in found["invitations"]:
                    row["sentences"] = words_by_condition(row["rule"])
        headers = {"Cache-Control": "no-cache"}
        response = HttpResponse(dump_json({"data": found}), content_type=JSON, headers=headers)
        return with_etag(context.request, response)

    @operation(summary="Ask for a challenge", answers=ChallengeSerializer)
    def challenge(self, context: RequestContext) -> dict[str, Any]:
        """A challenge for a proof of work, after a session call was refused with `proof_required`.

        The proof is a JSON object in base64: `algorithm`, `challenge`, `salt` and `signature` as they are here, and
        `number`, of 0 to `maxnumber`: that of which `salt` with the number behind it hashes to `challenge` (ALTCHA).
        """
        return actions.new_challenge(widget_id=context.widget_id)

    @operation(
        summary="Open a session",
        takes=SessionBody,
        answers=SessionSerializer,
        status=(201, 200),
        problems=(INVALID_VISITOR_TOKEN, PROOF_REQUIRED, LETTER_OVER, LETTER_SESSION),
        example={"name": "Иван", "page_url": "https://shop.example/roses", "lang": "ru"},
    )
    def session(self, context: RequestContext) -> WithStatus:
        """A visitor comes (201), or comes back with their `visitor_token` (200).

        `user_id` with its `identity_hmac` says who they are at the website: of a user who is known (200), the token may
        be another than the one that was sent, which is revoked then. So it is when a visitor without a proof gives
        theirs: keep the answer's `visitor_token`, always. A wrong proof is 422.

        `letter` opens the chat of a letter (201): a session that sees it from the first quoted message on, and changes
        nothing of who the visitor is. The `visitor_token` of that very visitor answers in its place (200). Beside
        another visitor's it needs `letter_agreed`, or is 422: a stranger's link takes nobody into the stranger's chat.
        """
        body, widget_id = context.body, context.widget_id
        if "letter" in body:
            return self._letter_session(context)
        about: dict[str, Any] = {name: body[name] for name in ("name", "email", "phone", "attributes") if name in body}
        opened = actions.open_session(
            widget_id=widget_id,
            token=body.get("visitor_token"),
            about=about,
            page_url=body["page_url"],
            lang=body["lang"],
            referrer=body["referrer"],
            time_zone=body["time_zone"],
            user_agent=context.request.headers.get("User-Agent", ""),
            user_id=body.get("user_id"),
            identity_hmac=body.get("identity_hmac"),
            address=addresses.key_of(context.request),
            proof=body["proof"],
        )
        if context.caller.widget.asks and about:
            actions.note_told(session=opened.session, about=about)
        if "key" in body:
            note_key(contact=opened.session.contact, key=body["key"])
            note_reader(opened.session.contact, body["key"])
        return self._shown(context, opened)

    @operation(summary="End the session", status=204)
    def end_session(self, context: RequestContext) -> None:
        """Ends the session of the token in `Authorization: Visitor <visitor_token>`, such as when a person signs out.

        The token is refused from the next call on, and its sockets are closed with 1008. It is 204 as well where there
        is nothing to end.
        """
        actions.end_session(widget_id=context.widget_id, token=token_of(context.request))

    def _letter_session(self, context: RequestContext) -> WithStatus:
        body = context.body
        opened = actions.open_letter_session(
            widget_id=context.widget_id,
            letter=body["letter"],
            token=body.get("visitor_token"),
            is_agreed=body["letter_agreed"],
            address=addresses.key_of(context.request),
            page_url=body["page_url"],
            lang=body["lang"],
            referrer=body["referrer"],
            time_zone=body["time_zone"],
            user_agent=context.request.headers.get("User-Agent", ""),
        )
        return self._shown(context, opened)

    def _shown(self, context: RequestContext, opened: actions.OpenedSession) -> WithStatus:
        widget_id, contact, first_id = context.widget_id, opened.session.contact, opened.first_id
        chat_id = None if opened.is_new and first_id is None else querysets.chat_of(contact.pk)
        presence = querysets.presence_of(widget_id)
        messages = [] if chat_id is None else querysets.newest_messages(chat_id)
        owner_id, is_queued = querysets.owner_of(chat_id)
        data: dict[str, Any] = {
            "visitor_token": opened.token,
            "contact_id": contact.guid,
            "chat_id": chat_id,
            "online": presence.online,
            "present": presence.shown(owner_id, querysets.display_mode(widget_id)),
            "messages": [message for message in messages if message["id"] >= (first_id or 0)],
            "steps": [] if chat_id is None or first_id is not None else querysets.steps_of(widget_id, chat_id),
            "letters": actions.letters_for(contact, is_letter_session=first_id is not None),
            "queue": place_of(widget_id, chat_id) if chat_id is not None and is_queued else None,
            "realtime_url": settings.REALTIME_URL,
        }
        if context.caller.widget.asks and first_id is None:
            data["known_answers"] = known_keys(contact)
        return WithStatus(201 if opened.is_new else 200, data)


def note_reader(contact: Contact, key: str) -> None:
    """Gives what a browser has read of articles to its visitor."""
    if HAS_ARTICLES:
        from apps.articles.actions.tallies import note_reader

        note_reader(contact=contact, key=key)


def with_etag(request: HttpRequest, response: HttpResponse, *, besides: str = "") -> HttpResponse:
    """The response with a weak ETag, as it is sent compressed, too; or 304 when the client has it."""
    hashed = hashlib.sha256(besides.encode() + response.content).hexdigest()
    etag = f'W/"{hashed[:32]}"'
    response.headers["ETag"] = etag
    return get_conditional_response(request, etag=etag, response=response) or response
