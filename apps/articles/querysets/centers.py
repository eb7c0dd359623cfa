"""Reads of a widget's help center, with its defaults."""

from dataclasses import dataclass

from apps.accounts.models import Widget
from apps.articles.models import HelpCenter
from apps.articles.rules.slugs import center_slug_of
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


def center_of(widget_id: int) -> Center:
    """The help center of a widget that is there."""
    row = HelpCenter.objects.for_widget(widget_id).first() or HelpCenter(widget_id=widget_id)
    guid, name = Widget.objects.values_list("guid", "name").get(pk=widget_id)
    slug = row.slug or free_slug(name, guid)
    return Center(row, name, widget_languages(widget_id), slug)


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
