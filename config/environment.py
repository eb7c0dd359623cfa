"""Reads the environment (12-factor), in one place.

Each name is looked up in the process environment first, then in the state file that a `make run` under way keeps in
PARLEY_HOME, so that a `manage.py` command with the same environment reaches the same servers with the same secrets.
A name that is missing or malformed ends the process with one clear line.
"""

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit

import dj_database_url
from cryptography.fernet import Fernet
from redis.connection import parse_url

PROJECT_ROOT = Path(__file__).resolve().parent.parent
STATE_FILE_NAME = "runtime.json"
YEAR_S = 31_536_000
_HOST = re.compile(r"\*|\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\]", re.IGNORECASE)


class InvalidSetting(Exception):
    """A setting is missing or malformed; the text is the one line shown to the person who starts the service."""


def parley_home(environ: Mapping[str, str] = os.environ) -> Path:
    """The folder of embedded data, generated secrets and media: PARLEY_HOME, by default `var/` in the project."""
    return Path(environ.get("PARLEY_HOME") or PROJECT_ROOT / "var").expanduser().resolve()


class Environment:
    """Typed look-ups over the environment and the state file.

    Raises InvalidSetting, naming the variable, for a value that is missing or malformed.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        state_file = parley_home(environ) / STATE_FILE_NAME
        state: dict[str, str] = json.loads(state_file.read_text()) if state_file.exists() else {}
        self._values = {**state, **{name: value for name, value in environ.items() if value != ""}}

    def text(self, name: str, default: str | None = None) -> str:
        value = self._values.get(name, default)
        if value is None:
            raise InvalidSetting(f"{name} is not set; start the service with `make run`, or set it in the environment")
        return value

    def integer(self, name: str, default: int, *, minimum: int, maximum: int) -> int:
        value = self._values.get(name)
        if value is None:
            return default
        if not value.isascii() or not value.isdigit() or not minimum <= int(value) <= maximum:
            raise InvalidSetting(f"{name} must be a whole number from {minimum} to {maximum}, not {value!r}")
        return int(value)

    def seconds(self, name: str, default: float, *, minimum: float, maximum: float) -> float:
        value = self._values.get(name)
        if value is None:
            return default
        whole, _, fraction = value.partition(".")
        if not (whole + fraction).isdigit() or not value.isascii() or not minimum <= float(value) <= maximum:
            raise InvalidSetting(f"{name} must be a number from {minimum:g} to {maximum:g}, not {value!r}")
        return float(value)

    def boolean(self, name: str, default: bool) -> bool:
        value = self._values.get(name)
        if value is None:
            return default
        known = dict.fromkeys(("1", "true", "yes", "on"), True) | dict.fromkeys(("0", "false", "no", "off"), False)
        if value.lower() not in known:
            raise InvalidSetting(f"{name} must be true or false, not {value!r}")
        return known[value.lower()]

    def items(self, name: str) -> list[str]:
        return [item.strip() for item in self._values.get(name, "").split(",") if item.strip()]

    def pairs(self, name: str, known: Sequence[str]) -> dict[str, str]:
        """The values of `key=value` items; values are known words."""
        pairs = {}
        for item in self.items(name):
            key, _, value = item.rpartition("=")
            if not key.strip() or value.strip() not in known:
                raise InvalidSetting(f"{name} takes name=value with one of {', '.join(known)}, not {item!r}")
            pairs[key.strip()] = value.strip()
        return pairs

    def some_of(self, name: str, known: Sequence[str]) -> list[str]:
        """The named ones among the known words."""
        items = self.items(name)
        for item in items:
            if item not in known:
                raise InvalidSetting(f"{name} may name {', '.join(known)}, not {item!r}")
        return items

    def hosts(self, name: str) -> list[str]:
        """Hosts as Django compares them: without a scheme and a port, IPv6 in brackets."""
        items = self.items(name)
        for item in items:
            if not _HOST.fullmatch(item):
                raise InvalidSetting(
                    f"{name} takes hosts alone, such as chat.example.com, .example.com or [::1], not {item!r}"
                )
        return items

    def choice(self, name: str, default: str, known: tuple[str, ...]) -> str:
        """A known word, in whatever case it is given."""
        value = self.text(name, default)
        for word in known:
            if value.lower() == word.lower():
                return word
        raise InvalidSetting(f"{name} must be one of {', '.join(known)}, not {value!r}")

    def url(self, name: str, default: str | None = None, *, schemes: tuple[str, ...], host: bool = True) -> str:
        """A URL with one of the schemes that, with `host`, names one. No refusal shows it: it may hold a password."""
        value = self.text(name, default)
        starts = tuple(f"{scheme}://" for scheme in schemes)
        if not value.lower().startswith(starts):
            raise InvalidSetting(f"{name} must be a URL that starts with {' or '.join(starts)}")
        try:
            parts = urlsplit(value)
            port = parts.port
        except ValueError:
            raise InvalidSetting(f"{name} is no URL: its port or its host can't be read") from None
        if port == 0:
            raise InvalidSetting(f"{name} is no URL: its port is 0")
        if host and not parts.hostname:
            raise InvalidSetting(f"{name} names no host after {parts.scheme}://")
        return value.rstrip("/")

    def database(self, name: str) -> dict[str, Any]:
        """The PostgreSQL database of a URL, as Django's DATABASES has it; one without a host is on this machine."""
        url = self.url(name, schemes=("postgres", "postgresql"), host=False)
        parsed: dict[str, Any] = dict(dj_database_url.parse(url))
        if not parsed["NAME"] and "service" not in parsed.get("OPTIONS", {}):
            raise InvalidSetting(f"{name} names no database: postgresql://user:password@host/name")
        return parsed

    def redis(self, name: str) -> str:
        """The URL of a Redis, which all of its clients can read."""
        url = self.url(name, schemes=("redis", "rediss"))
        try:
            parse_url(url)  # type: ignore[no-untyped-call]
        except ValueError as error:
            raise InvalidSetting(f"{name} can't be read: {error}") from None
        number = urlsplit(url).path.strip("/")
        if number and not (number.isascii() and number.isdigit()):
            raise InvalidSetting(f"{name} must end with the number of a database, such as /0, not with /{number}")
        return url

    def sentry(self, name: str) -> str:
        """A DSN of Sentry, or an empty text. No refusal shows it: it holds a key."""
        value = self.text(name, "")
        if value:
            from sentry_sdk.utils import BadDsn, Dsn  # only who reports there loads it

            try:
                Dsn(value)
            except (BadDsn, ValueError):
                raise InvalidSetting(f"{name} is no DSN: https://key@host/project") from None
        return value

    def fernet_keys(self, name: str) -> list[str]:
        keys = self.items(name)
        if not keys:
            self.text(name)
            raise InvalidSetting(f"{name} holds no key")
        for position, key in enumerate(keys, 1):
            try:
                Fernet(key)
            except ValueError:
                raise InvalidSetting(f"{name}: key {position} is no Fernet key (32 bytes, url-safe base64)") from None
        return keys


def hsts(env: Environment, *, is_https: bool) -> tuple[int, bool, bool]:
    """Strict-Transport-Security as it is asked for: seconds (0 is none), whether for subdomains, whether to preload.

    Raises InvalidSetting for what browsers or their preload list would not take.
    """
    seconds = env.integer("HSTS_SECONDS", 0, minimum=0, maximum=10 * YEAR_S)
    subdomains = env.boolean("HSTS_INCLUDE_SUBDOMAINS", False)
    preload = env.boolean("HSTS_PRELOAD", False)
    if seconds and not is_https:
        raise InvalidSetting("HSTS_SECONDS needs a PUBLIC_URL that starts with https://")
    if subdomains and not seconds:
        raise InvalidSetting("HSTS_INCLUDE_SUBDOMAINS needs HSTS_SECONDS")
    if preload and not (subdomains and seconds >= YEAR_S):
        raise InvalidSetting(f"HSTS_PRELOAD needs HSTS_INCLUDE_SUBDOMAINS, and HSTS_SECONDS of {YEAR_S} or more")
    return seconds, subdomains, preload


def stop_with(error: InvalidSetting) -> NoReturn:
    """Ends the process with the one clear line of a setting that can't be used."""
    sys.exit(f"parley: {error}")
