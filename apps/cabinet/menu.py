"""Places in the cabinet's menu. A page declares its own (`TenantAdmin.menu`); the menu sorts what is declared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.db.models import Model
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True, eq=False)
class MenuGroup:
    """An entry of the menu's first level, a job. An app that has one to itself declares it."""

    order: int
    title: StrOrPromise
    icon: str


@dataclass(frozen=True, slots=True)
class MenuPlace:
    """A line of a group. `tab` is the page's title among its tabs, where that is another than the line's."""

    group: MenuGroup
    order: int
    title: StrOrPromise
    tab: StrOrPromise = ""


@dataclass(frozen=True, slots=True)
class MenuTab:
    """A tab beside the page of the model `of`, which has the line."""

    of: type[Model]
    order: int
    title: StrOrPromise


@dataclass(frozen=True, slots=True)
class RowTab:
    """A tab on the page of each row of the model `of`: the row's own page, or one of a proxy under the same key."""

    of: type[Model]
    order: int
    title: StrOrPromise


@dataclass(frozen=True, slots=True, kw_only=True)
class WayOut:
    """A way out of the cabinet, declared in an app's `dashboard.py`. Some are in the person's menu, too."""

    order: int
    title: StrOrPromise
    icon: str
    address: str
    in_persons_menu: bool = False


# The groups that pages of several apps stand in.
WIDGET = MenuGroup(20, _("Widget"), "chat_bubble")
CHANNELS = MenuGroup(30, _("Channels"), "hub")
KNOWLEDGE = MenuGroup(40, _("AI and knowledge"), "auto_awesome")
PROGRAMS = MenuGroup(60, _("Webhooks and API"), "webhook")
ACCOUNT = MenuGroup(90, _("Account and data"), "manage_accounts")
# It stands apart, for those who run the installation.
INSTALLATION = MenuGroup(100, _("The installation"), "dns")
