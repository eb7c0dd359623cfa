"""Legal entities: their fourteen fields, lengths and check digits of what identifies them, the limit of writes.

Source: specification, "Account and billing" and Endpoints, "Billing". The check digits are those of the Federal Tax
Service (INN, OGRN), which python-stdnum knows, and of the Bank of Russia (keys of accounts, with the bank's BIK).
"""

import re
from collections.abc import Mapping

from stdnum.ru import inn as inns
from stdnum.ru import ogrn as ogrns

# The texts, with the most characters each may have.
TEXTS: Mapping[str, int] = {
    "short_name": 255,
    "full_name": 1000,
    "representative": 255,
    "legal_address": 1000,
    "postal_address": 1000,
    "contact_person": 255,
    "bank_name": 255,
}
# The numbers, with how many digits each may have.
NUMBERS: Mapping[str, tuple[int, ...]] = {
    "inn": (10, 12),
    "kpp": (9,),
    "ogrn": (13, 15),
    "bik": (9,),
    "checking_account": (20,),
    "correspondent_account": (20,),
}
FIELDS = (*TEXTS, "contact_phone", *NUMBERS)
ACCOUNTS = ("checking_account", "correspondent_account")

WRITES_AN_HOUR = 10

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_DIGITS = re.compile(r"[0-9]+")
_ACCOUNT_KEY = (7, 1, 3)
# The ends of the BIKs of the Bank of Russia's own offices, whose clients' accounts are keyed as correspondent ones.
_CASH_CENTRES = ("000", "001", "002")


def text_refusal(text: str) -> str | None:
    """Why a text is no name or address, or None when it is one."""
    if _CONTROL.search(text):
        return "Control characters are not allowed."
    return None if text.strip() else "The text is blank."


def number_refusal(name: str, text: str) -> str | None:
    """Why a text is not the number of that name (a key of NUMBERS), or None when it is one."""
    lengths = NUMBERS[name]
    if not _DIGITS.fullmatch(text) or len(text) not in lengths:
        return f"Exactly {' or '.join(map(str, lengths))} digits, and nothing else."
    if name == "inn":
        return _inn_refusal(text)
    return _ogrn_refusal(text) if name == "ogrn" else None


def _inn_refusal(inn: str) -> str | None:
    if len(inn) == 10:
        right, where = inns.calc_company_check_digit(inn), "the last digit"
    else:
        right, where = inns.calc_personal_check_digits(inn), "the last two digits"
    if inn.endswith(right):
        return None
    return f"The check digits are wrong: by the sum of the others modulo 11, {where} would be {right}."


def _ogrn_refusal(ogrn: str) -> str | None:
    modulus = len(ogrn) - 2  # 11 for an organisation's 13 digits, 13 for the 15 of an entrepreneur
    right = ogrns.calc_check_digit(ogrn)[-1]  # of a remainder of two digits the last one counts
    if ogrn.endswith(right):
        return None
    return f"The check digit is wrong: by the others modulo {modulus}, the last digit would be {right}."


def account_refusal(name: str, account: str, bik: str) -> str | None:
    """Why that is no account (a name of ACCOUNTS) in the bank with that BIK, or None; both have their digits.

    The key is the ninth digit of the account.
    """
    is_keyed_by_region = name == "correspondent_account" or bik[-3:] in _CASH_CENTRES
    bank = "0" + bik[4:6] if is_keyed_by_region else bik[-3:]
    if _key_sum(bank + account) % 10 == 0:
        return None
    right = next(key for key in "0123456789" if _key_sum(bank + account[:8] + key + account[9:]) % 10 == 0)
    return (
        f"The account does not belong to the bank with the BIK {bik}: by the others modulo 10, its ninth digit, "
        f"the key, would be {right}."
    )


def _key_sum(digits: str) -> int:
    return sum(int(digit) * _ACCOUNT_KEY[place % 3] for place, digit in enumerate(digits))


def bank_refusals(entity: Mapping[str, str], changed: frozenset[str]) -> dict[str, str]:
    """The refusals between the accounts and the BIK of an entity, by the changed field that causes them.

    An account that does not change is not blamed for a BIK that does.
    """
    refusals: dict[str, str] = {}
    for name in ACCOUNTS:
        if changed & {name, "bik"} and (refusal := account_refusal(name, entity[name], entity["bik"])):
            refusals.setdefault(name if name in changed else "bik", refusal)
    return refusals
