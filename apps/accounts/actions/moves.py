"""All widgets of an account leave one installation, and come into another; or come back out of what was kept.

An account that leaves is closed first: its data is read, and nothing is added. Then the export waits for its work under
way, so that no job is left behind undone.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from apps.accounts.actions import end_cached_permissions, widget_export
from apps.accounts.actions.export_folder import ExportFolder, ImportFailed
from apps.accounts.actions.exports import COMPLETE, ExportFailed, export_widget
from apps.accounts.actions.imports import NOTHING_BESIDES, ImportOptions, import_widget
from apps.accounts.models import Account, Widget

# How long nothing may have been under way. A call that was let in before is answered by then: it waits for others no
# longer, and one whose body came late was asked once more.
QUIET_S = 60.0
LOOK_EVERY_S = 1.0


def export_account(
    *,
    account: Account,
    directory: Path,
    wait_s: float = 0,
    leaves_work: bool = False,
    tell: Callable[[str], object] = lambda _: None,
) -> list[str]:
    """Exports each widget into a folder called by its guid, and answers those guids. A complete one is not made again.

    The account is closed, and stays so (`cancel_move` opens it). Its work is waited for, unless it is left; `tell` is
    given a sentence of it each time it changes. Work that is not done `wait_s` seconds later refuses the export; then
    the account is opened again, if it was open before.

    Raises ExportFailed.
    """
    widgets = list(Widget.objects.filter(account=account).order_by("pk"))
    folders = {widget: directory / widget.guid for widget in widgets}
    was_open = not all(widget.is_moving for widget in widgets)
    if was_open and (old := next((folder for folder in folders.values() if folder.exists()), None)):
        raise ExportFailed(f"{old} is of a time at which the account was open: remove it first")
    close(account=account)
    if not leaves_work:
        try:
            _wait_for_work(widgets, wait_s, tell)
        except BaseException:
            if was_open:
                cancel_move(account=account)
            raise
    for widget, folder in folders.items():
        if not (folder / COMPLETE).exists():
            if folder.exists():
                raise ExportFailed(f"{folder} is not complete: remove it first")
            export_widget(widget=widget, directory=folder)
    return [widget.guid for widget in widgets]


@transaction.atomic
def close(*, account: Account) -> None:
    """Closes the account's widgets to new data, from the very next request on."""
    _set_moving_since(timezone.now(), Widget.objects.filter(account=account, moving_since=None))


@transaction.atomic
def cancel_move(*, account: Account) -> None:
    """Opens an account again that was closed for its move."""
    _set_moving_since(None, Widget.objects.moving().filter(account=account))


def is_moving(widget_id: int) -> bool:
    """Whether the widget's account is closed for its move at this moment."""
    return Widget.objects.moving().filter(pk=widget_id).exists()


def _set_moving_since(moment: datetime | None, widgets: Iterable[Widget]) -> None:
    for widget in widgets:
        widget.moving_since = moment
        widget.save(update_fields=["moving_since"])
    transaction.on_commit(end_cached_permissions)


def _wait_for_work(widgets: Sequence[Widget], wait_s: float, tell: Callable[[str], object]) -> None:
    """Waits until nothing is under way. It must stay so for a while: an answer that is done may be an event to deliver.

    Raises ExportFailed.
    """
    began = time.monotonic()
    quiet_since, told = began, ""
    while True:
        waits, now = _work_of(widgets), time.monotonic()
        if waits and waits != told:
            tell(waits)
        told = waits
        if waits:
            quiet_since = now
            if now - began >= wait_s:
                raise ExportFailed(f"the account has work under way: {waits}")
        elif now - quiet_since >= QUIET_S:
            return
        time.sleep(min(LOOK_EVERY_S, QUIET_S))


def _work_of(widgets: Iterable[Widget]) -> str:
    """The work of these widgets that is under way, in words; empty without any."""
    found: Counter[str] = Counter()
    for widget in widgets:
        found.update(widget_export.unfinished_of_widget(widget.pk))
    return ", ".join(f"{name}: {count}" for name, count in found.items())


def import_account(*, account: Account, directory: Path, options: ImportOptions = NOTHING_BESIDES) -> list[str]:
    """Imports each export of the folder, and answers the widgets' guids.

    A widget that the account has already is not imported again.

    Raises ImportFailed; also for a widget that another account of the installation has.
    """
    folders = sorted(path for path in directory.iterdir() if path.is_dir()) if directory.is_dir() else []
    if not folders:
        raise ImportFailed(f"{directory} has no exports")
    guids: list[str] = []
    for folder in folders:
        if folder.is_symlink():
            raise ImportFailed(f"{folder} is no folder, but leads elsewhere")
        guid = str(ExportFolder(folder).manifest["widget"]["guid"])
        there = Widget.objects.filter(guid=guid).first()
        if there is None:
            guid = import_widget(account=account, directory=folder, options=options).widget.guid
        elif there.account_id != account.pk:
            raise ImportFailed(f"another account has the widget {guid}")
        guids.append(guid)
    return guids
