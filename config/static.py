"""How static files are served: compressed, and cached for good under names that change with their content."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]

# Style sheets in modules.
_RULES = re.compile(r"((?:rules|styles|motions) = )`([^`$]*)`")


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc] # whitenoise has no types
    """Modules of the widget and of the console import each other under such names, too; those of packages do not.

    The widget's modules, which strangers load, are kept as small as they go. They ask for each other with
    `load("./….js")`, too, whatever the minifier calls that function.
    """

    # A pass gives lasting names to one more level of a chain of imports, if the file system lists importers first.
    max_post_process_passes = 20
    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        *(
            (modules, CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1])
            for modules in ("widget/*.js", "chats/*.js", "console/*.js")
        ),
        ("widget/*.js", ((r"""(?P<matched>\("(?P<url>\.\.?/[\w/]+\.js)"\))""", '("%(url)s")'),)),
    )

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Compresses the files that pages ask for: lasting names, and those of `core`'s page of errors; none that only
        a debugger reads.
        """
        asked_for = set(self.hashed_files.values())
        compressed: Iterator[tuple[str, str]] = super().compress_files(
            path
            for path in paths
            if (path in asked_for or path.startswith("core/")) and not path.endswith((".map", ".ts", ".md"))
        )
        return compressed

    def _save(self, name: str, content: Any) -> str:
        if name.startswith(("widget/", "chats/")) and name.endswith(".js"):
            content = ContentFile(as_served(b"".join(content.chunks())))
        saved: str = super()._save(name, content)
        return saved


def as_served(module: bytes) -> bytes:
    """A module of the widget without comments and white space, its own names cut short; what it exports keeps its name.

    The minifier drops `void (a ||= b())`, with what it does: write it otherwise.
    """
    # Here: it brings a runtime with threads, which no process that forks should have.
    import minify  # type: ignore[import-untyped]

    source = _RULES.sub(lambda found: f"{found[1]}`{minify.string('text/css', found[2])}`", module.decode())
    served: str = minify.string("application/javascript", source)
    return served.encode()
