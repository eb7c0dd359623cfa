"""The limits of attempts to sign in, for all entrances."""

import hashlib

from django.http import HttpRequest

from apps.accounts import rules
from apps.core import hashing
from apps.core.endpoints.addresses import key_of
from apps.core.parsing.normal_forms import normalize
from apps.core.redis import rate_limits

# A longer one is nobody's, and is not normalised.
MAX_EMAIL = 1000


def seconds_until_next_attempt(request: HttpRequest, email: str) -> int:
    """Takes one attempt to sign in from each budget: 0 if it may be made, else how long to wait, a minute at most.

    The same whether anybody has that e-mail address. Without Redis every attempt may be made. A call that has waited
    for its turn (`core/hashing.py`) is not counted again. An address is counted as it is looked up: Django's forms
    normalise it (NFKC), so what is written in full-width letters is the same.
    """
    if hashing.is_second_run(request.META):
        return 0
    key = key_of(request)
    email = normalize("NFKC", email[:MAX_EMAIL]).strip().lower()
    name = hashlib.sha256(email.encode("utf-8", "replace")).hexdigest()[:32]
    return _wait(
        (f"sign-in:{key}:{name}", rules.ATTEMPTS),
        (f"sign-in:{key}", rules.ATTEMPTS_OF_ADDRESS),
        (f"sign-in:{name}", rules.ATTEMPTS_FOR_EMAIL),
    )


def seconds_until_next_code(request: HttpRequest, user_id: int) -> int:
    """Takes an attempt at the second factor, of a person whose password was right: 0 if it may be made, else how long
    to wait.
    """
    return _wait(
        (f"sign-in:code:{user_id}", rules.ATTEMPTS),
        (f"sign-in:{key_of(request)}", rules.ATTEMPTS_OF_ADDRESS),
    )


def _wait(*budgets: tuple[str, int]) -> int:
    for key, limit in budgets:
        budget = rate_limits.spend(key, limit)
        if not budget.allowed:
            return max(1, budget.retry_after_s)
    return 0
