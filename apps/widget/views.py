"""The visitor's HTTP calls, and the demo page."""

import hashlib
from typing import Any

import orjson
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.actions import FILE_FORM
from apps.chats.shapes.files import show_file
from apps.core.endpoints.uploads import is_form, received_upload
from apps.core.endpoints.viewsets import JSON, dump_json
from apps.core.errors import UNSUPPORTED_MEDIA_TYPE
from apps.widget import actions, querysets, rules, shapes
from apps.widget.querysets import EmbeddedWidget
from apps.widget.visits import VisitorCall, address_of, answer, body_of, query_of, spend_visitor

LOADER_CACHED_S = 300
# Of one address: anybody can upload, and what is uploaded stays.
UPLOADS_A_MINUTE = 30


class LoaderCall(VisitorCall):
    """`embed.js`: what a page's script tag loads."""

    needs_session = False

    def get(self, request: HttpRequest) -> HttpResponse:
        config = {
            "guid": self.kwargs["guid"],
            "base_url": settings.PUBLIC_URL,
            "module_url": absolute(static("widget/main.js")),
        }
        # `<` would end a script element, should somebody put the loader into a page.
        config_json = orjson.dumps(config).decode().replace("<", "\\u003c")
        source = render_to_string("widget/embed.js", {"config_json": config_json})
        response = HttpResponse(source, content_type="application/javascript; charset=utf-8")
        response.headers["Cache-Control"] = f"public, max-age={LOADER_CACHED_S}"
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        return unless_known(request, response)


class ConfigCall(VisitorCall):
    """`config`: what the widget shows, in the visitor's language."""

    needs_session = False

    def get(self, request: HttpRequest) -> HttpResponse:
        wished = query_of(request, shapes.CONFIG)["lang"]
        language = rules.language_for(wished, request.headers.get("Accept-Language", ""))
        body = dump_json({"data": served_config(self.widget, self.kwargs["guid"], language)})
        response = HttpResponse(body, content_type=JSON, headers={"Cache-Control": "no-cache"})
        response.headers["Vary"] = "Accept-Language"
        return unless_known(request, response)


class SessionsCall(VisitorCall):
    """`sessions`: a visitor comes, or comes back."""

    needs_session = False

    def post(self, request: HttpRequest) -> HttpResponse:
        body = body_of(request, shapes.SESSION)
        opened = actions.open_session(
            widget_id=self.widget.id,
            token=body.get("visitor_token"),
            about={name: body[name] for name in ("name", "email", "phone", "attributes") if name in body},
            page_url=body["page_url"],
            lang=body["lang"],
        )
        contact = opened.session.contact
        chat_id = None if opened.is_new else querysets.chat_of(contact.pk)
        data = {
            "visitor_token": opened.token,
            "contact_id": contact.guid,
            "chat_id": chat_id,
            "online": querysets.is_online(self.widget.id),
            "messages": [] if chat_id is None else querysets.newest_messages(chat_id),
            "realtime_url": settings.REALTIME_URL,
        }
        return answer(data, 201 if opened.is_new else 200)


class MessagesCall(VisitorCall):
    """`messages`: what the visitor's chat holds, and a new one in it."""

    def get(self, request: HttpRequest) -> HttpResponse:
        query = query_of(request, shapes.AFTER)
        chat_id = querysets.chat_of(self.session.contact_id)
        return answer([] if chat_id is None else querysets.visible_messages(chat_id, **query))

    def post(self, request: HttpRequest) -> HttpResponse:
        posted = actions.post_message(contact=self.session.contact, **message_fields(body_of(request, shapes.MESSAGE)))
        return answer(posted.message, 201 if posted.is_new else 200)


class FilesCall(VisitorCall):
    """`files`: a file of the visitor's, which a message of theirs may send."""

    def post(self, request: HttpRequest) -> HttpResponse:
        if not is_form(request):
            raise UNSUPPORTED_MEDIA_TYPE()
        spend_visitor(address_of(request), "upload", limit=UPLOADS_A_MINUTE)
        with received_upload(request, FILE_FORM) as upload:
            kept = actions.upload_file(contact=self.session.contact, upload=upload)
        return answer(show_file(kept), 201)


class TypingCall(VisitorCall):
    """`typing`: the operators see that the visitor types; before the first message nobody looks."""

    def post(self, request: HttpRequest) -> HttpResponse:
        body = body_of(request, shapes.TYPING)
        chat_id = querysets.chat_of(self.session.contact_id)
        if chat_id is not None:
            actions.tell_typing(chat_id=chat_id, state=body["state"])
        return HttpResponse(status=204)


class SeenCall(VisitorCall):
    """`seen`: the visitor has seen everything up to a message."""

    def post(self, request: HttpRequest) -> HttpResponse:
        body = body_of(request, shapes.SEEN)
        actions.see_messages(contact=self.session.contact, message_id=body["message_id"])
        return HttpResponse(status=204)


class RatingCall(VisitorCall):
    """`rating`: what the visitor thinks of their chat. A second one takes the first one's place."""

    def post(self, request: HttpRequest) -> HttpResponse:
        body = body_of(request, shapes.RATING)
        given = actions.rate_chat(contact=self.session.contact, value=body["value"], comment=body["comment"])
        return answer(shapes.show_rating(given.rating), 201 if given.is_new else 200)


def message_fields(body: dict[str, Any]) -> dict[str, Any]:
    """A validated MessageBody as the arguments of `post_message`."""
    return {
        "client_id": body["client_id"],
        "type_": body["type"],
        "body": body["body"],
        "file_id": body.get("file_id"),
        "department_id": body.get("department_id"),
    }


def served_config(widget: EmbeddedWidget, guid: str, language: str) -> dict[str, Any]:
    """What a visitor is served.

    `texts_url` is the module with the widget's own texts in that language; `features` says which of the optional calls
    this installation has.
    """
    return {
        "guid": guid,
        "language": language,
        "texts_url": absolute(static(f"widget/languages/{language}.js")),
        "widget_name": widget.name,
        "widget_signature": "",
        "widget_greeting": "",
        "widget_position": "right",
        "widget_offset_x": 20,
        "widget_offset_y": 20,
        "widget_button_size": 75,
        "online": querysets.is_online(widget.id),
        "operators": querysets.operators_in_header(widget.id),
        "realtime_url": settings.REALTIME_URL,
        "features": {"rating": True, "offline_form": False, "files": True},
    }


def unless_known(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The response with an ETag, or 304 when the asker has it."""
    etag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    response.headers["ETag"] = etag
    return get_conditional_response(request, etag=etag, response=response) or response


def absolute(path: str) -> str:
    return path if "://" in path else settings.PUBLIC_URL + path


@require_safe
def demo_page(request: HttpRequest) -> HttpResponse:
    """A made-up shop with the installation's first widget, under a strict Content-Security-Policy."""
    widget = Widget.objects.order_by("id").first()
    if widget is None:
        raise Http404
    agent = Agent.objects.of(widget.pk).humans().not_banned().order_by("id").first()
    context = {"public_url": settings.PUBLIC_URL, "guid": widget.guid, "agent_id": agent.pk if agent else ""}
    response = render(request, "widget/demo.html", context)
    response.headers["Content-Security-Policy"] = (
        f"default-src 'none'; script-src 'self' {settings.PUBLIC_URL}; style-src 'self'; img-src 'self' https: data:; "
        f"connect-src 'self' {settings.PUBLIC_URL} {settings.REALTIME_URL}; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    )
    return response
