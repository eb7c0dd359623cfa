"""The widget's modules as they are served: compressed, under names that change with their content, and small."""

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.files.storage import FileSystemStorage
from django.template.loader import render_to_string

from apps.widget.rules.languages import CLOSED
from apps.widget.rules.languages import LANGUAGES as CODES
from config.static import StaticStorage

SOURCES = Path(__file__).parents[2] / "apps/widget/static"
LANGUAGES = {f"widget/languages/{language}.js" for language in CODES}
MODULES = {str(path.relative_to(SOURCES)) for path in (SOURCES / "widget").rglob("*.js")}
MAX_BYTES, MAX_BYTES_IN_ALL = 15_000, 25_000
# Loaded when the visitor is asked for a rating, as few are.
SELDOM = {"widget/rating.js"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Where the served form of a module is; its compressed form is beside it."""
    storage = StaticStorage(location=tmp_path_factory.mktemp("static"))
    sources = FileSystemStorage(SOURCES)
    for name in MODULES:
        with sources.open(name) as file:
            storage.save(name, file)
    results = list(storage.post_process({name: (storage, name) for name in MODULES}))
    assert [result for _, _, result in results if isinstance(result, Exception)] == []
    return lambda name: Path(storage.path(storage.hashed_files[name]))


@pytest.mark.parametrize("language", CODES)
def test_the_closed_widgets_texts_are_those_of_its_module(language: str) -> None:
    source = (SOURCES / f"widget/languages/{language}.js").read_text()
    for name, text in CLOSED[language].items():
        assert f'  {name}: "{text}",\n' in source


def test_there_are_texts_in_every_language() -> None:
    assert {name for name in MODULES if "languages" in name} == LANGUAGES


@pytest.mark.parametrize("language", sorted(CODES))
def test_a_visit_that_chats_is_under_15_kb_gzipped_and_all_under_25(
    served: Callable[[str], Path], language: str
) -> None:
    """The loader, the texts of one language, and every other module: what is loaded on demand counts, too."""
    main = f"https://chat.example.com/static/widget/{served('widget/main.js').name}"
    config = f'{{"guid": "{"0" * 32}", "base_url": "https://chat.example.com", "module_url": "{main}"}}'
    loader = render_to_string("widget/embed.js", {"config_json": config})
    modules = (MODULES - LANGUAGES) | {f"widget/languages/{language}.js"}
    sizes = {name: served(name).with_suffix(".js.gz").stat().st_size for name in modules}
    whole = sum(sizes.values()) + len(gzip.compress(loader.encode()))
    assert whole - sum(sizes[name] for name in SELDOM) < MAX_BYTES, sizes
    assert whole < MAX_BYTES_IN_ALL, sizes


def test_modules_import_each_other_under_lasting_names(served: Callable[[str], Path]) -> None:
    imported = set()
    for name in MODULES:
        for target in re.findall(r'(?:from |import\()"\./(.+?)"', served(name).read_text()):
            assert (served(name).parent / target).is_file(), f"{name} imports {target}"
            imported.add(target)
    assert imported == {served(name).name for name in MODULES - LANGUAGES - {"widget/main.js"}}
