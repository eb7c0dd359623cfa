"""What a test run takes from the shell that starts it: these variables, and no other.

Any other may be a setting of the service (PORT, LOG_LEVEL), of Django or of a tool, and the tests are about a service
without it.
"""

from collections.abc import Mapping

PASSED_ON = frozenset(
    {
        # Where things are.
        *("HOME", "LD_LIBRARY_PATH", "PATH", "SHELL", "TMPDIR", "XDG_RUNTIME_DIR"),
        # Who runs the tests, and how their terminal shows text.
        *("COLUMNS", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "NO_COLOR", "TERM", "USER"),
        # What the tests themselves ask for.
        *(
            "CHROMIUM",
            "CI",
            "PARLEY_FAULTS",
            "PARLEY_WRITE_DOCS",
            "PLAYWRIGHT_BROWSERS_PATH",
        ),
    }
)


def named(environ: Mapping[str, str]) -> dict[str, str]:
    """Those of the variables that are passed on."""
    return {name: value for name, value in environ.items() if name in PASSED_ON}
