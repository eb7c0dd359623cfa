"""Forms of the cabinet's pages of articles. They refuse the same as the API, whose actions they call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from apps.articles.rules.limits import MAX_BODY, MAX_NAME, MAX_POSITION, MAX_SLUG, MAX_SUMMARY, MAX_TITLE
from apps.cabinet.refusals import in_readers_words, words_of
from apps.core.problems import Problem

PICTURES = "image/png,image/jpeg,image/gif,image/webp"


class PlacedProblems(forms.Form):
    """A form that shows a problem's refusals at its fields: the members' paths begin with their names."""

    def refuse(self, problem: Problem) -> None:
        if not problem.errors:
            self.add_error(None, words_of(problem))
        for path, texts in problem.errors.items():
            name = path.replace(".", "_")
            place = next((known for known in (name, path.partition(".")[0]) if known in self.fields), None)
            self.add_error(place, " ".join(in_readers_words(text) for text in texts))


class ArticleForm(PlacedProblems):
    """A text of an article, with the members that all its languages share."""

    title = forms.CharField(
        label=pgettext_lazy("of an article", "Title"),
        widget=forms.TextInput(attrs={"class": "article-title", "maxlength": MAX_TITLE, "autocomplete": "off"}),
        error_messages={"required": _("An article needs a title.")},
    )
    body = forms.CharField(
        label=pgettext_lazy("of an article", "Text"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"class": "article-body", "rows": 20, "data-maxlength": MAX_BODY}),
    )
    summary = forms.CharField(
        label=_("Summary"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "maxlength": MAX_SUMMARY}),
        help_text=_("For lists and search engines. Empty: the beginning of the text."),
    )
    slug = forms.CharField(
        label=_("Words in the address"),
        required=False,
        widget=forms.TextInput(attrs={"maxlength": MAX_SLUG, "spellcheck": "false", "autocapitalize": "none"}),
        help_text=_("Latin letters, digits, hyphens. Empty: of the title. Old addresses lead here."),
    )
    category = forms.ChoiceField(label=capfirst(_("category")), required=False)
    position = forms.IntegerField(
        label=_("Place in the list"),
        required=False,
        min_value=0,
        max_value=MAX_POSITION,
        help_text=_("The smaller first."),
    )
    picture = forms.FileField(
        label=_("Add a picture"),
        required=False,
        widget=forms.ClearableFileInput(attrs={"accept": PICTURES}),
        help_text=_("PNG, JPEG, GIF or WebP, 5 MB at most; placed last."),
    )
    at = forms.DateTimeField(
        label=_("Publish at"), required=False, widget=forms.DateTimeInput(attrs={"type": "datetime-local"})
    )

    def __init__(
        self, *args: Any, lang: str, direction: str, categories: Sequence[tuple[int, str]], **options: Any
    ) -> None:
        super().__init__(*args, **options)
        chosen: Any = self.fields["category"]
        chosen.choices = [("", gettext("none")), *((str(key), name) for key, name in categories)]
        for name in ("title", "body", "summary"):
            self.fields[name].widget.attrs |= {"lang": lang, "dir": direction}

    def more(self) -> list[forms.BoundField]:
        """The fields that an article is written without."""
        return [self[name] for name in ("category", "summary", "slug", "position")]

    def clean_body(self) -> str:
        body: str = self.cleaned_data["body"]
        return body.replace("\r\n", "\n").replace("\r", "\n")

    def clean_at(self) -> Any:
        at = self.cleaned_data["at"]
        if at is not None and at <= timezone.now():
            raise ValidationError(_("This moment is over already."))
        return at


class TextsForm(PlacedProblems):
    """A form with texts in the widget's languages, a field each."""

    def add_texts(
        self, name: str, label: Any, codes: Sequence[tuple[str, str, str]], *, most: int, rows: int = 0
    ) -> None:
        """`codes`: code, name and direction of each language; with `rows`, fields of several lines."""
        for code, language, direction in codes:
            attributes = {"lang": code, "dir": direction, "maxlength": most}
            shown = (
                UnfoldAdminTextareaWidget({**attributes, "rows": rows})
                if rows
                else UnfoldAdminTextInputWidget(attributes)
            )
            self.fields[f"{name}_{code}"] = forms.CharField(
                label=f"{label}: {language}" if len(codes) > 1 else label, required=False, max_length=most, widget=shown
            )

    def texts(self, name: str) -> dict[str, str]:
        """The texts that are filled in, by language."""
        prefix = f"{name}_"
        found = (
            (field.removeprefix(prefix), text) for field, text in self.cleaned_data.items() if field.startswith(prefix)
        )
        return {code: text for code, text in found if text}


class CategoryForm(TextsForm):
    """A category of articles."""

    def __init__(self, *args: Any, codes: Sequence[tuple[str, str, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        self.add_texts("name", _("Name"), codes, most=MAX_NAME)
        self.fields["position"] = forms.IntegerField(
            label=_("Place in the list"),
            required=False,
            min_value=0,
            max_value=MAX_POSITION,
            help_text=_("The smaller first."),
        )
        self.fields["position"].widget = UnfoldAdminTextInputWidget(attrs={"inputmode": "numeric"})

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and not self.texts("name"):
            first = next(name for name in self.fields if name.startswith("name_"))
            self.add_error(first, gettext("A category needs a name."))
        return cleaned

    def values(self) -> dict[str, Any]:
        """The members of the API."""
        position = self.cleaned_data["position"]
        return {"name": self.texts("name"), **({} if position is None else {"position": position})}


class DomainForm(PlacedProblems):
    """A help center's own domain."""

    domain = forms.CharField(
        label=_("Domain"),
        required=False,
        max_length=253,
        widget=UnfoldAdminTextInputWidget(
            attrs={"placeholder": "help.shop.example", "spellcheck": "false", "autocapitalize": "none"}
        ),
        help_text=_("Empty: the pages have the address of this installation alone."),
    )


class ArticleImportForm(PlacedProblems):
    """Articles from a file or a website."""

    file = forms.FileField(
        label=_("File"),
        required=False,
        widget=UnfoldAdminFileFieldWidget(attrs={"accept": ".md,.zip,.json"}),
        help_text=_("A .md, a .zip of them, Chatwoot's .json; at most 10 MB."),
    )
    url = forms.CharField(
        label=_("Or the address of a website"),
        required=False,
        max_length=2000,
        widget=UnfoldAdminTextInputWidget(attrs={"inputmode": "url", "placeholder": "https://", "spellcheck": "false"}),
        help_text=_("Its pages are read, as for the knowledge base."),
    )
    lang = forms.ChoiceField(
        label=_("Language"),
        widget=UnfoldAdminSelectWidget,
        help_text=_("Of the texts that do not say their own."),
    )
    category = forms.ChoiceField(label=capfirst(_("category")), required=False, widget=UnfoldAdminSelectWidget)

    def __init__(
        self,
        *args: Any,
        languages: Sequence[tuple[str, str]],
        categories: Sequence[tuple[int, str]],
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        fields: dict[str, Any] = self.fields
        fields["lang"].choices = languages
        fields["category"].choices = [("", gettext("none")), *((str(key), name) for key, name in categories)]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and bool(cleaned.get("file")) == bool(cleaned.get("url")):
            self.add_error(None, gettext("Choose a file, or write an address: one of both."))
        return cleaned
