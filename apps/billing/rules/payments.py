"""Payments of invoices: the payee, the VAT in the amount, the text of the code that banks' apps read.

Source: ГОСТ Р 56042-2014, "Двухмерные символы штрихового кода для осуществления платежей физических лиц": the service
block `ST00012` (version 1, UTF-8), then `Name=Value` pairs, five of which are required and come first.
"""

from collections.abc import Mapping
from typing import NamedTuple

# The rates of VAT that an invoice can have, in percent (Tax Code, articles 164 and 346); None is "without VAT".
VAT_RATES = (None, 0, 5, 7, 10, 20, 22)
SEPARATOR = "|"
# The longest values of the standard, in characters.
_LONGEST = {"Name": 160, "BankName": 45, "Purpose": 210}


class PayeeDetails(NamedTuple):
    """The payee of an invoice, as it was issued."""

    name: str
    inn: str
    kpp: str
    address: str
    bank_name: str
    bik: str
    checking_account: str
    correspondent_account: str
    director: str = ""
    accountant: str = ""
    vat_rate: int | None = None


def vat_of(amount_minor: int, rate: int | None) -> int:
    """The VAT within an amount, in minor units, rounded half up; none without a rate."""
    if not rate:
        return 0
    return (2 * amount_minor * rate + 100 + rate) // (2 * (100 + rate))


def payment_text(payee: PayeeDetails, *, amount_minor: int, purpose: str) -> str:
    """The text of the payment's QR code."""
    fields: Mapping[str, str] = {
        "Name": payee.name,
        "PersonalAcc": payee.checking_account,
        "BankName": payee.bank_name,
        "BIC": payee.bik,
        "CorrespAcc": payee.correspondent_account,
        "Sum": str(amount_minor),
        "Purpose": purpose,
        "PayeeINN": payee.inn,
        "KPP": "" if payee.kpp == "0" * 9 else payee.kpp,
    }
    said = [f"{name}={_value(name, text)}" for name, text in fields.items() if text]
    return SEPARATOR.join(["ST00012", *said])


def _value(name: str, text: str) -> str:
    return " ".join(text.replace(SEPARATOR, "/").split())[: _LONGEST.get(name, len(text))]
