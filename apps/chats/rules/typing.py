"""How often an operator may be shown as typing. Source: specification, "Limits"."""

from enum import StrEnum

START_EVERY_MS = 5_000


class Typing(StrEnum):
    START = "start"
    STOP = "stop"
