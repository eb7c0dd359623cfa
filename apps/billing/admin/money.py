"""The cabinet's pages of money: movements and wallets.

An account's staff reads its own; who runs the installation moves it. Adding a row is the move itself (a top-up, a
purchase, an invoice), and a row's buttons take it further; each asks first. Each form has a reference that is sent
with it, so that sending it twice moves nothing twice.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action
from unfold.enums import ActionVariant

from apps.billing.actions.ledger import cancel_withdrawal, pay_withdrawal
from apps.billing.cabinet import MONEY, WHOSE, MoneyAdmin
from apps.billing.forms import MOVES, MoneyForm, money_text
from apps.billing.models import Payee, Transaction, Wallet
from apps.billing.rules.ledger import TransactionState, TransactionType
from apps.cabinet.coded_values import display_value
from apps.cabinet.menu import MenuPlace, MenuTab
from apps.cabinet.tenant_admin import TenantAdmin


@admin.register(Transaction)
class TransactionAdmin(MoneyAdmin):
    menu = MenuTab(Wallet, 10, _("Movements"))
    purpose = _("Each movement of money.")
    add_form = MoneyForm
    titles = (_("movement of money"), _("movements of money"))
    labels = WHOSE | {
        "wallet": _("wallet"),
        "type": _("kind"),
        "state": _("state"),
        "direction": _("direction"),
        "amount_minor": _("amount, minor units"),
        "currency": _("currency"),
        "description": _("description"),
        "entity": _("legal entity"),
        "invoice": _("invoice"),
        "subscription": _("subscription"),
        "settled_at": _("settled"),
    }
    open_status = {"type": TransactionType.WITHDRAWAL, "state": TransactionState.PENDING}
    list_display = ("title", "widget", "which_way", "how_far", "amount", "created_at")
    list_display_links = ("title",)
    list_filter = ("widget", "type", "state", "direction")
    fields = (
        "account",
        "widget",
        "what",
        "how_far",
        "which_way",
        "amount",
        "description",
        "entity",
        "invoice",
        "subscription",
        "created_at",
        "settled_at",
    )
    actions_detail = ("paid_out", "cancel")

    @admin.display(description=_("movement of money"))
    def title(self, row: Transaction) -> str:
        return f"{display_value(row.type)} #{row.pk}"

    @admin.display(description=_("direction"))
    def which_way(self, row: Transaction) -> str:
        return display_value(row.direction)

    def make(self, wanted: dict[str, Any]) -> Transaction:
        return MOVES[wanted["move"]](wanted)

    @unfold_action(description=_("Paid out…"), permissions=["settle"], url_path="paid-out")  # type: ignore[untyped-decorator]
    def paid_out(self, request: HttpRequest, object_id: str) -> HttpResponse:
        question = _("Has the bank transferred the money? It leaves the balance, and that is not undone.")
        act = lambda row: pay_withdrawal(withdrawal=row)  # noqa: E731
        return self.asked(request, object_id, act, question=question, button=_("Yes, paid out"))

    @unfold_action(  # type: ignore[untyped-decorator]
        description=_("Cancel the withdrawal…"),
        variant=ActionVariant.DANGER,
        permissions=["settle"],
        url_path="cancel",
    )
    def cancel(self, request: HttpRequest, object_id: str) -> HttpResponse:
        question = _("The reserved money is available again. The withdrawal can't be taken up again.")
        act = lambda row: cancel_withdrawal(withdrawal=row)  # noqa: E731
        button = _("Yes, cancel the withdrawal")
        return self.asked(request, object_id, act, question=question, button=button, button_class="button-danger")


@admin.register(Wallet)
class WalletAdmin(TenantAdmin):
    """A widget's money; a wallet without a widget is what the account has earned as a partner."""

    menu = MenuPlace(MONEY, 30, _("Money"), _("Wallets"))
    purpose = _("The money of each widget.")
    account_path = "account_id"
    titles = (_("wallet"), _("wallets"))
    labels = {"account": _("account"), "widget": _("widget")}
    list_display = ("whose", "account", "balance", "reserved", "available")
    list_display_links = ("whose",)
    list_filter = ("widget",)
    list_select_related = ("account", "widget")
    ordering = ("id",)
    fields = ("account", "widget", "balance", "reserved", "available", "topping_up")
    readonly_fields = fields

    @admin.display(description=_("wallet"))
    def whose(self, wallet: Wallet) -> str:
        return str(wallet)

    @admin.display(description=_("balance"))
    def balance(self, wallet: Wallet) -> str:
        return money_text(wallet.sums.balance, wallet.currency)

    @admin.display(description=_("reserved"))
    def reserved(self, wallet: Wallet) -> str:
        return money_text(wallet.reserved_minor, wallet.currency)

    @admin.display(description=_("available"))
    def available(self, wallet: Wallet) -> str:
        return money_text(wallet.available_minor, wallet.currency)

    @admin.display(description=_("how to top it up"))
    def topping_up(self, wallet: Wallet) -> str:
        """The way money comes in, with the payee as it would be printed."""
        if wallet.widget_id is None:
            return gettext("This is what the account has earned as a partner.")
        payee = Payee.objects.first()
        if payee is None:
            return gettext("Ask whoever runs this service for an invoice: once it is paid, its sum is here.")
        text = gettext("Ask %(payee)s for an invoice to one of your legal entities: once it is paid, its sum is here.")
        return text % {"payee": payee.name}
