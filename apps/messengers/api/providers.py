"""Providers over REST (specification, Endpoints, "Messengers, communities and ad cabinets")."""

from collections.abc import Callable
from typing import Any

from rest_framework import serializers

from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.serializers import Body, Query, Text
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import NOT_FOUND
from apps.egress import EgressRefused, vet
from apps.messengers.actions.connections import calls_quota, connect, disconnect, verify
from apps.messengers.actions.overview import provider_of, providers_of
from apps.messengers.adapters import ADAPTERS, is_writable
from apps.messengers.adapters.adapter import Adapter
from apps.messengers.errors import (
    CALL_PROBLEMS,
    CREDENTIAL_REJECTED,
    MESSENGER_ACCOUNT_IN_USE,
    MESSENGER_NOT_CONNECTED,
    PAID_PLAN_REQUIRED,
    PROVIDER_NOT_VERIFIABLE,
    PROVIDER_NOT_WRITABLE,
)
from apps.messengers.rules import providers as rules
from apps.messengers.rules.providers import token_refusal
from apps.messengers.serializers import ProviderSerializer


class NoParameters(Query):
    """A list that is never paged takes none."""


class ProviderBody(Body):
    """The whole credential: every member that the provider declares, and no other; `wa` and `fb` may lack the link."""

    requires_context = True

    url = Text(
        required=False,
        allow_null=True,
        max_length=rules.MAX_URL,
        help_text="The link for visitors, https (`vb` also viber://), or null. For `apple` the address of the gateway.",
    )
    token = Text(max_length=rules.MAX_TOKEN, help_text="The provider's token. Never shown again.")
    sid = Text(
        required=False, max_length=rules.MAX_SID, help_text="`wa`: the phone number's id; `apple`: the provider's id."
    )
    app_secret = Text(
        required=False,
        allow_null=True,
        max_length=rules.MAX_TOKEN,
        help_text="`wa` and `fb`: the secret of an app of your own at Meta, which proves its updates. Left out: the "
        "one that is kept stays; null: there is none, and the installation's app delivers. Never shown again.",
    )

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        provider = self.context["call"].path["provider"]
        if not is_writable(provider):
            raise PROVIDER_NOT_WRITABLE()
        adapter = ADAPTERS[provider]
        declared = adapter.fields
        checks = {
            "token": adapter.token_refusal,
            "sid": adapter.sid_refusal,
            "url": self._url_refusal(adapter),
            "app_secret": token_refusal,
        }
        errors: dict[str, Any] = {}
        try:
            members = super().to_internal_value(data)
        except serializers.ValidationError as error:
            errors, members = dict(error.detail), {}  # type: ignore[arg-type]
        for name in checks:
            if name in data and name not in (*declared, *adapter.optional):
                errors.setdefault(name, [self.unknown_member])
            elif name in declared and name not in data and name not in adapter.optional:
                errors[name] = ["This field is required."]
        for name, value in members.items():
            if name not in errors and value is not None and (refusal := checks[name](value)):
                errors[name] = [refusal]
        if adapter.has_own_address and "url" not in errors and data.get("url") is None:
            errors["url"] = ["This field may not be null."]
        if errors:
            raise serializers.ValidationError(errors)
        return self._as_kept(adapter, members)

    def _url_refusal(self, adapter: Adapter) -> Callable[[str], str | None]:
        """The check of the link; an address that is called is looked at later (`_as_kept`)."""
        return (lambda _: None) if adapter.has_own_address else adapter.url_refusal

    def _as_kept(self, adapter: Adapter, members: dict[str, Any]) -> dict[str, Any]:
        if adapter.has_own_address:
            try:
                members["target"] = vet(members["url"], place=self.context["call"].outbound.slot()).url
            except EgressRefused as error:
                raise serializers.ValidationError({"url": [str(error)]}) from None
        return {**members, "url": members.get("url") or ""}


class MessengerViewSet(ApiViewSet):
    reads = ("messengers:read",)
    writes = ("messengers:write",)
    shared_arguments = ("provider",)

    @operation(summary="List messengers", answers=ProviderSerializer, lists="whole", filters=NoParameters)
    def list(self, context: RequestContext) -> Page:
        """All eleven providers, connected or not, in one order. Credentials and callback addresses are never shown."""
        return context.whole(providers_of(context.widget_id))

    @operation(summary="Read a messenger", answers=ProviderSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """A provider as the widget has it. `vk` shows the primary community, `custom` whether there is a channel."""
        return provider_of(context.widget_id, context.path["provider"])

    @operation(
        summary="Connect a messenger",
        takes=ProviderBody,
        answers=ProviderSerializer,
        calls_out=True,
        limits=(calls_quota(),),
        problems=(
            PROVIDER_NOT_WRITABLE,
            CREDENTIAL_REJECTED,
            PAID_PLAN_REQUIRED,
            MESSENGER_ACCOUNT_IN_USE,
            *CALL_PROBLEMS,
        ),
        example={"url": None, "token": "123456789:AAExampleExampleExampleExampleExample"},
    )
    def update(self, context: RequestContext) -> Answer:
        """Replaces the credential whole: every member of `fields`, each time.

        For `tg`, `wa` and `fb` the token is tried first; a wrong one stores nothing. So is a token that takes another's
        place, for each messenger that can be asked: 422 on `token` where it is wrong, or where the messenger does not
        answer and the one before works; that one goes on working. Then it is stored, and the callback address
        registered: read `webhook` of the answer. While that says `failed` the credential is saved and nothing comes in;
        verify tries again.

        `ali` is not confirmed: no public document describes its chats, so its contract is assumed.
        """
        connect(provider=context.path["provider"], fields=context.body, outbound=context.outbound)
        return provider_of(context.widget_id, context.path["provider"])

    @operation(
        summary="Disconnect a messenger",
        status=204,
        calls_out=True,
        limits=(calls_quota(),),
        problems=(NOT_FOUND, *CALL_PROBLEMS),
    )
    def destroy(self, context: RequestContext) -> None:
        """Removes the credential; chats and contacts stay.

        `tg`, `vk`, `vb`, `ok`, `mx` and `cian` are told, the others may go on calling an address that is gone.
        For `vk` all communities go, for `custom` all channels.
        """
        disconnect(provider=context.path["provider"], outbound=context.outbound)

    @operation(
        summary="Register a messenger again",
        answers=ProviderSerializer,
        calls_out=True,
        limits=(calls_quota(),),
        problems=(
            PROVIDER_NOT_VERIFIABLE,
            CREDENTIAL_REJECTED,
            MESSENGER_NOT_CONNECTED,
            PAID_PLAN_REQUIRED,
            *CALL_PROBLEMS,
        ),
    )
    def verify(self, context: RequestContext) -> Answer:
        """Registers the stored credential once more, of `vk` every community's. Read `webhook` of the answer."""
        verify(provider=context.path["provider"], outbound=context.outbound)
        return provider_of(context.widget_id, context.path["provider"])
