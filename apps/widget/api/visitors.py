"""The visitor's calls over HTTP."""

from typing import Any

from apps.chats.actions import FILE_FORM
from apps.chats.errors import CHAT_IS_EMPTY, STORAGE_FAILED
from apps.chats.models import File, Message
from apps.chats.questions import continuation, visitor_desk
from apps.chats.rules.ratings import HIGHEST_RATING, LOWEST_RATING, MAX_COMMENT_LENGTH
from apps.chats.serializers.chats import MessageSerializer
from apps.chats.serializers.files import FileSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Raw, WithStatus, operation
from apps.core.endpoints.serializers import Body, Choice, Integer, Query, QueryInteger, Text
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.core.errors import NOT_FOUND
from apps.widget import actions, querysets
from apps.widget.authentication import VisitorAuthenticator
from apps.widget.errors import (
    AGENT_HANDLES_CHAT,
    ANSWERS_REQUIRED,
    INVALID_EMAIL,
    LETTER_SESSION,
    NO_CHAT,
    NOT_A_MACHINES_MESSAGE,
)
from apps.widget.serializers.requests import (
    AnswerFeedbackBody,
    OfflineMessageBody,
    VisitorMessageBody,
    VisitorSeenBody,
    VisitorTypingBody,
    VisitorWishBody,
)
from apps.widget.serializers.visitors import (
    ChosenAssistantSerializer,
    ContinuationSerializer,
    GivenAddressSerializer,
    RatingSerializer,
    VerificationSerializer,
    VisibleMessagesSerializer,
)


class AddressBody(Body):
    """The address at which the visitor wants the answers that they have not seen; null: none."""

    email = Text(allow_null=True, allow_blank=True, max_length=1_000)


class RatingBody(Body):
    """The visitor's rating of their chat."""

    value = Integer(min_value=LOWEST_RATING, max_value=HIGHEST_RATING)
    comment = Text(required=False, allow_blank=True, max_length=MAX_COMMENT_LENGTH, default="")


class ContinueBody(Body):
    """The messenger in which a visitor goes on: `tg`, Telegram."""

    channel = Choice(choices=["tg"])


class PositionQuery(Query):
    """A position in the chat, and how many messages after it, or before it."""

    after_id = QueryInteger(required=False, default=0, min_value=0, max_value=2**63 - 1)
    before_id = QueryInteger(
        required=False, min_value=1, max_value=2**63 - 1, help_text="The newest before it, in place of `after_id`."
    )
    limit = QueryInteger(required=False, default=20, min_value=1, max_value=100)


def require_own_session(context: RequestContext) -> None:
    """Raises LETTER_SESSION (403) for a session of a letter's link."""
    if context.caller.known.first_id is not None:
        raise LETTER_SESSION()


class VisitorViewSet(EndpointViewSet):
    """The calls of a visitor. Their session's token goes with every call."""

    authenticator = VisitorAuthenticator()

    @operation(
        summary="List the chat's messages", filters=PositionQuery, answers=VisibleMessagesSerializer, literal=True
    )
    def messages(self, context: RequestContext) -> Raw:
        """The visible messages of the visitor's chat after a position, or the newest before `before_id`, oldest first.

        Empty before the first message.
        """
        chat_id, first_id = querysets.chat_of(context.caller.contact.pk), context.caller.known.first_id or 0
        if chat_id is None:
            return Raw({"data": []})
        filters = {**context.filters, "after_id": max(context.filters["after_id"], first_id - 1)}
        found = querysets.visible_messages(chat_id, **filters)
        return Raw({"data": [message for message in found if message["id"] >= first_id]})

    @operation(
        summary="Write a message",
        takes=VisitorMessageBody,
        answers=MessageSerializer,
        status=(201, 200),
        problems=(NOT_FOUND, ANSWERS_REQUIRED, LETTER_SESSION),
        example={"client_id": "0b8f2f0e-6c6a-4a39-9d57-3f0f5f5b9a51", "type": "text", "body": "Hello!"},
    )
    def send(self, context: RequestContext) -> WithStatus:
        """Stores a message; the first one begins the chat. The same `client_id` again gives the same message (200).

        If the config has `questions`, a chat that begins needs the required `answers`: with the first message, after
        a close, after a day's silence. They are stored with the message, or neither is.
        """
        known, body = context.caller.known, {**context.body}
        page_url = body.pop("page_url", "") or known.page_url
        if body.get("answers"):
            require_own_session(context)
        where = {"page_url": page_url, "lang": known.lang, "is_asked": context.caller.is_asked}
        posted = actions.post_message(contact=known.contact, **where, **body)
        return WithStatus(201 if posted.is_new else 200, posted.message)

    @operation(
        summary="Leave an offline message",
        takes=OfflineMessageBody,
        answers=MessageSerializer,
        status=(201, 200),
        problems=(NOT_FOUND, ANSWERS_REQUIRED, LETTER_SESSION),
        example={"name": "Ольга", "phone": "+7 901 123-45-67", "message": "Перезвоните мне, пожалуйста."},
    )
    def leave_offline_message(self, context: RequestContext) -> WithStatus:
        """Stores the message like any other, and what the visitor says of themselves with the contact.

        With `message_id` it is a message that they have written already (200). Emits `offline_message.created`, if no
        operator is connected: once for a message. The same `client_id` again gives the same message (200).
        """
        if context.body.keys() & {"name", "email", "phone", "mail_answers", "answers"}:
            require_own_session(context)
        known = context.caller.known
        posted = actions.leave_offline_message(
            contact=known.contact,
            about=context.body,
            page_url=known.page_url,
            lang=known.lang,
            is_asked=context.caller.is_asked,
        )
        return WithStatus(201 if posted.is_new else 200, posted.message)

    @operation(
        summary="Give the address for e-mails",
        takes=AddressBody,
        answers=GivenAddressSerializer,
        problems=(INVALID_EMAIL, LETTER_SESSION),
        example={"email": "mary@example.org"},
    )
    def give_address(self, context: RequestContext) -> dict[str, Any]:
        """Answers that the visitor has not seen are mailed there, where the widget mails answers; null: nowhere.

        It takes the place of the contact's address. The links of e-mails to another address are over.
        """
        require_own_session(context)
        return {"letters": actions.give_address(contact=context.caller.contact, email=context.body["email"])}

    @operation(
        summary="Upload a file", upload=FILE_FORM, answers=FileSerializer, status=201, problems=(STORAGE_FAILED,)
    )
    def upload(self, context: RequestContext) -> File:
        """Keeps a file of at most 10 MB, which a message of this visitor may send within a day.

        A visitor's uploads within a day are limited, and those of all visitors of a widget together: 429 beyond.
        """
        assert context.upload is not None  # noqa: S101 - it comes in a form or not at all
        return actions.upload_file(contact=context.caller.contact, upload=context.upload)

    @operation(summary="Show the visitor typing", takes=VisitorTypingBody, status=204, example={"state": "start"})
    def typing(self, context: RequestContext) -> None:
        """Shows the operators who have the chat open that the visitor types; without effect before the first
        message.
        """
        chat_id = querysets.chat_of(context.caller.contact.pk)
        if chat_id is not None:
            actions.tell_typing(chat_id=chat_id, state=context.body["state"])

    @operation(
        summary="Mark messages as seen",
        takes=VisitorSeenBody,
        status=204,
        problems=(NOT_FOUND,),
        example={"message_id": 1},
    )
    def seen(self, context: RequestContext) -> None:
        """The visitor has seen everything up to a message."""
        actions.see_messages(contact=context.caller.contact, message_id=context.body["message_id"])

    @operation(
        summary="Rate the chat",
        takes=RatingBody,
        answers=RatingSerializer,
        status=(201, 200),
        problems=(CHAT_IS_EMPTY,),
        example={"value": 5, "comment": "Quick and kind."},
    )
    def rate(self, context: RequestContext) -> WithStatus:
        """Stores the visitor's rating of their chat. A second rating takes the first one's place (200)."""
        given = actions.rate_chat(contact=context.caller.contact, **context.body)
        return WithStatus(201 if given.is_new else 200, given.rating)

    @operation(summary="Put the rating off", status=204)
    def decline_rating(self, context: RequestContext) -> None:
        """Not now: the visitor is not asked for a rating any more, until somebody asks again. It is 204 as well where
        nobody asks.
        """
        actions.decline_rating(contact=context.caller.contact)

    @operation(
        summary="Ask for an e-mail code",
        takes=VisitorWishBody,
        answers=VerificationSerializer,
        status=202,
        problems=(NO_CHAT, AGENT_HANDLES_CHAT, LETTER_SESSION),
        example={},
    )
    def verify(self, context: RequestContext) -> dict[str, Any]:
        """The chat asks for the visitor's mailbox, and mails a code to the first address that they write in half an
        hour; the code, written into the chat, proves it. 404 where the widget sends no codes.
        """
        require_own_session(context)
        desk, chat_id = visitor_desk(), querysets.chat_of(context.caller.contact.pk)
        asked = desk.ask_for_mailbox(context.widget_id, chat_id) if desk else "off"
        if asked == "off":
            raise NOT_FOUND("The widget sends no codes.")
        if asked != "asked":
            raise {"no_chat": NO_CHAT, "agent_handles_chat": AGENT_HANDLES_CHAT}[asked]()
        return {"chat_id": chat_id, "email_requested": True}

    @operation(
        summary="Go on in a messenger",
        takes=ContinueBody,
        answers=ContinuationSerializer,
        status=201,
        problems=(NOT_FOUND, LETTER_SESSION),
        example={"channel": "tg"},
    )
    def go_on(self, context: RequestContext) -> dict[str, Any]:
        """A link that the visitor follows to go on in the messenger: it works once, within ten minutes.

        The chat is theirs there, with all that is in it, and operators see it go on; what they write on the site
        afterwards begins another. Nothing is merged where they have a chat in the messenger already. 404 where the
        messenger is not connected.
        """
        require_own_session(context)
        url = continuation(context.widget_id, context.caller.contact.pk, context.body["channel"])
        if url is None:
            raise NOT_FOUND("The messenger is not connected.")
        return {"url": url}

    @operation(
        summary="Choose the assistant",
        takes=VisitorWishBody,
        answers=ChosenAssistantSerializer,
        status=202,
        problems=(NO_CHAT,),
        example={},
    )
    def choose_assistant(self, context: RequestContext) -> dict[str, Any]:
        """The visitor wants the assistant to answer, rather than the person who did. 404 without a support desk."""
        desk, chat_id = visitor_desk(), querysets.chat_of(context.caller.contact.pk)
        if desk is None:
            raise NOT_FOUND("The widget has no support desk.")
        if desk.choose_assistant(context.widget_id, chat_id) == "no_chat":
            raise NO_CHAT()
        return {"chat_id": chat_id}


class AnswerViewSet(EndpointViewSet):
    """The thumbs of visitors under machines' messages."""

    authenticator = VisitorAuthenticator()
    target = Message

    @operation(
        summary="Say whether an answer helped",
        takes=AnswerFeedbackBody,
        status=204,
        problems=(NOT_FOUND, NOT_A_MACHINES_MESSAGE),
        example={"helpful": True},
    )
    def feedback(self, context: RequestContext) -> None:
        """Stores the visitor's thumb, up or down, under a message that has `ai`; null takes it back.

        Operators see it at the message, and a thumb down counts as unmet demand.
        """
        about = {"message_id": context.target_id, "helpful": context.body["helpful"]}
        actions.rate_answer(contact=context.caller.contact, **about)
