"""Opening, changing and deleting accounts."""

from collections.abc import Mapping

from django.conf import settings
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import RestrictedError
from psycopg.errors import DeadlockDetected, ForeignKeyViolation, LockNotAvailable

from apps.accounts.actions.permissions import end_cached_permissions
from apps.accounts.actions.widgets import _tell_of_change
from apps.accounts.events import AccountDeleted
from apps.accounts.models import Account, Widget
from apps.core import bus, database
from apps.core.database.changes import save_changed, set_changes
from apps.core.errors import NOT_FOUND

DELETION_TRIES = 5


# Seconds for each statement: one may delete all the messages that an account ever had.
DELETION_STATEMENT_S = 600.0


# A row that came amidst a deletion, or a writer's lock against ours.
_IN_THE_WAY = (ForeignKeyViolation, RestrictedError, DeadlockDetected, LockNotAvailable)


class HeldByLeftOutApp(Exception):
    """An app that PARLEY_WITHOUT_APPS leaves out has rows of the account, which cannot be deleted here."""

    def __init__(self, app: str) -> None:
        super().__init__(f"{app} is left out, and has rows of the account")
        self.app = app


@transaction.atomic
def open_account(*, account: Account) -> None:
    """Opens an account."""
    account.save(force_insert=True)


@transaction.atomic
def change_profile(*, account_id: int, changes: Mapping[str, str | None]) -> Account:
    """Changes those of `email`, `name`, `surname` and `phone` that are given; returns the account. None clears one.

    Two changes at once of different members lose nothing. A new name is news for each widget that the account owns
    (`WidgetChanged`). Raises NOT_FOUND (404) for a deleted account.
    """
    account = Account.objects.select_for_update(no_key=True).filter(pk=account_id).first()
    if account is None:
        raise NOT_FOUND()
    changed = set_changes(account, {name: value or "" for name, value in changes.items()})
    save_changed(account, changed)
    if "name" in changed:
        _tell_of_new_name(account)
    return account


def delete_account(*, account: Account) -> None:
    """Deletes an account and all that belongs to it, for good. Its tokens are refused at the very next request.

    A concurrent write either came first, and is deleted too, or finds no account (404). Raises HeldByLeftOutApp, and
    deletes nothing then.
    """
    for tries_left in reversed(range(DELETION_TRIES)):
        try:
            _delete_account(account.pk)
            return
        except (IntegrityError, OperationalError) as error:
            if (app := _app_of_row_in_the_way(error)) in settings.WITHOUT_APPS:
                raise HeldByLeftOutApp(app) from None
            if not tries_left or not isinstance(error.__cause__ or error, _IN_THE_WAY):
                raise


def _app_of_row_in_the_way(error: Exception) -> str:
    cause = error.__cause__
    table = cause.diag.table_name if isinstance(cause, ForeignKeyViolation) else None
    return f"apps.{(table or '').partition('_')[0]}"


@transaction.atomic
def _delete_account(account_id: int) -> None:
    account = Account.objects.select_for_update().filter(pk=account_id).first()
    if account is None:
        return
    # First what is written to most: who writes into a chat holds it, and refers to the widget at the end.
    widgets = Widget.objects.filter(account=account).order_by("pk")
    with database.statements_may_take(DELETION_STATEMENT_S):
        bus.publish(AccountDeleted(account_id=account_id, widget_ids=tuple(widget.pk for widget in widgets)))
        list(widgets.select_for_update())
        account.delete()
        connection.check_constraints()  # now and not with the page's transaction, so that it can be tried again
    transaction.on_commit(end_cached_permissions)


def _tell_of_new_name(account: Account) -> None:
    for widget in account.widgets.order_by("pk"):
        _tell_of_change(widget)
