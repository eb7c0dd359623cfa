"""The cabinet's forms that move money: amounts are written with a fraction, each form has a reference of its own."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any
from uuid import uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop, pgettext_lazy
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from apps.accounts.models import Widget
from apps.accounts.rules import phone_refusal
from apps.billing.actions.invoices import Item
from apps.billing.actions.ledger import request_withdrawal, top_up
from apps.billing.actions.partners import pay_partner, reward_partner
from apps.billing.models import Invoice, LegalEntity, Payee, Plan, PlanSubscription, Transaction
from apps.billing.rules import entities
from apps.billing.rules.ledger import CURRENCY, MAX_AMOUNT, SCALES, SubscriptionKind
from apps.billing.rules.payments import VAT_RATES
from apps.cabinet.coded_values import display_value
from apps.cabinet.forms import LocalTimeInput
from apps.chats.rules import MAX_FILE_BYTES

_SCALE = SCALES[CURRENCY]

# What MoneyRefused says, for the catalogue of translations.
REFUSALS = (
    gettext_noop("There is not enough money available."),
    gettext_noop("The amount is not positive, or too large."),
    gettext_noop("The reference was used for another move of money."),
    gettext_noop("The reference was used for another plan."),
    gettext_noop("The legal entity is not the account's."),
    gettext_noop("This is no withdrawal."),
    gettext_noop("The withdrawal was settled otherwise."),
    gettext_noop("The plan is not on sale."),
    gettext_noop("The widget has the plan for good."),
    gettext_noop("The invoice was cancelled."),
    gettext_noop("The invoice was paid."),
    gettext_noop("It is too late to undo this."),
)

# What values are called.
VALUES = (
    *(pgettext_lazy("value", "top_up"), pgettext_lazy("value", "invoice_payment")),
    *(pgettext_lazy("value", "plan_purchase"), pgettext_lazy("value", "withdrawal")),
    *(pgettext_lazy("value", "partner_reward"), pgettext_lazy("value", "partner_payout")),
    *(pgettext_lazy("value", "pending"), pgettext_lazy("value", "completed"), pgettext_lazy("value", "cancelled")),
    *(pgettext_lazy("value", "credit"), pgettext_lazy("value", "debit")),
    *(pgettext_lazy("value", "issued"), pgettext_lazy("value", "paid")),
    *(pgettext_lazy("value", "active"), pgettext_lazy("value", "expired")),
    *(pgettext_lazy("value", "product"), pgettext_lazy("value", "package"), pgettext_lazy("value", "unknown")),
)
# What the fields of a legal entity are called.
OF_ENTITIES = {
    "account": _("account"),
    "short_name": _("short name"),
    "full_name": _("full name"),
    "representative": _("representative"),
    "legal_address": _("legal address"),
    "postal_address": _("postal address"),
    "contact_person": _("contact person"),
    "contact_phone": _("contact phone"),
    "inn": _("taxpayer number (INN)"),
    "kpp": _("tax registration reason (KPP)"),
    "ogrn": _("state registration number (OGRN)"),
    "bank_name": _("bank"),
    "bik": _("bank code (BIK)"),
    "checking_account": _("account at the bank"),
    "correspondent_account": _("correspondent account"),
    "created_at": _("created"),
    "updated_at": _("changed"),
}


OF_PAYEES = {
    "name": _("payee"),
    "inn": OF_ENTITIES["inn"],
    "kpp": OF_ENTITIES["kpp"],
    "address": _("legal address"),
    "bank_name": OF_ENTITIES["bank_name"],
    "bik": OF_ENTITIES["bik"],
    "checking_account": OF_ENTITIES["checking_account"],
    "correspondent_account": OF_ENTITIES["correspondent_account"],
    "director": _("who signs as the director"),
    "accountant": _("who signs as the accountant"),
    "vat_rate": _("VAT in the prices"),
}
_SIGNS = {"RUB": "₽"}


def money_text(amount_minor: int, currency: str) -> str:
    """An amount as people write it in the active language: 1,234.50 ₽, 1 234,50 ₽."""
    amount = Decimal(amount_minor).scaleb(-SCALES[currency])
    return f"{number_format(amount, SCALES[currency], force_grouping=True)}\u00a0{_SIGNS.get(currency, currency)}"


class Amount(forms.DecimalField):
    """An amount as people write it: 990.00, 1 990,00. Cleans to whole minor units."""

    widget = UnfoldAdminTextInputWidget(attrs={"inputmode": "decimal"})

    def __init__(self, **options: Any) -> None:
        most = Decimal(MAX_AMOUNT).scaleb(-_SCALE)
        super().__init__(min_value=Decimal(1).scaleb(-_SCALE), max_value=most, decimal_places=_SCALE, **options)

    def prepare_value(self, value: Any) -> Any:
        return Decimal(value).scaleb(-_SCALE) if isinstance(value, int) else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(self.prepare_value(initial), data)

    def to_python(self, value: Any) -> Any:
        if isinstance(value, str):
            value = "".join(value.split()).replace(",", ".")
        return super().to_python(value)

    def widget_attrs(self, widget: Any) -> dict[str, Any]:
        return {}

    def clean(self, value: Any) -> int:
        return int(super().clean(value).scaleb(_SCALE))


class Reference(forms.CharField):
    """The reference of a move: a new one with each form that is shown, sent back with it."""

    def __init__(self) -> None:
        # Without a name: pages of the cabinet write the names of hidden fields, too.
        super().__init__(label="", initial=lambda: uuid4().hex, widget=forms.HiddenInput, max_length=64)


MOVES: Mapping[str, Callable[[dict[str, Any]], Transaction]] = {
    "top_up": lambda wanted: top_up(widget=wanted["widget"], **_said(wanted)),
    "withdrawal": lambda wanted: request_withdrawal(widget=wanted["widget"], entity=wanted["entity"], **_said(wanted)),
    "partner_reward": lambda wanted: reward_partner(account=wanted["widget"].account, **_said(wanted)),
    "partner_payout": lambda wanted: pay_partner(account=wanted["widget"].account, **_said(wanted)),
}


def _said(wanted: dict[str, Any]) -> dict[str, Any]:
    return {"amount": wanted["amount"], "reference": wanted["intent"], "description": wanted["description"]}


class MoneyForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """Money that comes in or is to go out."""

    move = forms.ChoiceField(
        label=_("Operation"),
        widget=UnfoldAdminSelectWidget,
        choices=[
            ("top_up", _("Top up the widget's balance")),
            ("withdrawal", _("Request a withdrawal to a legal entity")),
            ("partner_reward", _("Reward the account as a partner")),
            ("partner_payout", _("Pay out what the account has earned as a partner")),
        ],
    )
    widget = forms.ModelChoiceField(
        label=_("Widget"),
        queryset=Widget.objects.all(),
        widget=UnfoldAdminSelectWidget,
        help_text=_("For a partner's money, any widget of the account."),
    )
    amount = Amount(label=_("Amount"))
    intent = Reference()

    class Meta:
        model = Transaction
        fields = ["widget", "entity", "description"]

    field_order = ["move", "widget", "amount", "entity", "description", "intent"]

    def clean(self) -> dict[str, Any] | None:
        wanted = super().clean() or self.cleaned_data
        if wanted.get("move") == "withdrawal" and not self.errors:
            _require_own_entity(self, wanted)
        return wanted


BALANCE, GIVEN = "balance", "given"  # the payment of a plan


class BuyPlanForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """A plan for a widget: bought from its balance, or given without a payment."""

    plan_on_sale = forms.ModelChoiceField(
        label=_("Plan"), queryset=Plan.objects.filter(is_on_sale=True), widget=UnfoldAdminSelectWidget
    )
    payment = forms.ChoiceField(
        label=_("Payment"),
        required=False,
        widget=UnfoldAdminSelectWidget,
        choices=[(BALANCE, _("from the widget's balance")), (GIVEN, _("none: the plan is given, no money moves"))],
        help_text=_("For a shop on your own server, or as a courtesy, give the plan."),
    )
    intent = Reference()

    class Meta:
        model = PlanSubscription
        fields = ["widget"]


class InvoiceLinesField(forms.CharField):
    """Lines of an invoice: `name; quantity; price`. Cleans to items."""

    widget = UnfoldAdminTextareaWidget(attrs={"rows": 4, "placeholder": "Pro, 1 year; 1; 990.00"})

    def to_python(self, value: Any) -> list[Item]:  # type: ignore[override] # the field's value is a list
        return [self._item(line) for line in (super().to_python(value) or "").splitlines() if line.strip()]

    def _item(self, line: str) -> Item:
        try:
            name, quantity, price = (part.strip() for part in line.rsplit(";", 2))
            item = Item(name[:255], forms.IntegerField(min_value=1).clean(quantity), Amount().clean(price))
        except (ValueError, ValidationError):
            text = _("Not a line such as “Pro, 1 year; 1; 990.00”: %(line)s")
            raise ValidationError(text, params={"line": line}) from None
        return item


class InvoiceForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """A new invoice."""

    lines = InvoiceLinesField(label=_("Lines"), help_text=_("One a line: name; quantity; price."))
    due_at = forms.DateTimeField(
        label=_("Pay by"),
        required=False,
        widget=LocalTimeInput,
        help_text=_("None set means none."),
    )
    file = forms.FileField(
        label=_("Document"), required=False, widget=UnfoldAdminFileFieldWidget, help_text=_("10 MB at most.")
    )
    intent = Reference()

    class Meta:
        model = Invoice
        fields = ["widget", "entity"]

    def clean_due_at(self) -> Any:
        due_at = self.cleaned_data["due_at"]
        if due_at is not None and due_at <= timezone.now():
            raise ValidationError(_("The time to pay by lies in the past."))
        return due_at

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file and file.size > MAX_FILE_BYTES:
            raise ValidationError(_("The file is too large."))
        return file

    def clean(self) -> dict[str, Any] | None:
        wanted = super().clean() or self.cleaned_data
        if not self.errors:
            _require_own_entity(self, wanted)
        return wanted


def _require_own_entity(form: "forms.ModelForm[Any]", wanted: dict[str, Any]) -> None:
    entity = wanted.get("entity")
    if entity is None or entity.account_id != wanted["widget"].account_id:
        form.add_error("entity", _("A legal entity of the widget's account."))


class BankDetailsForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """The base of forms with tax numbers and a bank account, which are checked as the API checks them."""

    def clean(self) -> dict[str, Any] | None:
        wanted = super().clean() or self.cleaned_data
        for name in wanted.keys() & entities.NUMBERS.keys():
            if entities.number_refusal(name, wanted[name]):
                self.add_error(name, self._no_number(name, wanted[name]))
        banks = {"bik", *entities.ACCOUNTS}
        if not banks & self.errors.keys() and banks <= wanted.keys():
            for name in entities.bank_refusals(wanted, frozenset(entities.ACCOUNTS)):
                self.add_error(
                    name, _("The account does not belong to the bank with this BIK: look for a wrong digit.")
                )
        return wanted

    def _no_number(self, name: str, text: str) -> ValidationError:
        lengths = entities.NUMBERS[name]
        if not (text.isascii() and text.isdecimal() and len(text) in lengths):
            said = " / ".join(map(str, lengths))
            return ValidationError(_("Digits alone, %(lengths)s of them."), params={"lengths": said})
        return ValidationError(_("The check digits do not fit: look for a wrong digit."))


class LegalEntityForm(BankDetailsForm):
    """A legal entity of an account."""

    class Meta:
        model = LegalEntity
        fields = ["account", *entities.FIELDS]
        help_texts = {
            "inn": _("10 digits of an organisation, 12 of an entrepreneur."),
            "kpp": _("9 digits; an entrepreneur, who has none, writes nine zeros."),
            "ogrn": _("13 digits of an organisation, 15 of an entrepreneur."),
        }

    def clean_contact_phone(self) -> str:
        phone: str = self.cleaned_data["contact_phone"]
        if phone_refusal(phone):
            raise ValidationError(_("Not a phone number: digits, spaces, brackets, hyphens and a leading plus."))
        return phone

    def clean(self) -> dict[str, Any] | None:
        wanted = super().clean() or self.cleaned_data
        for name in wanted.keys() & entities.TEXTS.keys():
            if entities.text_refusal(wanted[name]):
                self.add_error(name, _("Write a text of one line."))
        return wanted


class PayeeForm(BankDetailsForm):
    """The payee of invoices."""

    vat_rate = forms.TypedChoiceField(
        label=OF_PAYEES["vat_rate"],
        required=False,
        empty_value=None,
        coerce=int,
        widget=UnfoldAdminSelectWidget,
        choices=[("", _("without VAT")), *[(rate, f"{rate} %") for rate in VAT_RATES if rate is not None]],
    )

    class Meta:
        model = Payee
        fields = [*OF_PAYEES]


class PlanForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """A plan and its price."""

    amount = Amount(label=_("Price"))

    class Meta:
        model = Plan
        fields = ["code", "name", "kind", "days", "ad_slots", "is_on_sale"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.setdefault("amount", self.instance.price_minor)
        self.fields["kind"].choices = [(k.value, display_value(k)) for k in SubscriptionKind if k.value != "unknown"]  # type: ignore[attr-defined]
