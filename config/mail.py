"""Reads EMAIL_URL: how mail is sent."""

from email.utils import parseaddr
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from config.environment import InvalidSetting

SMTP = "django.core.mail.backends.smtp.EmailBackend"
CONSOLE = "django.core.mail.backends.console.EmailBackend"
FOLDER = "apps.core.mail.FolderBackend"

# By scheme: the port where none is named, whether TLS is asked for (STARTTLS), and whether it is there from the start.
_SMTP_SCHEMES = {"smtp": (25, False, False), "smtp+tls": (587, True, False), "smtps": (465, False, True)}
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
