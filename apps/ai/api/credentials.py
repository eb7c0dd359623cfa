"""Credentials over REST (specification, Endpoints, "AI configuration")."""

from typing import Any

from apps.ai.actions.credentials import change_credential, create_credential
from apps.ai.actions.models import LISTINGS, models_of
from apps.ai.errors import CREDENTIAL_INACTIVE, PROVIDER_FAILURE
from apps.ai.models import Credential
from apps.ai.rules import configuration as rules
from apps.ai.rules.configuration import BASE_URLS
from apps.ai.serializers.assistants import CredentialSerializer, ModelSerializer
from apps.ai.serializers.requests import Distinct, Id, VisibleAscii
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.outbound_urls import OutboundUrl
from apps.core.endpoints.paging import Page
from apps.core.endpoints.serializers import Body, Boolean, Choice, Integer, PatchBody, Text, validator_of
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import PROVIDER_BUSY
from apps.core.parsing.names import name_refusal


class CredentialBody(Body):
    """A new credential. Null is as if a member were left out."""

    provider = Choice(choices=list(BASE_URLS), help_text="A driver's code; it never changes.")
    api_key = VisibleAscii(max_length=rules.MAX_KEY, help_text="Never shown again, to anybody.")
    base_url = OutboundUrl(
        source="*",
        required=False,
        allow_null=True,
        help_text="https, on a public address. Required for `openai_compatible`; of the others, a gateway's.",
    )
    model = Text(required=False, allow_null=True, max_length=rules.MAX_MODEL, validators=[validator_of(name_refusal)])
    uses = Distinct(
        required=False,
        allow_null=True,
        min_length=1,
        max_length=len(rules.Use),
        child=Choice(choices=[use.value for use in rules.Use]),
        help_text="The uses that it is for; without it, both.",
    )
    embedding_model = Text(
        required=False,
        allow_null=True,
        max_length=rules.MAX_MODEL,
        validators=[validator_of(name_refusal)],
        source="own_embedding_model",
        help_text="The model for the knowledge base; without it, it is found out by itself.",
    )
    timeout_s = Integer(
        required=False,
        allow_null=True,
        min_value=rules.MIN_TIMEOUT_S,
        max_value=rules.MAX_TIMEOUT_S,
        help_text="The seconds that one call may take; a reply may take twice as many, and 45 at least.",
    )
    context_tokens = Integer(
        required=False,
        allow_null=True,
        min_value=rules.MIN_CONTEXT_TOKENS,
        max_value=rules.MAX_CONTEXT_TOKENS,
        help_text="The context of the model: what is sent fits into it. Null: not known.",
    )
    signing_secret = VisibleAscii(
        required=False,
        allow_null=True,
        min_length=rules.MIN_SIGNING_SECRET,
        max_length=rules.MAX_SIGNING_SECRET,
        help_text="Signs each request: `X-Service-Signature` of the raw body. Never shown.",
    )
    is_active = Boolean(required=False)
    assistant_id = Id(required=False, allow_null=True, help_text="Only for this assistant.")
    operator_id = Id(required=False, allow_null=True, help_text="Only for this AI operator.")
    backup_credential_id = Id(
        required=False,
        allow_null=True,
        source="backup_id",
        help_text="The credential that is used when this one fails.",
    )


class CredentialChangesBody(PatchBody):
    """The changes of a credential; null clears. A `base_url` of another origin needs `api_key` with it."""

    of, without, read_only_members = CredentialBody, ("provider",), ("provider",)


_CLEARED: dict[str, Any] = {
    **dict.fromkeys(("url", "target", "model", "own_embedding_model"), ""),
    "timeout_s": rules.DEFAULT_TIMEOUT_S,
    "uses": list(rules.Use),
}


def kept(members: dict[str, Any]) -> dict[str, Any]:
    """The members by the names of the row's columns, with what is kept where they are null."""
    named = {("base_url" if name == "url" else name): value for name, value in members.items()}
    if named.get("base_url", "") is None:
        named |= {"base_url": "", "target": ""}
    kept = {name: _CLEARED.get(name) if value is None else value for name, value in named.items()}
    if "uses" in kept:
        uses = kept.pop("uses") or ()
        kept |= {"for_answers": rules.Use.ANSWERS in uses, "for_knowledge": rules.Use.KNOWLEDGE in uses}
    return kept


class CredentialViewSet(ApiViewSet):
    target = Credential
    reads = ("ai:read",)
    writes = ("ai:credentials:write",)

    @operation(summary="List credentials", answers=CredentialSerializer, lists=True)
    def list(self, context: RequestContext) -> Page:
        """The widget's credentials, newest first, without their keys."""
        return context.page(Credential.objects.for_widget(context.widget_id))

    @operation(
        summary="Store a credential",
        takes=CredentialBody,
        answers=CredentialSerializer,
        status=201,
        calls_out=True,
        example={"provider": "openai", "api_key": "sk-0000000000000000"},
    )
    def create(self, context: RequestContext) -> Answer:
        """Used for the operator or the assistant that it names, else for the whole widget. The key is encrypted."""
        with context.outbound.write():
            credential = create_credential(widget_id=context.widget_id, **kept(context.body))
            context.outbound.made(credential.pk)
            return credential

    @operation(
        summary="Change a credential",
        takes=CredentialChangesBody,
        answers=CredentialSerializer,
        calls_out=True,
        example={"is_active": False},
    )
    def partial_update(self, context: RequestContext) -> Answer:
        """Rotates the key, retires the credential with `is_active: false`, or moves it."""
        with context.outbound.write():
            changes = kept(context.body)
            change_credential(widget_id=context.widget_id, credential_id=context.target_id, changes=changes)
            return context.target

    @operation(
        summary="List a credential's models",
        answers=ModelSerializer,
        lists="whole",
        calls_out=True,
        problems=(CREDENTIAL_INACTIVE, PROVIDER_BUSY, PROVIDER_FAILURE),
        limits=(LISTINGS,),
    )
    def models(self, context: RequestContext) -> Answer:
        """Asks the provider now: the models that the key may use, recommended ones first."""
        return context.whole(
            [one._asdict() for one in models_of(widget_id=context.widget_id, credential=context.target)]
        )
