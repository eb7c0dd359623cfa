"""The settings of a widget's help center."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from apps.accounts.models import Widget
from apps.accounts.rules.settings import Setting, choice, switch, text
from apps.accounts.settings import Changes, SettingsTable
from apps.articles.models import HelpCenter
from apps.articles.querysets.centers import free_slug
from apps.articles.rules.centers import footer_refusal, is_https, texts_refusal
from apps.articles.rules.limits import MAX_CENTER_TITLE, MAX_INTRO
from apps.articles.rules.slugs import is_center_slug
from apps.articles.rules.states import InWidget
from apps.chats.questions import widget_languages
from apps.chats.rules.languages import NAMES
from apps.chats.rules.texts import NOT_SUPPORTED


def _unsupported(row: HelpCenter, changes: Changes) -> dict[str, str]:
    """The refusals of languages that the widget does not have."""
    supported = widget_languages(row.widget_id).supported
    found = {}
    chosen = changes.get("default_language")
    if chosen and chosen not in supported:
        found["default_language"] = NOT_SUPPORTED
    texts = {name: changes[name] for name in ("title", "intro") if changes.get(name)}
    texts |= {f"footer.{place}.label": link["label"] for place, link in enumerate(changes.get("footer") or [])}
    for path, by_language in texts.items():
        found |= {f"{path}.{code}": NOT_SUPPORTED for code in by_language if code not in supported}
    return found


def _slug_at_first(row: HelpCenter, changes: Changes, is_new: bool) -> dict[str, Any]:
    """A help center has a slug from its first change on."""
    if row.slug or changes.get("slug"):
        return {}
    guid, name = Widget.objects.values_list("guid", "name").get(pk=row.widget_id)
    return {"slug": free_slug(name, guid)}


def _texts(name: str, label: Any, longest: int, *, about: str, help_text: Any) -> Setting:
    return Setting(
        name=name,
        kind="object",
        label=label,
        nullable=True,
        refuses=lambda value: texts_refusal(value, longest),
        about=about,
        help_text=help_text,
    )


CENTER = SettingsTable(
    model=HelpCenter,
    further_refusals=_unsupported,
    derived=_slug_at_first,
    rows=(
        switch(
            "is_public",
            _("public pages"),
            sets_to_work=True,
            about="Whether everybody reads the published articles at `url`.",
        ),
        text(
            "slug",
            _("address"),
            is_center_slug,
            refusal=gettext_noop("3 to 40 small letters a to z, digits and hyphens are expected."),
            about="The pages stand at `/help/{slug}`; one help center's in the installation.",
            exported=False,
        ),
        _texts(
            "title",
            _("title"),
            MAX_CENTER_TITLE,
            about="By language; null: the widget's name.",
            help_text=_("Empty: the widget's name."),
        ),
        _texts("intro", _("introduction"), MAX_INTRO, about="By language, below the title.", help_text=""),
        choice(
            "default_language",
            _("default language"),
            NAMES,
            nullable=True,
            refusal=gettext_noop("Must be a language that the widget supports."),
            about="The language of readers whose own an article is not in; null: the widget's fallback.",
        ),
        text(
            "home_url",
            _("address of the website"),
            is_https,
            nullable=True,
            refusal=gettext_noop("Must be an address that begins with https://."),
            about="The pages lead back there.",
        ),
        Setting(
            name="footer",
            kind="object",
            label=_("links at the foot"),
            refuses=footer_refusal,
            default=[],
            about="At most 8 links, each with a label by language.",
        ),
        switch("indexing", _("search engines may list the pages"), about="False: `noindex` on every page."),
        choice(
            "in_widget",
            _("in the widget"),
            {
                InWidget.OFF.value: _("not shown"),
                InWidget.SEARCH.value: _("a search where a chat begins"),
                InWidget.SUGGEST.value: _("a search, and suggestions while the first message is written"),
            },
            sets_to_work=True,
            refusal=gettext_noop("Must be off, search or suggest."),
            about="`suggest`: also while the first message is written.",
        ),
        switch(
            "for_ai",
            _("AI answers from the articles"),
            sets_to_work=True,
            about="Published articles are knowledge of AI.",
        ),
        switch("show_chat", _("the chat on the pages"), about="Whether the widget is on the public pages."),
    ),
    sections=(
        (_("Pages"), ("is_public", "slug", "title", "intro", "default_language", "home_url", "footer", "indexing")),
        (_("Elsewhere"), ("in_widget", "for_ai", "show_chat")),
    ),
)
