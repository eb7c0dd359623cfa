"""Reads of a widget's help center, with its defaults."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings as installation

from apps.accounts.models import Widget
from apps.articles.models import HelpCenter
from apps.articles.rules.addresses import center_base
from apps.articles.rules.domains import txt_name, txt_value
from apps.articles.rules.slugs import center_slug_of
from apps.articles.rules.states import DomainState
from apps.chats.questions import WidgetLanguages, widget_languages


@dataclass(frozen=True, slots=True)
class Center:
    """A help center as it is in effect: `row` may not be stored yet."""

    row: HelpCenter
    name: str
    languages: WidgetLanguages
    slug: str

    @property
    def default_language(self) -> str:
        """The language of readers whose own an article is not in."""
        chosen = self.row.default_language
        return chosen if chosen in self.languages.supported else self.languages.fallback

    @property
    def title(self) -> dict[str, str]:
        """Its title by language: the widget's name, unless it has its own."""
        return self.row.title or {self.default_language: self.name}

    @property
    def base(self) -> str:
        """The address below which its pages stand, public or not: that of its own domain while that is verified."""
        domain = self.row.domain if self.row.domain_state == DomainState.VERIFIED else None
        return center_base(installation.PUBLIC_URL, self.slug, domain)

    @property
    def url(self) -> str | None:
        """The address of its public pages; None without any."""
        return self.base if self.row.is_public else None


def center_of(widget_id: int) -> Center:
    """The help center of a widget that is there."""
    row = HelpCenter.objects.for_widget(widget_id).first() or HelpCenter(widget_id=widget_id)
    guid, name = Widget.objects.values_list("guid", "name").get(pk=widget_id)
    slug = row.slug or free_slug(name, guid)
    return Center(row, name, widget_languages(widget_id), slug)


def center_answer(center: Center, values: dict[str, Any]) -> dict[str, Any]:
    """A help center as it is answered: `values` are those of its settings (`settings.CENTER`)."""
    shown = {"slug": center.slug, "title": center.title, "default_language": center.default_language}
    domain = domain_answer(center.row) if center.row.domain else None
    return {**values, **shown, "url": center.url, "domain": domain}


def domain_answer(row: HelpCenter) -> dict[str, Any]:
    """A help center's own domain as it is answered; all members are None without one."""
    token = row.domain_token
    return {
        "name": row.domain,
        "state": row.domain_state or None,
        "txt_name": txt_name(row.domain) if row.domain and token else None,
        "txt_value": txt_value(token) if token else None,
        "problem": row.domain_problem or None,
        "checked_at": row.domain_checked_at,
    }


def default_language(widget_id: int) -> str:
    """The language of readers whose own an article is not in."""
    return center_of(widget_id).default_language


def free_slug(name: str, guid: object) -> str:
    """The slug of a help center that has none: made of the widget's name; with a part of its guid if it is taken."""
    part = str(guid)[:8]
    wished = center_slug_of(name)
    taken = HelpCenter.objects.unscoped("a slug is one help center's in the whole installation")
    if wished is None:
        return f"help-{part}"
    return f"{wished[:31].strip('-')}-{part}" if taken.filter(slug=wished).exists() else wished


def center_by_slug(slug: str) -> HelpCenter | None:
    """The help center that stands at `/help/{slug}`; None where there is none that is public."""
    rows = HelpCenter.objects.unscoped("a page is found by the slug in its address")
    return rows.filter(slug=slug, is_public=True).first()


def own_pages(widget_id: int) -> list[str]:
    """The beginnings of the addresses of a widget's public pages (the hook `own_pages`), shown or not."""
    center = center_of(widget_id)
    bases = [center_base(installation.PUBLIC_URL, center.slug, None)]
    if center.row.domain:
        bases.append(center_base(installation.PUBLIC_URL, center.slug, center.row.domain))
    return [f"{base}/" for base in bases]
