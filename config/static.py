"""How static files are served: compressed, and cached for good under names that change with their content."""

from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc] # whitenoise has no types
    """Modules of the widget and of the console import each other under such names, too; those of packages do not."""

    # A pass gives lasting names to one more level of a chain of imports, if the file system lists importers first.
    max_post_process_passes = 20
    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        *(
            (modules, CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1])
            for modules in ("widget/*.js", "console/*.js")
        ),
    )
