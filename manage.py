#!/usr/bin/env python3
"""Django's command line for Parley."""

import os
import sys
from pathlib import Path

VIRTUALENV_PYTHON = Path(__file__).resolve().parent / ".venv" / "bin" / "python"


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        from django.core.management import execute_from_command_line
    except ModuleNotFoundError:
        # `python manage.py …` outside the virtualenv that `make run` made: go on inside it.
        if VIRTUALENV_PYTHON.exists() and Path(sys.prefix) != VIRTUALENV_PYTHON.parent.parent:
            os.execv(VIRTUALENV_PYTHON, [str(VIRTUALENV_PYTHON), *sys.argv])
        sys.exit("manage.py: Django is not installed here; run `make install` first")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
