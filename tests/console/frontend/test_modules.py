"""The page's modules without a browser: their own tests, run by node, and the names under which they are served."""

import gzip
import json
import os
import re
import shutil
import subprocess
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.files.storage import FileSystemStorage

from apps.console.serializers.page import page_limits
from apps.console.views import channels
from config.static import StaticStorage

HERE = Path(__file__).parent
# The console's own, and the linker, which is the widget's, too.
SOURCES = {app: HERE.parents[2] / f"apps/{app}/static" for app in ("console", "chats")}
MODULES = {str(path.relative_to(root)): path for app, root in SOURCES.items() for path in (root / app).rglob("*.js")}
IMPORT = re.compile(r'(?:(?:^|;)(?:im|ex)port\b[^;]*?from\s*|\bvoid import\()"(\..+?)"', re.MULTILINE)

# Of a widget with two mailboxes.
NAMES = {"mail": "E-mail", "mail__2": "E-mail · Orders", "mail__3": "E-mail · help@shop.test"}


@pytest.mark.parametrize("file", sorted(path.name for path in HERE.glob("*.test.mjs")))
def test_the_state_of_the_page_follows_its_rules(file: str) -> None:
    if shutil.which("node") is None:
        pytest.skip("there is no Node.js on this machine: the tests of the page's modules run with it")
    command = ["node", "--import", "./statics.mjs", "--test", file]
    config = json.dumps({"limits": page_limits(), "channels": channels(), "names": NAMES})
    environ = {**os.environ, "PAGE_CONFIG": config}
    ran = subprocess.run(command, cwd=HERE, env=environ, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stdout


def importers_first() -> list[str]:
    """The order, of those in which a file system may list the modules, that takes the most passes."""
    imported_by: dict[str, set[str]] = {name: set() for name in MODULES}
    for name, path in MODULES.items():
        for target in IMPORT.findall(path.read_text()):
            imported_by[os.path.normpath(Path(name).parent / target)].add(name)
    return list(TopologicalSorter(imported_by).static_order())


def test_every_module_is_in_use_and_imported_under_a_lasting_name(tmp_path: Path) -> None:
    """Else a browser could mix the modules of two versions."""
    storage = StaticStorage(location=tmp_path)
    names = importers_first()
    for name in names:
        with FileSystemStorage(SOURCES[name.partition("/")[0]]).open(name) as file:
            storage.save(name, file)
    results = list(storage.post_process({name: (storage, name) for name in names}))
    assert [result for _, _, result in results if isinstance(result, Exception)] == []
    served = {name: Path(storage.path(storage.hashed_files[name])) for name in MODULES}
    imported: set[Path] = set()
    for path in served.values():
        for target in IMPORT.findall(path.read_text()):
            imported.add((path.parent / target).resolve())
    assert imported - set(served.values()) == set()
    unused = {name for name, path in served.items() if path not in imported}
    assert unused == {"console/main.js", "console/worker.js"}


def test_the_first_load_of_the_page_keeps_within_its_budget() -> None:
    """The modules that it imports before it can be drawn and its style sheets, in kilobytes as they are sent.

    What few need is imported where it is asked for: both numbers may shrink.
    """
    begun, found = ["console/main.js"], set()
    while begun:
        name = begun.pop()
        if name in found:
            continue
        found.add(name)
        imports = IMPORT.finditer(MODULES[name].read_text())
        begun += [os.path.normpath(Path(name).parent / each[1]) for each in imports if "void import(" not in each[0]]
    page = (HERE.parents[2] / "apps/console/templates/console/home.html").read_text()
    sheets = [finders.find(name) for name in re.findall(r"rel=\"stylesheet\" href=\"{% static '(.+?)' %}", page)]
    assert len(sheets) == 3
    assert len(found) <= 59
    sent = [Path(path).read_bytes() for path in (*(MODULES[name] for name in found), *sheets)]
    assert sum(len(gzip.compress(content)) for content in sent) <= 128_900


def test_nothing_is_written_as_html_and_nothing_comes_from_elsewhere() -> None:
    """lit-html puts texts in as texts; what goes round it is looked for here."""
    around = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|unsafeHTML|document\.write|eval\(|new Function"
        r"|(?:from|import|fetch|WebSocket|src=|href=).{0,3}[\"'`]https?:"
    )
    ours = [name for name in sorted(MODULES) if "vendor" not in name]
    found = {name: around.findall(MODULES[name].read_text()) for name in ours}
    assert {name: matches for name, matches in found.items() if matches} == {}
