"""Unique constraints as refusals: the database decides which of two simultaneous writes is the second one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import IntegrityError


@contextmanager
def unique_or(refusal: Callable[[], Exception], *constraints: str) -> Iterator[None]:
    """Raises `refusal()` where a write breaks a unique constraint or index whose name begins with one of these.

    Other errors are raised as they are. The transaction is broken afterwards: where it goes on, a savepoint
    (`transaction.atomic()`) stands within.
    """
    try:
        yield
    except IntegrityError as error:
        broken = getattr(getattr(error.__cause__, "diag", None), "constraint_name", None) or ""
        if not broken.startswith(constraints):
            raise
        raise refusal() from None
