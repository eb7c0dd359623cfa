"""How a Python was built. As a program it tells of the Python that runs it, in JSON: `bootstrap.py` chooses by that.

Built by a profile of its work (`--enable-optimizations`), an interpreter takes up to a fifth less CPU for
the same requests (docs/guides/benchmarks.md). Needs the standard library alone.
"""

import json
import platform
import sys
import sysconfig
from importlib.util import find_spec

# Debian's and Ubuntu's packages are built so, by their rules and not by an option of `configure`.
_OF_DEBIAN = "--with-wheel-pkg-dir=/usr/share/python-wheels/"


def is_optimised(arguments: str, prefix: str) -> bool:
    """Whether a Python with these arguments of `configure`, below that folder, was built by a profile of its work."""
    return "--enable-optimizations" in arguments or (prefix == "/usr" and _OF_DEBIAN in arguments)


def build() -> "dict[str, object]":
    """The version, the compiler with its flags, and whether it is optimised, of the Python that runs this."""
    arguments = sysconfig.get_config_var("CONFIG_ARGS") or ""
    flags = (sysconfig.get_config_var("PY_CFLAGS") or "").split()
    return {
        "version": platform.python_version(),
        "compiler": platform.python_compiler(),
        "flags": " ".join(flag for flag in dict.fromkeys(flags) if flag.startswith("-O")),
        "is_linked_whole": "--with-lto" in arguments,
        "is_optimised": is_optimised(arguments, sys.base_prefix),
        "can_make_virtualenvs": _can_make_virtualenvs(),
    }


def told(found: "dict[str, object]") -> str:
    """A build in one line."""
    way = "optimised by a profile" if found["is_optimised"] else "not optimised by a profile"
    way += ", linked as a whole" if found["is_linked_whole"] else ""
    return "Python {version}, {compiler} {flags}, ".format(**found) + way


def _can_make_virtualenvs() -> bool:
    return all(find_spec(name) for name in ("ensurepip", "venv"))


if __name__ == "__main__":
    sys.stdout.write(json.dumps(dict(build(), told=told(build()))))
