"""Legal entities over REST (specification, Endpoints, "Billing"): the account's, shared by all its widgets."""

from typing import Any

from rest_framework import serializers

from apps.accounts.audit.trail import by_token
from apps.accounts.rules import MAX_PHONE_LENGTH, phone_refusal
from apps.billing.actions.entities import WRITES, change_entity, create_entity, delete_entity
from apps.billing.errors import (
    ENTITY_LOCKED_BY_PENDING_WITHDRAWAL,
    ENTITY_REFERENCED_BY_FINANCIAL_RECORD,
)
from apps.billing.models import LegalEntity
from apps.billing.rules import entities as rules
from apps.billing.serializers import LegalEntitySerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.serializers import Body, PatchBody, Text, validator_of
from apps.core.endpoints.viewsets import ApiViewSet

HELP = {
    "inn": "10 digits of an organisation, 12 of an entrepreneur; the check digits must be right.",
    "kpp": "9 digits; an entrepreneur, who has none, sends nine zeros.",
    "ogrn": "13 digits of an organisation, 15 of an entrepreneur; the check digit must be right.",
    "bik": "9 digits.",
    "checking_account": "20 digits, a JSON string; its key must be right with the `bik`.",
    "correspondent_account": "20 digits, a JSON string; its key must be right with the `bik`.",
}


class DigitsField(Text):
    """A number of so many digits, as a string."""

    def __init__(self, name: str, **options: Any) -> None:
        super().__init__(help_text=HELP[name], **options)
        self.name = name

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if refusal := rules.number_refusal(self.name, text):
            raise serializers.ValidationError(refusal)
        return text


class LegalEntityBody(Body):
    """A legal entity: each of its fourteen fields."""

    def get_fields(self) -> dict[str, Any]:
        texts: dict[str, Any] = {
            name: Text(max_length=longest, validators=[validator_of(rules.text_refusal)])
            for name, longest in rules.TEXTS.items()
        }
        phone = Text(max_length=MAX_PHONE_LENGTH, validators=[validator_of(phone_refusal)])
        return texts | {"contact_phone": phone} | {name: DigitsField(name) for name in rules.NUMBERS}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if refusals := rules.bank_refusals(attrs, frozenset(rules.ACCOUNTS)):
            raise serializers.ValidationError({name: [text] for name, text in refusals.items()})
        return attrs


class LegalEntityChangesBody(PatchBody):
    """The changes of a legal entity. A field that is not sent stays as it is."""

    of = LegalEntityBody


EXAMPLE = {
    "short_name": "ООО «Лист и чайник»",
    "full_name": "Общество с ограниченной ответственностью «Лист и чайник»",
    "representative": "Романова Ольга Сергеевна",
    "legal_address": "117312, г. Москва, ул. Вавилова, д. 19",
    "postal_address": "117312, г. Москва, а/я 19",
    "contact_person": "Романова Ольга",
    "contact_phone": "+7 (495) 123-45-67",
    "inn": "7707083893",
    "kpp": "770701001",
    "ogrn": "1027700132195",
    "bank_name": "ПАО Сбербанк",
    "bik": "044525225",
    "checking_account": "40702810838000000017",
    "correspondent_account": "30101810400000000225",
}


class LegalEntityViewSet(ApiViewSet):
    target = LegalEntity
    reads = ("billing:read",)
    writes = ("billing:write",)

    @operation(summary="List legal entities", answers=LegalEntitySerializer, lists=True)
    def list(self, context: RequestContext) -> Page:
        """All legal entities of the account that owns the widget, newest first."""
        return context.page(LegalEntity.objects.for_widget(context.widget_id))

    @operation(summary="Read a legal entity", answers=LegalEntitySerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """One legal entity of the account."""
        return context.target

    @operation(
        summary="Create a legal entity",
        takes=LegalEntityBody,
        answers=LegalEntitySerializer,
        status=201,
        limits=(WRITES,),
        example=EXAMPLE,
    )
    def create(self, context: RequestContext) -> LegalEntity:
        """Every one of the fourteen fields is required; numbers are strings of digits.

        Creating, changing and deleting share one limit.
        """
        with by_token(context.caller.token_id):
            return create_entity(account_id=context.caller.account_id, fields=context.body)

    @operation(
        summary="Update a legal entity",
        takes=LegalEntityChangesBody,
        answers=LegalEntitySerializer,
        problems=(ENTITY_LOCKED_BY_PENDING_WITHDRAWAL,),
        limits=(WRITES,),
        example={"contact_person": "Петров Иван", "contact_phone": "+7 901 123-45-67"},
    )
    def partial_update(self, context: RequestContext) -> LegalEntity:
        """Changes what is sent and nothing else. Accounts and the BIK must fit as they would be then.

        Refused while a withdrawal that names the entity is not paid.
        """
        with by_token(context.caller.token_id):
            return change_entity(widget_id=context.widget_id, entity_id=context.target_id, changes=context.body)

    @operation(
        summary="Delete a legal entity",
        status=204,
        problems=(
            ENTITY_LOCKED_BY_PENDING_WITHDRAWAL,
            ENTITY_REFERENCED_BY_FINANCIAL_RECORD,
        ),
        limits=(WRITES,),
    )
    def destroy(self, context: RequestContext) -> None:
        """Refused while a withdrawal that names the entity is not paid, and once an invoice or a transaction does."""
        with by_token(context.caller.token_id):
            delete_entity(widget_id=context.widget_id, entity_id=context.target_id)
