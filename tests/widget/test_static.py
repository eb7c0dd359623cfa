"""The widget's modules as they are served: compressed, under names that change with their content, and small."""

import re
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import brotli
import pytest
from django.core.files.storage import FileSystemStorage
from django.template.loader import render_to_string

from apps.widget.rules.languages import CLOSED
from apps.widget.rules.languages import LANGUAGES as CODES
from config.static import StaticStorage

SOURCES = Path(__file__).parents[2] / "apps/widget/static"
LANGUAGES = {f"widget/languages/{language}.js" for language in CODES}
MODULES = {str(path.relative_to(SOURCES)) for path in (SOURCES / "widget").rglob("*.js")}
# Loaded when a visitor does what few do.
SELDOM = {
    f"widget/{name}.js" for name in ("codes", "extras", "files", "forms", "markdown", "messengers", "rating", "refusal")
}
MOST = {"loader": 1_100, "closed": 5_000, "chats": 15_000, "away": 15_850, "all": 25_000}
# The demo's first widget in seven languages, with a name, a signature and a greeting of its own: 849 to 895 bytes.
CONFIG_BYTES = 900


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


def test_a_blocked_visitor_is_told_in_every_language() -> None:
    source = (SOURCES / "widget/refusal.js").read_text()
    assert set(re.findall(r'^  (\w\w): ".+",$', source, re.MULTILINE)) == set(CODES)


def test_there_are_texts_in_every_language() -> None:
    assert {name for name in MODULES if "languages" in name} == LANGUAGES


@pytest.mark.parametrize("language", sorted(CODES))
def test_a_visit_that_chats_is_under_15_kb_and_all_under_25(served: Callable[[str], Path], language: str) -> None:
    """On the wire, headers apart: what is asked for at once, what a chat needs, and what is loaded on demand."""
    launcher = f"https://chat.example.com/static/widget/{served('widget/launcher.js').name}"
    config = f'{{"guid": "{uuid4().hex}", "base_url": "https://chat.example.com", "module_url": "{launcher}"}}'
    loader = render_to_string("widget/embed.js", {"config_json": config})
    modules = (MODULES - LANGUAGES) | {f"widget/languages/{language}.js"}
    sizes = {name: served(name).with_suffix(".js.br").stat().st_size for name in modules}
    loaded = {"loader": len(brotli.compress(loader.encode()))}
    loaded["closed"] = loaded["loader"] + CONFIG_BYTES + sizes["widget/launcher.js"]
    loaded["all"] = loaded["loader"] + CONFIG_BYTES + sum(sizes.values())
    loaded["chats"] = loaded["all"] - sum(sizes[name] for name in SELDOM)
    loaded["away"] = loaded["chats"] + sizes["widget/forms.js"]
    assert {name: size for name, size in loaded.items() if size >= MOST[name]} == {}, (loaded, sizes)


def test_strangers_do_not_load_remarks(served: Callable[[str], Path]) -> None:
    for name in MODULES:
        assert not re.search(r"/\*\*|^ *// ", served(name).read_text(), re.MULTILINE), name


def test_modules_import_each_other_under_lasting_names(served: Callable[[str], Path]) -> None:
    imported = set()
    for name in MODULES:
        for target in re.findall(r'load\("\./(.+?)"', served(name).read_text()):
            assert (served(name).parent / target).is_file(), f"{name} imports {target}"
            imported.add(target)
    assert imported == {served(name).name for name in MODULES - LANGUAGES - {"widget/launcher.js"}}
