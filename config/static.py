"""How static files are served: compressed, and cached for good under names that change with their content."""

import re
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]

# A comment that has its lines to itself, and indentation.
_FOR_READERS = re.compile(r"^\s*(?://[^\n]*|/\*\*.*?\*/)\n|^[ \t]+", re.MULTILINE | re.DOTALL)


def without_remarks(source: str) -> str:
    """A module without what only its readers need: an eighth of its compressed bytes. Its strings must not have lines
    that begin with `//` or `/**`.
    """
    return _FOR_READERS.sub("", source)


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc] # whitenoise has no types
    """Modules of the widget and of the console import each other under such names, too; those of packages do not.

    The widget's modules, which strangers load, are kept without remarks. They ask for each other with `load("./…")`,
    too.
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

    def _save(self, name: str, content: Any) -> str:
        if name.startswith("widget/") and name.endswith(".js"):
            content = ContentFile(without_remarks(b"".join(content.chunks()).decode()).encode())
        saved: str = super()._save(name, content)
        return saved
