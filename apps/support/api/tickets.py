"""Tickets from the application over REST (specification, Endpoints, "Signed application-assistant endpoints")."""

from typing import Any

from rest_framework import serializers

from apps.ai.serializers.requests import Id
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.serializers import Body, Choice, Integer, Items, Text
from apps.core.errors import NOT_FOUND
from apps.support.actions.intake import (
    ASKED,
    FILED,
    FILED_BY_ACCOUNT,
    NEWEST,
    file_ticket,
    read_status,
    takes_app_tickets,
)
from apps.support.authentication import SignedViewSet
from apps.support.errors import REQUEST_ID_REUSED, UNSUPPORTED_CONTRACT
from apps.support.rules.tickets import INTAKE_SOURCES, Category
from apps.support.serializers.application import FiledTicketSerializer, TicketStatusesSerializer
from apps.support.serializers.requests import Context, ContractBody, Email, OwnId, SpokenText, UserId

MAX_ID = 2**63 - 1


class AccountBody(Body):
    """The account of the ticket."""

    user_id = UserId()
    email = Email(required=False)
    name = SpokenText(required=False, max_length=255)
    locale = Text(required=False, max_length=35)


class ClientBody(Body):
    """The customer's device and application."""

    platform = Choice(required=False, choices=["ios", "android", "web", "desktop", "other"])
    app = Text(required=False, max_length=100)
    version = Text(required=False, max_length=100)
    os = Text(required=False, max_length=100)
    device = Text(required=False, max_length=100)


class Currency(Text):
    """Three capital letters."""

    default_error_messages = {"code": "Must be a currency's three capital letters, such as EUR."}

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if len(text) != 3 or not text.isascii() or not text.isalpha() or not text.isupper():
            self.fail("code")
        return text


class RefundBody(Body):
    """The refund that is asked for."""

    order_id = Text(max_length=100)
    amount_minor = Integer(required=False, min_value=0, max_value=MAX_ID)
    currency = Currency(required=False)
    reason = SpokenText(required=False, max_length=1_000)


class AppTicketBody(ContractBody):
    """The request of a customer of the application."""

    contract_name, other_contract = "app-ticket.v1", UNSUPPORTED_CONTRACT

    request_id = OwnId()
    source = Choice(choices=[source.value for source in INTAKE_SOURCES])  # type: ignore[assignment]
    category = Choice(choices=[category.value for category in Category])
    message = SpokenText(max_length=10_000)
    subject = SpokenText(required=False, max_length=200)
    in_reply_to = Id(required=False, help_text="A ticket of this account.")
    account = AccountBody()
    client = ClientBody()
    context = Context(required=False, help_text="At most 16 KiB.")  # type: ignore[assignment]
    refund = RefundBody(required=False)


class StatusAccountBody(Body):
    """The account of the tickets."""

    user_id = UserId()


class CursorBody(Body):
    """One ticket, and the last reply that is known of it."""

    number = Id()
    after_message_id = Integer(min_value=0, max_value=MAX_ID)


class Cursors(Items):
    """Tickets, each once."""

    def to_internal_value(self, data: Any) -> list[Any]:
        found: list[Any] = super().to_internal_value(data)
        if len({one["number"] for one in found}) < len(found):
            raise serializers.ValidationError("Each ticket may be asked for once.")
        return found


class AppTicketStatusBody(ContractBody):
    """The tickets of an account to read."""

    contract_name, other_contract = "app-ticket-status.v1", UNSUPPORTED_CONTRACT

    account = StatusAccountBody()
    tickets = Cursors(
        required=False,
        child=CursorBody(),
        allow_empty=False,
        max_length=NEWEST,
        help_text=f"Without it, the account's newest {NEWEST}, from their first reply on.",
    )


class AppTicketViewSet(SignedViewSet):
    def is_there(self, context: RequestContext) -> bool:
        return takes_app_tickets(context.widget_id)

    @operation(
        summary="File a ticket",
        takes=AppTicketBody,
        answers=FiledTicketSerializer,
        max_body=128 * 1024,
        problems=(NOT_FOUND, UNSUPPORTED_CONTRACT, REQUEST_ID_REUSED),
        limits=(FILED, FILED_BY_ACCOUNT),
        example={
            "contract": "app-ticket.v1",
            "request_id": "8f14e45f",
            "source": "app",
            "category": "bug",
            "message": "The app closes when I pay.",
            "account": {"user_id": "u-42", "email": "anna@mail.example"},
            "client": {"platform": "ios", "version": "4.2"},
        },
    )
    def create(self, context: RequestContext) -> Answer:
        """An account has one room and one open ticket: further requests go to that ticket.

        The customer is never contacted; replies are read via the status. While app tickets are off, the address is 404.
        """
        return file_ticket(binding=self.binding(context), **context.body)


class AppTicketStatusViewSet(SignedViewSet):
    @operation(
        summary="Read an account's tickets",
        takes=AppTicketStatusBody,
        answers=TicketStatusesSerializer,
        problems=(UNSUPPORTED_CONTRACT,),
        limits=(ASKED,),
        example={"contract": "app-ticket-status.v1", "account": {"user_id": "u-42"}},
    )
    def create(self, context: RequestContext) -> Answer:
        """People's replies after each cursor, oldest first, at most 50 a ticket; `last_message_id` is the next cursor.
        Numbers that are not the account's come back in `not_found`.
        """
        user_id = context.body["account"]["user_id"]
        return read_status(binding=self.binding(context), user_id=user_id, tickets=context.body.get("tickets"))
