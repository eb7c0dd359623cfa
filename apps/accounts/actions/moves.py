"""All widgets of an account leave one installation, and come into another; or come back out of what was kept."""

from pathlib import Path

from apps.accounts.actions.exports import COMPLETE, ExportFailed, export_widget
from apps.accounts.actions.imports import Export, ImportFailed, import_widget
from apps.accounts.models import Account, Widget


def export_account(*, account: Account, directory: Path) -> list[str]:
    """Exports each widget into a folder called by its guid, and answers those guids. A complete one is not made again.

    Raises ExportFailed.
    """
    widgets = list(Widget.objects.filter(account=account).order_by("pk"))
    for widget in widgets:
        folder = directory / widget.guid
        if not (folder / COMPLETE).exists():
            if folder.exists():
                raise ExportFailed(f"{folder} is not complete: remove it first")
            export_widget(widget=widget, directory=folder)
    return [widget.guid for widget in widgets]


def import_account(*, account: Account, directory: Path, keep_numbers: bool = False) -> list[str]:
    """Imports each export of the folder, and answers the widgets' guids. One that the account has is not done again.

    Raises ImportFailed; also for a widget that another account of the installation has.
    """
    folders = sorted(path for path in directory.iterdir() if path.is_dir()) if directory.is_dir() else []
    if not folders:
        raise ImportFailed(f"{directory} has no exports")
    guids: list[str] = []
    for folder in folders:
        guid = str(Export(folder).manifest["widget"]["guid"])
        there = Widget.objects.filter(guid=guid).first()
        if there is None:
            guid = import_widget(account=account, directory=folder, keep_numbers=keep_numbers).widget.guid
        elif there.account_id != account.pk:
            raise ImportFailed(f"another account has the widget {guid}")
        guids.append(guid)
    return guids
