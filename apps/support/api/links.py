"""Accounts tied to chats over REST (specification, Endpoints, "Signed application-assistant endpoints")."""

from datetime import datetime
from typing import Any

from django.utils import timezone
from rest_framework import serializers

from apps.ai.serializers.requests import Id
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Raw, operation
from apps.core.endpoints.serializers import Body, Choice, Text
from apps.core.errors import NOT_FOUND
from apps.support.actions.links import LINKED, REVOKED, link_account, may_link, revoke_account
from apps.support.authentication import SignedViewSet
from apps.support.errors import (
    CHAT_BOUND_TO_OTHER_ACCOUNT,
    CHAT_NOT_LINKABLE,
    REQUEST_ID_REUSED,
    TARGET_NOT_SUPPORTED_YET,
    UNSUPPORTED_CONTRACT,
)
from apps.support.rules.identities import LinkSource
from apps.support.serializers.application import AccountLinkSerializer, AccountRevocationSerializer
from apps.support.serializers.requests import ContractBody, Email, OwnId, SpokenText, UserId

TARGETS = ("chat_id", "ticket", "widget_visitor")


class FutureMoment(serializers.DateTimeField):
    """A moment that is still to come, with its offset."""

    default_error_messages = {"past": "Must be in the future.", "offset": "Must have an offset, such as Z."}

    def to_internal_value(self, data: Any) -> datetime:
        if not isinstance(data, str) or len(data) > 40:
            self.fail("invalid", format="2026-11-21T10:45:00Z")
        moment: datetime = super().to_internal_value(data)
        if moment <= timezone.now():
            self.fail("past")
        return moment

    def enforce_timezone(self, value: datetime) -> datetime:
        if timezone.is_naive(value):
            self.fail("offset")
        return value


class TargetBody(Body):
    """The target chats: exactly one member. Raises TARGET_NOT_SUPPORTED_YET (422)."""

    chat_id = Id(required=False)
    ticket = Id(required=False, help_text="A ticket's number: its chat.")
    widget_visitor = Text(required=False, max_length=32, help_text="A contact's id: each of their chats.")

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if isinstance(data, dict) and "telegram_user" in data:
            raise TARGET_NOT_SUPPORTED_YET()
        return super().to_internal_value(data)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if len(attrs) != 1:
            raise serializers.ValidationError(f"Exactly one of {', '.join(TARGETS)} is needed.")
        return attrs


class LinkedAccountBody(Body):
    """The account whose chat it is."""

    app_user_id = UserId()
    email = Email(required=False, help_text="A mailbox that the application has confirmed.")


class GrantBody(Body):
    """The token with which the application's assistant may read, and its expiry."""

    token = Text(min_length=16, max_length=2048)
    expires_at = FutureMoment()


class AccountLinkBody(ContractBody):
    """An account that the application has proved to be the customer's."""

    contract_name, other_contract = "account-link.v1", UNSUPPORTED_CONTRACT

    request_id = OwnId()
    target = TargetBody()
    account = LinkedAccountBody()
    method = Choice(choices=[source.value for source in LinkSource])
    identity_expires_at = FutureMoment(help_text="Clamped to the method's longest life.")
    grant = GrantBody(help_text="Clamped to 30 minutes.")
    verification_ref = SpokenText(required=False, max_length=200)


class AccountRevocationBody(ContractBody):
    """The link to remove."""

    contract_name, other_contract = "account-link-revoke.v1", UNSUPPORTED_CONTRACT

    request_id = OwnId()
    target = TargetBody()
    reason = SpokenText(max_length=200)


_TARGET = {"chat_id": 7}


class _LinkViewSet(SignedViewSet):
    def is_there(self, context: RequestContext) -> bool:
        return may_link(context.widget_id)


class AccountLinkViewSet(_LinkViewSet):
    @operation(
        summary="Tie an account to chats",
        takes=AccountLinkBody,
        answers=AccountLinkSerializer,
        literal=True,
        problems=(
            *(NOT_FOUND, UNSUPPORTED_CONTRACT, TARGET_NOT_SUPPORTED_YET, REQUEST_ID_REUSED),
            *(CHAT_NOT_LINKABLE, CHAT_BOUND_TO_OTHER_ACCOUNT),
        ),
        limits=(LINKED,),
        example={
            "contract": "account-link.v1",
            "request_id": "link-1",
            "target": _TARGET,
            "account": {"app_user_id": "u-42"},
            "method": "cabinet",
            "identity_expires_at": "2026-11-21T22:00:00Z",
            "grant": {"token": "0123456789abcdef", "expires_at": "2026-11-21T10:30:00Z"},
        },
    )
    def create(self, context: RequestContext) -> Raw:
        """The same account extends and never shortens; another's live identity is refused, and nothing is changed.
        While the widget is not on the account-link list, the address is 404.
        """
        return Raw(link_account(binding=self.binding(context), **context.body))


class AccountRevocationViewSet(_LinkViewSet):
    @operation(
        summary="Untie an account from chats",
        takes=AccountRevocationBody,
        answers=AccountRevocationSerializer,
        literal=True,
        problems=(*(NOT_FOUND, UNSUPPORTED_CONTRACT, TARGET_NOT_SUPPORTED_YET, REQUEST_ID_REUSED),),
        limits=(REVOKED,),
        example={
            "contract": "account-link-revoke.v1",
            "request_id": "revoke-1",
            "target": _TARGET,
            "reason": "signed out",
        },
    )
    def create(self, context: RequestContext) -> Raw:
        """Clears identity, grant and confirmed mailbox; `{"bound": false}` when nothing was bound. An app room's
        account is hidden until its next signed ticket.
        """
        return Raw(revoke_account(binding=self.binding(context), **context.body))
