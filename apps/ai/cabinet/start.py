"""The page that sets AI up in one go: key, model, assistant, knowledge, examination, switch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import get_language, gettext

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.ai.actions.advice import in_words, of_reason
from apps.ai.actions.assistants import create_assistant
from apps.ai.actions.credentials import change_credential, create_credential
from apps.ai.actions.examination import has_knowledge
from apps.ai.actions.models import models_of
from apps.ai.actions.operators import create_operator
from apps.ai.actions.personas import staff_actor
from apps.ai.actions.settings import change_settings
from apps.ai.actions.templates import assistant_templates
from apps.ai.drivers import DRIVERS
from apps.ai.forms.credentials import look_up
from apps.ai.forms.start import TEMPLATE, TONES, CharacterForm, KeyForm, ModelForm, SiteForm, vendor_of
from apps.ai.models import AiOperator, AiSettings, Assistant, Credential, EvaluationRun
from apps.ai.rules.embedders import may_answer
from apps.ai.settings import settings_of
from apps.cabinet.refusals import words_of
from apps.cabinet.tenant_admin import user_of
from apps.core.problems import Problem

if TYPE_CHECKING:
    from django import forms

# The models that the key's test has told, until one is chosen: names alone.
SESSION_KEY = "ai_models"
FIRST_PAGES = 50


class SetUp(NamedTuple):
    """The parts that a widget's AI has."""

    widget_id: int
    settings: AiSettings
    credential: Credential | None
    assistant: Assistant | None
    operator: Agent | None
    knowledge: int
    is_reading: bool
    is_examined: bool

    @property
    def has_knowledge(self) -> bool:
        """Whether there is an app of knowledge."""
        return has_knowledge()

    @property
    def model(self) -> str:
        """The model that would answer; empty where one is to be chosen."""
        if self.credential is None:
            return ""
        own = self.assistant.model if self.assistant is not None else ""
        recommended = DRIVERS[self.credential.provider].recommended_models
        return own or self.credential.model or (recommended[0] if recommended else "")

    @property
    def may_begin(self) -> bool:
        return bool(self.model and self.assistant and self.operator)


def set_up_of(widget_id: int) -> SetUp:
    credentials = Credential.objects.for_widget(widget_id).active().filter(for_answers=True)
    assistant = Assistant.objects.for_widget(widget_id).order_by("-is_default", "pk").first()
    operator = None
    if assistant is not None:
        operators = AiOperator.objects.for_widget(widget_id).filter(type=Agent.Type.AI, ai_assistant_id=assistant.pk)
        operator = operators.exclude(status=Agent.Status.BANNED).first()
    knowledge, is_reading = _knowledge(widget_id)
    runs = EvaluationRun.objects.for_widget(widget_id)
    return SetUp(
        widget_id=widget_id,
        settings=settings_of(widget_id),
        credential=credentials.order_by("pk").first(),
        assistant=assistant,
        operator=operator,
        knowledge=knowledge,
        is_reading=is_reading,
        is_examined=assistant is not None and runs.filter(assistant=assistant).exists(),
    )


def _knowledge(widget_id: int) -> tuple[int, bool]:
    """How many rules there are, and whether a website is being read."""
    if not has_knowledge():
        return 0, False
    from apps.kb.models import CrawlRun, KnowledgeBase
    from apps.kb.rules.crawling import ACTIVE

    base = KnowledgeBase.objects.for_widget(widget_id).first()
    is_reading = CrawlRun.objects.for_widget(widget_id).filter(state__in=ACTIVE).exists()
    return (base.rules if base is not None else 0), is_reading


def start_page(request: HttpRequest, widget: Widget, *, context: dict[str, Any], may_keep_keys: bool) -> HttpResponse:
    """The page at a GET; at a POST one step is done. Keys are an owner's (`may_keep_keys`)."""
    steps = _Steps(request, widget, may_keep_keys=may_keep_keys)
    if request.method == "POST" and steps.do(request.POST.get("step", "")):
        return HttpResponseRedirect(request.path)
    found = set_up_of(widget.pk)
    current = steps.failed or _current(found)
    page = TemplateResponse(
        request,
        "admin/ai/start.html",
        {
            **context,
            "found": found,
            "current": current,
            "form": steps.form or steps.form_of(current, found),
            "vendor": vendor_of(found.credential.provider, found.credential.base_url) if found.credential else "",
            "may_keep_keys": may_keep_keys,
            "has_knowledge": found.has_knowledge,
            "examination": reverse("admin:ai_aisettings_examine", args=[widget.pk]),
            "settings_page": reverse("admin:ai_aisettings_change", args=[widget.pk]),
        },
    )
    if found.is_reading and current in ("check", ""):
        page["Refresh"] = "10"
    return page


def _current(set_up: SetUp) -> str:
    """The first step that is not done; empty where nothing is left."""
    done = {
        "key": set_up.credential is not None,
        "model": bool(set_up.model),
        "character": set_up.assistant is not None and set_up.operator is not None,
        "site": bool(set_up.knowledge) or set_up.is_reading or not set_up.has_knowledge,
        "check": set_up.is_examined or set_up.settings.enabled,
        "on": set_up.settings.enabled,
    }
    return next((name for name, is_done in done.items() if not is_done), "")


class _Steps:
    """The work of a POST; the form with its errors where it was refused."""

    def __init__(self, request: HttpRequest, widget: Widget, *, may_keep_keys: bool) -> None:
        self.request, self.widget, self.may_keep_keys = request, widget, may_keep_keys
        self.form: forms.Form | None = None
        self.failed = ""

    def form_of(self, step: str, set_up: SetUp) -> forms.Form | None:
        if step == "key":
            return KeyForm()
        if step == "model":
            models = self.request.session.get(SESSION_KEY) or []
            return ModelForm(models=models) if models else None
        if step == "character":
            return CharacterForm(templates=self._templates(), initial={"name": gettext("Assistant")})
        return SiteForm(initial={"url": self._own_site()}) if step == "site" else None

    def do(self, step: str) -> bool:
        does = {"key": self._key, "model": self._model, "character": self._character, "site": self._site}
        if step == "on":
            change_settings(widget_id=self.widget.pk, changes={"enabled": True})
            messages.success(self.request, gettext("AI answers visitors from now on."))
            return True
        if step not in does or (step == "key" and not self.may_keep_keys):
            return False
        try:
            is_done = does[step]()
        except Problem as refused:
            self._refuse(refused)
            is_done = False
        self.failed = "" if is_done else step
        return is_done

    def _refuse(self, problem: Problem) -> None:
        reason = problem.members.get("provider_reason")
        texts = [in_words(str(text)) for texts in problem.errors.values() for text in texts]
        text = " ".join(texts) or words_of(problem)
        if reason is not None:
            text = of_reason(reason) + " " + gettext("Nothing is stored.")
        if self.form is not None:
            self.form.add_error(None, text)

    def _key(self) -> bool:
        """Tries the key by asking for the vendor's models; a key that is refused is not stored."""
        found = look_up(KeyForm.address_of(self.request.POST), None, str(self.widget.pk))
        self.form = form = KeyForm(self.request.POST, looked_up=found)
        if not form.is_valid():
            return False
        values = form.cleaned_data | {"target": found if isinstance(found, str) else ""}
        models = [model.id for model in models_of(widget_id=self.widget.pk, credential=_unsaved(self.widget, values))]
        create_credential(widget_id=self.widget.pk, **values)
        self.request.session[SESSION_KEY] = [model for model in models if may_answer(model)][:200]
        messages.success(self.request, gettext("The key works, and is stored."))
        return True

    def _model(self) -> bool:
        self.form = form = ModelForm(self.request.POST, models=self.request.session.get(SESSION_KEY) or [])
        credential = set_up_of(self.widget.pk).credential
        if credential is None or not form.is_valid():
            return False
        changes = {"model": form.cleaned_data["model"]}
        change_credential(widget_id=self.widget.pk, credential_id=credential.pk, changes=changes)
        self.request.session.pop(SESSION_KEY, None)
        return True

    def _character(self) -> bool:
        self.form = form = CharacterForm(self.request.POST, templates=self._templates())
        if not form.is_valid():
            return False
        name, character = form.cleaned_data["name"], form.cleaned_data["character"]
        actor, widget_id = staff_actor(user_of(self.request)), self.widget.pk
        assistant = set_up_of(widget_id).assistant
        offered = assistant_templates()
        if assistant is None and character.startswith(TEMPLATE) and offered is not None:
            assistant = offered.apply(widget_id, character.removeprefix(TEMPLATE), get_language() or "en", actor)
        elif assistant is None:
            persona = gettext(str(TONES.get(character, "")))
            assistant = create_assistant(widget_id=widget_id, actor=actor, name=name, persona=persona)
        create_operator(widget_id=widget_id, assistant_id=assistant.pk, name=name)
        return True

    def _site(self) -> bool:
        self.form = form = SiteForm(self.request.POST)
        if not form.is_valid() or not has_knowledge():
            return False
        from apps.kb.actions.crawler import replace_crawler
        from apps.kb.forms import CrawlerForm
        from apps.kb.rules import crawling

        crawl = {
            "widget": self.widget.pk,
            "start_urls": form.cleaned_data["url"],
            "max_pages": FIRST_PAGES,
            "max_depth": crawling.DEFAULT_DEPTH,
            "use_sitemap": "on",
            "recrawl_every_hours": crawling.DEFAULT_HOURS,
        }
        asked = CrawlerForm(crawl, widgets=Widget.objects.filter(pk=self.widget.pk))
        if not asked.is_valid():
            for texts in asked.errors.values():
                form.add_error("url", list(texts))
            return False
        replace_crawler(widget_id=self.widget.pk, values=asked.values)
        messages.success(self.request, gettext("Your website is being read. Its first pages are there in a minute."))
        return True

    def _templates(self) -> list[tuple[str, str]]:
        offered = assistant_templates()
        return list(offered.choices(get_language() or "en")) if offered is not None else []

    def _own_site(self) -> str:
        """The first website that the widget is allowed on."""
        return next((origin for origin in self.widget.allowed_origins if "*" not in origin), "")


def _unsaved(widget: Widget, values: dict[str, Any]) -> Credential:
    return Credential(widget_id=widget.pk, **values)
