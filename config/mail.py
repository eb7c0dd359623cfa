"""Reads EMAIL_URL: how mail is sent."""

import re
from email.utils import parseaddr
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from apps.letters.rules.mailboxes import BadServer, read_imap
from config.environment import InvalidSetting

SMTP = "django.core.mail.backends.smtp.EmailBackend"
CONSOLE = "django.core.mail.backends.console.EmailBackend"
FOLDER = "apps.core.mail.FolderBackend"
# Where letters are files, and the demo shows and answers them.
TRIAL_REPLIES = "reply+{tag}@mail.localhost"

# By scheme: the port where none is named, whether TLS is asked for (STARTTLS), and whether it is there from the start.
_SMTP_SCHEMES = {"smtp": (25, False, False), "smtp+tls": (587, True, False), "smtps": (465, False, True)}
_REPLY_FORMS = "MAIL_REPLY_ADDRESS must be an e-mail address with {tag} once, left of the @, as reply+{tag}@example.com"
_FORMS = "EMAIL_URL must be smtp://, smtp+tls:// or smtps://user:password@host:port, console:// or file:///folder"


class Mail(NamedTuple):
    """Django's settings of mail, EMAIL_… each."""

    backend: str
    folder: Path
    host: str = "localhost"
    port: int = 25
    user: str = ""
    password: str = ""
    use_tls: bool = False
    use_ssl: bool = False


def mail_settings(url: str, default_folder: Path) -> Mail:
    """How mail is sent by a URL; as a file for each mail where it is empty.

    Raises InvalidSetting, which does not show the URL: it may hold a password.
    """
    try:
        parts = urlsplit(url or default_folder.as_uri())
        port = parts.port
    except ValueError:
        raise InvalidSetting(_FORMS) from None
    if parts.query or parts.fragment or port == 0:
        raise InvalidSetting(_FORMS)
    if parts.scheme == "file" and not parts.netloc and parts.path not in ("", "/"):
        return Mail(FOLDER, Path(unquote(parts.path)))
    if parts.scheme == "console" and not parts.netloc and parts.path in ("", "/"):
        return Mail(CONSOLE, default_folder)
    if parts.scheme in _SMTP_SCHEMES and parts.hostname and parts.path in ("", "/"):
        default_port, use_tls, use_ssl = _SMTP_SCHEMES[parts.scheme]
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        return Mail(SMTP, default_folder, parts.hostname, port or default_port, user, password, use_tls, use_ssl)
    raise InvalidSetting(_FORMS)


def sender(text: str) -> str:
    """The sender of mail: an address, with or without a name in front. Raises InvalidSetting."""
    try:
        if not text.isprintable():
            raise ValidationError("")
        validate_email(parseaddr(text)[1])
    except ValidationError:
        raise InvalidSetting(
            f"DEFAULT_FROM_EMAIL must be an e-mail address, or a name and <an address>, not {text!r}"
        ) from None
    return text


def default_sender(host: str | None) -> str:
    """The sender where none is set: of the host that the service is reached at, if mail can come from there."""
    address = f"parley@{host}"
    try:
        validate_email(address)
    except ValidationError:
        return "parley@localhost"
    return address


def inbox(text: str) -> str:
    """The address of the mailbox where letters to reply addresses lie; empty where there is none.

    Raises InvalidSetting, which does not show it: it holds a password.
    """
    try:
        if text:
            read_imap(text)
    except BadServer as malformed:
        raise InvalidSetting(f"MAIL_INBOX {malformed}") from None
    return text


def hook_key(text: str) -> str:
    """The key that opens the installation's hook of letters; empty where it has none. Raises InvalidSetting."""
    if text and not re.fullmatch(r"[A-Za-z0-9_-]{32,128}", text):
        raise InvalidSetting("MAIL_HOOK_KEY must be 32 to 128 of A-Z, a-z, 0-9, _ and -")
    return text


def reply_address(text: str) -> str:
    """How the addresses look to which visitors answer letters, with one `{tag}`; empty where there are none.

    Raises InvalidSetting.
    """
    local, _, domain = text.partition("@")
    if text and (text.count("{tag}") != 1 or "{tag}" not in local):
        raise InvalidSetting(_REPLY_FORMS)
    try:
        if text:
            # A tag is a letter and 20 characters.
            validate_email(f"{local.replace('{tag}', 'r' * 21)}@{domain}")
    except ValidationError:
        raise InvalidSetting(_REPLY_FORMS) from None
    return text
