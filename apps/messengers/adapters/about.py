"""How a messenger is shown and connected: pages, departments, the widget and the console read it, and know no code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

# Of two pictures.
HANDSET = (
    "M8.5 7.7c.5-.6 1.2-.6 1.5 0l.8 1.5c.2.4 0 .8-.5 1.3.6 1.3 1.4 2.1 2.8 2.8.5-.5.9-.7 1.3-.5l1.6.8c.5.3.5 1-.1 1.5"
    "-1.2 1.2-3 .8-5-.7s-3.6-4.3-2.4-6.7z"
)
_LINK, _LINK_HINT = _("public link"), _("Where visitors go; the widget shows it. It may be left blank.")


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """The data of a messenger that people see.

    name: its whole name, in English (`gettext_noop` where it is translated). called: its name for visitors and
    operators, where that is another. listed: its place in the API's list. offered: its place on the page where an owner
    chooses; what a shop uses first stands first. picture: drawn by us, a path in a square of 24. steps: how it is
    connected. page: the page of the cabinet that connects it. in_departments: whether departments list it by its code.
    is_rechecked: whether its connections are asked every hour whether they still hold.
    """

    name: str
    called: str = ""
    listed: int
    offered: int
    picture: str
    steps: tuple[StrOrPromise, ...] = ()
    key_hint: StrOrPromise = ""
    sid_label: StrOrPromise = ""
    url_label: StrOrPromise = _LINK
    url_hint: StrOrPromise = _LINK_HINT
    page: Literal["connection", "community", "adcabinet"] = "connection"
    in_departments: bool = True
    is_rechecked: bool = True
