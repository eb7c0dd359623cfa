"""How static files are served: compressed, and cached for good under names that change with their content."""

from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc] # whitenoise has no types
    """The widget's modules import each other under such names, too. Modules of other packages are left as they are."""

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("widget/*.js", CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]),
    )
