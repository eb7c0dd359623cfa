"""The cabinet's forms of letters: the settings and a mailbox, with their refusals."""

from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminPasswordWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from apps.letters.actions.settings import NAMES, refusal_of, settings_of
from apps.letters.models import Mailbox, WidgetLetters

LABELS = {
    "answers": _("Mail answers that nobody has seen"),
    "unseen_min": _("After so many minutes"),
    "of_ai": _("The AI's answers, too"),
    "site": _("Where the letter's button leads"),
    "shop_address": _("Where answers to letters go"),
    "waiting_min": _("Wake operators after so many minutes"),
    "waiting_words": _("With names and words of visitors"),
}


class LettersForm(forms.ModelForm):  # type: ignore[type-arg]
    """The settings of a widget's letters."""

    ANSWERS: ClassVar = (
        ("on", _("on: to whoever left an address")),
        ("ask", _("ask: to those who ticked it")),
        ("off", _("off")),
    )

    answers = forms.ChoiceField(label=LABELS["answers"], choices=ANSWERS, widget=UnfoldAdminSelectWidget)
    unseen_min = forms.IntegerField(label=LABELS["unseen_min"], widget=UnfoldAdminIntegerFieldWidget)
    of_ai = forms.BooleanField(label=LABELS["of_ai"], required=False, widget=UnfoldBooleanSwitchWidget)
    site = forms.CharField(
        label=LABELS["site"],
        required=False,
        help_text=_("A page of yours that has the widget, https://. Empty: a page of this installation."),
        widget=UnfoldAdminTextInputWidget,
    )
    shop_address = forms.CharField(
        label=LABELS["shop_address"],
        required=False,
        help_text=_("Only where the installation has no reply addresses (MAIL_REPLY_ADDRESS)."),
        widget=UnfoldAdminTextInputWidget,
    )
    waiting_min = forms.IntegerField(
        label=LABELS["waiting_min"],
        help_text=_(
            "While a visitor waits and nobody is there: operators first, the owner after twice the time. 0: never."
        ),
        widget=UnfoldAdminIntegerFieldWidget,
    )
    waiting_words = forms.BooleanField(label=LABELS["waiting_words"], required=False, widget=UnfoldBooleanSwitchWidget)

    class Meta:
        model = WidgetLetters
        fields: ClassVar[list[str]] = []

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        settings = settings_of(self.instance.pk)
        for name in NAMES:
            self.initial[name] = getattr(settings, name)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        for name in NAMES:
            if name in cleaned and (refusal := refusal_of(name, cleaned[name])):
                self.add_error(name, ValidationError(refusal))
        return cleaned


class CheckForm(forms.Form):
    """To whom a letter goes that tries the mail out; empty: to the own address."""

    to = forms.EmailField(
        label=_("To"),
        required=False,
        max_length=254,
        help_text=_("Empty: to itself, so that receiving is tried, too. Or an address such as that of a mail tester."),
        widget=UnfoldAdminTextInputWidget,
    )


SERVERS = ("imap", "smtp")


class MailboxForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """A mailbox; its servers are looked up before the page's transaction begins (`refused_servers`)."""

    refused_servers: ClassVar[dict[str, list[str]]] = {}

    imap = forms.CharField(
        label=capfirst(_("where it is read")),
        required=False,
        help_text=_(
            "imaps://user:password@imap.example.com/INBOX, with ?seen=1 to mark what was read as seen, or ?move=Folder "
            "to move it. Empty: it stays as it is."
        ),
        widget=UnfoldAdminPasswordWidget(attrs={"autocomplete": "new-password"}, render_value=False),
    )
    smtp = forms.CharField(
        label=capfirst(_("where it sends")),
        required=False,
        help_text=_(
            "smtps://user:password@smtp.example.com. Empty: it stays as it is, at first the service's own server."
        ),
        widget=UnfoldAdminPasswordWidget(attrs={"autocomplete": "new-password"}, render_value=False),
    )

    class Meta:
        model = Mailbox
        fields = (
            *("widget", "address", "name", "imap", "smtp", "department", "signature", "ai", "authserv_ids"),
            "form_senders",
        )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for name, refusals in self.refused_servers.items():
            for refusal in refusals:
                self.add_error(name, refusal)
        department, widget = cleaned.get("department"), cleaned.get("widget")
        widget_id = widget.pk if widget is not None else self.instance.widget_id
        if department is not None and widget_id is not None and department.widget_id != widget_id:
            self.add_error("department", _("The department is another widget's."))
        return cleaned
