"""The form of a help center's settings: its texts by language, its links as lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from apps.articles.cabinet.pages import languages_of
from apps.articles.errors import SLUG_TAKEN
from apps.articles.models import HelpCenter
from apps.articles.querysets.centers import center_of
from apps.articles.settings import CENTER
from apps.cabinet.refusals import in_readers_words
from apps.cabinet.settings_pages import SettingsForm
from apps.chats.rules.languages import direction_of


class HelpCenterForm(SettingsForm):
    """The settings of a help center: its texts are a field for each language, its links lines."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        center = center_of(self.instance.widget_id)
        self.lang = center.default_language
        chosen: Any = self.fields["default_language"]
        chosen.choices = list(languages_of(self.instance.widget_id).items())
        chosen.initial = self.lang  # until another is chosen, the widget's
        for name, rows in (("title", 0), ("intro", 2)):
            stored, setting = getattr(self.row, name) or {}, CENTER.by_name[name]
            for code, language in languages_of(self.instance.widget_id).items():
                attributes = {"lang": code, "dir": direction_of(code)}
                self.fields[f"{name}_{code}"] = forms.CharField(
                    label=f"{capfirst(setting.label)}: {language}",
                    required=False,
                    initial=stored.get(code, ""),
                    help_text=setting.help_text,
                    widget=UnfoldAdminTextareaWidget({**attributes, "rows": rows})
                    if rows
                    else UnfoldAdminTextInputWidget(attributes),
                )
        self.fields["footer_lines"] = forms.CharField(
            label=capfirst(CENTER.by_name["footer"].label),
            required=False,
            initial=footer_lines(self.row.footer, self.lang),
            widget=UnfoldAdminTextareaWidget(attrs={"rows": 3, "spellcheck": "false"}),
            help_text=_("One a line: words, a space, an https address. 8 at most."),
        )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        objects: dict[str, Any] = {}
        for name in ("title", "intro"):
            fields = [field for field in self.fields if field.startswith(f"{name}_")]
            if not any(field in self.changed_data for field in fields):
                continue
            texts = {field.removeprefix(f"{name}_"): text for field in fields if (text := cleaned.get(field))}
            objects[name] = texts or None
        if "footer_lines" in self.changed_data:
            objects["footer"] = footer_of(cleaned.get("footer_lines", ""), self.row.footer, self.lang)
        for path, text in self.table.refusals(self.row, objects).items():
            self.add_error(self._field_of(path), in_readers_words(text))
        slug = self.changes.get("slug")
        others = HelpCenter.objects.unscoped("a slug is one help center's in the whole installation")
        if slug and others.exclude(pk=self.instance.pk).filter(slug=slug).exists():
            self.add_error("slug", gettext(SLUG_TAKEN.for_people))
        self.changes |= objects
        return cleaned

    def _field_of(self, path: str) -> str:
        name, _dot, code = path.partition(".")
        known = (f"{name}_{code}", name, *(field for field in self.fields if field.startswith(f"{name}_")))
        return next(field for field in known if field in self.fields)


def text_fields(widget_id: int) -> dict[str, list[str]]:
    """The fields of the form of a help center, by the setting that they are of."""
    texts = {name: [f"{name}_{code}" for code in languages_of(widget_id)] for name in ("title", "intro")}
    return {**texts, "footer": ["footer_lines"]}


def footer_lines(footer: Sequence[Mapping[str, Any]], lang: str) -> str:
    """The links of a footer as lines, in a language."""
    return "\n".join(f"{one['label'].get(lang) or next(iter(one['label'].values()))} {one['url']}" for one in footer)


def footer_of(lines: str, before: Sequence[Mapping[str, Any]], lang: str) -> list[dict[str, Any]]:
    """The footer that lines say: an address that was there keeps its words of other languages."""
    known = {one["url"]: one["label"] for one in before}
    return [{"label": {**known.get(url, {}), lang: words or url}, "url": url} for words, url in _footer_parts(lines)]


def _footer_parts(lines: str) -> Iterator[tuple[str, str]]:
    for line in filter(None, map(str.strip, lines.splitlines())):
        words, _space, url = line.rpartition(" ")
        yield words.strip(), url
