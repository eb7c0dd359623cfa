"""Reads the environment (12-factor), in one place.

Each name is looked up in the process environment first, then in the state file that a `make run` under way keeps in
PARLEY_HOME, so that a `manage.py` command with the same environment reaches the same servers with the same secrets.
A name that is missing or malformed ends the process with one clear line.
"""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

from cryptography.fernet import Fernet

PROJECT_ROOT = Path(__file__).resolve().parent.parent
STATE_FILE_NAME = "runtime.json"
YEAR_S = 31_536_000


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

    def boolean(self, name: str, default: bool) -> bool:
        value = self._values.get(name)
        if value is None:
            return default
        known = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
        if value.lower() not in known:
            raise InvalidSetting(f"{name} must be true or false, not {value!r}")
        return known[value.lower()]

    def items(self, name: str) -> list[str]:
        return [item.strip() for item in self._values.get(name, "").split(",") if item.strip()]

    def url(self, name: str, default: str | None = None, *, schemes: tuple[str, ...]) -> str:
        value = self.text(name, default)
        try:
            scheme = urlsplit(value).scheme
        except ValueError:
            scheme = ""
        if scheme not in schemes:
            raise InvalidSetting(f"{name} must be a URL that starts with {' or '.join(s + '://' for s in schemes)}")
        return value.rstrip("/")

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
