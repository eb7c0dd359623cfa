"""The widget's modules as they are served: compressed, under names that change with their content, and small."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import brotli
import pytest
from django.core.files.storage import FileSystemStorage
from django.template.loader import render_to_string

from apps.ai.rules.disclosures import DISCLOSURES
from apps.chats.rules.languages import LANGUAGES as CODES
from apps.widget.rules.languages import CLOSED
from config.static import StaticStorage, as_served

TEMPLATES = Path(__file__).parents[2] / "apps/widget/templates/widget"
SOURCES = Path(__file__).parents[2] / "apps/widget/static"
# The linker is the console's, too.
SHARED = Path(__file__).parents[2] / "apps/chats/static"
LANGUAGES = {f"widget/languages/{language}.js" for language in CODES}
# What is said seldom, loaded with what says it.
MORE = {f"widget/languages/more/{language}.js" for language in CODES}
MODULES = {
    str(path.relative_to(folder))
    for folder, app in ((SOURCES, "widget"), (SHARED, "chats"))
    for path in (folder / app).rglob("*.js")
}
# Loaded when a visitor does what few do.
SELDOM = {"chats/links.js"} | {
    f"widget/{name}.js"
    for name in (
        "answers",
        "articles",
        "asks",
        "begin",
        "codes",
        "consent",
        "extras",
        "files",
        "forms",
        "identity",
        "invitations",
        "letters",
        "markdown",
        "media",
        "messengers",
        "offers",
        "patterns",
        "questions",
        "queue",
        "rating",
        "refusal",
    )
}
# No visitor loads it: the owner's look at the invitations.
OWNERS = {"widget/preview.js"}
MOST = {"loader": 1_100, "closed": 5_510, "chats": 15_600, "away": 17_850, "all": 46_000}
# The demo's first widget in seven languages, with a name, a signature and a greeting of its own: 849 to 895 bytes.
CONFIG_BYTES = 900
# The same in each run: digits that are drawn compress to other sizes.
GUID = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Where the served form of a module is; its compressed form is beside it."""
    storage = StaticStorage(location=tmp_path_factory.mktemp("static"))
    for name in MODULES:
        with FileSystemStorage(SHARED if name.startswith("chats/") else SOURCES).open(name) as file:
            storage.save(name, file)
    results = list(storage.post_process({name: (storage, name) for name in MODULES}))
    assert [result for _, _, result in results if isinstance(result, Exception)] == []
    return lambda name: Path(storage.path(storage.hashed_files[name]))


def words(language: str) -> str:
    """What is said seldom in a language, as it is written."""
    return (SOURCES / f"widget/languages/more/{language}.js").read_text()


@pytest.mark.parametrize("language", CODES)
def test_every_language_has_the_same_words(language: str) -> None:
    names = [re.findall(r"^  (\w+): ", words(each), re.MULTILINE) for each in (language, "en")]
    assert names[0] == names[1]
    counts = [
        [len(re.findall(r'"(?:[^"\\]|\\.)+"', line)) for line in words(each).splitlines()] for each in (language, "en")
    ]
    assert counts[0] == counts[1]


@pytest.mark.parametrize("language", CODES)
def test_the_word_that_closes_the_chat_is_that_of_the_closed_widget(language: str) -> None:
    source = (SOURCES / f"widget/languages/{language}.js").read_text()
    assert f'  close: "{CLOSED[language]["close"]}",\n' in source


def test_a_blocked_visitor_is_told_in_every_language() -> None:
    sentences = {re.search(r'^  blocked: "(.+)",$', words(language), re.MULTILINE) for language in CODES}
    assert len({found[1] for found in sentences if found}) == len(CODES)


@pytest.mark.parametrize("language", CODES)
def test_the_widget_knows_the_default_sentence_that_a_machine_speaks(language: str) -> None:
    """In each language, with a mark for names: the config has it only while AI is on, or where the owner words it."""
    assert re.search(
        rf'^  answers: \[".+", "{re.escape(DISCLOSURES[language])}", ".+"\],$', words(language), re.MULTILINE
    )


def test_there_are_texts_in_every_language() -> None:
    assert {name for name in MODULES if "languages" in name} == LANGUAGES | MORE


@pytest.mark.parametrize("language", sorted(CODES))
def test_a_visit_that_chats_is_under_15600_bytes_and_all_under_46000(
    served: Callable[[str], Path], language: str
) -> None:
    """On the wire, headers apart: what is asked for at once, what a chat needs, and what is loaded on demand."""
    launcher = f"https://chat.example.com/static/widget/{served('widget/launcher.js').name}"
    config = f'{{"guid": "{GUID}", "base_url": "https://chat.example.com", "module_url": "{launcher}"}}'
    loader = render_to_string("widget/loader.js", {"config_json": config})
    more = f"widget/languages/more/{language}.js"
    modules = (MODULES - LANGUAGES - MORE - OWNERS) | {f"widget/languages/{language}.js", more}
    sizes = {name: served(name).with_suffix(".js.br").stat().st_size for name in modules}
    loaded = {"loader": len(brotli.compress(loader.encode()))}
    loaded["closed"] = loaded["loader"] + CONFIG_BYTES + sizes["widget/launcher.js"]
    loaded["all"] = loaded["loader"] + CONFIG_BYTES + sum(sizes.values())
    loaded["chats"] = loaded["all"] - sum(sizes[name] for name in SELDOM | {more})
    loaded["away"] = loaded["chats"] + sizes["widget/forms.js"] + sizes["widget/asks.js"]
    assert {name: size for name, size in loaded.items() if size >= MOST[name]} == {}, (loaded, sizes)
    assert sizes["widget/invitations.js"] <= 3_000
    assert sizes["widget/questions.js"] <= 2_500
    assert sizes["widget/articles.js"] <= 4_500


def test_the_loader_is_served_as_small_as_it_goes() -> None:
    """It is written again by `PARLEY_WRITE_DOCS=1 make test ARGS=tests/widget/test_static.py`."""
    source = (TEMPLATES / "embed.js").read_text()
    script = source.split("{% autoescape off %}", 1)[1].split("{% endautoescape %}", 1)[0]
    made = as_served(script.replace("{{ config_json }}", "CONFIG").encode()).decode()
    assert made.count("CONFIG") == 1
    wanted = "{% autoescape off %}" + made.replace("CONFIG", "{{ config_json }}") + "{% endautoescape %}\n"
    if os.environ.get("PARLEY_WRITE_DOCS"):
        (TEMPLATES / "loader.js").write_text(wanted)
    assert (TEMPLATES / "loader.js").read_text() == wanted


def test_strangers_do_not_load_remarks(served: Callable[[str], Path]) -> None:
    for name in MODULES:
        assert not re.search(r"/\*\*|^ *// ", served(name).read_text(), re.MULTILINE), name


def test_modules_import_each_other_under_lasting_names(served: Callable[[str], Path]) -> None:
    imported = set()
    for name in MODULES:
        for target in re.findall(r"""\("(\.\.?/[\w/]+\.\w+\.js)"\)""", served(name).read_text()):
            assert (served(name).parent / target).is_file(), f"{name} imports {target}"
            imported.add(target.rpartition("/")[2])
    assert imported == {served(name).name for name in MODULES - LANGUAGES - {"widget/launcher.js"}}
