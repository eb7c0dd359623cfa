"""Scripts of pages are as easy to read as the house's Python: no long function, no long file, no loose file."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from config.environment import PROJECT_ROOT
from tests.architecture.source import APPS

HERE = Path(__file__).parent
TYPESCRIPT = PROJECT_ROOT / "tests/contract/typescript/node_modules/typescript/lib/typescript.js"
SCRIPTS = sorted(path for path in APPS.glob("*/static/**/*.js") if "vendor" not in path.parts)
CONSOLE = APPS / "console/static/console"
MAX_FUNCTION_LINES = 60
MAX_FILE_LINES = 400


def lines_of_functions() -> dict[str, int]:
    """The lines of each function, those of nested ones included; of one name in a file, the longest."""
    if shutil.which("node") is None or not TYPESCRIPT.exists():
        pytest.skip("the functions of scripts are measured with Node.js and npm, which are not here")
    command = ["node", str(HERE / "script_functions.mjs"), str(TYPESCRIPT), *map(str, SCRIPTS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    longest: dict[str, int] = {}
    for file, name, lines in json.loads(done.stdout):
        key = f"{Path(file).relative_to(APPS).as_posix().split('/static/')[1]}: {name}"
        longest[key] = max(lines, longest.get(key, 0))
    return longest


def test_no_function_of_a_script_is_longer_than_60_lines() -> None:
    longest = lines_of_functions()
    assert len(longest) > 500  # else nothing was measured
    assert {name: lines for name, lines in longest.items() if lines > MAX_FUNCTION_LINES} == {}


def test_no_script_of_the_console_is_longer_than_400_lines() -> None:
    """Texts are a table, not code."""
    files = [path for path in CONSOLE.rglob("*.js") if not {"vendor", "texts"} & set(path.parts)]
    lines = {path.relative_to(CONSOLE).as_posix(): len(path.read_text().splitlines()) for path in files}
    assert {name: count for name, count in lines.items() if count > MAX_FILE_LINES} == {}


def test_each_script_of_the_console_stands_in_a_room() -> None:
    """The four beside the rooms: what puts them together, the state, the actions, and the worker of the browser."""
    assert {path.name for path in CONSOLE.glob("*.js")} == {"main.js", "store.js", "actions.js", "worker.js"}
    rooms = {path.parent.name for path in CONSOLE.glob("*/*.js")}
    assert rooms == {"base", "board", "chat", "composer", "contact", "help", "inbox", "reviews", "settings"}
