"""The cabinet's page that puts an exported widget into an account."""

from __future__ import annotations

import tempfile
import zipfile
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminSelectWidget, UnfoldBooleanSwitchWidget

from apps.accounts.actions.export_folder import ImportFailed
from apps.accounts.actions.imports import ImportOptions, import_widget
from apps.accounts.models import Account

if TYPE_CHECKING:
    from apps.cabinet.tenant_admin import TenantAdmin

# The cabinet takes forms of 11 MB; a larger export is put in by `manage.py import_widget`.
MAX_ZIP_BYTES = 10 * 1024 * 1024
MAX_UNPACKED_BYTES = 200 * 1024 * 1024
MAX_FILES = 10_000


class ImportForm(forms.Form):
    """An export, the account that gets it, and what comes along."""

    account = forms.ModelChoiceField(
        Account.objects.none(), label=capfirst(_("account")), widget=UnfoldAdminSelectWidget
    )
    file = forms.FileField(
        label=_("Export"),
        widget=UnfoldAdminFileFieldWidget,
        help_text=_("The zip of “Export”, 10 MB at most. A larger one is put in by manage.py import_widget."),
    )
    with_seats = forms.BooleanField(
        label=capfirst(_("with as many seats as it had")), required=False, widget=UnfoldBooleanSwitchWidget
    )
    with_switches = forms.BooleanField(
        label=capfirst(_("what was switched on there is on here")),
        required=False,
        widget=UnfoldBooleanSwitchWidget,
        help_text=_("Off: AI and the API of the copy are off until somebody switches them on."),
    )

    def __init__(self, *args: Any, accounts: Any) -> None:
        super().__init__(*args)
        fields: dict[str, Any] = self.fields
        fields["account"].queryset = accounts

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MAX_ZIP_BYTES:
            raise forms.ValidationError(_("The file is too large."))
        try:
            with zipfile.ZipFile(file) as archive:
                members = archive.infolist()
        except (zipfile.BadZipFile, OSError, NotImplementedError):
            raise forms.ValidationError(_("That is no zip.")) from None
        if len(members) > MAX_FILES or sum(member.file_size for member in members) > MAX_UNPACKED_BYTES:
            raise forms.ValidationError(_("The file is too large."))
        return file


def import_page(page: TenantAdmin, request: HttpRequest) -> HttpResponse:
    """The form at a GET; at a POST the export is put in, or it is said why not, and then nothing is."""
    form = ImportForm(request.POST or None, request.FILES or None, accounts=page.own_choices(Account, request))
    if request.method == "POST" and form.is_valid():
        wanted = form.cleaned_data
        options = ImportOptions(with_seats=wanted["with_seats"], with_switches=wanted["with_switches"])
        try:
            with tempfile.TemporaryDirectory() as folder:
                directory = _unpacked(wanted["file"], Path(folder))
                done = import_widget(account=wanted["account"], directory=directory, options=options)
        except ImportFailed as refused:
            form.add_error("file", gettext("It can't be put in: %(why)s") % {"why": str(refused)})
        else:
            messages.success(request, gettext("The widget is put in."))
            return HttpResponseRedirect(reverse("admin:accounts_widget_change", args=[done.widget.pk]))
    context = {
        **page.admin_site.each_context(request),
        "opts": page.opts,
        "title": gettext("Import a widget"),
        "form": form,
        "button": gettext("Import"),
        "back": reverse("admin:accounts_widget_changelist"),
    }
    return TemplateResponse(request, "admin/simple_form.html", context)


def _unpacked(file: Any, folder: Path) -> Path:
    """The folder of the export in a zip, unpacked. Raises ImportFailed for names that lead out of it."""
    file.seek(0)
    with zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            path = PurePosixPath(member.filename)
            if path.is_absolute() or ".." in path.parts or "\0" in member.filename:
                raise ImportFailed("a file of the zip leads out of it")
        try:
            archive.extractall(folder)
        except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError) as error:
            raise ImportFailed(str(error)) from None
    if (folder / "manifest.json").exists():
        return folder
    inner = [each for each in folder.iterdir() if each.is_dir()]
    return inner[0] if len(inner) == 1 else folder
