"""The version of this code: that of `pyproject.toml`, the one place where it stands."""

import tomllib
from pathlib import Path

VERSION: str = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]["version"]
