"""The cabinet's forms of letters: the settings and a mailbox, with their refusals."""

import json
from collections.abc import Iterator
from typing import Any, ClassVar

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminEmailInputWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminPasswordWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from apps.cabinet.refusals import field_words
from apps.core.problems import Problem
from apps.letters.actions.logins import ServerFailure, Tried, Wanted
from apps.letters.actions.mailboxes import mailbox_address, require_room
from apps.letters.labels import PROVIDER_HINTS, SERVER_PROBLEMS, SIDES
from apps.letters.models import Mailbox
from apps.letters.rules.mail_providers import (
    DEFAULT_PORTS,
    PROVIDERS,
    Encryption,
    ServerPlace,
    Side,
    guessed_encryption,
    provider_of_host,
)
from apps.letters.rules.mailboxes import Ai, BadServer, MailServer, imap_url, read_imap, read_smtp, smtp_url
from apps.letters.rules.server_problems import NEEDS_OWNER, ServerProblem


class CheckForm(forms.Form):
    """To whom a letter goes that tries the mail out; empty: to the own address."""

    to = forms.EmailField(
        label=_("To"),
        required=False,
        max_length=254,
        help_text=_("Empty: to itself, so that receiving is tried, too. Or an address such as that of a mail tester."),
        widget=UnfoldAdminTextInputWidget,
    )


class ProofForm(forms.Form):
    """The code that was mailed to a mailbox."""

    code = forms.CharField(
        label=_("Code"),
        max_length=20,
        help_text=_("Eight digits, from the e-mail that this mailbox has received."),
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )


IMAP_FIELDS = (
    *("reads", "imap_user", "imap_password", "imap_host", "imap_port", "imap_encryption", "imap_folder", "imap_after"),
    "imap_moves_to",
)
SMTP_FIELDS = ("sends", "smtp_user", "smtp_password", "smtp_host", "smtp_port", "smtp_encryption")
ENCRYPTIONS = [
    ("", _("as usual at this port")),
    (Encryption.TLS.value, _("TLS (SSL) from the start")),
    (Encryption.STARTTLS.value, _("STARTTLS")),
    (Encryption.NONE.value, _("none")),
]
AI_CHOICES = [
    (Ai.OFF.value, _("People answer; AI stays out")),
    (Ai.DRAFTS.value, _("AI drafts answers, people send them")),
    (Ai.ANSWERS.value, _("AI answers, as in chats")),
]
MAX_PORT = 65_535


def line(label: Any, help_text: Any = "", **options: Any) -> forms.CharField:
    """A field of one line, such as a name."""
    return forms.CharField(
        label=capfirst(label),
        help_text=help_text,
        required=False,
        max_length=255,
        widget=UnfoldAdminTextInputWidget,
        **options,
    )


def secret(help_text: Any) -> forms.CharField:
    """A password: a refused form shows it again to who typed it, and nothing shows a stored one."""
    widget = UnfoldAdminPasswordWidget(attrs={"autocomplete": "new-password"}, render_value=True)
    label = capfirst(_("password"))
    return forms.CharField(label=label, help_text=help_text, required=False, max_length=255, strip=False, widget=widget)


def port() -> forms.IntegerField:
    return forms.IntegerField(
        label=capfirst(_("port")), required=False, min_value=1, max_value=MAX_PORT, widget=UnfoldAdminIntegerFieldWidget
    )


def choice(label: Any, choices: Any, help_text: Any = "", **options: Any) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=capfirst(label), choices=choices, help_text=help_text, widget=UnfoldAdminSelectWidget, **options
    )


class MailboxForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """A mailbox. Its servers stand in fields; blank ones are found by the address. Both logins are tried before
    the page's transaction begins: `tried` is None in the form that tells which are `wanted`.
    """

    tried: ClassVar[dict[Side, Tried] | None] = None

    reads = choice(
        _("how e-mails come"),
        [("imap", _("they are read from its server (IMAP)")), ("hook", _("a provider delivers them to its address"))],
        initial="imap",
    )
    imap_user = line(_("name"), _("Blank: the address."))
    imap_password = secret(
        _("Most providers want a password for apps here. Blank: the stored one, as long as server and name stay.")
    )
    imap_host = line(_("server"), _("Blank: it is found by the address."))
    imap_port = port()
    imap_encryption = choice(_("encryption"), ENCRYPTIONS, required=False)
    imap_folder = line(_("folder"), _("Blank: INBOX, the one where e-mails come."))
    imap_after = choice(
        _("what was read"),
        [("", _("stays as it is")), ("seen", _("is marked as seen")), ("move", _("is moved to the folder below"))],
        required=False,
    )
    imap_moves_to = line(_("folder for what was read"), _("It has to exist."))
    sends = choice(
        _("how answers leave"),
        [("smtp", _("by its server (SMTP)")), ("service", _("by the service's own server"))],
        initial="smtp",
    )
    smtp_user = line(_("name"), _("Blank: the same as for receiving."))
    smtp_password = secret(_("Blank: the same as for receiving, or the stored one."))
    smtp_host = line(_("server"), _("Blank: it is found by the address."))
    smtp_port = port()
    smtp_encryption = choice(_("encryption"), ENCRYPTIONS, required=False)
    ai = choice(_("AI"), AI_CHOICES, initial=Ai.OFF.value)

    class Meta:
        model = Mailbox
        fields = ("widget", "address", "name", "department", "signature", "ai", "authserv_ids", "form_senders")
        widgets: ClassVar = {"address": UnfoldAdminEmailInputWidget}
        help_texts: ClassVar = {
            "authserv_ids": _(
                "With commas. The name that your mail server writes at the beginning of Authentication-Results, such "
                "as mx.google.com, mx.yandex.net or mxs.mail.ru: what it found of a sender is believed. Blank: "
                "signatures (DKIM) are checked here."
            ),
            "form_senders": _(
                "With commas. An address that writes for other people: the contact form of your site, or a group. "
                "Answers go to the person in its Reply-To."
            ),
        }

    class Media:
        js: ClassVar = [forms.Script("letters/mailbox.js", defer=True)]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.stored = {side: server for side in Side if (server := stored_server(self.instance, side))}
        if self.instance.pk and "reads" in self.fields:
            self.initial["reads"] = "imap" if Side.IMAP in self.stored else "hook"
            self.initial["sends"] = "smtp" if Side.SMTP in self.stored else "service"
            for side, server in self.stored.items():
                self.initial.update(_shown(side, server))
                if provider := provider_of_host(server.host):
                    self.fields[f"{side}_password"].help_text += " " + gettext(PROVIDER_HINTS[provider.name])
        if "address" in self.fields:
            self.fields["address"].widget.attrs["data-providers"] = json.dumps(_providers())

    def clean_address(self) -> str:
        try:
            return mailbox_address(self.cleaned_data["address"])
        except Problem as refused:
            raise forms.ValidationError(list(field_words(refused))) from None

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        department, widget = cleaned.get("department"), cleaned.get("widget")
        widget_id = widget.pk if widget is not None else self.instance.widget_id
        if department is not None and widget_id is not None and department.widget_id != widget_id:
            self.add_error("department", _("The department is another widget's."))
        if widget is not None and not self.instance.pk:
            self._refuse_one_too_many(widget.pk)
        if "reads" in self.fields:
            self.wanted = {side: one for side in Side if (one := self._wanted(side)) is not None}
            self._take_what_was_tried()
        return cleaned

    def changes(self) -> dict[str, str]:
        """The addresses of the servers, as far as this form changes them."""
        made: dict[str, str] = {}
        for side, kept, write in ((Side.IMAP, "reads", imap_url), (Side.SMTP, "sends", smtp_url)):
            if self.cleaned_data[kept] != side:
                made |= {side.value: ""} if side in self.stored else {}
            elif side in self.wanted and (server := (self.tried or {})[side].server) is not None:
                made[side.value] = write(server)
        return made

    def _refuse_one_too_many(self, widget_id: int) -> None:
        try:
            require_room(widget_id)
        except Problem as refused:
            self.add_error("address", list(field_words(refused)))

    def _wanted(self, side: Side) -> Wanted | None:
        """The server that is to be signed in to; None where nothing of it changes, or it is not used."""
        cleaned = self.cleaned_data
        if cleaned.get("reads" if side is Side.IMAP else "sends") != side or any(
            name in self.errors for name in self.fields if name.startswith(side)
        ):
            return None
        stored, wanted = self.stored.get(side), self._typed(side)
        is_same_login = (
            stored is not None
            and wanted.place is not None
            and (stored.host, stored.user) == (wanted.place.host, wanted.user)
        )
        if stored is not None and is_same_login and not wanted.password:
            wanted = wanted._replace(password=stored.password)
        if stored is not None and wanted.place is not None and wanted.at(wanted.place) == stored:
            return None
        if not wanted.password:
            self.add_error(f"{side}_password", _("Type the password: it is kept for the same server and name alone."))
            return None
        return wanted

    def _typed(self, side: Side) -> Wanted:
        cleaned, stored = self.cleaned_data, self.stored.get(side)
        password = cleaned[f"{side}_password"]
        user = cleaned[f"{side}_user"].strip()
        if not user and not (stored is not None and not stored.user and not password):
            user = self._other_user(side) or cleaned.get("address") or self.instance.address
        if side is Side.SMTP and not password and self._shares_passwords():
            password = cleaned.get("imap_password") or ""
        wanted = Wanted(self._place(side), user, password)
        if side is Side.IMAP:
            after = cleaned["imap_after"]
            wanted = wanted._replace(
                folder=cleaned["imap_folder"].strip() or "INBOX",
                marks_seen=after == "seen",
                moves_to=cleaned["imap_moves_to"].strip() if after == "move" else "",
            )
        return wanted

    def _other_user(self, side: Side) -> str:
        return self.cleaned_data.get("imap_user", "").strip() if side is Side.SMTP else ""

    def _shares_passwords(self) -> bool:
        """Whether a password that was typed for receiving is for sending, too."""
        imap, smtp = self.stored.get(Side.IMAP), self.stored.get(Side.SMTP)
        return smtp is None or (imap is not None and imap.password == smtp.password)

    def _place(self, side: Side) -> ServerPlace | None:
        host, number = self.cleaned_data[f"{side}_host"].strip(), self.cleaned_data[f"{side}_port"]
        if not host:
            return None
        chosen = self.cleaned_data[f"{side}_encryption"]
        encryption = Encryption(chosen) if chosen else guessed_encryption(side, number)
        return ServerPlace(host, number or DEFAULT_PORTS[side][encryption], encryption)

    def _take_what_was_tried(self) -> None:
        """Refuses servers that cannot be used, at their fields, and shows the servers that were found."""
        if self.tried is None:
            return
        for side in self.wanted:
            tried = self.tried.get(side)
            if tried is None:
                self.add_error(None, _("The mailbox was changed meanwhile. Save it again."))
                continue
            if tried.server is not None and self.wanted[side].place is None:
                self._show(side, tried.server)
            if tried.failure is not None:
                self.add_error(field_of(side, tried.failure), words_of(side, tried.failure))

    def _show(self, side: Side, server: MailServer) -> None:
        shown = {name: str(value) for name, value in _shown(side, server) if name in _PLACE[side]}
        self.data = self.data.copy() if hasattr(self.data, "copy") else dict(self.data)
        self.data.update({self.add_prefix(name): value for name, value in shown.items()})


_PLACE = {side: (f"{side}_host", f"{side}_port", f"{side}_encryption") for side in Side}


def stored_server(mailbox: Mailbox, side: Side) -> MailServer | None:
    """The server that a mailbox has; None without one."""
    url = mailbox.imap if side is Side.IMAP else mailbox.smtp
    try:
        return (read_imap(url) if side is Side.IMAP else read_smtp(url)) if url else None
    except BadServer:
        return None


def _shown(side: Side, server: MailServer) -> Iterator[tuple[str, Any]]:
    """The values of the fields of a server; never its password."""
    spoken = Encryption.TLS if server.uses_tls else Encryption.STARTTLS if server.starts_tls else Encryption.NONE
    yield from ((f"{side}_host", server.host), (f"{side}_port", server.port), (f"{side}_encryption", spoken.value))
    yield (f"{side}_user", server.user)
    if side is Side.IMAP:
        yield ("imap_folder", server.folder)
        yield ("imap_after", "seen" if server.marks_seen else "move" if server.moves_to else "")
        yield ("imap_moves_to", server.moves_to)


def _providers() -> list[dict[str, Any]]:
    """The values that the page's script fills in by the address, of `rules.mail_providers`."""
    return [
        {
            "domains": sorted(provider.domains),
            "hint": gettext(PROVIDER_HINTS[provider.name]),
            **{side.value: list(provider.place(side)) for side in Side},
        }
        for provider in PROVIDERS
    ]


def field_of(side: Side, failure: ServerFailure) -> str | None:
    """The field that a failure is shown at."""
    if failure.code is ServerProblem.BUSY:
        return None
    if failure.code is ServerProblem.NO_FOLDER:
        return "imap_folder"
    return f"{side}_password" if failure.code in NEEDS_OWNER else f"{side}_host"


def words_of(side: Side, failure: ServerFailure) -> str:
    """A failure in the reader's language: which of the two servers, why, and its provider's advice."""
    text = problem_words(failure.code, failure.about)
    provider = provider_of_host(failure.about) if failure.code in NEEDS_OWNER else None
    hint = " " + gettext(PROVIDER_HINTS[provider.name]) if provider else ""
    return gettext(SIDES[side]) % {"text": text} + hint


def problem_words(code: str, about: str) -> str:
    """A stored problem in the reader's language; one that no code of today knows, as it is stored."""
    words = SERVER_PROBLEMS.get(code)
    return gettext(words) % {"about": about} if words else f"{code} {about}".strip()


def check_problem_words(problem: dict[str, str]) -> str:
    """A problem of a check in the reader's language, and the server's own words behind it."""
    code, words = problem["code"], problem["code"]
    if code in SERVER_PROBLEMS:
        words = words_of(Side(problem["side"]), ServerFailure(ServerProblem(code), problem["about"]))
    said = f"“{problem['said']}”" if problem["said"] else ""
    return " ".join(filter(None, (words, said)))
