"""The owning account over REST (specification, Endpoints, "Account")."""

from typing import Any

from apps.accounts import rules
from apps.accounts.actions import change_profile
from apps.accounts.models import Account
from apps.accounts.questions import AccountHooks
from apps.accounts.serializers import AccountSerializer, ProfileSerializer
from apps.core import plugins
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.serializers import PatchBody, Text, validator_of
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import NOT_FOUND
from apps.core.parsing.names import name_refusal


class ProfileName(Text):
    """A name or a surname; null clears it."""

    def __init__(self) -> None:
        validators = [validator_of(name_refusal)]
        super().__init__(required=False, allow_null=True, max_length=rules.MAX_NAME_LENGTH, validators=validators)


class ProfileBody(PatchBody):
    """The changes of the profile. A member that is not sent stays as it is, null clears it."""

    read_only_members = ("password",)

    name = ProfileName()
    surname = ProfileName()
    phone = Text(
        required=False,
        allow_null=True,
        max_length=rules.MAX_PHONE_LENGTH,
        validators=[validator_of(rules.phone_refusal)],
        help_text="An optional +, a digit, then digits, spaces, parentheses or hyphens.",
    )


class AccountViewSet(ApiViewSet):
    target, target_field = Account, None
    reads = ("account:read",)
    writes = ("account:write",)

    @operation(summary="Read the owning account", answers=AccountSerializer, problems=(NOT_FOUND,))
    def retrieve(self, context: RequestContext) -> Answer:
        """The profile of the account that owns the widget, and its legal entities, those of sibling widgets too."""
        return shown(context.target)

    @operation(
        summary="Update the owning account",
        takes=ProfileBody,
        answers=AccountSerializer,
        problems=(NOT_FOUND,),
        example={"name": "Ольга", "phone": "+7 900 000-00-00"},
    )
    def partial_update(self, context: RequestContext) -> Answer:
        """Changes what is sent of `name`, `surname` and `phone`, and nothing else.

        Every other member is read-only: the e-mail address and the password are changed in the cabinet, legal entities
        under `/v1/billing/entities`. A new `name` purges the served widget cache of every widget of the account.
        """
        return shown(change_profile(account_id=context.caller.account_id, changes=context.body))


def shown(account: Account) -> dict[str, Any]:
    """The account with the members that other apps plug in; without such an app there are no legal entities."""
    document: dict[str, Any] = {**ProfileSerializer.show(account), "legal_entities": []}
    for members in plugins.hooked(lambda app: app.account_members, AccountHooks):
        document |= members(account.pk)
    return document
