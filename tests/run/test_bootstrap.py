"""Which Python the virtualenv is made with: an optimised one if the PATH has one, and the named one if one is named."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from config.environment import PROJECT_ROOT
from launcher.interpreter import build, is_optimised, told

OF_DEBIAN = "'--prefix=/usr' '--with-wheel-pkg-dir=/usr/share/python-wheels/'"


class Tree:
    """A checkout of which the bootstrap alone is there, with Pythons that say how they were built, and what is asked
    of them.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.programs, self.asked = folder / "tree", folder / "bin", folder / "asked"
        (self.folder / "requirements").mkdir(parents=True)
        (self.folder / "launcher").mkdir()
        self.programs.mkdir()
        (self.folder / "requirements" / "run.txt").write_text("")
        for name in ("bootstrap.py", "launcher/interpreter.py"):
            shutil.copy(PROJECT_ROOT / name, self.folder / name)

    def has(self, name: str, **about: Any) -> None:
        """Puts a Python on the PATH. Asked how it was built it says so; else it notes what it is to do."""
        document = {"version": "3.11.9", "is_optimised": True, "can_make_virtualenvs": True, **about}
        script = f"""#!/bin/sh
case "$*" in
*interpreter.py) echo '{json.dumps(document)}' ;;
*) echo "{name} $*" > {self.asked} ;;
esac
"""
        (self.programs / name).write_text(script)
        (self.programs / name).chmod(0o755)

    def bootstraps(self, *options: str, optimised: bool = False) -> "subprocess.CompletedProcess[str]":
        """Runs it in this Python, as if that was optimised or not."""
        if not optimised:
            source = (self.folder / "launcher" / "interpreter.py").read_text()
            pretends = source.replace('"is_optimised": is_optimised', '"is_optimised": 0 and is_optimised')
            assert pretends != source
            (self.folder / "launcher" / "interpreter.py").write_text(pretends)
        return subprocess.run(
            [sys.executable, "bootstrap.py", *options, "run"],
            cwd=self.folder,
            env={**os.environ, "PATH": str(self.programs)},
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def goes_on(self) -> str:
        """What another Python was asked to do."""
        return self.asked.read_text().strip() if self.asked.exists() else ""


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Its virtualenv is there, and is not what the requirements ask for."""
    tree = Tree(tmp_path)
    (tree.folder / ".venv" / "bin").mkdir(parents=True)
    (tree.folder / ".venv" / "bin" / "python").symlink_to(sys.executable)
    return tree


def stamp(tree: Tree, version: str) -> None:
    """All is installed, by a Python of that version."""
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    (tree.folder / ".venv" / ".installed-run").write_text(f"{version} {empty}")


def test_an_optimised_one_goes_on(tree: Tree) -> None:
    tree.has("python3.12", version="3.12.1")
    tree.has("python3", is_optimised=False)
    done = tree.bootstraps("--any-python")
    assert (done.returncode, tree.goes_on) == (0, "python3.12 bootstrap.py --any-python run")
    assert done.stderr.startswith(f"parley: taking {tree.programs}/python3.12, as this Python is not optimised")


def test_one_of_this_version_comes_first(tree: Tree) -> None:
    own = "{}.{}".format(*sys.version_info)
    for version in ("3.11", "3.12", "3.13"):
        tree.has(f"python{version}", version=f"{version}.1")
    tree.bootstraps("--any-python")
    assert tree.goes_on.startswith(f"python{own} ")


@pytest.mark.parametrize(
    "about",
    [{"is_optimised": False}, {"can_make_virtualenvs": False}, {"version": "3.10.4"}, {"version": "3.99.1"}],
    ids=lambda about: next(iter(about)),
)
def test_one_that_does_not_do_is_left(tree: Tree, about: dict[str, Any]) -> None:
    tree.has("python3", **about)
    tree.bootstraps("--any-python")
    assert tree.goes_on == ""


def test_a_named_one_stays(tree: Tree) -> None:
    tree.has("python3.11")
    tree.bootstraps()
    assert tree.goes_on == ""


def test_an_optimised_one_stays(tree: Tree) -> None:
    tree.has("python3.11")
    source = tree.folder / "launcher" / "interpreter.py"
    source.write_text(source.read_text().replace('"is_optimised": is_optimised', '"is_optimised": 1 or is_optimised'))
    tree.bootstraps("--any-python", optimised=True)
    assert tree.goes_on == ""


def test_nothing_is_looked_for_where_all_is_installed(tree: Tree) -> None:
    tree.has("python3.11")
    stamp(tree, "3.11.2 (another one)")
    done = tree.bootstraps("--any-python")
    assert (done.returncode, done.stderr, tree.goes_on) == (0, "", "")


def test_make_names_no_python_of_its_own_accord() -> None:
    def asked(*options: str) -> str:
        command = ["make", "--dry-run", "--no-print-directory", *options, "install"]
        environ = {"PATH": os.environ["PATH"]}  # a make that runs the tests hands on what it was given
        done = subprocess.run(command, cwd=PROJECT_ROOT, env=environ, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    assert asked() == "python3 bootstrap.py --any-python dev"
    assert asked("PYTHON=/opt/python").split() == ["/opt/python", "bootstrap.py", "dev"]


@pytest.mark.parametrize(
    ("arguments", "prefix", "expected"),
    [
        ("'--enable-optimizations' '--with-lto'", "/usr/local", True),
        ("'--prefix=/opt' '--enable-shared'", "/opt", False),
        ("", "/usr", False),
        (OF_DEBIAN, "/usr", True),
        (OF_DEBIAN, "/opt", False),
    ],
)
def test_an_optimised_build_is_known(arguments: str, prefix: str, expected: bool) -> None:
    assert is_optimised(arguments, prefix) is expected


def test_it_tells_of_the_python_that_runs_it() -> None:
    program = PROJECT_ROOT / "launcher" / "interpreter.py"
    said = json.loads(subprocess.run([sys.executable, "-I", program], capture_output=True, check=True).stdout)
    assert said == {**build(), "told": told(build())}
    assert said["told"].startswith(f"Python {said['version']}, ")
