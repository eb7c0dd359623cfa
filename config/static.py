"""How static files are served: compressed, and cached for good under names that change with their content."""

from collections.abc import Iterable, Iterator
from typing import Any

import rjsmin  # type: ignore[import-untyped]
from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc] # whitenoise has no types
    """Modules of the widget and of the console import each other under such names, too; those of packages do not.

    The widget's modules, which strangers load, are kept without comments and needless white space. They ask for each
    other with `load("./…")`, too.
    """

    # A pass gives lasting names to one more level of a chain of imports, if the file system lists importers first.
    max_post_process_passes = 20
    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        *(
            (modules, CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1])
            for modules in ("widget/*.js", "console/*.js")
        ),
        ("widget/*.js", ((r"""(?P<matched>load\("(?P<url>\./.*?)"\))""", 'load("%(url)s")'),)),
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
        if name.startswith("widget/") and name.endswith(".js"):
            content = ContentFile(rjsmin.jsmin(b"".join(content.chunks())))
        saved: str = super()._save(name, content)
        return saved
