"""Forms of the cabinet's pages of the knowledge base. They refuse the same as the API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from apps.agents.models import Agent
from apps.cabinet.forms import WidgetChoiceForm
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.kb.models import Crawler, Rule
from apps.kb.rules import crawling
from apps.kb.rules.fusion import MAX_QUERY
from apps.kb.rules.texts import MAX_CONTENT, MAX_DOC_ID, doc_id_refusal, is_blank
from apps.kb.serializers.requests import CrawlerBody


class DocumentsInput(UnfoldAdminFileFieldWidget):  # type: ignore[misc] # unfold has no types
    """A choice of files, or a place to drop them."""

    allow_multiple_selected = True


class DocumentsField(forms.FileField):
    """One file or several; each is judged alone."""

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        chosen = data if isinstance(data, list | tuple) else [data]
        return [super(DocumentsField, self).clean(each, initial) for each in chosen or [None]]


class UploadDocumentForm(WidgetChoiceForm):
    """Documents for the knowledge base of a widget."""

    file = DocumentsField(
        label=_("Documents"),
        widget=DocumentsInput,
        help_text=_("Text, Markdown, CSV, HTML, PDF, .docx, .odt, .xlsx or .ods, at most 10 MB each; several at once."),
    )


@dataclass(frozen=True, slots=True)
class _Caller:
    """The part of a request context that the API's body reads."""

    outbound: ExternalCall


class LinesField(forms.CharField):
    """A text of a value a line."""

    widget = UnfoldAdminTextareaWidget(attrs={"rows": 4})

    def to_python(self, value: Any) -> Any:
        return [line.strip() for line in (super().to_python(value) or "").splitlines() if line.strip()]

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value


class CrawlerForm(WidgetChoiceForm):
    """The configuration of a widget's crawler."""

    start_urls = LinesField(label=_("Start addresses"), help_text=_("One a line; only their hosts are crawled."))
    max_pages = forms.IntegerField(
        label=_("Pages at most"), initial=crawling.DEFAULT_PAGES, widget=UnfoldAdminIntegerFieldWidget
    )
    max_depth = forms.IntegerField(
        label=_("Links away from a start address"), initial=crawling.DEFAULT_DEPTH, widget=UnfoldAdminIntegerFieldWidget
    )
    include_paths = LinesField(
        label=_("Only these paths"), required=False, help_text=_("Their beginnings, such as /help; one a line.")
    )
    exclude_paths = LinesField(label=_("Not these paths"), required=False, help_text=_("They win."))
    use_sitemap = forms.BooleanField(
        label=_("Use the sitemap"), required=False, initial=True, widget=UnfoldBooleanSwitchWidget
    )
    recrawl_every_hours = forms.IntegerField(
        label=_("Crawl again after so many hours"),
        required=False,
        initial=crawling.DEFAULT_HOURS,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text=_("From 6 to 720; empty: never by itself."),
    )

    values: dict[str, Any]

    @classmethod
    def of(cls, crawler: Crawler, *args: Any, **options: Any) -> CrawlerForm:
        """The form of a configuration that is there."""
        names = [name for name in cls.base_fields if name != "widget"]
        initial = {name: getattr(crawler, name) for name in names}
        return cls(*args, initial={"widget": crawler.pk, **initial}, **options)

    def clean(self) -> dict[str, Any]:
        """Judges the values as the API does, addresses looked up."""
        found: dict[str, Any] = super().clean() or {}
        if self.errors:
            return found
        sent = {name: value for name, value in found.items() if name != "widget"}
        # People leave out the scheme of their site.
        sent["start_urls"] = [url if "://" in url else f"https://{url}" for url in sent["start_urls"]]
        body = CrawlerBody(data=sent, context={"call": _Caller(ExternalCall(found["widget"].pk))})
        if body.is_valid():
            self.values = body.validated_data
        for name, refusals in body.errors.items():
            for text in _texts(refusals):
                self.add_error(name if name in self.fields else None, text)
        return found


def _texts(refusals: Any) -> list[str]:
    if isinstance(refusals, dict):
        return [text for inner in refusals.values() for text in _texts(inner)]
    return [str(text) for text in refusals]


class RuleForm(WidgetChoiceForm):
    """A rule by hand, or an edit of any."""

    content = forms.CharField(label=_("Text"), max_length=MAX_CONTENT, strip=False, widget=UnfoldAdminTextareaWidget)
    doc_id = forms.CharField(
        label=_("Name of the document"), required=False, max_length=MAX_DOC_ID, widget=UnfoldAdminTextInputWidget
    )
    operator = forms.ModelChoiceField(
        queryset=Agent.objects.none(),
        label=_("For one AI operator alone"),
        required=False,
        widget=UnfoldAdminSelectWidget,
    )

    def __init__(self, *args: Any, operators: QuerySet[Agent], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["operator"].queryset = operators.filter(type=Agent.Type.AI)  # type: ignore[attr-defined]

    @classmethod
    def of(cls, rule: Rule, *args: Any, **options: Any) -> RuleForm:
        """The form of a rule that is there."""
        initial = {"widget": rule.widget_id, "content": rule.content, "doc_id": rule.doc_id, "operator": rule.operator}
        return cls(*args, initial=initial, **options)

    @property
    def values(self) -> dict[str, Any]:
        """The members of the rule; browsers end lines by two characters, rules by one."""
        found = self.cleaned_data
        content = found["content"].replace("\r\n", "\n")
        return {"content": content, "doc_id": found["doc_id"] or None, "operator": found["operator"]}

    def clean_content(self) -> str:
        content: str = self.cleaned_data["content"]
        if is_blank(content):
            raise forms.ValidationError(_("This text shows nothing."))
        return content

    def clean_doc_id(self) -> str:
        doc_id: str = self.cleaned_data["doc_id"]
        if doc_id and (refusal := doc_id_refusal(doc_id)):
            raise forms.ValidationError(refusal)
        return doc_id

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        operator, widget = found.get("operator"), found.get("widget")
        if operator and widget and operator.widget_id != widget.pk:
            self.add_error("operator", _("The operator is another widget's."))
        return found


class SearchForm(forms.Form):
    """A visitor's question, to see what the assistant would be given."""

    question = forms.CharField(label=_("Question"), max_length=MAX_QUERY, widget=UnfoldAdminTextInputWidget)
    operator = forms.ModelChoiceField(
        queryset=Agent.objects.none(), label=_("AI operator"), required=False, widget=UnfoldAdminSelectWidget
    )

    def __init__(self, *args: Any, operators: QuerySet[Agent], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["operator"].queryset = operators.filter(type=Agent.Type.AI)  # type: ignore[attr-defined]
