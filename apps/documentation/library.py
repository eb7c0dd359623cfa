"""The guides as they are read from the project's `docs/`, and the addresses of all that they lead to."""

from functools import cache
from pathlib import Path

from django.conf import settings
from django.urls import reverse

from apps.documentation.rules.catalogue import GUIDES, Guide
from apps.documentation.rules.markdown import RenderedMarkdown
from apps.documentation.rules.pages import render

FOLDER = Path(settings.BASE_DIR, "docs")
SAMPLES = "samples/"
# What the Markdown calls the installation, so that its lines read well in the repository, too.
EXAMPLE_URL, EXAMPLE_REALTIME_URL = "https://chat.example.com", "wss://chat.example.com"
# Files that have a page of another kind.
_OTHERS = {
    "errors.md": "problem-index",
    "openapi.yaml": "schema",
    "openapi-visitor.yaml": "schema-visitor",
    "openapi-console.yaml": "schema-console",
    "openapi-compat.yaml": "schema-compat",
}


@cache
def guide_page(guide: Guide) -> RenderedMarkdown:
    """The guide, with this installation's addresses in its samples. A process reads it once."""
    text = (FOLDER / guide.file).read_text("utf-8")
    text = text.replace(EXAMPLE_REALTIME_URL, settings.REALTIME_URL).replace(EXAMPLE_URL, settings.PUBLIC_URL)
    return render(text, guide.file, served_at)


def address_of(guide: Guide) -> str:
    """The path of the guide's page."""
    return reverse("guide", args=[guide.name])


def served_at(file: str) -> str | None:
    """The address at which a file below `docs/` is served; None where it is not."""
    if guide := _by_file().get(file):
        return address_of(guide)
    if sample_text(file.removeprefix(SAMPLES)) is not None:
        return reverse("sample", args=[file.removeprefix(SAMPLES)])
    return reverse(_OTHERS[file]) if file in _OTHERS else None


@cache
def _by_file() -> dict[str, Guide]:
    return {guide.file: guide for guide in GUIDES.values()}


def sample_text(name: str) -> str | None:
    """A program of `docs/samples/`, by its path below that; None where there is none."""
    return _samples().get(name)


@cache
def _samples() -> dict[str, str]:
    folder = FOLDER / SAMPLES
    files = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in files}
